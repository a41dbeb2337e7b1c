"""Texts that are edited or set aside, and what becomes of the work on them."""
