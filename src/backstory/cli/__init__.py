"""The command line: it translates, nothing more."""
