"""Kinds of work that the product does not have, chained: write a text on a sentence, and vote on those texts; or on
what was labelled.

They live in this folder alone: kinds, a content type, templates and scripts. `tests/kinds/test_toy_kinds.py` works
with them from the claim to the release.
"""
