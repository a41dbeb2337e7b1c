"""A stored study of agreement in words: its tables, its files, and a paragraph for a paper."""
