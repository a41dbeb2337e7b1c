"""The files of pairs in the layout of Meta4XNLI: a pair a row, a file for each interpretation tag.

All languages stand in one file, one language after the other, each by ascending `pairID`. No quoting.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator.domain.labels.tags import INFERENCES, Tag
from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.natural import natural_key
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.lines import read_bytes, split_lines
from annotator.formats.corpus.corpus import Corpus, Pair, Segment

INTERPRETATION = "interpretation/source_datasets"
TAG_OF_FILE = {"met": Tag.RELEVANT.value, "nonrelevant": Tag.NON_RELEVANT.value, "no_met": Tag.NO_METAPHOR.value}
COLUMNS = (
    "language",
    "gold_label",
    "sentence1",
    "sentence2",
    "promptID",
    "pairID",
    "genre",
    "source_dataset",
)
HEADER = "\t".join(COLUMNS) + "\n"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file, and where it stands."""

    name: str
    line: int
    tag: str
    language: str
    inference: str
    premise: str
    hypothesis: str
    prompt_id: str
    pair_id: str
    genre: str
    source_dataset: str

    @property
    def place(self) -> str:
        return f"{self.name}:{self.line}"


def interpretation_path(dataset: str, kind: str) -> str:
    """The path under the root of a file of pairs; `kind` is a key of `TAG_OF_FILE`."""
    return f"{INTERPRETATION}/{dataset}_{kind}.tsv"


def read_rows(root: Path, dataset: str) -> tuple[list[Row], list[FormatWarning]]:
    """The rows of the three files of a dataset, in their order, and what was odd. Raises FormatError."""
    rows: list[Row] = []
    warnings: list[FormatWarning] = []
    for kind, tag in TAG_OF_FILE.items():
        name = interpretation_path(dataset, kind)
        source = split_lines(read_bytes(root / name, name), name)
        warnings += source.warnings
        if not source.lines:
            raise FormatError(
                name, 1, message(_("the header %(names)s"), names=" ".join(COLUMNS)), message(_("an empty file"))
            )
        _check_header(source.lines[0], name)
        for number, line in enumerate(source.lines[1:], start=2):
            if line:
                rows.append(_row(line, name, number, tag))
            else:
                warnings.append(FormatWarning(name, number, message(_("a blank line"))))
    if not rows:
        raise FormatError(
            interpretation_path(dataset, "met"),
            1,
            message(_("at least one pair in one of the three files")),
            message(_("none")),
        )
    return rows, warnings


def _check_header(line: str, name: str) -> None:
    columns = line.split("\t")
    if tuple(columns) == COLUMNS:
        return
    missing = [column for column in COLUMNS if column not in columns]
    got: Sentence = quote(line)
    if missing:
        got = message(_("%(line)s, which lacks %(columns)s"), line=quote(line), columns=", ".join(missing))
    raise FormatError(name, 1, message(_("the columns %(names)s, separated by tabs"), names=", ".join(COLUMNS)), got)


def _row(line: str, name: str, number: int, tag: str) -> Row:
    values = line.split("\t")
    if len(values) != len(COLUMNS):
        raise FormatError(
            name,
            number,
            message(_("%(columns)s columns separated by tabs"), columns=len(COLUMNS)),
            message(_("%(values)s in %(line)s"), values=len(values), line=quote(line)),
        )
    language, inference, premise, hypothesis, prompt_id, pair_id, genre, source_dataset = values
    for column, value in (("language", language), ("promptID", prompt_id), ("pairID", pair_id)):
        if not value:
            raise FormatError(
                name,
                number,
                message(_("a value in the column %(column)s"), column=column),
                message(_("none in %(line)s"), line=quote(line)),
            )
    if inference not in INFERENCES:
        raise FormatError(
            name,
            number,
            message(
                _("the gold_label %(names)s or %(inferences)s"),
                names=", ".join(INFERENCES[:-1]),
                inferences=INFERENCES[-1],
            ),
            quote(inference),
        )
    return Row(name, number, tag, language, inference, premise, hypothesis, prompt_id, pair_id, genre, source_dataset)


def by_pair(rows: Iterable[Row], language: str) -> dict[str, Row]:
    """The rows of a language by their pairID. Raises FormatError for a pairID that comes twice."""
    found: dict[str, Row] = {}
    for row in rows:
        if row.language != language:
            continue
        other = found.setdefault(row.pair_id, row)
        if other is not row:
            raise FormatError(
                row.name,
                row.line,
                message(_("each pairID only once in language %(language)s"), language=quote(language)),
                message(
                    _("%(pair_id)s again, which is already at %(place)s"), pair_id=quote(row.pair_id), place=other.place
                ),
            )
    return found


def check_parallel(by_language: Mapping[str, Mapping[str, Row]]) -> None:
    """All languages must have the same pairs, with the same premise, label and origin, or FormatError."""
    reference, *others = by_language.items() if by_language else [("", {})]
    for other in others:
        for (language, rows), (that_language, those) in ((reference, other), (other, reference)):
            missing = next((pair_id for pair_id in rows if pair_id not in those), None)
            if missing is not None:
                row = rows[missing]
                raise FormatError(
                    row.name,
                    row.line,
                    message(
                        _("the pair %(missing)s in language %(that_language)s too"),
                        missing=quote(missing),
                        that_language=quote(that_language),
                    ),
                    message(
                        _("only in %(language)s (%(rows)s pairs in %(language2)s, %(those)s in %(that_language)s)"),
                        language=quote(language),
                        rows=len(rows),
                        language2=language,
                        those=len(those),
                        that_language=that_language,
                    ),
                )
        for pair_id, row in reference[1].items():
            that = other[1][pair_id]
            for column, ours, theirs in (
                ("gold_label", row.inference, that.inference),
                ("promptID", row.prompt_id, that.prompt_id),
                ("genre", row.genre, that.genre),
                ("source_dataset", row.source_dataset, that.source_dataset),
            ):
                if ours != theirs:
                    raise FormatError(
                        that.name,
                        that.line,
                        message(
                            _("the %(column)s %(ours)s of the pair %(pair_id)s, as at %(place)s"),
                            column=column,
                            ours=quote(ours),
                            pair_id=quote(pair_id),
                            place=row.place,
                        ),
                        quote(theirs),
                    )


def order_warnings(rows: Sequence[Row], languages: Sequence[str]) -> list[FormatWarning]:
    """A report for each file whose rows we would write in another order."""
    warnings = []
    place = {language: number for number, language in enumerate(languages)}
    previous: dict[str, tuple[int, object]] = {}
    reported: set[str] = set()
    for row in rows:
        key = (place[row.language], natural_key(row.pair_id))
        if row.name not in reported and row.name in previous and previous[row.name] > key:
            warnings.append(
                FormatWarning(
                    row.name, row.line, message(_("rows are not in ascending order of pairID within each language"))
                )
            )
            reported.add(row.name)
        previous[row.name] = key
    return warnings


def interpretation_lines(corpus: Corpus) -> dict[str, list[str]]:
    """The lines of each file, by its kind: a key of `TAG_OF_FILE`.

    Raises ValueError for a tag that has no file, and for texts with tabs or line feeds.
    """
    lines = {kind: [HEADER] for kind in TAG_OF_FILE}
    kind_of = {tag: kind for kind, tag in TAG_OF_FILE.items()}
    pairs = sorted(corpus.pairs, key=lambda pair: natural_key(pair.external_id))
    segments = {segment.uid: segment for segment in corpus.segments}
    for language in corpus.languages:
        tags = corpus.tags.get(language, {})
        for pair in pairs:
            if pair.uid not in tags:
                continue
            kind = kind_of.get(tags[pair.uid])
            if kind is None:
                raise ValueError(f"{pair.uid} is tagged {tags[pair.uid]!r}, which has no file in this layout.")
            lines[kind].append(pair_line(corpus, segments, language, pair))
    return lines


def pair_line(corpus: Corpus, segments: Mapping[str, Segment], language: str, pair: Pair) -> str:
    """The line of a pair in a language. `segments`: those of the corpus by uid. Raises ValueError for what it cannot
    spell."""
    hypothesis = segments[pair.hypothesis]
    values = (
        language,
        pair.inference,
        corpus.text(language, pair.premise),
        corpus.text(language, pair.hypothesis),
        segments[pair.premise].external_id,
        pair.external_id,
        hypothesis.genre,
        hypothesis.source_dataset,
    )
    broken = next((value for value in values if "\t" in value or "\n" in value), None)
    if broken is not None:
        raise ValueError(f"{pair.uid} holds a tab or a line feed, which this layout cannot spell: {broken!r}")
    return "\t".join(values) + "\n"
