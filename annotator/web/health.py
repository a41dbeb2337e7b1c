"""Health checks for load balancers and containers: is the process alive, and can it serve people?"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse

from annotator.core.database.trouble import SILENT, database_trouble
from annotator.core.files.site_mark import storage_trouble
from annotator.environment import FILES_BROKER

# Below it a save may still be stored, and an import not.
MIN_FREE_BYTES = 100 * 1024 * 1024
BROKER_SECONDS = 1


class HealthMiddleware:
    """Answer `/healthz/` and `/readyz/` before all that looks at hosts, TLS or people."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info not in ("/healthz/", "/readyz/"):
            return self.get_response(request)
        parts = {} if request.path_info == "/healthz/" else readiness()
        response = JsonResponse({"alive": True, **parts}, status=503 if any(parts.values()) else 200)
        response["Cache-Control"] = "no-store"
        return response


def readiness() -> dict[str, str]:
    """By part, why people cannot be served; "" where they can."""
    # Beside each other: each may take as long as an answer may.
    with ThreadPoolExecutor(1) as beside:
        broker = beside.submit(_broker)
        return {"database": _database(), "disk": _disk(), "broker": broker.result(), "storage": _storage()}


def _database() -> str:
    try:
        trouble = database_trouble() or ""
    except Error:
        trouble = SILENT
    # Where it is, nobody outside needs to know.
    return SILENT if trouble.startswith(SILENT) else trouble


def _disk() -> str:
    if not os.access(settings.DATA_DIR, os.W_OK):
        return "The data folder cannot be written to."
    free = shutil.disk_usage(settings.DATA_DIR).free
    return "" if free >= MIN_FREE_BYTES else f"The disk of the data folder has {free // 1024**2} MB left."


def _storage() -> str:
    try:
        return storage_trouble() or ""
    except Error:
        return ""  # which the database says


def _broker() -> str:
    """Jobs wait without it, and are sent when it is there again."""
    if settings.CELERY_BROKER_URL == FILES_BROKER:
        return ""  # in the data folder
    from kombu import Connection

    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    url = settings.CELERY_BROKER_URL
    try:
        with Connection(url, connect_timeout=BROKER_SECONDS, transport_options=options) as connection:
            connection.ensure_connection(max_retries=0, timeout=BROKER_SECONDS)
    except Exception as error:  # each transport has its own, and other libraries' beside
        return f"The broker does not answer: {type(error).__name__}"
    return ""
