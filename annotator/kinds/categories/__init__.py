"""Several categories of the project's list for each part of a unit."""
