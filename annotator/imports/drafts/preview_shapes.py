"""What a preview of an import says, as it is stored with the draft and sent by the API."""

from __future__ import annotations

from typing import Any, TypedDict

from annotator.imports.reading.parallel import ParallelShown


class FormatShown(TypedDict):
    """A format that the files may be in, and how sure that is (0 to 1)."""

    slug: str
    sure: float


class FileShown(TypedDict):
    """A file as it is read."""

    id: str
    name: str
    size: int
    encoding: str
    language: str
    role: str
    used: bool
    # The slug of the format in which it is read, and how many edits of its lines it is read with.
    format: str
    edits: int
    # Lines of a text file, None of others; sentences that were read from it, by language.
    lines: int | None
    sentences: dict[str, int]


class ColumnShown(TypedDict):
    """A column of a table: what it is taken for, and its first cells."""

    number: int
    meaning: str
    samples: list[str]


class PartShown(TypedDict):
    """A part of a unit that is not a sentence, as its format calls it."""

    name: str
    text: str


class TextShown(TypedDict):
    """A sentence as it will appear."""

    language: str
    text: str
    tokens: list[str]
    spaces: list[str]
    spans: list[dict[str, Any]]
    lemmas: list[str]
    parts_of_speech: list[str]
    # Categories of the whole sentence, as they come in.
    values: list[str]
    # Of a unit that is not a sentence: what it says, by name.
    parts: list[PartShown]


class RowShown(TypedDict):
    """A segment; `known`: the project has it."""

    uid: str
    id: str
    file: str
    line: int
    role: str
    group: str
    known: bool
    texts: list[TextShown]


class PairShown(TypedDict):
    """A premise and a hypothesis, by the ids of their records."""

    id: str
    premise: str
    hypothesis: str
    inference: str


class SaysShown(TypedDict):
    """Somebody whose labels the files have: `says` is gold, person or model."""

    says: str
    name: str
    sentences: int
    spans: int


class CountsShown(TypedDict):
    """How much the files hold. `ratio`: by language, its tokens per token of the first language."""

    records: int
    known: int
    with_ids: int
    pairs: int
    sentences: dict[str, int]
    # Of these, the ones that the project does not have.
    new: dict[str, int]
    # By language and kind of unit, "" of sentences.
    kinds: dict[str, dict[str, int]]
    tokens: dict[str, int]
    labels: dict[str, int]
    categories: dict[str, int]
    ratio: dict[str, float]
    says: list[SaysShown]


class ProblemShown(TypedDict):
    """What is wrong, and where: `severity` is error or warning. `expected` is the whole sentence of a warning."""

    severity: str
    file: str
    line: int
    expected: str
    got: str


class TokensShown(TypedDict):
    """Why the text is split as it is: `chosen` by a person; else by how many of the first texts have their last mark
    attached to a word, such as `example`, or `apart`. Both 0: by the format."""

    chosen: bool
    attached: int
    apart: int
    example: str


class TranslationShown(TypedDict):
    """A file that says that it is a translation of texts in a language. `alone`: it is the only file, so that it can be
    tied to the texts of a dataset; `tied`: it is. `datasets`: how many of such texts they have."""

    file: str
    language: str
    alone: bool
    tied: bool
    number: int
    datasets: dict[str, int]


class Preview(TypedDict):
    """What a draft would bring. `language`: of the interface that its sentences are said in.

    `doubts`: what was chosen without being sure, and nobody has chosen yet. `whole`: all of the files was read;
    `expected`: about how many records there are in all; `ready`: `start_import` takes it.
    """

    language: str
    format: str
    formats: list[FormatShown]
    notes: list[str]
    doubts: list[str]
    files: list[FileShown]
    options: dict[str, Any]
    tokens: TokensShown
    columns: list[ColumnShown]
    rows: list[RowShown]
    pairs: list[PairShown]
    counts: CountsShown
    problems: list[ProblemShown]
    errors: int
    warnings: int
    parallel: list[ParallelShown]
    translation: TranslationShown | None
    whole: bool
    expected: int
    ready: bool
