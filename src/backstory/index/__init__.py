"""Stage: text cut into terms, the same way for what is stored and what is asked."""
