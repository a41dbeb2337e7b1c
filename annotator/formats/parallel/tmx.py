"""TMX 1.4, the exchange format of translation memories: units with a text in each language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotator.domain.messages import by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.protocol import Guess, Options, SourceFile, file_by_file
from annotator.formats.common.records import PairRecord, Read, Record, Text
from annotator.formats.common.voices import normal_tag
from annotator.formats.common.writing import sentences_of
from annotator.formats.text.characters import plain
from annotator.formats.xml.events import XML, Characters, End, Event, Start, root_of, xml_events
from annotator.formats.xml.writing import xml_attributes, xml_text

# Tags of the original document around the translated words: what is in them is code, not text.
_CODES = frozenset({"bpt", "ept", "ph", "it", "ut", "sub"})
_PROPS = ("role", "group", "genre", "source")
_BREAKS = re.compile(r"[ \t]*[\r\n][ \t\r\n]*")


class Tmx:
    """The format of translation memories. Labels and tokens have no place in it."""

    slug = "tmx"
    writes = True
    keeps = frozenset({Feature.TEXT, Feature.LANGUAGES, Feature.IDS, Feature.ROLES, Feature.DOCUMENTS, Feature.SOURCES})

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """XML files that begin with <tmx>."""
        roots = [root_of(file) for file in files]
        if not files or not all(root is not None and root.name == "tmx" for root in roots):
            return None
        return Guess(self.slug, 1.0, tuple(files), Options(tokens="words"))

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a unit, in the languages of its variants, tagged as the file tags them ("es", "es-MX")."""
        return file_by_file(files, lambda file: _Reading(file).read())

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """One file, `corpus.tmx`. Pairs are left out. Raises ValueError for characters that XML does not have."""
        path = folder / "corpus.tmx"
        with path.open("w", encoding="utf-8", newline="\n") as out:
            first = True
            for record in sentences_of(records):
                if first:
                    out.write(_head(next(iter(record.texts))))
                    first = False
                out.write(_unit(record))
            out.write((_head("*all*") if first else "") + "</body>\n</tmx>\n")
        return [path]


@dataclass(slots=True)
class _Unit:
    """A unit that is being read."""

    line: int
    id: str
    texts: dict[str, str] = field(default_factory=dict)
    props: dict[str, str] = field(default_factory=dict)
    errors: list[FormatError] = field(default_factory=list)


class _Reading:
    """One file, read from tag to tag."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.counts: Counter[str] = Counter()
        self.unit: _Unit | None = None
        self.language = ""
        self.prop = ""
        self.pieces: list[str] | None = None
        self.hidden = 0
        self.units = 0
        self.line = 1

    def read(self) -> Iterator[Read]:
        first = True
        for event in xml_events(self.file):
            self.line = event.line
            if isinstance(event, Start) and first:
                first = False
                if event.name != "tmx":
                    raise self.file.error(event.line, _("the element <tmx>"), f"<{event.name}>")
            done = self.take(event)
            if done is not None:
                yield from self.records(done)
        if not self.units:
            raise self.file.error(self.line, _("at least one <tu>"), _("none"))
        if self.counts["tags"]:
            what = message(
                by_number(
                    self.counts["tags"],
                    _("a tag of the original document inside a text, which was removed"),
                    _("%(tags)s tags of the original document inside texts, which were removed"),
                ),
                tags=self.counts["tags"],
            )
            yield FormatWarning(self.file.name, self.line, what)
        if self.counts["breaks"]:
            what = message(
                by_number(
                    self.counts["breaks"],
                    _("a line break inside a text, read as a space"),
                    _("%(breaks)s line breaks inside texts, each read as a space"),
                ),
                breaks=self.counts["breaks"],
            )
            yield FormatWarning(self.file.name, self.line, what)

    def take(self, event: Event) -> _Unit | None:
        """Take a tag or text in; the unit when it ends with it."""
        if isinstance(event, Start):
            self.start(event)
        elif isinstance(event, Characters):
            if self.pieces is not None and not self.hidden:
                self.pieces.append(event.text)
        else:
            return self.end(event)
        return None

    def start(self, event: Start) -> None:
        if self.pieces is not None and not self.prop:
            self.counts["tags"] += 1
            # A tag without a known meaning keeps its words.
            self.hidden += event.name in _CODES or self.hidden > 0
        elif event.name == "tu":
            self.units += 1
            self.unit = _Unit(event.line, event.attributes.get("tuid", ""))
        elif self.unit is not None and event.name == "tuv":
            tag = event.attributes.get(f"{{{XML}}}lang") or event.attributes.get("lang", "")
            self.language = normal_tag(tag) if tag else ""
            if not tag:
                self.unit.errors.append(
                    self.file.error(event.line, _("a <tuv> with its language in xml:lang"), _("one without"))
                )
            elif self.language in self.unit.texts:
                got = message(_("a second one in %(tag)s"), tag=quote(tag, 40))
                self.unit.errors.append(self.file.error(event.line, _("one <tuv> per language"), got))
        elif self.unit is not None and event.name == "seg":
            self.pieces = []
        elif self.unit is not None and event.name == "prop":
            self.prop = event.attributes.get("type", "?")
            self.pieces = []

    def end(self, event: End) -> _Unit | None:
        unit = self.unit
        if self.pieces is not None and unit is not None:
            if event.name == "seg":
                self.close(unit)
            elif event.name == "prop":
                unit.props.setdefault(self.prop.removeprefix("x-"), "".join(self.pieces).strip())
                self.prop, self.pieces = "", None
            elif self.hidden:
                self.hidden -= 1
        elif event.name == "tu":
            self.unit = None
            return unit
        return None

    def close(self, unit: _Unit) -> None:
        text, breaks = _BREAKS.subn(" ", "".join(self.pieces or ()))
        self.counts["breaks"] += breaks
        self.pieces, self.hidden = None, 0
        if self.language and self.language not in unit.texts:
            unit.texts[self.language] = text.strip(" ") if breaks else text

    def records(self, unit: _Unit) -> Iterator[Read]:
        if unit.errors:
            yield from unit.errors
            return
        texts = {language: Text(text=text) for language, text in unit.texts.items() if text.strip()}
        if not unit.texts:
            yield self.file.error(unit.line, _("a <tu> with texts"), _("one without"))
        for language in unit.texts.keys() - texts.keys():
            yield FormatWarning(
                self.file.name, unit.line, message(_("an empty text in %(language)s"), language=language)
            )
        if texts:
            about = {name: unit.props.get(name, "") for name in _PROPS}
            yield Record(
                self.file.name,
                unit.line,
                texts,
                id=unit.id,
                role=about["role"] or self.file.role,
                group=about["group"],
                genre=about["genre"],
                source=about["source"],
            )


def _head(source: str) -> str:
    header = {
        "creationtool": "Translatio",
        "creationtoolversion": "1",
        "segtype": "sentence",
        "o-tmf": "Translatio",
        "adminlang": "en",
        "srclang": source,
        "datatype": "plaintext",
    }
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n<header{xml_attributes(header)}/>\n<body>\n'


def _unit(record: Record) -> str:
    parts = [f"<tu{xml_attributes({'tuid': record.id} if record.id else {})}>\n"]
    for name in _PROPS:
        if value := getattr(record, name):
            parts.append(f"<prop{xml_attributes({'type': f'x-{name}'})}>{xml_text(value)}</prop>\n")
    for language, text in record.texts.items():
        string = plain(text)
        if _BREAKS.search(string):
            raise ValueError(f"{record.id or record.line}: TMX would lose the line break in {quote(string, 80)}.")
        parts.append(f"<tuv{xml_attributes({'xml:lang': language})}><seg>{xml_text(string)}</seg></tuv>\n")
    return "".join([*parts, "</tu>\n"])
