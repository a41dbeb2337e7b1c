"""Writing what an import adds, and publishing it as a whole."""
