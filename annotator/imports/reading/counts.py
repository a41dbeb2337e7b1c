"""How much the files of an import hold: in all, by language, by file, by label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotator.formats.common.records import Record, Says, Text
from annotator.formats.corpus.incoming import file_key
from annotator.imports.reading.source import Terms

# Names of labels and categories that are counted: a column of texts taken for categories has as many as rows.
MAX_NAMES = 1000


@dataclass
class Counts:
    """How much the files hold."""

    records: int = 0
    with_ids: int = 0
    pairs: int = 0
    sentences: Counter[str] = field(default_factory=Counter)
    # By language and kind of unit, "" of sentences.
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    # Categories of whole sentences, and those of them that have no place in the project; sentences that have some.
    categories: Counter[str] = field(default_factory=Counter)
    homeless: Counter[str] = field(default_factory=Counter)
    homeless_sentences: int = 0
    # Sentences with a model's labels alone, which are not answers.
    by_machine: int = 0
    # Pairs whose tags nobody takes.
    tags_left_out: int = 0
    # By the name of a file and language.
    files: Counter[tuple[str, str]] = field(default_factory=Counter)
    # About how much of the files that is, by language.
    bytes: Counter[str] = field(default_factory=Counter)
    # By says and name: sentences, spans.
    answers: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def add_text(self, language: str, kind: str, text: Text, file: str, homeless: Sequence[str]) -> None:
        """One more sentence, or unit of a `kind` of its own, from a file; `homeless`: its categories without a place
        in the project."""
        tokens = text.tokens
        self.bytes[language] += sum(map(len, tokens)) + len(tokens)
        self.sentences[language] += 1
        self.kinds[language, kind] += 1
        self.tokens[language] += len(tokens)
        self.files[file, language] += 1
        for labels in text.labels:
            sums = self.answers.setdefault((labels.says, labels.name), [0, 0])
            sums[0] += 1
            sums[1] += len(labels.spans)
            self.labels.update(span.label for span in labels.spans)
        if text.contents:
            self.answers.setdefault((Says.GOLD, ""), [0, 0])[0] += 1
        for values in text.values.values():
            _count(self.categories, values)
        _count(self.homeless, homeless)
        self.homeless_sentences += bool(homeless)


def _count(counter: Counter[str], names: Sequence[str]) -> None:
    for name in names:
        if name in counter or len(counter) < MAX_NAMES:
            counter[name] += 1


class Origins:
    """Which file a sentence is from: of parallel files, a record names the first one only."""

    def __init__(self, terms: Terms, languages: Sequence[str]) -> None:
        self._files: Sequence[Mapping[str, str]] = terms.files
        self._languages = languages
        self._found: dict[tuple[str, str], str] = {}

    def of(self, record: Record, language: str) -> str:
        """The name of the file."""
        key = (record.file, language)
        if key not in self._found:
            self._found[key] = self._look_for(record, language)
        return self._found[key]

    def _look_for(self, record: Record, language: str) -> str:
        mine = next((one for one in self._files if one["name"] == record.file), None)
        if mine is None or mine["language"] in ("", language):
            return record.file
        others = [one for one in self._files if one["language"] == language]
        same = file_key(record.file, self._languages)
        named = [one for one in others if file_key(one["name"], self._languages) == same]
        found = named or others
        return str(found[0]["name"]) if len(found) == 1 else record.file
