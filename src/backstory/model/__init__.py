"""What things are: domain types without I/O, clock or database."""
