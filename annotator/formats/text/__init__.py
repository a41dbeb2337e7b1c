"""Texts and their tokens: running text, sentences, characters and places."""
