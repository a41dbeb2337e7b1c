"""The layout of Meta4XNLI as records and pairs, with its inference files or with the sentences alone."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from annotator.domain.labels.spans import Span
from annotator.domain.labels.tags import ROLES
from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.features import Feature
from annotator.formats.common.lines import open_lines
from annotator.formats.common.protocol import Guess, Options, SourceFile
from annotator.formats.common.records import PairRecord, Read, Record
from annotator.formats.common.writing import token_spans
from annotator.formats.conll.tagged_formats import TokenTag
from annotator.formats.corpora.interpretation import INTERPRETATION
from annotator.formats.corpora.meta4xnli import DETECTION, detection_path, list_datasets, read_corpus, write_corpus
from annotator.formats.corpus.corpus import Corpus, Pair, Segment, pair_uid, segment_uid
from annotator.formats.corpus.records import pair_records, record_of

_SENTENCES = re.compile(rf"(?:.*/)?({DETECTION}/([^/]+)/([^/]+)_(prem|hyp)\.tsv)")
_PAIRS = re.compile(rf"(?:.*/)?({INTERPRETATION}/[^/]+_(?:met|nonrelevant|no_met)\.tsv)")
# What files that are written are called: a record says where it comes from, not which files it is published in.
_DATASET = "corpus"


class Meta4Xnli:
    """`detection/source_datasets/…` and, where there are pairs, `interpretation/source_datasets/…`.

    With pairs, a dataset is held in memory while it is read: its files are checked against one another.
    """

    slug = "meta4xnli"
    writes = True
    keeps = frozenset(
        {
            Feature.TOKENS, Feature.LANGUAGES, Feature.IDS, Feature.ROLES, Feature.SOURCES,
            Feature.LABELS, Feature.DISCONTINUOUS, Feature.PAIRS,
        }
    )  # fmt: skip

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """By the folders and names of the files; others among them are left out."""
        known: list[SourceFile] = []
        for file in files:
            if match := _SENTENCES.fullmatch(_slashes(file.name)):
                known.append(replace(file, language=match[2], role=match[4]))
            elif _PAIRS.fullmatch(_slashes(file.name)):
                known.append(file)
        if not any(file.role for file in known):
            return None
        left_out = [file.name for file in files if file.name not in {one.name for one in known}]
        names = ", ".join(left_out[:5])
        notes: tuple[Sentence, ...] = ()
        if left_out:
            notes = (message(_("%(names)s left out (not part of this layout)"), names=names),)
        if not any(not file.role for file in known):
            notes = (*notes, message(_("sentences only: there are no IDs or pairs without interpretation files")))
        return Guess(self.slug, 1.0, tuple(known), Options(), notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """Premises, hypotheses, then pairs, of each dataset; its sentences alone where it has no pairs."""
        sentences = [(file, match) for file in files if (match := _SENTENCES.fullmatch(_slashes(file.name)))]
        if not sentences:
            raise FormatError(
                files[0].name if files else DETECTION,
                0,
                message(_("files under %(detection)s"), detection=DETECTION),
                message(_("none")),
            )
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            names: dict[str, str] = {}
            for file in files:
                match = _SENTENCES.fullmatch(_slashes(file.name)) or _PAIRS.fullmatch(_slashes(file.name))
                if match:
                    names[match[1]] = file.name
                    place = root / match[1]
                    place.parent.mkdir(parents=True, exist_ok=True)
                    _put(file, place)
            paired = list_datasets(root)
            for dataset in paired:
                try:
                    for read in _corpus_reads(read_corpus(root, dataset, labels=None)):
                        yield _called(read, names)
                except FormatError as error:
                    raise FormatError(
                        names.get(error.path, error.path), error.line, error.expected, error.got
                    ) from error
        for dataset in dict.fromkeys(match[3] for _file, match in sentences):
            if dataset not in paired:
                alone = [replace(file, language=m[2], role=m[4]) for file, m in sentences if m[3] == dataset]
                for read in TokenTag().read(alone, options):
                    yield replace(read, source=dataset, group="") if isinstance(read, Record) else read

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """The files of a dataset called corpus. Raises ValueError for what the layout cannot spell.

        It needs roles; and tags, wherever there are pairs.
        """
        corpus = _corpus(records)
        if any(text[:1] and text[0].startswith("\ufeff") for one in corpus.sentences.values() for text in one.values()):
            raise ValueError("A sentence begins with U+FEFF, which at the beginning of a file is a byte order mark.")
        files = write_corpus(corpus)
        paths = []
        for name, content in files.items():
            if name.startswith(INTERPRETATION) and not corpus.pairs:
                continue
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            paths.append(path)
        return paths


def _slashes(name: str) -> str:
    return name.replace("\\", "/")


def _put(file: SourceFile, place: Path) -> None:
    """Put a file where the layout has it, in UTF-8. Raises FormatError."""
    if file.encoding in ("", "utf-8", "utf-8-sig"):
        place.symlink_to(file.path.resolve())
        return
    with open_lines(file, ends=True) as lines, place.open("w", encoding="utf-8", newline="") as out:
        for _number, line in lines:
            out.write(line)


def _called(read: Read, names: Mapping[str, str]) -> Read:
    """What was read, of a file by the name under which somebody brought it."""
    if isinstance(read, FormatWarning):
        return replace(read, path=names.get(read.path, read.path))
    if not isinstance(read, Record):
        return read
    texts = {code: replace(text, file=names.get(text.file, text.file)) for code, text in read.texts.items()}
    return replace(read, file=names.get(read.file, read.file), texts=texts)


def _corpus_reads(corpus: Corpus) -> Iterator[Read]:
    yield from corpus.warnings
    for segment in corpus.segments:
        record = record_of(corpus, segment)
        # Of the first language the record has the place, with the line.
        first, *others = (detection_path(code, corpus.dataset, segment.role) for code in corpus.languages)
        files = dict(zip(corpus.languages, ("", *others), strict=True))
        texts = {code: replace(text, file=files[code]) for code, text in record.texts.items()}
        yield replace(record, file=first, line=corpus.lines.get(segment.uid, 0), texts=texts)
    yield from pair_records(corpus, corpus.pairs, file=corpus.dataset)


def _corpus(records: Iterable[Record | PairRecord]) -> Corpus:
    segments: list[Segment] = []
    pairs: list[Pair] = []
    corpus = Corpus(_DATASET, (), (), (), {}, {}, {})
    languages: dict[str, None] = {}
    sentences: dict[str, dict[str, tuple[str, ...]]] = {}
    spans: dict[str, dict[str, tuple[Span, ...]]] = {}
    tags: dict[str, dict[str, str]] = {}
    for number, record in enumerate(records, start=1):
        if isinstance(record, PairRecord):
            uid = pair_uid(_DATASET, record.id)
            ends = [
                segment_uid(_DATASET, role, end.removeprefix(f"{role}:"))
                for role, end in zip(ROLES, (record.premise, record.hypothesis), strict=True)
            ]
            pairs.append(Pair(uid, _DATASET, record.id, ends[0], ends[1], record.inference))
            missing = next((language for language in languages if language not in record.values), None)
            if missing is not None:
                raise ValueError(f"The pair {record.id} has no tag in {missing}, and this layout has a file a tag.")
            for language, tag in record.values.items():
                tags.setdefault(language, {})[uid] = tag
            continue
        if record.role not in ROLES:
            raise ValueError(f"The role {record.role!r} has no file in this layout, which has {' and '.join(ROLES)}.")
        # Its files hold one role each.
        external = record.id.removeprefix(f"{record.role}:") or str(number)
        uid = segment_uid(_DATASET, record.role, external)
        segments.append(
            Segment(uid, _DATASET, record.role, external, record.group or external, record.genre, record.source)
        )
        for language, text in record.texts.items():
            languages[language] = None
            sentences.setdefault(language, {})[uid] = text.tokens
            spans.setdefault(language, {})[uid] = token_spans(text)
    return replace(
        corpus,
        languages=tuple(languages),
        segments=tuple(segments),
        pairs=tuple(pairs),
        sentences=sentences,
        spans=spans,
        tags=tags,
    )
