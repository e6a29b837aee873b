"""Stage: turns and events, verbatim and durable before anything reads them."""
