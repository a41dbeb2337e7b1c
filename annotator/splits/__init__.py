"""Splits: which part of a corpus each item is in; made here or published elsewhere, stored, checked for leaks."""
