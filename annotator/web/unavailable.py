"""Responses for a failing database or disk, for missing files, and for refusals inside a project."""

from __future__ import annotations

import re
import sys
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.views.defaults import server_error

from annotator.core.access import project_for
from annotator.core.faults import RETRY_SECONDS, passes, unavailable
from annotator.core.files.downloads import MissingFileError
from annotator.web.pages import page_context


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's 404, with the reason where a file is missing: the address was right."""
    missing = str(exception) if isinstance(exception, MissingFileError) else ""
    return render(request, "404.html", {"missing": missing, **_project_context(request)}, status=404)


def handler403(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's 403, with the reason."""
    return render(request, "403.html", {"exception": str(exception), **_project_context(request)}, status=403)


def _project_context(request: HttpRequest) -> dict[str, Any]:
    """Context of the project that the address names, so that members keep its navigation; empty for outsiders."""
    # Also for an address without a page.
    named = re.match(r"/projects/([-\w]+)/", request.path_info)
    if not named:
        return {}
    try:
        return page_context(project_for(request.user, named[1]))
    except Http404:
        return {}


def handler500(request: HttpRequest) -> HttpResponse:
    """Answer a fault: 503 for one that passes, in the API's shape or as a page; otherwise Django's 500."""
    error = sys.exc_info()[1]
    if not passes(error):
        return server_error(request)
    if request.path_info.startswith("/api/"):
        body = {"error": {"code": "unavailable", "message": unavailable(error)}}
        response: HttpResponse = JsonResponse(body, status=503)
    else:
        # Not of the request: whose it is, the database knows.
        response = HttpResponse(loader.render_to_string("503.html", {"why": unavailable(error)}), status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response
