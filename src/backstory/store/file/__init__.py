"""The store as a file: making it, knowing it again, connecting, bringing it up to date."""
