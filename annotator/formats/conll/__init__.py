"""A token a line: tagged tokens, CoNLL 2003, CoNLL-U."""
