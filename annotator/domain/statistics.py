"""The tables of a corpus: detection, interpretation, correction, projection.

Each table is made from one count a sentence (or pair), so that whole corpora stream through.
Rows come per language and dataset in the order in which these first appear, one for each role or inference label of
the project, and end in an "all" row. Where a language has several datasets, the rows of all of them follow as the
dataset "all".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from annotator.domain.labels.origins import TokenOrigins
from annotator.domain.labels.spans import OUTSIDE, Span, token_labels
from annotator.domain.labels.tags import INFERENCES, ROLES, TAGS, Tag
from annotator.domain.projection.carry import Outcome, SourceOutcome
from annotator.domain.projection.outcomes import Fate, fates

ALL = "all"


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a table."""

    def to_json(self) -> dict[str, Any]:
        """The row by its field names; `on_sentence` and `discarded` only where there are any."""
        return {name: value for name, value in asdict(self).items() if value or name not in _WHERE_ANY}


_WHERE_ANY = ("on_sentence", "discarded")


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
class DetectionRow(_Row):
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


@dataclass(frozen=True, slots=True)
class PairCount:
    """One pair's part in the interpretation table: its inference label and its tag."""

    dataset: str
    inference: str
    tag: str


@dataclass(frozen=True, slots=True)
class InterpretationRow(_Row):
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


@dataclass(frozen=True, slots=True)
class CorrectionCount:
    """One sentence's part in the correction table."""

    language: str
    dataset: str
    role: str
    origins: TokenOrigins


@dataclass(frozen=True, slots=True)
class CorrectionRow(_Row):
    """What people did to predictions, in tokens: `revised` = `predicted` - `removed` + `added`."""

    language: str
    dataset: str
    role: str
    predicted: int
    removed: int
    added: int
    revised: int


@dataclass(frozen=True, slots=True)
class ProjectionCount:
    """One target sentence's part in the projection table; `ProjectionRow` says what is counted."""

    dataset: str
    role: str
    projected: int = 0
    unaligned: int = 0
    dropped: int = 0
    kept: int = 0
    shifted: int = 0
    lost: int = 0
    lost_not_projected: int = 0
    gained: int = 0
    labelled_tokens: int = 0
    predicted: int = 0
    revised: int = 0


@dataclass(frozen=True, slots=True)
class ProjectionRow(_Row):
    """What became of labels on their way to a target language, in spans, for one dataset and role.

    `source` = `projected` + `unaligned` + `dropped`: spans that were carried over, by what the machine did. After
    review `source` = `kept` + `shifted` + `lost` (`domain.outcomes`). `lost_not_projected` are those of the lost ones
    that never arrived. `gained`: target spans without one of the source. `target` = `source` - `lost` + `gained`: all
    that stand, on `labelled_tokens` tokens. In the sentences that no projection reached, the detector predicted
    `predicted` spans, and `revised` stand; these are among the gained.
    """

    dataset: str
    role: str
    source: int
    projected: int
    unaligned: int
    dropped: int
    kept: int
    shifted: int
    lost: int
    lost_not_projected: int
    gained: int
    target: int
    labelled_tokens: int
    predicted: int
    revised: int


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
    outcomes: Sequence[SourceOutcome],
    reviewed: Sequence[Span],
    length: int,
    lost: Collection[int] = (),
) -> ProjectionCount:
    """Count a target sentence of `length` tokens that was projected onto and reviewed.

    `outcomes`: one for each source span, whether or not it arrived. `reviewed`: the spans that stand; `lost`: numbers
    of the outcomes that a person called lost.
    """
    machine = Counter(one.outcome for one in outcomes)
    found = fates(outcomes, reviewed, lost)
    people = Counter(found.of_sources)
    not_projected = sum(
        fate == Fate.LOST and one.outcome != Outcome.PROJECTED
        for one, fate in zip(outcomes, found.of_sources, strict=True)
    )
    return ProjectionCount(
        dataset,
        role,
        projected=machine[Outcome.PROJECTED],
        unaligned=machine[Outcome.UNALIGNED],
        dropped=machine[Outcome.DROPPED],
        kept=people[Fate.KEPT],
        shifted=people[Fate.SHIFTED],
        lost=people[Fate.LOST],
        lost_not_projected=not_projected,
        gained=len(found.gained),
        labelled_tokens=labelled_tokens(reviewed, length),
    )


def count_unprojected(
    dataset: str, role: str, *, predicted: Sequence[Span], revised: Sequence[Span], length: int
) -> ProjectionCount:
    """Count a target sentence of `length` tokens that no projection reached: all its spans are gained."""
    return ProjectionCount(
        dataset,
        role,
        gained=len(revised),
        labelled_tokens=labelled_tokens(revised, length),
        predicted=len(predicted),
        revised=len(revised),
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
    """The projection table: each role and "all" for every dataset, and for all of them."""
    sums = _Sums(13)
    for one in sentences:
        source = one.projected + one.unaligned + one.dropped
        values = (
            *(source, one.projected, one.unaligned, one.dropped),
            *(one.kept, one.shifted, one.lost, one.lost_not_projected),
            *(one.gained, source - one.lost + one.gained, one.labelled_tokens),
            *(one.predicted, one.revised),
        )
        sums.add((one.dataset,), one.role, values)
    return tuple(ProjectionRow(dataset, role, *values) for (dataset,), role, values in sums.rows(roles))


class _Sums:
    """Sums by key, whose last part is a dataset, and by part of it (a role, say); over the parts, and over datasets."""

    def __init__(self, width: int) -> None:
        self._width = width
        # By what stands before the dataset, by dataset, by part.
        self._sums: dict[tuple[str, ...], dict[str, dict[str, list[int]]]] = {}

    def add(self, key: tuple[str, ...], part: str, values: tuple[int, ...]) -> None:
        parts = self._sums.setdefault(key[:-1], {}).setdefault(key[-1], {})
        for name in (part, ALL):
            self._add(parts, name, values)

    def rows(self, parts: Sequence[str]) -> Iterable[tuple[tuple[str, ...], str, list[int]]]:
        """Per key the given parts (zeros where nothing was added), any others that were added, and the sum.

        Where nothing has a part, the sum alone: a row without a name beside it would say the same again. Where there
        are several datasets, the same over all of them follows as the dataset "all".
        """
        for before, datasets in self._sums.items():
            for dataset, sums in datasets.items():
                yield from self._rows((*before, dataset), sums, parts)
            if len(datasets) > 1:
                total: dict[str, list[int]] = {}
                for sums in datasets.values():
                    for part, values in sums.items():
                        self._add(total, part, values)
                yield from self._rows((*before, ALL), total, parts)

    def _add(self, sums: dict[str, list[int]], part: str, values: Sequence[int]) -> None:
        total = sums.setdefault(part, [0] * self._width)
        for i, value in enumerate(values):
            total[i] += value

    def _rows(
        self, key: tuple[str, ...], sums: Mapping[str, list[int]], parts: Sequence[str]
    ) -> Iterator[tuple[tuple[str, ...], str, list[int]]]:
        others = sorted(set(sums) - {*parts, ALL})
        if not parts and others == [""]:
            others = []
        for part in (*parts, *others, ALL):
            yield key, part, sums.get(part, [0] * self._width)
