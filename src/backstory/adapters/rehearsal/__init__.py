"""Running a coding agent itself, against a model that is this program, in a home that goes."""
