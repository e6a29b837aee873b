"""Reading commit messages: their parts, sentences, phrases, tickets and references."""
