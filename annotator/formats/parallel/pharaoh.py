"""Word links in Pharaoh format: `0-0 1-2`, source-target, token indices from 0, a line a sentence pair."""

from __future__ import annotations

import re
from collections.abc import Iterable

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.common.errors import FormatError, quote

# No sentence has a billion tokens; the limit keeps absurd numbers from being converted.
_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def parse_links(
    line: str,
    *,
    name: str = "links",
    number: int = 1,
    source_length: int | None = None,
    target_length: int | None = None,
) -> tuple[tuple[int, int], ...]:
    """The links of a line, in order, each once; an empty line has none.

    `name` and `number` say in errors where the line stands. With lengths, links must lie within.
    Raises FormatError for anything that is not `number-number`.
    """
    links: set[tuple[int, int]] = set()
    for part in line.replace("\t", " ").split(" "):
        if not part:
            continue
        match = _LINK.fullmatch(part)
        if match is None:
            raise FormatError(name, number, message(_("links like 0-0 1-2")), quote(part))
        source, target = int(match[1]), int(match[2])
        for side, index, length in (("source", source, source_length), ("target", target, target_length)):
            if length is not None and index >= length:
                raise FormatError(
                    name,
                    number,
                    message(
                        _("links within the %(side)s sentence of %(length)s tokens, counted from 0"),
                        side=side,
                        length=length,
                    ),
                    quote(part),
                )
        links.add((source, target))
    return tuple(sorted(links))


def format_links(links: Iterable[tuple[int, int]]) -> str:
    """The links in ascending order, each once, without a line end."""
    return " ".join(f"{source}-{target}" for source, target in sorted(set(links)))
