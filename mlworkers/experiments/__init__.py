"""Experiments: train a detector on some files, measure it on others, over several seeds, and put it in a table."""
