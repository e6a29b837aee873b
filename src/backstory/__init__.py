"""Project memory for coding agents, with proof."""

__version__ = "0.1.0"
