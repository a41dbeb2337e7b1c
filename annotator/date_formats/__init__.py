"""Dates as they are written in each language, where they are not as Django has them."""
