"""Tokens as objects, as Prodigy, spaCy and others have them: `{"text": "Time", "start": 0, "end": 4, "ws": true}`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import Any

from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.tokens import white_space
from annotator.formats.json.answer_states import letters
from annotator.formats.json.span_objects import ShapeError, is_whole, shown
from annotator.formats.json.values import spaces_between
from annotator.formats.text.offsets import WHITE
from annotator.formats.text.tagged import as_bio, is_tag

_FORM = ("text", "form", "word", "token", "orth", "value", "surface", "content", "tokentext")
_BEGIN = ("start", "begin", "startoffset", "beginoffset", "startchar", "offset", "idx", "from", "charstart")
_END = ("end", "endoffset", "endchar", "to", "stop", "charend")
_AFTER = ("ws", "whitespace", "trailingwhitespace", "spaceafter", "after", "space")
_LEMMA = ("lemma", "lemmas")
_PART = ("upos", "pos", "partofspeech")
_TAG = ("label", "tag", "bio", "iob", "ner", "nertag", "entity", "labels", "tags")
_BESIDE = frozenset({"id", "index", "i", "disabled", "length"})


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a list of tokens says: of `tags`, one per token or none. `keys`: what is not read of them."""

    forms: tuple[str, ...]
    spaces: tuple[str, ...]
    lemmas: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    keys: Mapping[str, int] | None = None


def are_token_objects(value: Any) -> bool:
    """Whether a list is one of tokens with what is said of each."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def read_tokens(value: Sequence[Mapping[str, Any]], text: str) -> Tokens:
    """The tokens of a list of objects. `text`: that which they are of, where it is there. Raises ShapeError where
    they have no forms, or do not spell it."""
    named = [{letters(key): one for key, one in token.items()} for token in value]
    # spaCy has tokens of line breaks alone.
    filled = [not (isinstance(form := _first(one, _FORM), str) and form and not form.strip(WHITE)) for one in named]
    value, named = list(compress(value, filled)), list(compress(named, filled))
    places = [(_first(one, _BEGIN), _first(one, _END)) for one in named]
    placed = all(is_whole(begin) and is_whole(end) and 0 <= begin < end for begin, end in places)
    forms = [_first(one, _FORM) for one in named]
    if text and placed and all(end <= len(text) for _begin, end in places):
        cut = [text[begin:end] for begin, end in places]
        # Tokens of a model ("##ing") are not spelt as in the text.
        if not all(isinstance(form, str) and form for form in forms) or not _spells(text, forms):
            forms = cut
    if not all(isinstance(form, str) and form for form in forms):
        wrong = next(token for token, form in zip(value, forms, strict=True) if not isinstance(form, str) or not form)
        raise ShapeError(_("%(shown)s is a token without a form"), shown=shown(wrong))
    tokens = tuple(map(str, forms))
    tags = tuple(as_bio(str(_first(one, _TAG) or "")) for one in named)
    has_tags = all(map(is_tag, tags))
    lemmas, parts = (tuple(str(_first(one, names) or "") for one in named) for names in (_LEMMA, _PART))
    read = {*_FORM, *_BEGIN, *_END, *_AFTER, *_LEMMA, *_PART, *_BESIDE, *(_TAG if has_tags else ())}
    keys = Counter(
        key
        for token in value
        for key, given in token.items()
        if letters(key) not in read and given not in (None, "", [], {})
    )
    return Tokens(
        tokens,
        _spaces(text, tokens, named, places if placed else []),
        lemmas if any(lemmas) else (),
        parts if any(parts) else (),
        tags if has_tags else (),
        keys,
    )


def _spaces(
    text: str, tokens: tuple[str, ...], named: Sequence[Mapping[str, Any]], places: Sequence[tuple[int, int]]
) -> tuple[str, ...]:
    if text:
        return spaces_between(text, tokens)
    after = [_white(_first(one, _AFTER)) for one in named]
    if all(one is None for one in after) and places:
        # Without a text, where they begin and end tells how far they are from each other.
        gaps = [begin - end for (_b, end), (begin, _e) in pairwise(places)]
        after = [*(" " * gap if gap >= 0 else None for gap in gaps), ""]
    spaces = ["", *(" " if one is None else one for one in after)]
    if after[-1] is None:
        spaces[-1] = ""
    usual = ["", *[" "] * (len(tokens) - 1), ""]
    return () if spaces == usual else tuple(spaces)


def _white(given: Any) -> str | None:
    """What stands after a token; None where it is not said."""
    if isinstance(given, bool):
        return " " if given else ""
    if isinstance(given, str) and given.lower() in ("no", "false"):
        return ""
    return given if isinstance(given, str) and not given.strip() else None


def _spells(text: str, forms: Sequence[str]) -> bool:
    try:
        white_space(text, tuple(forms))
    except ValueError:
        return False
    return True


def _first(named: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((named[name] for name in names if named.get(name) is not None), None)
