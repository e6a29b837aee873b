"""What each command does, a module for each group of them, loaded when one is asked for."""
