"""WebAnno TSV 3, and its layers."""
