"""Work to be done later, and what the calls to models that it makes have cost."""
