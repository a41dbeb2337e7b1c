"""The database backends, and how rows are written and read fast beside other work."""
