"""The database backend of installations without a server: Django's, with writers in a queue."""
