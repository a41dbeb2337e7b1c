"""What readers give and writers take, whatever the format: sentences and pairs, one at a time.

Readers are generators, so that a file of a million sentences needs no more memory than one of ten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from annotator.domain.content.base import Content
from annotator.domain.labels.spans import Attributes, Span
from annotator.formats.common.errors import FormatError, FormatWarning


class Says(StrEnum):
    """Whose labels a file has."""

    GOLD = "gold"
    PERSON = "person"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class CharSpan:
    """A label on characters: `fragments` are begin and end (exclusive) in code points of the text, ascending.

    An empty `fragments` is a label of the whole text. `beside`: the words that a file has with the label, which tell
    how its positions are counted.
    """

    fragments: tuple[tuple[int, int], ...]
    label: str
    attributes: Mapping[str, str] = field(default_factory=Attributes)
    score: float | None = None
    beside: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Labels:
    """What one source says of a text: its spans, all of them; none is an answer, too.

    `name`: the person's or the model's; "" where the file does not say.
    """

    says: Says
    name: str
    spans: tuple[Span | CharSpan, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence in one language: either `tokens`, where the format has them, or `text` to be split.

    `spaces` as `domain.tokens.white_space` gives it. `lemmas` and `parts_of_speech`: one per token, or empty.
    `values`: categories of the whole sentence, by layer ("" where the format has no name for it).
    `contents`: what the file says of the unit in other layers, by the layer's slug, as the content type spells it.
    `settled`: slugs of layers in which nobody is asked any more: the files have the answers as units of their own.
    `partial`: slugs of layers whose content here leaves open what the file does not say.
    `breaks`: places of `text` where a person said that a token begins, or goes on (`token_splits`).
    `file` and `line` (from 1), for messages: where it stands if that is not where its record does.
    `sure_positions`: whether those of its labels are known to count code points; otherwise `positions` finds it out.
    """

    text: str = ""
    tokens: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    parts_of_speech: tuple[str, ...] = ()
    labels: tuple[Labels, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    contents: Mapping[str, Content] = field(default_factory=dict)
    settled: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    breaks: tuple[tuple[int, str], ...] = ()
    sure_positions: bool = field(default=True, compare=False)
    file: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)

    @property
    def answered(self) -> bool:
        """Whether the file says anything of the text, in any layer."""
        return bool(self.labels or self.values or self.contents)


@dataclass(frozen=True, slots=True)
class Record:
    """A segment in the languages that the file has it in.

    `id` is the file's own, "" where it has none: the import then counts. `group` is the document or the group of
    premise and hypotheses; `source` the source dataset. `file` and `line` (from 1) are for messages. `kind`: of units;
    "" for sentences.
    """

    file: str
    line: int
    texts: Mapping[str, Text]
    id: str = ""
    role: str = ""
    group: str = ""
    genre: str = ""
    source: str = ""
    kind: str = ""

    def at(self, text: Text) -> Record:
        """The record with the place of one of its texts, for messages about that."""
        line = text.line or (self.line if text.file == self.file else 0)
        return replace(self, file=text.file, line=line) if text.file else self


@dataclass(frozen=True, slots=True)
class PairRecord:
    """A premise and a hypothesis by the ids of their records, which come before it; `values`: tag by language."""

    file: str
    line: int
    id: str
    premise: str
    hypothesis: str
    inference: str
    values: Mapping[str, str] = field(default_factory=dict)


# A reader yields a FormatError for a row that cannot be read and goes on, so that all are found at once; it raises one
# where nothing after it can be understood. Nothing is imported in either case.
Read = Record | PairRecord | FormatWarning | FormatError
