"""Commands about the agents that people use."""
