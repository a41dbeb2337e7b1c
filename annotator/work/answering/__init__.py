"""One person and one item: what they see, what they save, and what they may do with it."""
