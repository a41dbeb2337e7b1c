"""Serve static files. Browsers cache those of this version forever."""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

from annotator.static_version import LENGTH

_ADDRESS = re.compile(rf"/static/(?:[0-9a-f]{{{LENGTH}}}/)?(?P<path>.+)")


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
        response: HttpResponseBase = self.serve(found, request)
        if other:
            response["Cache-Control"] = "max-age=0, public"
        return response
