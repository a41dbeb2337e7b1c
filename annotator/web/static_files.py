"""Serve static files. Browsers cache those of this version forever. Text is minified and compressed.

Both happen at the first request for a file, in the process that answers: an update needs no collecting.
"""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.middleware import WhiteNoiseMiddleware

from annotator.static_version import LENGTH
from annotator.web.middleware import CONTENT_SECURITY_POLICY

_ADDRESS = re.compile(rf"/static/(?:[0-9a-f]{{{LENGTH}}}/)?(?P<path>.+)")
_TEXT = re.compile(r"text/|application/json|image/svg\+xml")
# A template within a template, in which rjsmin takes away spaces that count.
_NESTED = re.compile(rb"\$\{[^}`]*`")
_MINIFIERS = {".js": jsmin, ".css": cssmin}
# Brotli's best takes seconds for the scripts of the API's page.
_LONG, _BEST, _QUICK = 256 * 1024, 11, 5


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """Under an address of another version, which pages from before an update ask for, files are asked for again."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        prefix: str = settings.WHITENOISE_STATIC_PREFIX
        asked = request.path_info
        other = None if asked.startswith(prefix) else _ADDRESS.fullmatch(asked)
        address = f"{prefix}{other['path']}" if other else asked
        found = self.find_file(address) if self.autorefresh else self.files.get(address)
        if found is None:
            return self.get_response(request)
        path, listed = found.get_path_and_headers({})
        headers = dict(listed)
        if other:
            headers["Cache-Control"] = "max-age=0, public"
        packs = request.method == "GET" and _TEXT.match(headers["Content-Type"])
        if packs and not found.is_not_modified(request.META):
            response: HttpResponseBase = _packed(path, headers, request)
        else:
            response = self.serve(found, request)
        response["Cache-Control"] = headers["Cache-Control"]
        response["X-Content-Type-Options"] = "nosniff"
        # Packages bring documents, too.
        if headers["Content-Type"].startswith("text/html"):
            response["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        return response


def _packed(path: str, headers: dict[str, str], request: HttpRequest) -> HttpResponse:
    """The whole text in the shortest spelling that the browser reads."""
    accepted = request.headers.get("Accept-Encoding", "")
    encoding = next((one for one in ("br", "gzip") if re.search(rf"\b{one}\b", accepted)), "")
    content = _content(path, Path(path).stat().st_mtime_ns, encoding)
    packed = HttpResponse(content, content_type=headers["Content-Type"])
    packed["Content-Length"] = len(content)
    packed["Vary"] = "Accept-Encoding"
    if encoding:
        packed["Content-Encoding"] = encoding
    # What is kept for good is never asked for again.
    if "immutable" not in headers["Cache-Control"]:
        packed["Last-Modified"] = headers["Last-Modified"]
    return packed


@cache
def _content(path: str, _changed: int, encoding: str) -> bytes:
    content = _minified(Path(path))
    if encoding == "br":
        return bytes(brotli.compress(content, quality=_BEST if len(content) < _LONG else _QUICK))
    return gzip.compress(content, mtime=0) if encoding == "gzip" else content


def _minified(path: Path) -> bytes:
    """Without comments and indentation, where it is the project's own; while somebody writes it, as it is."""
    content = path.read_bytes()
    minify = _MINIFIERS.get(path.suffix)
    own = any(path.is_relative_to(folder) for folder in settings.STATICFILES_DIRS)
    if settings.DEBUG or minify is None or not own or ".min" in path.suffixes or _NESTED.search(content):
        return content
    return bytes(minify(content))
