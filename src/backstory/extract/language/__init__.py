"""What words do: clauses, their signals, and the tables of words behind them. Pure."""
