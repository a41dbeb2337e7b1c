"""What Label Studio calls a result: the regions, choices and relations of one annotation of a task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from annotator.domain.messages import Sentence, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.records import CharSpan
from annotator.formats.text.characters import code_points

# A region that has this as its note is a part of its parent: Label Studio has no regions that leave words out.
PART = "translatio:part"
# The controls that categories, and labels of the whole text, stand under in tasks that are written here.
CATEGORY = "choice"
WHOLE = "sentence"
_REGIONS = ("labels", "hypertextlabels")


@dataclass(frozen=True, slots=True)
class TaskText:
    """A text of a task: its key in the data, its language, and what positions count in."""

    key: str
    language: str
    text: str


@dataclass(slots=True)
class _Region:
    key: str
    begin: int
    end: int
    label: str
    attributes: dict[str, str]
    score: float | None
    parent: str


@dataclass(slots=True)
class Results:
    """Reads the results of one annotation: `spans` by the text's key, `values` by that and the name of their control.

    What is not imported is added to `counts`. `objects`: by an object's or a control's name, the key of the text
    that it is about. Raises FormatError for labels that lie outside of their text.
    """

    KINDS = frozenset({*_REGIONS, "paragraphlabels", "choices", "taxonomy", "text", "rating", "number", "datetime"})

    file: str
    line: int
    texts: Mapping[str, TaskText]
    counts: Counter[Sentence]
    objects: Mapping[str, str] = field(default_factory=dict)
    spans: dict[str, list[CharSpan]] = field(default_factory=dict)
    values: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    # The keys of texts where nothing tells how positions are counted.
    open: set[str] = field(default_factory=set)

    def read(self, result: Sequence[Any], *, score: bool) -> None:
        """Take the results in; `score`: whether their scores count."""
        regions: dict[str, list[_Region]] = {}
        places = self.places(result)
        for number, item in enumerate(result):
            value = item.get("value") if isinstance(item, dict) else None
            if isinstance(item, dict) and item.get("type") == "relation":
                self.counts[message(_("relations between labels, which are not imported"))] += 1
            elif not isinstance(item, dict) or not isinstance(value, dict):
                raise self.error(message(_("results with a value")), quote(str(item), 80))
            elif kind := next((key for key in _REGIONS if key in value), ""):
                if number not in places:
                    raise self.error(message(_("labels with a start and an end in characters")), quote(str(value), 80))
                # Two controls may label one region.
                regions.setdefault(_name(item, number), []).extend(
                    self.region(item, value, label, places[number], score=score)
                    for label in self.names(value[kind], "labels")
                )
        for number, item in enumerate(result):
            if item.get("type") != "relation" and not any(key in item["value"] for key in _REGIONS):
                self.other(item, item["value"], regions, places.get(number))
        self.join(regions)

    def error(self, expected: Sentence, got: Sentence) -> FormatError:
        return FormatError(self.file, self.line, expected, got)

    def names(self, given: Any, what: str) -> list[str]:
        if not isinstance(given, list) or not all(isinstance(name, str) and name for name in given):
            raise self.error(message(_("a list of %(what)s"), what=what), quote(str(given), 80))
        return given

    def text(self, item: Mapping[str, Any]) -> TaskText:
        """The text that a result is on: named like its object, known from other results, or the only one."""
        named = self.named(item)
        if named is not None:
            return named
        if len(self.texts) == 1:
            return next(iter(self.texts.values()))
        raise self.error(
            message(_("labels on %(names)s"), names=" or ".join(self.texts)),
            message(_("labels on %(get)s"), get=quote(str(item.get("to_name", "")), 60)),
        )

    def named(self, item: Mapping[str, Any]) -> TaskText | None:
        """The text that a result's names say."""
        names = [str(item.get("to_name", "")), str(item.get("from_name", ""))]
        keys = (names[0], *(self.objects.get(name, "") for name in names))
        return next((self.texts[key] for key in keys if key in self.texts), None)

    def places(self, result: Sequence[Any]) -> dict[int, tuple[int, int]]:
        """Where each region lies, in code points, by its number."""
        found: dict[int, tuple[int, int]] = {}
        by_text: dict[str, list[tuple[int, Mapping[str, Any], int, int]]] = {}
        for number, item in enumerate(result):
            value = item.get("value") if isinstance(item, dict) else None
            if not isinstance(value, dict) or not ("start" in value or "globalOffsets" in value):
                continue
            if "paragraphlabels" in value or ("globalOffsets" not in value and "startOffset" in value):
                continue
            where = value["globalOffsets"] if isinstance(value.get("globalOffsets"), dict) else value
            begin, end = _whole(where.get("start")), _whole(where.get("end"))
            if begin is None or end is None:
                raise self.error(message(_("a start and an end in characters")), quote(str(where), 80))
            by_text.setdefault(self.text(item).key, []).append((number, value, begin, end))
        for key, regions in by_text.items():
            text = self.texts[key].text
            units = self.counts_units(text, regions)
            if not any(isinstance(value.get("text"), str) for _number, value, _begin, _end in regions) and not units:
                self.open.add(key)
            for number, value, first, last in regions:
                try:
                    begin, end = code_points(text, (first, last)) if units else (first, last)
                except ValueError as error:
                    raise self.error(message(_("labels within the text")), message_of(error)) from None
                if not 0 <= begin < end <= len(text):
                    raise self.error(
                        message(_("labels within the %(text)s characters of the text"), text=len(text)),
                        message(_("one on characters %(begin)s–%(end)s"), begin=begin, end=end),
                    )
                shown = value.get("text")
                if isinstance(shown, str) and _one_line(text[begin:end]) != _one_line(shown):
                    raise self.error(
                        message(
                            _("%(shown)s at characters %(begin)s–%(end)s, as the label says"),
                            shown=quote(shown, 60),
                            begin=begin,
                            end=end,
                        ),
                        message(_("%(text)s in the text"), text=quote(text[begin:end], 60)),
                    )
                found[number] = (begin, end)
        return found

    def counts_units(self, text: str, regions: Sequence[tuple[int, Mapping[str, Any], int, int]]) -> bool:
        """Whether positions are in UTF-16 units, which differ from code points only beside emoji and the like."""
        if text.isascii() or max(text) <= "\uffff":
            return False
        points = units = 0
        for _rest, value, begin, end in regions:
            shown = value.get("text")
            if not isinstance(shown, str):
                continue
            points += _one_line(text[begin:end]) == _one_line(shown)
            try:
                first, last = code_points(text, (begin, end))
            except ValueError:
                continue
            units += _one_line(text[first:last]) == _one_line(shown)
        return units > points or any(end > len(text) for *_, end in regions)

    def region(
        self, item: Mapping[str, Any], value: Mapping[str, Any], label: str, place: tuple[int, int], *, score: bool
    ) -> _Region:
        meta = item.get("meta")
        part = isinstance(meta, dict) and meta.get("text") == [PART]
        number = item.get("score", value.get("score")) if score else None
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
            if number is not None:
                self.counts[message(_("scores that are not between 0 and 1, which are not imported"))] += 1
            number = None
        return _Region(self.text(item).key, *place, label, {}, number, str(item.get("parentID", "")) if part else "")

    def other(
        self,
        item: Mapping[str, Any],
        value: Mapping[str, Any],
        regions: Mapping[str, list[_Region]],
        place: tuple[int, int] | None,
    ) -> None:
        """A choice or a text: an attribute of a region where it is about one, else a category of the task."""
        control = str(item.get("from_name", ""))
        kind = next((key for key in ("choices", "text") if isinstance(value.get(key), list)), "")
        own = regions.get(str(item.get("id", ""))) or [
            region for group in regions.values() for region in group if place and place == (region.begin, region.end)
        ]
        if kind and own:
            for region in own:
                region.attributes[control] = ", ".join(self.names(value[kind], kind))
        elif kind == "choices" and place is None and control == WHOLE:
            spans = self.spans.setdefault(self.text(item).key, [])
            spans += [CharSpan((), name) for name in self.names(value["choices"], "choices")]
        elif kind == "choices" and place is None:
            control = "" if control == CATEGORY else control
            chosen = self.names(value["choices"], "choices")
            # JSON-MIN does not say which text a choice is about.
            key = (self.named(item) or next(iter(self.texts.values()))).key
            before = self.values.get((key, control), ())
            self.values[key, control] = tuple(dict.fromkeys((*before, *chosen)))
        else:
            shown = str(item.get("type") or next(iter(value), "other"))
            self.counts[message(_("results of type %(what)s, which are not imported"), what=quote(shown, 40))] += 1

    def join(self, regions: Mapping[str, list[_Region]]) -> None:
        """The regions as labels, in their order, parts put to the region that they are of."""
        heads: dict[str, list[tuple[int, int]]] = {}
        for group in regions.values():
            for region in group:
                if region.parent in regions:
                    heads.setdefault(region.parent, []).append((region.begin, region.end))
        for name, group in regions.items():
            for region in group:
                if region.parent in regions:
                    continue
                fragments = sorted({(region.begin, region.end), *heads.get(name, ())})
                span = CharSpan(tuple(fragments), region.label, region.attributes, region.score)
                self.spans.setdefault(region.key, []).append(span)


def html_text(markup: str) -> str:
    """The text of HTML as a browser would count it: without tags, character references resolved."""
    parser = _Text()
    parser.feed(markup)
    parser.close()
    return "".join(parser.pieces)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self.pieces.append("\n")


def _name(item: Mapping[str, Any], number: int) -> str:
    return str(item.get("id") or f"#{number}")


def _whole(value: Any) -> int | None:
    """A position. Early versions wrote them as text."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _one_line(text: str) -> str:
    r"""As Label Studio shows a region's text: each line break is "\n" in letters."""
    return text.replace("\\n", "\n").replace("\r", "\n")
