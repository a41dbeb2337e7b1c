"""Splits as corpora publish them: which files say which item is in which part."""
