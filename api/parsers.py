"""JSON bodies of a reasonable size."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.parsers import BaseParser, DataAndFiles, MultiPartParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from annotator.core.files.uploaded import size_of
from annotator.domain.text.storable import unstorable
from api.errors import TooLarge

MAX_BYTES = 1024 * 1024


class LimitedJSONParser(BaseParser):
    """JSON up to `MAX_BYTES`; the rest is refused unread.

    No child of DRF's parser of JSON, whose body DRF reads before it asks the parser.
    """

    media_type = "application/json"
    renderer_class = JSONRenderer

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        context = parser_context or {}
        check_size(context.get("request"), self.most())
        try:
            text = stream.read().decode(context.get("encoding") or "utf-8")
            found = json.loads(text, parse_constant=_no_number)
        except (ValueError, LookupError) as error:
            raise ParseError(_("The request is not JSON: %(reason)s") % {"reason": error}) from None
        except RecursionError:
            raise ParseError(_("The request is nested too deeply.")) from None
        _check_storable(found)
        return found

    def most(self) -> int:
        """Bytes that are read from somebody who is signed in."""
        return MAX_BYTES


class LongJSONParser(LimitedJSONParser):
    """Text that is pasted."""

    def most(self) -> int:
        """Bytes that are read from somebody who is signed in."""
        return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


class LimitedMultiPartParser(MultiPartParser):
    """Files up to what an import may hold; the rest is refused unread."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> DataAndFiles[Any, Any]:
        check_size((parser_context or {}).get("request"), self.most() + MAX_BYTES)
        try:
            found = super().parse(stream, media_type, parser_context)
        except (TooManyFieldsSent, TooManyFilesSent, RequestDataTooBig) as error:
            raise ParseError(
                _("There are too many files or fields in one request: at most %(most)d of each can be sent at once.")
                % {"most": settings.DATA_UPLOAD_MAX_NUMBER_FILES}
            ) from error
        _check_storable(dict(found.data.lists()))
        return found

    def most(self) -> int:
        """Bytes that are read."""
        return int(settings.IMPORT_MAX_BYTES)


class ArchiveMultiPartParser(LimitedMultiPartParser):
    """The archive of a project."""

    def most(self) -> int:
        """Bytes that are read."""
        return int(settings.ARCHIVE_MAX_BYTES)


def check_size(request: Request | None, most: int) -> None:
    """Raise TooLarge for a body of more than `most` bytes, or one that a stranger sends who is not just signing in."""
    if request is None:
        return
    if not request.user.is_authenticated:
        most = min(most, settings.SHORT_BODY_BYTES)
    if size_of(request) > most:
        raise TooLarge(_("The request is too large. The limit is %(most)d bytes.") % {"most": most})


def _check_storable(value: Any) -> None:
    if odd := [*unstorable(value)]:
        text = _("The request has characters or numbers that cannot be stored.")
        raise ValidationError({where: [text] for where in odd})


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
