"""Putting stages, store and adapters together."""
