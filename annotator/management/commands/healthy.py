"""Health checks of the containers."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from annotator.management.base import Command as BaseCommand
from annotator.models import Worker


class Command(BaseCommand):
    help = "Exit with 0 if the web server on this machine answers, or with --worker, if its worker is alive."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--worker", action="store_true", help="ask about the worker")
        parser.add_argument("--port", type=int, default=8000, help="where the web server listens (8000)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["worker"]:
            if not Worker.objects.alive().filter(host=socket.gethostname()).exists():
                raise CommandError("No worker on this machine has reported in the last seconds.")
        else:
            ask_web(options["port"])
        self.say("ok")


def ask_web(port: int) -> None:
    """Ask the web server for its health. Raises CommandError when it does not answer with 200."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{settings.FORCE_SCRIPT_NAME or ''}/healthz/", timeout=5):
            pass
    except (urllib.error.URLError, OSError) as error:
        raise CommandError(f"The web server on port {port} does not answer: {error}") from error
