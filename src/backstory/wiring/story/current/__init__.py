"""What is remembered, beside what the repository is like now: its files and its branches."""
