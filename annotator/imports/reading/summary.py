"""What an import did, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotator.imports.reading.problems import Problem

# Of names that are listed.
MAX_LISTED = 1000
# About what a row takes in the database, with its indexes.
ROW_BYTES = 500
# And what a token does, with the place of its lemma.
TOKEN_BYTES = 100


@dataclass
class Tally:
    """What was new, and what was there already and stayed as it was."""

    new: int = 0
    known: int = 0

    def count(self, *, new: bool) -> None:
        if new:
            self.new += 1
        else:
            self.known += 1


@dataclass
class ImportSummary:
    """What an import did, in numbers.

    `differing` names gold that the project already had and the file contradicts; the project's stays.
    `outdated` names sentences whose labels were left out because their text has a newer revision here. Lists end after
    1,000 names.
    """

    dataset: str
    labels: str
    segments: Tally = field(default_factory=Tally)
    pairs: Tally = field(default_factory=Tally)
    sentences: dict[str, Tally] = field(default_factory=dict)
    # Of new units.
    tokens: int = 0
    # By language and kind, new units; sentences are of the kind "".
    units: dict[str, Counter[str]] = field(default_factory=dict)
    gold: dict[str, Tally] = field(default_factory=dict)
    # Gold in other layers, by layer and language.
    categories: dict[str, Tally] = field(default_factory=dict)
    tags: dict[str, Tally] = field(default_factory=dict)
    # By username, and by the name of the model.
    annotations: dict[str, Tally] = field(default_factory=dict)
    suggestions: dict[str, Tally] = field(default_factory=dict)
    differing: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)
    missing_languages: list[str] = field(default_factory=list)
    # What labels of the files were taken for, where it was chosen; as `Terms.label_map`.
    label_map: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    warnings: Sequence[Problem] = ()

    @property
    def changed(self) -> bool:
        """True when anything at all was added."""
        return any(tally.new for _name, tally in self._tallies())

    def differs(self, name: str) -> None:
        """Name something whose gold here is not that of the files."""
        _list(self.differing, name)

    def is_outdated(self, name: str) -> None:
        """Name a text whose labels are of an earlier revision."""
        _list(self.outdated, name)

    def to_json(self) -> dict[str, Any]:
        return {
            "dataset": self.dataset,
            "labels": self.labels,
            "changed": self.changed,
            "counts": {name: {"new": tally.new, "known": tally.known} for name, tally in self._tallies()},
            "tokens": self.tokens,
            **self._units(),
            "differing": self.differing,
            "outdated": self.outdated,
            "missing_languages": self.missing_languages,
            **({"label_map": {label: dict(one) for label, one in self.label_map.items()}} if self.label_map else {}),
            "warnings": [str(warning) for warning in self.warnings],
        }

    def lines(self) -> list[str]:
        """The numbers for a terminal; warnings are not listed here."""
        found = [f"{name}: {tally.new} new, {tally.known} known" for name, tally in self._tallies()]
        if not self.changed:
            found.append("Everything was already in the project, so nothing was changed.")
        if self.missing_languages:
            found.append(f"No sentences in the files for: {', '.join(self.missing_languages)}.")
        if self.differing:
            found.append(f"{len(self.differing)} kept as decided here, though the files differ:")
            found += [f"  {name}" for name in self.differing]
        if self.outdated:
            found.append(f"{len(self.outdated)} labels left out, since the text has a newer revision here:")
            found += [f"  {name}" for name in self.outdated]
        return found

    def _units(self) -> dict[str, Any]:
        """New units by language and kind, where not all of them are sentences."""
        if not any(kind for kinds in self.units.values() for kind in kinds):
            return {}
        return {"units": {language: dict(kinds) for language, kinds in self.units.items()}}

    def _tallies(self) -> Iterator[tuple[str, Tally]]:
        yield "segments", self.segments
        for language, tally in self.sentences.items():
            yield f"sentences {language}", tally
        yield "pairs", self.pairs
        for name, tallies in (
            ("gold labels", self.gold),
            ("gold categories", self.categories),
            ("gold pair tags", self.tags),
            ("annotations by", self.annotations),
            ("suggestions by", self.suggestions),
        ):
            for of, tally in tallies.items():
                yield f"{name} {of}", tally


def _list(names: list[str], name: str) -> None:
    if len(names) < MAX_LISTED:
        names.append(name)


def weight_of(files: Iterable[Mapping[str, Any]], summary: Mapping[str, Any]) -> int:
    """Bytes that an import counts for in a project: its files, and the rows that are made of them. A file of short
    lines or words makes far more of those than it has bytes."""
    rows = sum(max(0, tally["new"]) for tally in summary.get("counts", {}).values())
    tokens = max(0, summary.get("tokens", 0))
    return sum(max(0, one.get("size", 0)) for one in files) + ROW_BYTES * rows + TOKEN_BYTES * tokens
