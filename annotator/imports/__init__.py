"""Files that come into a project: reading and checking them, drafts, writing, undoing."""
