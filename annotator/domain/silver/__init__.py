"""Pairs for inference made by rule, and the grammar that they need."""
