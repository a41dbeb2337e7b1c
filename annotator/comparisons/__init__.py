"""Labels side by side: of a language and its translation, and of two versions; computed by a job, stored as a table."""
