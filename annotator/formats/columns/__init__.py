"""What the columns and cells of a table mean."""
