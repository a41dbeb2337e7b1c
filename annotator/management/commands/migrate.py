"""Django's migrate, which refuses a database that is too old and says so."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from annotator.core.database.trouble import TOO_OLD, is_too_old


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if is_too_old(MigrationLoader(connections[options["database"]])):
            raise CommandError(TOO_OLD)
        super().handle(*args, **options)
