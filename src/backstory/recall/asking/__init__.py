"""What a question asks for: its words, places, words of time and the kind of answer. Pure."""
