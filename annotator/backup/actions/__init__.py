"""A project in one file, and back: written again after it was restored, the file is the same, byte for byte.

`tables.py` says what is in it, `references.py` how rows name each other, `writing.py` and `restoring.py` do it.
"""
