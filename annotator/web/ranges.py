"""Parts of files that are downloaded, so that a download that broke off continues where it was."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import IO, cast

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

CHUNK = 64 * 1024
# One part. Several, which a server can refuse, are answered with the whole file.
_PART = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})", re.ASCII)


class RangeMiddleware:
    """Send the part of a file that `Range` names. With `If-Range`, only if the file is still the same."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not isinstance(response, FileResponse) or response.status_code != HTTPStatus.OK:
            return response
        if request.method != "GET" or "Content-Length" not in response.headers:
            return response
        response.headers["Accept-Ranges"] = "bytes"
        asked = _PART.fullmatch(request.headers.get("Range", ""))
        same = request.headers.get("If-Range") in (None, response.headers.get("ETag"))
        return response if asked is None or not same else _part(response, *asked.groups())


def _part(response: FileResponse, first: str, last: str) -> HttpResponseBase:
    size = int(response.headers["Content-Length"])
    if first:
        start, end = int(first), min(int(last or size), size - 1)
    else:
        # The last bytes.
        start, end = max(0, size - int(last or 0)), size - 1
    if start > end:
        response.close()
        return HttpResponse(
            status=HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers={"Content-Range": f"bytes */{size}"}
        )
    file = cast("IO[bytes]", response.file_to_stream)
    file.seek(start)
    response.streaming_content = _chunks(file, end - start + 1)
    response.status_code = HTTPStatus.PARTIAL_CONTENT
    response.headers["Content-Length"] = str(end - start + 1)
    response.headers["Content-Range"] = f"bytes {start}-{end}/{size}"
    return response


def _chunks(file: IO[bytes], left: int) -> Iterator[bytes]:
    while left and (chunk := file.read(min(CHUNK, left))):
        left -= len(chunk)
        yield chunk
