"""Entering Backstory into other programs' settings, and taking it out again without a trace."""
