"""Spans and the schemes of their labels."""
