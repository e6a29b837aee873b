"""Saved files, while somebody asks to watch: which folders, which files, how often."""
