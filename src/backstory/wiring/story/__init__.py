"""The story kept up to date: new commits, sessions that are over, files that changed."""
