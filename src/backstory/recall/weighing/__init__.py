"""Which entries earn a place in an answer: looked up, weighed and judged."""
