"""The database backend of installations with PostgreSQL: Django's, with statements planned once a connection."""
