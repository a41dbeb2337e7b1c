"""A corpus in memory, and the IDs of its sentences and pairs."""
