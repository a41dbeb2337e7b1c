"""Which items of a project the rows of a published split are.

Rows with ids are found by uid or by pair id. Rows without ids are sentences: they are found by their exact tokens in
all languages that the files have, line by line, and those that are equal in their order.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import zip_longest

import numpy as np

from annotator.core.errors import ActionError
from annotator.domain.messages import Message, Sentence, by_number, joined, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.splits.items import number_of
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.splits.published import (
    BEGINNING,
    Layout,
    PartFile,
    PartRow,
    Source,
    part_file,
    part_order,
    part_rows,
)
from annotator.models import Layer
from annotator.splits.queries.computed import Placed
from annotator.work.gold.queries.slots import segments_in, slots_of

# Rows that are named where they are not in the project.
NAMED = 3
# Sentences of a file by which its language is told.
LOOKED_AT = 200


class _Wanted:
    """Rows of files by what they are looked for by (a number), in their order, and the segments that were found."""

    def __init__(self) -> None:
        self.rows: defaultdict[int, deque[int]] = defaultdict(deque)
        self.parts = array("i")
        self.positions = array("i")
        self.files = array("i")
        self.lines = array("i")
        self.found: dict[int, int] = {}
        # Of ids: who has each.
        self.holders: dict[int, int] = {}

    def add(self, key: int, part: int, position: int, file: int, line: int) -> None:
        self.rows[key].append(len(self.parts))
        for column, value in zip(
            (self.parts, self.positions, self.files, self.lines), (part, position, file, line), strict=True
        ):
            column.append(value)

    def take(self, key: int, segment: int) -> bool:
        """Give a segment the first of the rows that are looked for so and that nobody has; whether there is one."""
        if segment in self.found or not (waiting := self.rows.get(key)):
            return False
        self.found[segment] = waiting.popleft()
        return True

    def missing(self) -> list[int]:
        """The rows that nobody has, in their order."""
        return sorted(row for waiting in self.rows.values() for row in waiting)


def placed(layer: Layer, sources: Sequence[Source], *, partial: bool) -> Placed:
    """What the files say of the project's items. Call it in a snapshot.

    Raises ActionError where files do not fit together, where no row is in the project, and, unless `partial`, where
    one is not; FormatError for a file that cannot be read.
    """
    files = [(source, _taken_for(source, layer)) for source in sources]
    names = part_order(part for source, file in files for part in _parts(source, file))
    if len(names) < 2:
        raise ActionError(
            message(
                _("These files have one part only. Choose the files of at least two parts, such as train and test.")
            )
        )
    wanted = _Wanted()
    with_ids = [_has_ids(layer, source, file) for source, file in files]
    texts = [(place, *one) for place, one in enumerate(files) if not with_ids[place]]
    for place, (source, file) in enumerate(files):
        if with_ids[place]:
            _want_ids(wanted, place, source, file, names)
    if any(with_ids):
        _find_ids(layer, wanted)
    if texts:
        _find_texts(layer, wanted, _want_texts(layer, wanted, texts, names))
    missing = wanted.missing()
    if missing and (not partial or not wanted.found):
        raise ActionError(_not_here(wanted, sources, missing))
    segments = np.array(sorted(wanted.found), np.int64)
    rows = np.array([wanted.found[one] for one in segments.tolist()], np.int64)
    parts, positions = (np.frombuffer(one, np.int32).astype(np.int64)[rows] for one in (wanted.parts, wanted.positions))
    return Placed(names, segments, parts, positions, len(missing))


def _taken_for(source: Source, layer: Layer) -> PartFile:
    with source.path.open("rb") as file:
        return part_file(source.name, file.read(BEGINNING), layer.project.languages)


def _rows(source: Source, file: PartFile) -> Iterator[PartRow]:
    with source.path.open("rb") as stream:
        for row in part_rows(file, stream):
            if not isinstance(row, FormatWarning):
                yield row


def _parts(source: Source, file: PartFile) -> Iterable[str]:
    return [file.part] if file.part else {row.part for row in _rows(source, file) if row.part}


def _has_ids(layer: Layer, source: Source, file: PartFile) -> bool:
    """Whether the rows of a file are found by ids: what may be one is looked up where it may be a text as well."""
    first = [row for row, _number in zip(_rows(source, file), range(LOOKED_AT), strict=False)]
    ids = [row.id for row in first if row.id]
    if not ids or file.layout == Layout.TABLE:
        return bool(ids)
    if not any(row.tokens for row in first):
        return True
    rows = segments_in(layer)
    return rows.filter(uid__in=ids).exists() or rows.filter(pair__pair_id__in=ids).exists()


def _want_ids(wanted: _Wanted, place: int, source: Source, file: PartFile, names: Sequence[str]) -> None:
    positions = {part: wanted.parts.count(number) for number, part in enumerate(names)}
    for row in _rows(source, file):
        # An item that a table has in no part.
        if not row.part:
            continue
        key = _id_key(row.id, row.dataset)
        if waiting := wanted.rows.get(key):
            if names[wanted.parts[waiting[0]]] != row.part:
                raise FormatError(
                    source.name,
                    row.line,
                    message(_("each item in one part")),
                    message(_("%(id)s in another part, too"), id=quote(row.id, 80)),
                )
            continue
        wanted.add(key, names.index(row.part), positions[row.part], place, row.line)
        positions[row.part] += 1


def _id_key(id: str, dataset: str) -> int:
    return number_of(f"{dataset}\t{id}")


def _find_ids(layer: Layer, wanted: _Wanted) -> None:
    columns = ("pk", "uid", "dataset", "role", "pair__pair_id", "pair__source_dataset")
    for pk, uid, dataset, role, pair_id, source in segments_in(layer).values_list(*columns).iterator(2000):
        of_dataset = uid.removeprefix(f"{dataset}:")
        ids = dict.fromkeys([uid, pair_id or uid, of_dataset, of_dataset.removeprefix(f"{role}:")])
        keys = [_id_key(id, name) for id in ids for name in dict.fromkeys(["", dataset, source or dataset])]
        for key in keys:
            if (other := wanted.holders.get(key)) is not None:
                raise ActionError(_ambiguous(layer, pk, other))
            if wanted.take(key, pk):
                wanted.holders[key] = pk
                break


def _ambiguous(layer: Layer, one: int, other: int) -> Message:
    uids = segments_in(layer).filter(pk__in=(one, other)).values_list("uid", flat=True)
    return message(
        _("These items have the same ID in the files: %(names)s. Add a column with the dataset, or use the full IDs."),
        names=", ".join(uids),
    )


def _want_texts(
    layer: Layer, wanted: _Wanted, texts: Sequence[tuple[int, Source, PartFile]], names: Sequence[str]
) -> set[tuple[str, ...]]:
    """Look for the sentences of files; the languages that go together in a part."""
    languages = _languages(layer, texts)
    together = set()
    for number, part in enumerate(names):
        files: defaultdict[str, list[tuple[int, Source, PartFile]]] = defaultdict(list)
        for one in sorted(texts, key=lambda one: one[1].name):
            if one[2].part == part:
                files[languages[one[0]]].append(one)
        order = tuple(language for language in layer.project.languages if language in files)
        together.add(order)
        lines = [_lines_of(files[language]) for language in order]
        # Rows of tables come first.
        position = wanted.parts.count(number)
        for side_by_side in zip_longest(*lines):
            if None in side_by_side:
                counts = [sum(1 for _line in _lines_of(files[language])) for language in order]
                raise ActionError(_uneven(part, order, counts))
            file, line, _tokens = side_by_side[0]
            key = _text_key(order, [tokens for _file, _line, tokens in side_by_side])
            wanted.add(key, number, position, file, line)
            position += 1
    return together - {()}


def _lines_of(files: Sequence[tuple[int, Source, PartFile]]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    for place, source, file in files:
        for row in _rows(source, file):
            yield place, row.line, row.tokens


def _uneven(part: str, languages: Sequence[str], counts: Sequence[int]) -> Message:
    numbers = ", ".join(f"{language}: {count}" for language, count in zip(languages, counts, strict=True))
    return message(
        _(
            "The files of the part “%(part)s” have different numbers of sentences in their languages (%(numbers)s). "
            "They must have the same sentences, line by line."
        ),
        part=part,
        numbers=numbers,
    )


def _text_key(languages: Sequence[str], texts: Sequence[Sequence[str]]) -> int:
    return number_of(json.dumps([languages, texts], ensure_ascii=False))


def _languages(layer: Layer, texts: Sequence[tuple[int, Source, PartFile]]) -> dict[int, str]:
    """The language of each file: as its name says, or that in which most of its first sentences are found."""
    languages: Sequence[str] = layer.project.languages
    known = {place: file.language for place, _source, file in texts if file.language}
    if len(languages) == 1:
        return {place: languages[0] for place, _source, _file in texts}
    unknown = [one for one in texts if one[0] not in known]
    if not unknown:
        return known
    files: defaultdict[int, list[int]] = defaultdict(list)
    for one in unknown:
        for (place, _line, tokens), _number in zip(_lines_of([one]), range(LOOKED_AT), strict=False):
            files[_text_key((), [tokens])].append(place)
    hits: Counter[tuple[int, str]] = Counter()
    for some in slots_of(layer, gold=False):
        for slot in some:
            for language, text in slot.texts.items():
                hits.update((place, language) for place in files.get(_text_key((), [text.tokens]), ()))
    for place, source, _file in unknown:
        best = max(languages, key=lambda language: hits[place, language])
        if not hits[place, best]:
            raise ActionError(
                message(_("No sentence of %(name)s is in this project. Import the sentences first."), name=source.name)
            )
        known[place] = best
    return known


def _find_texts(layer: Layer, wanted: _Wanted, together: Collection[tuple[str, ...]]) -> None:
    for some in slots_of(layer, gold=False):
        for slot in some:
            for languages in together:
                if all(language in slot.texts for language in languages):
                    texts = [slot.texts[language].tokens for language in languages]
                    if wanted.take(_text_key(languages, texts), slot.segment):
                        break


def _not_here(wanted: _Wanted, sources: Sequence[Source], missing: Sequence[int]) -> Message:
    named = [f"{sources[wanted.files[row]].name}:{wanted.lines[row]}" for row in missing[:NAMED]]
    text = by_number(
        len(missing),
        _(
            "%(number)d of %(total)d rows is not in this project, or not in all languages of the files: %(first)s. "
            "Import it first, or store the split without it."
        ),
        _(
            "%(number)d of %(total)d rows are not in this project, or not in all languages of the files: %(first)s. "
            "Import them first, or store the split without them."
        ),
    )
    first: list[Sentence] = [*named, "…"] if len(missing) > NAMED else [*named]
    return message(text, number=len(missing), total=len(wanted.parts), first=joined(first))
