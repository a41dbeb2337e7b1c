"""Background jobs: starting and running them, and the workers that do."""
