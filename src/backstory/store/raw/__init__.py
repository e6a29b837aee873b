"""The families of what was said and what happened: threads, turns and events."""
