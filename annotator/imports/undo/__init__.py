"""Undoing an import while nobody has worked on it."""
