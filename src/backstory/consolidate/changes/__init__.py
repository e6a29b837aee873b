"""What a decision looks at, what a statement takes the place of, and what a withdrawal means."""
