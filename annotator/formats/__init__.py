"""File formats: readers that say what is wrong where, and writers that give back what was read."""
