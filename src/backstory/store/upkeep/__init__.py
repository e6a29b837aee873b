"""What is done to a whole store: copies, clearing, erasing and checking."""
