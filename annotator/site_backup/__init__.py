"""Site backups: the database and the files of the whole site in one file, written while people work, and restored."""
