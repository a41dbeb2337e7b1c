"""Labels that were projected from another language: keep them, drop what was lost, add what was gained."""
