"""Recall: finding items and episodes for a question and the cues around it."""
