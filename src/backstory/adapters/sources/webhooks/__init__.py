"""A door on this machine for what trackers tell: signed, bounded, and for closed tickets only."""
