"""The tables of a corpus: detection, interpretation, correction, projection.

Each table is made from one count a sentence (or pair), so that whole corpora stream through.
Rows come per language and dataset in the order in which these first appear, one for each role or inference label of
the project, and end in an "all" row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from annotator.domain.origins import TokenOrigins, token_origins
from annotator.domain.spans import OUTSIDE, Span, token_labels
from annotator.domain.tags import INFERENCES, ROLES, TAGS, Tag

ALL = "all"


@dataclass(frozen=True, slots=True)
class SentenceCount:
    """One sentence's part in the detection table; counts are tokens. `on_sentence`: labels that no token bears."""

    language: str
    dataset: str
    role: str
    labelled_tokens: int
    tokens: int
    on_sentence: int = 0


@dataclass(frozen=True, slots=True)
class DetectionRow:
    """Labelled tokens and sentences of one language, dataset and role ("prem", "hyp", "all").

    A sentence with a label that no token bears is labelled; `on_sentence` counts such labels.
    """

    language: str
    dataset: str
    role: str
    labelled_tokens: int
    tokens: int
    labelled_sentences: int
    sentences: int
    on_sentence: int = 0

    def to_json(self) -> dict[str, Any]:
        """The row by its field names; `on_sentence` only where there are such labels."""
        row = asdict(self)
        if not self.on_sentence:
            del row["on_sentence"]
        return row


@dataclass(frozen=True, slots=True)
class PairCount:
    """One pair's part in the interpretation table: its inference label and its tag."""

    dataset: str
    inference: str
    tag: str


@dataclass(frozen=True, slots=True)
class InterpretationRow:
    """Pairs by tag of one dataset and inference label ("all" for the sum).

    `total` counts the three tags of a gold corpus; `discarded` pairs are not part of it.
    """

    dataset: str
    inference: str
    relevant: int
    non_relevant: int
    no_metaphor: int
    total: int
    discarded: int = 0

    def to_json(self) -> dict[str, Any]:
        """The row by its field names; `discarded` only where there are such pairs."""
        row = asdict(self)
        if not self.discarded:
            del row["discarded"]
        return row


@dataclass(frozen=True, slots=True)
class CorrectionCount:
    """One sentence's part in the correction table."""

    language: str
    dataset: str
    role: str
    origins: TokenOrigins


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """What people did to predictions, in tokens: `revised` = `predicted` - `removed` + `added`."""

    language: str
    dataset: str
    role: str
    predicted: int
    removed: int
    added: int
    revised: int

    def to_json(self) -> dict[str, Any]:
        """The row by its field names."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ProjectionCount:
    """One target sentence's part in the projection table, in tokens.

    A sentence that received a projection fills the first five, any other the last two.
    """

    dataset: str
    role: str
    source: int = 0
    projected: int = 0
    lost: int = 0
    gained: int = 0
    target: int = 0
    predicted: int = 0
    revised: int = 0


@dataclass(frozen=True, slots=True)
class ProjectionRow:
    """How the labels of a target language came about, in tokens, for one dataset and role.

    `source`: labelled source tokens that were projected from. `projected`: target tokens that got a label
    by it. `lost` and `gained`: target tokens whose projected label was taken away in review, and which got
    one there. `target` = `projected` - `lost` + `gained`: what is labelled then.
    `predicted` and `revised`: tokens the detector labelled in the sentences without a projection, and
    those labelled after correction. `total` = `target` + `revised`.
    """

    dataset: str
    role: str
    source: int
    projected: int
    lost: int
    gained: int
    target: int
    predicted: int
    revised: int
    total: int

    def to_json(self) -> dict[str, Any]:
        """The row by its field names."""
        return asdict(self)


def labelled_tokens(spans: Iterable[Span], length: int) -> int:
    """The number of tokens, of a sentence's `length`, that carry a label."""
    return sum(label != OUTSIDE for label in token_labels(spans, length))


def count_sentence(language: str, dataset: str, role: str, spans: Iterable[Span], length: int) -> SentenceCount:
    """Count a sentence of `length` tokens for the detection table."""
    spans = tuple(spans)
    on_sentence = sum(not span.tokens for span in spans)
    return SentenceCount(language, dataset, role, labelled_tokens(spans, length), length, on_sentence)


def count_projected(
    dataset: str,
    role: str,
    *,
    source: Iterable[Span],
    source_length: int,
    projected: Iterable[Span],
    reviewed: Iterable[Span],
    length: int,
) -> ProjectionCount:
    """Count a target sentence of `length` tokens that received a projection and was reviewed.

    `source` are the spans that were projected from, whether or not all of them arrived.
    """
    review = token_origins(projected, reviewed, length)
    return ProjectionCount(
        dataset,
        role,
        source=labelled_tokens(source, source_length),
        projected=review.predicted,
        lost=review.removed,
        gained=review.added,
        target=review.revised,
    )


def count_unprojected(
    dataset: str, role: str, *, predicted: Iterable[Span], revised: Iterable[Span], length: int
) -> ProjectionCount:
    """Count a target sentence of `length` tokens that no projection reached."""
    return ProjectionCount(
        dataset, role, predicted=labelled_tokens(predicted, length), revised=labelled_tokens(revised, length)
    )


def detection_rows(sentences: Iterable[SentenceCount], roles: Sequence[str] = ROLES) -> tuple[DetectionRow, ...]:
    """The detection table: each role and "all" for every language and dataset."""
    sums = _Sums(5)
    for one in sentences:
        labelled = int(one.labelled_tokens > 0 or one.on_sentence > 0)
        values = (one.labelled_tokens, one.tokens, labelled, 1, one.on_sentence)
        sums.add((one.language, one.dataset), one.role, values)
    return tuple(
        DetectionRow(language, dataset, role, *values) for (language, dataset), role, values in sums.rows(roles)
    )


def interpretation_rows(
    pairs: Iterable[PairCount], inferences: Sequence[str] = INFERENCES
) -> tuple[InterpretationRow, ...]:
    """The interpretation table: each inference label and "all" for every dataset.

    Raises ValueError for a tag that is none of `TAGS`.
    """
    sums = _Sums(5)
    for one in pairs:
        if one.tag not in TAGS:
            raise ValueError(f"{one.tag!r} is not a pair tag; expected {', '.join(TAGS)}.")
        in_total = int(one.tag != Tag.DISCARDED)
        values = (
            int(one.tag == Tag.RELEVANT),
            int(one.tag == Tag.NON_RELEVANT),
            int(one.tag == Tag.NO_METAPHOR),
            in_total,
            1 - in_total,
        )
        sums.add((one.dataset,), one.inference, values)
    return tuple(
        InterpretationRow(dataset, inference, *values) for (dataset,), inference, values in sums.rows(inferences)
    )


def correction_rows(sentences: Iterable[CorrectionCount], roles: Sequence[str] = ROLES) -> tuple[CorrectionRow, ...]:
    """The correction table: each role and "all" for every language and dataset."""
    sums = _Sums(4)
    for one in sentences:
        counts = one.origins
        values = (counts.predicted, counts.removed, counts.added, counts.revised)
        sums.add((one.language, one.dataset), one.role, values)
    return tuple(
        CorrectionRow(language, dataset, role, *values) for (language, dataset), role, values in sums.rows(roles)
    )


def projection_rows(sentences: Iterable[ProjectionCount], roles: Sequence[str] = ROLES) -> tuple[ProjectionRow, ...]:
    """The projection table: each role and "all" for every dataset."""
    sums = _Sums(8)
    for one in sentences:
        review = (one.source, one.projected, one.lost, one.gained, one.target)
        values = (*review, one.predicted, one.revised, one.target + one.revised)
        sums.add((one.dataset,), one.role, values)
    return tuple(ProjectionRow(dataset, role, *values) for (dataset,), role, values in sums.rows(roles))


class _Sums:
    """Sums by key and part, and over the parts."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._by_key: dict[tuple[str, ...], dict[str, list[int]]] = {}

    def add(self, key: tuple[str, ...], part: str, values: tuple[int, ...]) -> None:
        parts = self._by_key.setdefault(key, {})
        for name in (part, ALL):
            total = parts.setdefault(name, [0] * self._width)
            for i, value in enumerate(values):
                total[i] += value

    def rows(self, parts: Sequence[str]) -> Iterable[tuple[tuple[str, ...], str, list[int]]]:
        """Per key the given parts (zeros where nothing was added), any others that were added, and the sum.

        Where nothing has a part, the sum alone: a row without a name beside it would say the same again.
        """
        for key, sums in self._by_key.items():
            others = sorted(set(sums) - {*parts, ALL})
            if not parts and others == [""]:
                others = []
            for part in (*parts, *others, ALL):
                yield key, part, sums.get(part, [0] * self._width)
