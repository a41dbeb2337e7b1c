"""Why no format takes a file, where the file itself tells: XML that is not safe, zip files of something else."""

from __future__ import annotations

from annotator.domain.formats.base import SourceFile
from annotator.domain.formats.beginnings import starts_with
from annotator.domain.formats.cas import names_in_zip
from annotator.domain.formats.errors import FormatError, quote
from annotator.domain.formats.lines import open_bytes
from annotator.domain.formats.xml_events import Start, xml_events
from annotator.domain.said import Sentence, say
from annotator.domain.said import gettext_noop as _

# Bytes: byte order marks, white space, and the other halves of UTF-16.
_BEFORE = b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n"
_LOOKED_AT = 1000


def why_unrecognised(file: SourceFile) -> FormatError:
    """What is wrong with a file that `recognise` found no format for. Looks at its beginning only."""
    try:
        got = _what_it_is(file)
    except FormatError as error:
        return error
    return FormatError(file.name, 0, say(_("a file in one of the formats")), got)


def _what_it_is(file: SourceFile) -> Sentence:
    """Raises FormatError for what would be taken, were it not for something in it."""
    if starts_with(file, b"PK\x03\x04"):
        names = names_in_zip(file)
        shown = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
        if names:
            return say(_("a zip file of others (%(names)s): unpack it, and choose what is in it"), names=quote(shown))
        return say(_("a zip file of others: unpack it, and choose what is in it"))
    with open_bytes(file.path, file.name) as stream:
        head = stream.read(_LOOKED_AT)
    if head.lstrip(_BEFORE).startswith(b"<"):
        root = next((event for event in xml_events(file) if isinstance(event, Start)), None)
        if root is not None:
            return say(_("XML of another kind, which begins with <%(name)s>"), name=root.name)
    return say(_("none"))
