"""JSON bodies of a reasonable size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import DataAndFiles, JSONParser, MultiPartParser

from api.errors import TooLarge

MAX_BYTES = 1024 * 1024


class LimitedJSONParser(JSONParser):
    """JSON up to `MAX_BYTES`; the rest is refused unread. Django's own limit does not reach DRF's parsers."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        request = (parser_context or {}).get("request")
        length = request.META.get("CONTENT_LENGTH") if request is not None else None
        if length and int(length) > MAX_BYTES:
            raise TooLarge(_("The request is too large; at most %(most)d bytes are read.") % {"most": MAX_BYTES})
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError(_("The request is nested too deeply.")) from None


class LimitedMultiPartParser(MultiPartParser):
    """Files up to what an import may hold; the rest is refused unread."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> DataAndFiles[Any, Any]:
        request = (parser_context or {}).get("request")
        length = request.META.get("CONTENT_LENGTH") if request is not None else None
        if length and int(length) > self.most() + MAX_BYTES:
            raise TooLarge(_("The request is too large; at most %(most)d bytes are read.") % {"most": self.most()})
        return super().parse(stream, media_type, parser_context)

    def most(self) -> int:
        """Bytes that are read."""
        return int(settings.IMPORT_MAX_BYTES)


class ArchiveMultiPartParser(LimitedMultiPartParser):
    """The archive of a project."""

    def most(self) -> int:
        """Bytes that are read."""
        return int(settings.ARCHIVE_MAX_BYTES)
