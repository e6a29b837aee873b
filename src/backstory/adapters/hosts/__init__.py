"""What coding agents tell their hooks, and how each wants to be answered."""
