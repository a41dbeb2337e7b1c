"""Tokens, words and languages."""
