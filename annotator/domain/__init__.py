"""The rules of the product, as pure functions over tokens and spans.

Nothing in here knows Django, a database or a model; NumPy is the only library that may be used.
A sentence is a tuple of tokens exactly as imported, and every position is a token index.
"""
