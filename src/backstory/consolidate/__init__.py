"""Stage: what a candidate does to memory, decided by rule and written in one transaction."""
