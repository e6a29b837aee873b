"""Finding the earlier episodes that matter for a question or a change."""
