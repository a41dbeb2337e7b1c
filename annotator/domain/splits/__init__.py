"""Splits of a corpus: which part each item is in, and what parts have in common."""
