"""Labels on the same texts side by side: of two versions of an annotation, and of a text and its translation."""
