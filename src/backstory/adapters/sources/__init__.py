"""Where work shows beside conversations and git: the shell, saved files, tickets."""
