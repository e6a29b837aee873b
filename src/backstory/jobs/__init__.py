"""Leases, due times and retry: when work is done and by whom."""
