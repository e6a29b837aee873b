"""What a person is told of a memory: how it is, what is wrong with it, and why it is so."""
