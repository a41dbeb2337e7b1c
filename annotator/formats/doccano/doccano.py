"""doccano's JSON Lines: sequence labelling, text classification, both together, and relations beside labels.

Positions are code points. doccano keeps every key that it does not know as the example's metadata and gives it back
in its export, which is how ids, documents and tokens come through.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from annotator.domain.messages import Sentence, by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.columns.columns import names_an_id
from annotator.formats.common.beginnings import placed
from annotator.formats.common.counted import LeftOut, counted
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.names import file_language, language_code
from annotator.formats.common.protocol import Guess, Options, SourceFile
from annotator.formats.common.records import CharSpan, Labels, PairRecord, Read, Record, Says, Text
from annotator.formats.doccano.people import Reading, joined, read_people
from annotator.formats.doccano.users import ANNOTATIONS, by_user
from annotator.formats.doccano.writing import PART, PLAIN, write_doccano
from annotator.formats.json.answer_states import left_out, says_state, state_of
from annotator.formats.json.json_rows import read_objects
from annotator.formats.json.span_objects import Noted, ShapeError, has_positions, spans_of
from annotator.formats.json.values import as_list, as_text, kept_tokens
from annotator.formats.json_lines.tool_objects import is_known
from annotator.formats.text.offsets import WHITE, text_problem, utf16_units
from annotator.formats.text.tagged import is_tag

_TEXTS = ("text", "data")  # "data" in exports of version 1.5
_LABELS = ("label", "labels", "entities")
_KNOWN = {*_TEXTS, *_LABELS, *PLAIN, "cats", "relations", "Comments", "comments", "tokens", "layer", ANNOTATIONS}
# How many rows tell what sort of project a file is of.
_LOOKED_AT = 200


class Doccano:
    """The format of doccano's import and export of labels and categories."""

    slug = "doccano"
    writes = True
    keeps = frozenset(
        {
            Feature.TEXT,
            Feature.TOKENS,
            Feature.IDS,
            Feature.ROLES,
            Feature.DOCUMENTS,
            Feature.SOURCES,
            Feature.UNDECIDED,
            Feature.LABELS,
            Feature.DISCONTINUOUS,
            Feature.OVERLAPS,
            Feature.VALUES,
        }
    )

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Files whose first lines are objects with a text and doccano's labels, or with labels or comments of it."""
        sure = 0.0
        tokens = "words"
        for file in files:
            try:
                rows = [read[1] if isinstance(read, tuple) else None for read in _first_objects(file, _LOOKED_AT)]
            except FormatError:
                return None
            if not rows or not all(row and _text_key(row) for row in rows[:5]):
                return None
            if not any(_has_labels(row or {}) for row in rows):
                return None
            if any({"tags", "tokens"} <= set(row or ()) for row in rows):  # the lines of the hub
                return None
            sure = max(sure, 0.95 if any(_is_plainly(row or {}) for row in rows) else 0.8)
            if any(_is_of_others(row or {}) for row in rows):
                return None
            # Written here, and not split again.
            tokens = "given" if any("tokens" in (row or ()) for row in rows) else tokens
        known, notes = _placed(files, languages)
        return Guess(self.slug, sure, known, Options(tokens=tokens), notes) if files else None

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a line. A line that is not doccano's is an error, and the next one is read.

        Several files of one language that share examples are people's, named after them.
        """
        groups: dict[tuple[str, str], list[SourceFile]] = {}
        for file in files:
            groups.setdefault((file.language, file.role), []).append(file)
        for group in groups.values():
            yield from _read_group(group)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """One file per language, `doccano.ca.jsonl`.

        As a project of sequence labelling (or text classification) imports it; where a label leaves words out, as one
        with relations does. Pairs are left out. Raises ValueError for labels of several
        people on one sentence.
        """
        return write_doccano(records, folder)


def _first_objects(file: SourceFile, count: int) -> list[tuple[int, dict[str, Any]] | FormatError]:
    found = (read for read in read_objects(file) if not isinstance(read, FormatWarning))
    return list(islice(found, count))


def _placed(
    files: Sequence[SourceFile], languages: Sequence[str]
) -> tuple[tuple[SourceFile, ...], tuple[Sentence, ...]]:
    """The files with their language: one for all of them, unless their names say several. Others are people's names."""
    if len(files) < 2 or any(file_language(file.name, languages) for file in files):
        return placed(files, languages)
    (first,), notes = placed(files[:1], languages)
    return tuple(replace(file, language=file.language or first.language) for file in files), notes


def _is_of_others(row: Mapping[str, Any]) -> bool:
    """Whether a row has labels where doccano has none."""
    others = ("spans", "span", "ents", "mentions", "annotation", *(() if by_user(row) else (ANNOTATIONS,)))
    return is_known(dict(row)) or any(has_positions(row.get(key)) for key in others)


def _has_labels(row: Mapping[str, Any]) -> bool:
    """Whether a row has a key of doccano's for what is said of the text."""
    return bool(set(row) & {*_LABELS, "cats", "Comments"}) or bool(by_user(row)) or _is_early(row)


def _is_early(row: Mapping[str, Any]) -> bool:
    """Whether a row is of doccano's first versions, without an annotation."""
    return row.get(ANNOTATIONS) == [] and "annotation_approver" in row


def _is_plainly(row: Mapping[str, Any]) -> bool:
    """Whether a row has what only doccano's have: its own keys, characters with a label, categories in a list."""
    entities = row.get("entities")
    if isinstance(entities, list) and all(isinstance(one, dict) and "start_offset" in one for one in entities):
        return bool(entities) or "relations" in row
    if set(row) & {"Comments", "annotation_approver"} or by_user(row):
        return True
    given = row.get("label", row.get("labels"))
    listed = given if isinstance(given, list) else []
    if listed and all(isinstance(one, str) for one in listed):
        return not all(map(is_tag, listed))
    return any(isinstance(one, list) and list(map(type, one)) == [int, int, str] for one in listed)


def _text_key(row: Mapping[str, Any]) -> str:
    return next((key for key in _TEXTS if isinstance(row.get(key), str)), "")


@dataclass(slots=True)
class _Counts:
    """What a file had that is not imported."""

    relations: int = 0
    comments: int = 0
    # The line where labels were first numbers.
    numbers: int = 0
    left_out: LeftOut = field(default_factory=LeftOut)
    # Answers and labels that are none by their state.
    noted: Noted = field(default_factory=Noted)

    def warnings(self, name: str, line: int) -> Iterator[FormatWarning]:
        if self.relations:
            yield FormatWarning(
                name,
                line,
                message(
                    by_number(
                        self.relations,
                        _("a relation between labels, which is not imported"),
                        _("%(relations)s relations between labels, which are not imported"),
                    ),
                    relations=self.relations,
                ),
            )
        if self.comments:
            what = by_number(
                self.comments,
                _("a comment, which is not imported"),
                _("%(comments)s comments, which are not imported"),
            )
            yield FormatWarning(name, line, message(what, comments=self.comments))
        if self.numbers:
            what = _("labels are numbers: export “JSONL (Text label)” from the same doccano to get their names")
            yield FormatWarning(name, self.numbers, message(what))
        yield from self.left_out.warnings()
        yield from counted(self.noted.counts, name, line)


def _read_group(files: Sequence[SourceFile]) -> Iterator[Read]:
    counts = _Counts()

    def rows(file: SourceFile) -> Iterator[tuple[int, dict[str, Any]] | FormatWarning | FormatError]:
        found = False
        for read in read_objects(file):
            found = found or not isinstance(read, FormatWarning)
            yield read
        # Of a member who confirmed nothing, doccano's file is empty.
        if not found and len(files) == 1:
            raise file.error(1, _("a JSON object per line"), _("an empty file"))

    categories = all(_has_categories_alone(file) for file in files)

    def as_record(row: dict[str, Any], file: SourceFile, line: int) -> Record:
        for key, value in row.items():
            if (
                key not in _KNOWN
                and not (names_an_id(key) and "id" not in row)
                and value not in (None, "", {}, [])
                and not says_state(key, value)
            ):
                counts.left_out.add(key, file.name, line)
        if users := by_user(row):
            counts.numbers = counts.numbers or line
            return joined([Reading(user, True, _record(one, file, line, counts)) for user, one in users])
        return _record(row, file, line, counts, categories=categories)

    if len(files) > 1:
        yield from read_people(files, rows, as_record)
        yield from counts.warnings(files[-1].name, 1)
        return
    number = 0
    for read in rows(files[0]):
        if not isinstance(read, tuple):
            yield read
            continue
        number, row = read
        try:
            yield as_record(row, files[0], number)
        except FormatError as error:
            yield error
    yield from counts.warnings(files[0].name, number)


def _has_categories_alone(file: SourceFile) -> bool:
    """Whether a file is of a project of text classification, by its first rows: there an empty list says nothing."""
    found = False
    for read in _first_objects(file, _LOOKED_AT):
        row = read[1] if isinstance(read, tuple) else {}
        listed = [one for key in ("label", "labels", "cats") for one in as_list(row.get(key))]
        if "entities" in row or not all(isinstance(one, str) for one in listed):
            return False
        found = found or bool(listed)
    return found


def _record(row: dict[str, Any], file: SourceFile, number: int, counts: _Counts, *, categories: bool = False) -> Record:
    key = _text_key(row)
    if not key:
        raise file.error(
            number, _("a text under “text”"), _("an object with %(value)s"), value=", ".join(row) or "nothing"
        )
    body = row[key]
    problem = text_problem(body)
    if problem or not body.strip(WHITE):
        raise file.error(number, _("a text"), problem or message(_("an empty one")))
    where = _Place(file.name, number, body, counts.noted)
    before = counts.noted.counts.total()
    pieces, chosen = where.labels(row)
    rejected = counts.noted.counts.total() > before
    for name, times in counts.noted.keys.items():
        counts.left_out.add(name, file.name, number, times)
    counts.noted.keys.clear()
    joined, relations = where.joined(pieces, row.get("relations") or [])
    counts.relations += relations
    counts.comments += len(row.get("Comments") or row.get("comments") or [])
    # Without a label, a row says so only where it has room for labels, and not for categories alone.
    lists = {key for key in _LABELS if row.get(key) is not None}
    empty = not rejected and ("entities" in lists or (bool(lists) and not chosen and not categories))
    labels: tuple[Labels, ...] = (Labels(Says.GOLD, "", joined),) if pieces or empty else ()
    if state := state_of(row):
        counts.noted.counts[left_out(state)] += 1
        labels, chosen = (), []
    tokens, spaces = kept_tokens(body, row.get("tokens"))
    text = Text(
        text="" if tokens else body,
        tokens=tokens,
        spaces=spaces,
        labels=labels,
        values={_plain(row.get("layer")): tuple(dict.fromkeys(chosen))} if chosen else {},
        sure_positions=False,
    )
    about = {name: _plain(row.get(name)) for name in PLAIN}
    return Record(
        file.name,
        number,
        {language_code(about["language"]) or file.language: text},
        id=about["id"] or _plain(next((row[key] for key in row if names_an_id(key)), None)),
        role=about["role"] or file.role,
        group=about["group"],
        genre=about["genre"],
        source=about["source"],
    )


def _plain(value: Any) -> str:
    """A cell of metadata as text. pandas, through which doccano's data go, makes 7 out of "7" and 7.0 out of 7."""
    return as_text(int(value) if isinstance(value, float) and value.is_integer() else value)


@dataclass(frozen=True, slots=True)
class _Place:
    """A line of a file with its text: reads what is said of it, or says what is wrong there."""

    name: str
    line: int
    text: str
    noted: Noted

    def error(self, expected: Sentence, got: Any) -> FormatError:
        return FormatError(self.name, self.line, expected, quote(json.dumps(got, ensure_ascii=False), 120))

    def labels(self, row: Mapping[str, Any]) -> tuple[dict[Any, CharSpan], list[str]]:
        """Labels by their ids, or their numbers where they have none, and the categories of the text."""
        pieces: dict[Any, CharSpan] = {}
        categories: list[str] = []
        for key in (*_LABELS, "cats"):
            given = row.get(key)
            if isinstance(given, str):
                given = [given] if given else []
            if given is None:
                continue
            if not isinstance(given, list):
                raise self.error(message(_("a list under “%(key)s”"), key=key), given)
            if has_positions([given]):
                given = [given]
            for label in given:
                if isinstance(label, str) and label and key != "entities":
                    categories.append(label)
                    continue
                own = label.get("id") if isinstance(label, dict) else None
                for span in self.spans(key, label):
                    pieces[len(pieces) if own is None or ("id", own) in pieces else ("id", own)] = span
        return pieces, categories

    def spans(self, key: str, label: Any) -> list[CharSpan]:
        """A label, by whatever names its places go; several where it has several names, none where it is rejected."""
        own = Noted(counts=self.noted.counts)
        try:
            found = spans_of([label], self.text, own)
        except ShapeError:
            raise self.error(message(_("a label like [0, 4, “NAME”]")), label) from None
        self.noted.keys.update({f"{key}.{name}": times for name, times in own.keys.items()})
        # How they are counted is found out later.
        last = utf16_units(self.text)[-1]
        if any(not 0 <= begin < end <= last for span in found for begin, end in span.fragments):
            raise self.error(
                message(_("a label within the %(text)s characters of the text"), text=len(self.text)), label
            )
        return found

    def joined(self, pieces: Mapping[Any, CharSpan], relations: Any) -> tuple[tuple[CharSpan, ...], int]:
        """The labels, those joined that are parts of one, and the number of the other relations."""
        if not isinstance(relations, list):
            raise self.error(message(_("a list under “relations”")), relations)
        spans = dict(pieces)
        others = 0
        for relation in relations:
            if not isinstance(relation, dict):
                raise self.error(message(_("a relation with from_id, to_id and type")), relation)
            first, second = ("id", relation.get("from_id")), ("id", relation.get("to_id"))
            if relation.get("type") != PART or first not in spans or second not in spans or first == second:
                others += 1
                continue
            head = spans[first]
            spans[first] = CharSpan(tuple(sorted((*head.fragments, *spans.pop(second).fragments))), head.label)
        return tuple(spans.values()), others
