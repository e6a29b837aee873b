"""Commits as episodes, and what finds them."""
