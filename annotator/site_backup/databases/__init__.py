"""How each database is copied in one state, and brought back."""

from __future__ import annotations

from annotator.site_backup.databases.base import Database


def this_database() -> Database:
    """That of the site."""
    from django.db import connection

    if connection.vendor == "sqlite":
        from annotator.site_backup.databases.sqlite import SQLite

        return SQLite()
    from annotator.site_backup.databases.postgresql import PostgreSQL

    return PostgreSQL()
