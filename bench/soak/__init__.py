"""A site on PostgreSQL and Redis that people work on while its parts fail: `python -m bench.soak`."""

# The project, who manages it, everybody's password, and how many write.
SLUG, MANAGER, PASSWORD, WRITERS = "soak", "mara", "correct horse battery", 8
