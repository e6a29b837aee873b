"""The order of the stages, written once: which job does what, and which job follows."""
