"""Project backups: a whole project in one file, and restoring it."""
