"""Projects: making, copying and deleting them, their settings, stages, layers, members and guidelines."""
