"""Labels with positions as other tools' JSON has them: lists and objects, under whatever names these give.

`{"start": 0, "end": 4, "label": "NAME"}` is the usual one; begin, offset, from, to, length, and tag, type, category,
entity are names of the same. `[0, 4, "NAME"]` and `["NAME", 0, 4]` are read as well, and labels by their name:
`{"NAME": [[0, 4]]}`. The text that stands with a label is kept, since it tells how positions are counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotator.domain.labels.spans import Attributes
from annotator.domain.messages import InvalidError, Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.word_sets import word_set
from annotator.formats.common.errors import quote
from annotator.formats.common.records import CharSpan
from annotator.formats.json.answer_states import State, labels_left_out, letters, says_state, state_of

_BEGIN = word_set(
    "start begin startoffset beginoffset from offset startchar beginchar charstart charbegin startindex "
    "beginindex startpos startposition offsetstart offsetbegin starts begins startcharacter"
)
_END = word_set(
    "end stop to endoffset stopoffset endchar charend endindex endpos endposition offsetend ends endcharacter"
)
_LENGTH = frozenset({"length", "len"})
# What holds the places of a label: a pair of numbers, an object, or several of either.
_PLACE_NAMES = (
    "at points span spans position positions offsets textextraction textsegment location range ranges "
    "mentions fragments loc indices"
)
_PLACES = _PLACE_NAMES.split()
_LABEL_NAMES = (
    "label labels tag tags category categories entitygroup entitytype entity entitylabel labelname "
    "displayname type class classname concept name"
)
_LABEL = _LABEL_NAMES.split()
_SHOWN = word_set("text value word surface surfaceform mention coveredtext content quote exact string")
# Of no meaning outside of the tool, or said by the positions too.
_BESIDE = word_set(
    "id labelid tagid annotationid exampleid entityid spanid uid uuid key index color colour tokenstart "
    "tokenend starttoken endtoken taggedtokenid hash inputhash"
)
_NAMES_OF_LABEL = ("name", "label", "text", "title", "value")
# A list with more numbers and names is not a label.
_LONGEST = 4


class ShapeError(InvalidError):
    """A value that is none of the shapes that labels have; the text says what it is."""


@dataclass(slots=True)
class Noted:
    """What is not read of labels: keys, and labels whose state says that they are none."""

    keys: Counter[str] = field(default_factory=Counter)
    counts: Counter[Sentence] = field(default_factory=Counter)


def has_positions(value: Any) -> bool:
    """Whether a value is a label with positions, or a list with one: never a category."""
    if isinstance(value, list):
        return (
            _as_list(value) is not None
            or any(isinstance(one, dict) and has_positions(one) for one in value)
            or any(isinstance(one, list) and _as_list(one) is not None for one in value)
        )
    if not isinstance(value, dict):
        return False
    names = {letters(key) for key in value}
    return bool(names & _BEGIN and names & (_END | _LENGTH)) or any(
        letters(key) in _PLACES and isinstance(one, dict | list) and one for key, one in value.items()
    )


def spans_of(value: Any, text: str, noted: Noted, *, name: str = "") -> list[CharSpan]:
    """The labels that a list of them, one by itself, or lists by their labels spell. Raises ShapeError.

    `name`: the label of what has none of its own.
    """
    if (
        isinstance(value, dict)
        and not has_positions(value)
        and value
        and all(_is_listed(one) for one in value.values())
    ):
        return [span for key, one in value.items() for span in spans_of(one, text, noted, name=str(key))]
    if _as_list(value) is not None or (isinstance(value, dict) and has_positions(value)):
        return list(_label(value, text, noted, name))
    if not isinstance(value, list):
        raise ShapeError(_("%(shown)s is not a list"), shown=shown(value))
    return [span for one in value for span in _label(one, text, noted, name)]


def _is_listed(value: Any) -> bool:
    """Whether a value is a list of labels or of places, empty ones included."""
    return isinstance(value, list) and all(isinstance(one, dict | list) for one in value)


def _label(value: Any, text: str, noted: Noted, name: str) -> Iterator[CharSpan]:
    """A label; none where its state says so, several where the object names several."""
    if isinstance(value, list):
        found = _as_list(value, name)
        if found is None:
            raise ShapeError(_("%(shown)s is not a label"), shown=shown(value))
        places, labels, score = found
        yield from (_checked(places, label, {}, score) for label in labels)
        return
    if not isinstance(value, dict):
        raise ShapeError(_("%(shown)s is not a label"), shown=shown(value))
    # LightTag's reviewers say of each label whether it is correct.
    if state := State.REJECTED if value.get("correct") is False else state_of(value):
        noted.counts[labels_left_out(state)] += 1
        return
    yield from _Object(value, text, noted, name).spans()


@dataclass(slots=True)
class _Object:
    """An object on its way to labels."""

    value: Mapping[str, Any]
    text: str
    noted: Noted
    name: str
    used: set[str] = field(default_factory=set)

    def spans(self) -> Iterator[CharSpan]:
        begun = self.take(_BEGIN)
        ended = self.take(_END)
        length = self.take(_LENGTH)
        if ended is None and begun is not None and is_whole(begun) and is_whole(length):
            ended = begun + length
        whole = not (begun is None and ended is None)
        places: Any = [[begun, ended]]
        for key in () if whole else _PLACES:
            given = self.take({key})
            if isinstance(given, dict | list):
                places = self.places(given)
                break
        if not isinstance(places, list) or not all(
            isinstance(one, list) and len(one) == 2 and all(map(is_whole, one)) for one in places
        ):
            raise ShapeError(_("%(shown)s has no integer start and end"), shown=shown(self.value))
        beside = self.beside()
        labels = self.labels(places, beside)
        if not labels:
            raise ShapeError(_("%(shown)s has no label"), shown=shown(self.value))
        attributes, score = self.attributes(), self.score()
        if len(places) == 1 and beside:
            places = [self.with_its_end(places[0], beside)]
        for key, value in self.value.items():
            is_read = key in self.used or letters(key) in _BESIDE or says_state(key, value)
            if not is_read and value not in (None, "", [], {}):
                self.noted.keys[key] += 1
        fragments = tuple((one[0], one[1]) for one in places)
        yield from (_checked(fragments, label, attributes, score, beside) for label in labels)

    def take(self, names: frozenset[str] | set[str]) -> Any:
        """The value of the first key that is called so."""
        key = next((key for key in self.value if letters(key) in names and key not in self.used), None)
        if key is None or self.value[key] is None:
            return None
        self.used.add(key)
        return self.value[key]

    def places(self, given: Any) -> Any:
        """The places that a list, or an object, has."""
        if isinstance(given, list) and len(given) == 2 and all(map(is_whole, given)):
            return [given]
        found: list[Any] = []
        for one in given if isinstance(given, list) else [given]:
            if isinstance(one, dict):
                inner = _Object(one, self.text, self.noted, self.name)
                begun, ended, length = inner.take(_BEGIN), inner.take(_END), inner.take(_LENGTH)
                if ended is None and is_whole(begun) and is_whole(length):
                    ended = begun + length
                if begun is None:
                    key = next((key for key in _PLACES if (inner.take({key})) is not None), "")
                    nested = next((value for name, value in one.items() if letters(name) == key), None)
                    found += self.places(nested) if isinstance(nested, dict | list) else [[None, None]]
                    continue
                beside = inner.beside(of_place=True)
                place = [begun, ended]
                found.append(self.with_its_end(place, beside) if beside and all(map(is_whole, place)) else place)
            else:
                found.append(one)
        return found

    def beside(self, *, of_place: bool = False) -> str:
        """The text that stands with the label: one of the usual names that is not its label. `of_place`: the object
        is but a place of one."""
        has_label = of_place or any(letters(key) in _LABEL and value for key, value in self.value.items())
        key = next(
            (
                key
                for key, value in self.value.items()
                if letters(key) in _SHOWN and isinstance(value, str) and value and has_label and key not in self.used
            ),
            "",
        )
        if key:
            self.used.add(key)
        return self.value[key] if key else ""

    def labels(self, places: Sequence[Any], beside: str) -> list[str]:
        """The names of the label, from the key that is called most like one."""
        found: list[tuple[str, list[str]]] = []
        for name in _LABEL:
            for key, value in self.value.items():
                if letters(key) == name and key not in self.used and (names := _names(value)):
                    found.append((key, names))
        if len(found) > 1:
            # Where an entity is what stands in the text, its type is the label.
            there = {beside} | {self.text[one[0] : one[1]] for one in places if one[0] >= 0}
            found = [one for one in found if not set(one[1]) <= there] or found
        if not found and not self.name:
            # Where nothing else is called like a label.
            value = next((key for key in self.value if letters(key) == "value" and key not in self.used), "")
            found = [(value, names)] if value and (names := _names(self.value[value])) else []
        if not found:
            return [self.name] if self.name else []
        self.used.add(found[0][0])
        return found[0][1]

    def attributes(self) -> dict[str, str]:
        given = self.take({"attributes"})
        if given is None or given in ({}, []):
            return {}
        if not isinstance(given, dict) or not all(isinstance(one, str | int | float) for one in given.values()):
            raise ShapeError(_("the attributes of %(shown)s are not names with text values"), shown=shown(self.value))
        return {key: str(one).lower() if isinstance(one, bool) else str(one) for key, one in given.items()}

    def score(self) -> float | None:
        score = self.take({"score"})
        if score is None:
            return None
        if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
            raise ShapeError(_("the score of %(shown)s is not between 0 and 1"), shown=shown(self.value))
        return score

    def with_its_end(self, place: list[int], beside: str) -> list[int]:
        """A place whose end is its last character, as the text beside it says, with the end after it."""
        begin, end = place
        # The characters that other tools count are one or two of ours; the last of them is one.
        if 0 <= begin <= end and self.text[begin : end + 1] == beside != self.text[begin:end]:
            self.noted.counts[
                message(_("labels whose end is their last character, according to the text beside them"))
            ] += 1
            return [begin, end + 1]
        return place


def _names(value: Any) -> list[str]:
    """The names that a value is: a text, an object with one, a list of either."""
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, dict):
        return [next((value[key] for key in _NAMES_OF_LABEL if isinstance(value.get(key), str)), "")]
    if isinstance(value, list) and value and len(value) < 100:
        found = [name for one in value for name in _names(one)]
        return found if len(found) == len(value) and all(found) else []
    return []


def _as_list(value: Any, name: str = "") -> tuple[tuple[tuple[int, int], ...], list[str], float | None] | None:
    """The places, labels and score of a list that is one label; None for one that is none."""
    if not isinstance(value, list) or not 2 <= len(value) <= _LONGEST:
        return None
    numbers = [one for one in value if is_whole(one)]
    rest = [one for one in value if not is_whole(one)]
    # brat's page has ["T1", "NAME", [[0, 4]]].
    if not numbers and len(rest) == 3 and _are_places(rest[2]) and all(isinstance(one, str) for one in rest[:2]):
        return tuple((one[0], one[1]) for one in rest[2]), [rest[1]], None
    if len(numbers) != 2:
        return None
    scores = [one for one in rest if isinstance(one, float)]
    labels = [one for one in rest if not isinstance(one, float)]
    if len(scores) > 1 or len(labels) > 1 or (not labels and not name):
        return None
    names = _names(labels[0]) if labels else [name]
    if labels and not names and labels[0] != "":
        return None
    score = scores[0] if scores and 0 <= scores[0] <= 1 else None
    return ((numbers[0], numbers[1]),), names or [""], score


def _are_places(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, list) and len(one) == 2 and all(map(is_whole, one)) for one in value)
    )


def _checked(
    places: tuple[tuple[int, int], ...],
    label: str,
    attributes: Mapping[str, str],
    score: float | None,
    beside: str = "",
) -> CharSpan:
    if not label:
        raise ShapeError(_("a label is empty"))
    return CharSpan(tuple(sorted(places)), label, Attributes(attributes), score, beside)


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def shown(value: Any) -> str:
    """A value for a message."""
    return quote(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str), 100)
