"""What comes from beside conversations and git, put together with the store."""
