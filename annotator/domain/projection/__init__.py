"""Spans carried over to another language, and what became of them."""
