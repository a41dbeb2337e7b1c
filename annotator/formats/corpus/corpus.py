"""A corpus in memory: what formats read and write, whatever the format.

Segments and pairs exist once, whatever the language; sentences, spans and tags exist once a language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotator.domain.labels.spans import Span
from annotator.domain.text.tokens import text_of
from annotator.formats.common.errors import FormatWarning


@dataclass(frozen=True, slots=True)
class Segment:
    """A premise or hypothesis, whatever the language.

    `uid` is unique and stable in a project: "xnli_dev:prem:13_xnli.dev". `external_id` is the published
    promptID or pairID; `group` the promptID that a premise and its hypotheses share. A premise has
    genre and source dataset of its first pair.
    """

    uid: str
    dataset: str
    role: str
    external_id: str
    group: str
    genre: str
    source_dataset: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A premise and a hypothesis (uids of segments), the inference label, and the published pairID."""

    uid: str
    dataset: str
    external_id: str
    premise: str
    hypothesis: str
    inference: str


@dataclass(frozen=True)
class Corpus:
    """One dataset in all its languages.

    `languages` are in the order of the interpretation files. `segments` are premises, then hypotheses,
    and `pairs` follow the hypotheses, each by ascending id. `sentences` and `spans` go from language and
    segment uid to the tokens and the spans; `tags` from language and pair uid to "relevant",
    "non_relevant" or "no_metaphor". All of them are complete when read from files; a corpus to be
    written may leave out sentences, spans or tags.
    """

    dataset: str
    languages: tuple[str, ...]
    segments: tuple[Segment, ...]
    pairs: tuple[Pair, ...]
    sentences: Mapping[str, Mapping[str, tuple[str, ...]]]
    spans: Mapping[str, Mapping[str, tuple[Span, ...]]]
    tags: Mapping[str, Mapping[str, str]]
    warnings: tuple[FormatWarning, ...] = ()
    # By the uid of a segment, its line in the file of the first language; empty where it was not read from one.
    lines: Mapping[str, int] = field(default_factory=dict)

    def text(self, language: str, uid: str) -> str:
        """The text of a sentence: its tokens joined by one space."""
        return text_of(self.sentences[language][uid])


def segment_uid(dataset: str, role: str, external_id: str) -> str:
    """The uid of a premise ("prem", promptID) or hypothesis ("hyp", pairID)."""
    return f"{dataset}:{role}:{external_id}"


def pair_uid(dataset: str, external_id: str) -> str:
    """The uid of a pair, from its pairID."""
    return f"{dataset}:pair:{external_id}"
