"""The overview of a project: what to do next, its people and its jobs."""
