"""The outside: hosts, importers, the clock."""
