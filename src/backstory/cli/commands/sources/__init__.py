"""Commands about what is recorded beside conversations and git."""
