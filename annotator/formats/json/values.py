"""Values of JSON as readers of other tools' files want them, whatever stands there."""

from __future__ import annotations

from typing import Any

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message_of
from annotator.domain.text.tokens import white_space
from annotator.formats.json.span_objects import ShapeError


def as_list(value: Any) -> list[Any]:
    """A list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def as_objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [one for one in as_list(value) if isinstance(one, dict)]


def as_object(value: Any) -> dict[str, Any]:
    """An object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_text(value: Any) -> str:
    """A text or number as text; "" for anything else."""
    return "" if value is None or isinstance(value, bool | list | dict) else str(value)


def spaces_between(text: str, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """As `white_space`. Raises ShapeError where the text is not made of the tokens."""
    try:
        return tuple(white_space(text, tokens))
    except ValueError as error:
        raise ShapeError(_("the tokens do not match the text: %(error)s"), error=message_of(error)) from error


def kept_tokens(text: str, given: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tokens that came with a text as metadata, and its spaces; none where the text was changed since."""
    if not isinstance(given, list) or not given or not all(isinstance(token, str) and token for token in given):
        return (), ()
    try:
        return tuple(given), tuple(white_space(text, given))
    except ValueError:
        return (), ()
