"""Health checks of the containers."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.urls import reverse

from annotator.management.base import Command as BaseCommand
from annotator.models import Worker


class Command(BaseCommand):
    help = "Exits with 0 when the web server on this machine answers, or with --worker, when its worker is alive."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--worker", action="store_true", help="ask about the worker")
        parser.add_argument("--port", type=int, default=8000, help="where the web server listens (8000)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["worker"]:
            if not Worker.objects.alive().filter(name__startswith=f"{socket.gethostname()}:").exists():
                raise CommandError("No worker of this machine was heard of in the last seconds.")
        else:
            ask_web(options["port"])
        self.say("ok")


def ask_web(port: int) -> None:
    """Ask the web server for its health. Raises CommandError when it does not answer with 200."""
    host = settings.ALLOWED_HOSTS[0].lstrip(".").replace("*", "localhost")
    # As the proxy would ask, so that neither host check nor the way to HTTPS is in between.
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{reverse('healthz')}", headers={"Host": host, "X-Forwarded-Proto": "https"}
    )
    try:
        with urllib.request.urlopen(request, timeout=5):  # noqa: S310
            pass
    except (urllib.error.URLError, OSError) as error:
        raise CommandError(f"The web server on port {port} does not answer: {error}") from error
