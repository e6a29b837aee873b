"""Who runs a project's jobs: the worker, the model that it asks, and the book of its calls."""
