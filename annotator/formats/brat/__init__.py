"""brat's standoff."""
