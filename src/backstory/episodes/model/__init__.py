"""Summing up an episode with a model: what it is shown, what it says, and what of it checks.

Nothing is loaded here: what reads a reply is slow to load, and most who need this only look at
what is shown.
"""
