"""A token per line: tagged tokens, CoNLL 2003, CoNLL-U."""
