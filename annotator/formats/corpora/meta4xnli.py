"""The layout in which Meta4XNLI is published: token labels and pair tags in files side by side.

Under a root folder, for a dataset such as `xnli_dev`:

- `detection/source_datasets/{language}/{dataset}_{prem|hyp}.tsv`: `token<TAB>tag` a line, without ids.
  Sentence k of `_prem` is the k-th premise by ascending `promptID`, sentence k of `_hyp` the k-th pair
  by ascending `pairID`; their texts say so too.
- `interpretation/source_datasets/{dataset}_{met|nonrelevant|no_met}.tsv`: the pairs; see `interpretation`.

What is read and written again is the same byte for byte, apart from what warnings are about.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator.domain.labels.bio import BioError, read_bio, write_bio
from annotator.domain.labels.spans import Span
from annotator.domain.labels.tags import ROLES, Role
from annotator.domain.messages import Message, Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.natural import natural_key
from annotator.domain.text.tokens import text_of
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.lines import read_bytes
from annotator.formats.corpora.interpretation import (
    INTERPRETATION,
    TAG_OF_FILE,
    Row,
    by_pair,
    check_parallel,
    interpretation_lines,
    interpretation_path,
    order_warnings,
    read_rows,
)
from annotator.formats.corpus.corpus import Corpus, Pair, Segment, pair_uid, segment_uid
from annotator.formats.text.tagged import TaggedFile, TaggedSentence, parse_tagged, write_tagged

LABEL = "METAPHOR"
DETECTION = "detection/source_datasets"
_ROLE_WORD = {Role.PREMISE.value: "premise", Role.HYPOTHESIS.value: "hypothesis"}
_ID_COLUMN = {Role.PREMISE.value: "promptID", Role.HYPOTHESIS.value: "pairID"}


@dataclass(frozen=True, slots=True)
class _Expected:
    """The text that a detection file must have at a place, and where that is said."""

    external_id: str
    text: str
    place: str


def detection_path(language: str, dataset: str, role: str) -> str:
    """The path under the root of a file of token labels; `role` is "prem", "hyp", or "" for sentences without one."""
    return f"{DETECTION}/{language}/{dataset}{role and '_'}{role}.tsv"


def roles_written(corpus: Corpus) -> tuple[str, ...]:
    """The roles that have a file of token labels; "" where sentences have none, as in texts without pairs."""
    found = {segment.role for segment in corpus.segments}
    return (*(ROLES if "" not in found or found & set(ROLES) else ()), *([""] if "" in found else []))


def list_datasets(root: Path) -> tuple[str, ...]:
    """The names of the datasets of which at least one interpretation file lies under `root`, in alphabetical order."""
    # The longest first: `x_no_met.tsv` is not the `met` of `x_no`.
    kinds = sorted(TAG_OF_FILE, key=len, reverse=True)
    names = set()
    for path in (root / INTERPRETATION).glob("*.tsv"):
        kind = next((kind for kind in kinds if path.name.endswith(f"_{kind}.tsv")), None)
        # A leading dot: what macOS keeps beside a file, not the file.
        if kind is not None and not path.name.startswith("."):
            names.add(path.name.removesuffix(f"_{kind}.tsv"))
    return tuple(sorted(names - {""}))


def read_corpus(root: Path, dataset: str, *, labels: Collection[str] | None = (LABEL,)) -> Corpus:
    """Read one dataset under `root` in all languages that it has there.

    Every sentence is checked against the text of its id, so a file that lost or gained a line is found
    out. Raises FormatError for the first file that cannot be read as a whole; its path is relative to
    `root`. Warnings (an `I-` after O, CR LF, byte order mark, doubled blank lines, rows in another
    order) are read past and reported.
    """
    if not dataset or "/" in dataset or "\\" in dataset:
        raise FormatError(INTERPRETATION, 0, message(_("the name of a dataset, such as xnli_dev")), quote(dataset))
    rows, warnings = read_rows(root, dataset)
    languages = tuple(dict.fromkeys(row.language for row in rows))
    _check_folders(root, dataset, rows, languages)
    by_language = {language: by_pair(rows, language) for language in languages}
    check_parallel(by_language)
    warnings += order_warnings(rows, languages)

    first = by_language[languages[0]] if languages else {}
    pair_ids = sorted(first, key=natural_key)
    segments, pairs = _segments_and_pairs(dataset, [first[pair_id] for pair_id in pair_ids])
    sentences: dict[str, dict[str, tuple[str, ...]]] = {}
    spans: dict[str, dict[str, tuple[Span, ...]]] = {}
    tags: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    for language in languages:
        mine = by_language[language]
        expected = {
            Role.PREMISE.value: _premises(mine[pair_id] for pair_id in pair_ids),
            Role.HYPOTHESIS.value: [_Expected(i, mine[i].hypothesis, mine[i].place) for i in pair_ids],
        }
        sentences[language], spans[language] = {}, {}
        for role in ROLES:
            name = detection_path(language, dataset, role)
            file = parse_tagged(read_bytes(root / name, name), name, labels=labels)
            found, odd = _match(file, expected[role], name, role)
            warnings += odd
            for one, sentence in zip(expected[role], found, strict=True):
                uid = segment_uid(dataset, role, one.external_id)
                sentences[language][uid] = sentence.tokens
                lines.setdefault(uid, sentence.line)
                spans[language][uid] = read_bio(sentence.tags).spans
        tags[language] = {pair_uid(dataset, pair_id): mine[pair_id].tag for pair_id in pair_ids}
    return Corpus(dataset, languages, segments, pairs, sentences, spans, tags, tuple(warnings), lines)


def write_corpus(corpus: Corpus) -> dict[str, bytes]:
    """The files of a corpus: path under the root to content.

    Detection files hold the segments with spans in that language (an empty tuple is a sentence without
    a label; a missing one is left out), interpretation files the pairs with a tag in that language. A corpus
    of sentences without roles has no pairs, and so no interpretation files.
    Raises BioError for spans that BIO cannot spell, ValueError for tags and texts that the format cannot.
    """
    by_role = {
        role: sorted((s for s in corpus.segments if s.role == role), key=lambda s: natural_key(s.external_id))
        for role in roles_written(corpus)
    }
    files: dict[str, bytes] = {}
    for language in corpus.languages:
        tokens_of, spans_of = corpus.sentences.get(language, {}), corpus.spans.get(language, {})
        for role, segments in by_role.items():
            tagged = [
                _tagged(segment.uid, tokens_of[segment.uid], spans_of[segment.uid])
                for segment in segments
                if segment.uid in spans_of
            ]
            files[detection_path(language, corpus.dataset, role)] = write_tagged(tagged).encode("utf-8")
    if tuple(by_role) == ("",):
        return files
    for kind, lines in interpretation_lines(corpus).items():
        files[interpretation_path(corpus.dataset, kind)] = "".join(lines).encode("utf-8")
    return files


# Reading


def _check_folders(root: Path, dataset: str, rows: Sequence[Row], languages: Sequence[str]) -> None:
    """The languages of the rows and those with detection files must be the same."""
    folder = root / DETECTION
    if not folder.is_dir():
        raise FormatError(
            DETECTION, 0, message(_("this folder, with one folder per language")), message(_("no such folder"))
        )
    present = {
        path.name
        for path in sorted(folder.iterdir())
        if any((path / f"{dataset}_{role}.tsv").is_file() for role in ROLES)
    }
    for language in languages:
        if language not in present:
            row = next(row for row in rows if row.language == language)
            known = ", ".join(sorted(present)) or "none"
            raise FormatError(
                row.name,
                row.line,
                message(
                    _("a language with files of %(dataset)s under %(detection)s (%(known)s)"),
                    dataset=dataset,
                    detection=DETECTION,
                    known=known,
                ),
                quote(language),
            )
    for language in sorted(present.difference(languages)):
        role = next(role for role in ROLES if (folder / language / f"{dataset}_{role}.tsv").is_file())
        raise FormatError(
            detection_path(language, dataset, role),
            1,
            message(
                _("no sentences, since the interpretation files of %(dataset)s have no row in %(language)s"),
                dataset=dataset,
                language=quote(language),
            ),
            message(_("a file")),
        )


def _segments_and_pairs(dataset: str, rows: Sequence[Row]) -> tuple[tuple[Segment, ...], tuple[Pair, ...]]:
    """Segments and pairs of rows that are in ascending order of their pairID."""
    premises: dict[str, Segment] = {}
    hypotheses: list[Segment] = []
    pairs: list[Pair] = []
    for row in rows:
        premise = premises.setdefault(row.prompt_id, _segment(dataset, Role.PREMISE.value, row.prompt_id, row))
        hypothesis = _segment(dataset, Role.HYPOTHESIS.value, row.pair_id, row)
        hypotheses.append(hypothesis)
        pairs.append(
            Pair(pair_uid(dataset, row.pair_id), dataset, row.pair_id, premise.uid, hypothesis.uid, row.inference)
        )
    ordered = (premises[prompt_id] for prompt_id in sorted(premises, key=natural_key))
    return (*ordered, *hypotheses), tuple(pairs)


def _segment(dataset: str, role: str, external_id: str, row: Row) -> Segment:
    uid = segment_uid(dataset, role, external_id)
    return Segment(uid, dataset, role, external_id, row.prompt_id, row.genre, row.source_dataset)


def _premises(rows: Iterable[Row]) -> list[_Expected]:
    """The premises of the rows of a language, by ascending promptID; each must have one text."""
    first: dict[str, Row] = {}
    for row in rows:
        other = first.setdefault(row.prompt_id, row)
        if other.premise != row.premise:
            raise FormatError(
                row.name,
                row.line,
                message(
                    _("the premise %(prompt_id)s with the text %(premise)s, as at %(place)s"),
                    prompt_id=quote(row.prompt_id),
                    premise=quote(other.premise),
                    place=other.place,
                ),
                quote(row.premise),
            )
    return [_Expected(i, first[i].premise, first[i].place) for i in sorted(first, key=natural_key)]


def _match(
    file: TaggedFile, expected: Sequence[_Expected], name: str, role: str
) -> tuple[list[TaggedSentence], list[FormatWarning]]:
    """The sentences of a file, one for each expected text; FormatError at the first that differs."""
    found: list[TaggedSentence] = []
    blank_lines: set[int] = set()
    warnings: list[FormatWarning] = []
    position = 0
    next_line = 1
    for one in expected:
        sentence = file.sentences[position] if position < len(file.sentences) else None
        if not one.text and (sentence is None or sentence.tokens != ("",)):
            # A text without tokens is written as its closing blank line alone.
            blank_lines.add(next_line)
            what = message(
                _("the %(role_word)s %(external_id)s has no text"),
                role_word=_ROLE_WORD[role],
                external_id=quote(one.external_id),
            )
            warnings.append(FormatWarning(name, next_line, what))
            found.append(TaggedSentence((), (), next_line))
            next_line += 1
            continue
        what = message(
            _("the %(role_word)s with %(id_column)s %(external_id)s, %(text)s"),
            role_word=_ROLE_WORD[role],
            id_column=_ID_COLUMN[role],
            external_id=quote(one.external_id),
            text=quote(one.text),
        )
        if sentence is None:
            raise _ends_early(file, name, what, one, position, len(expected))
        if text_of(sentence.tokens) != one.text:
            raise _differs(file, sentence, name, what, one, position)
        found.append(sentence)
        position += 1
        next_line = sentence.line + len(sentence.tokens) + 1
    if position < len(file.sentences):
        raise _goes_on(file.sentences[position], name, role, len(expected))
    remaining = [
        warning for warning in file.warnings if not (warning.line in blank_lines and "blank line" in str(warning.what))
    ]
    return found, sorted(remaining + warnings, key=lambda warning: warning.line)


def _ends_early(
    file: TaggedFile, name: str, what: Message, one: _Expected, position: int, expected: int
) -> FormatError:
    """The error of a file that ends before the sentence `one`. `what` names that sentence."""
    last = file.sentences[-1].line + len(file.sentences[-1].tokens) if file.sentences else 1
    return FormatError(
        name,
        last,
        message(
            _("%(what)s, as at %(place)s (%(expected)s sentences in all)"),
            what=what,
            place=one.place,
            expected=expected,
        ),
        message(_("the end of the file after %(position)s sentences"), position=position),
    )


def _differs(
    file: TaggedFile, sentence: TaggedSentence, name: str, what: Message, one: _Expected, position: int
) -> FormatError:
    """The error of a sentence that is not the one expected."""
    text = text_of(sentence.tokens)
    got: Sentence = quote(text)
    if _cut_short(text, one.text, position, file):
        got = message(_("%(text)s, where the file ends"), text=got)
    return FormatError(name, sentence.line, message(_("%(what)s, as at %(place)s"), what=what, place=one.place), got)


def _goes_on(extra: TaggedSentence, name: str, role: str, expected: int) -> FormatError:
    """The error of a file that has more sentences than are expected."""
    return FormatError(
        name,
        extra.line,
        message(
            _("the end of the file, since the interpretation files have %(number)s premises")
            if role == Role.PREMISE.value
            else _("the end of the file, since the interpretation files have %(number)s hypotheses"),
            number=expected,
        ),
        quote(text_of(extra.tokens)),
    )


def _cut_short(text: str, expected: str, position: int, file: TaggedFile) -> bool:
    return position == len(file.sentences) - 1 and expected.startswith(text)


# Writing


def _tagged(uid: str, tokens: tuple[str, ...], spans: tuple[Span, ...]) -> TaggedSentence:
    try:
        return TaggedSentence(tokens, tuple(write_bio(spans, len(tokens))))
    except BioError as error:
        raise BioError("%(uid)s: %(problem)s", uid=uid, problem=error.message) from error
