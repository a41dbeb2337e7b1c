"""Finding sentences: by their ID or words, by likeness, and on a map."""
