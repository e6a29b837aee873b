"""Text as terms: one segmentation for the index, for questions and for `search`."""
