"""Stage: finding items, episodes and turns, or saying nothing."""
