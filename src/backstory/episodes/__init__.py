"""The story of a project: commits, commands and turns as episodes, summed up and found again."""
