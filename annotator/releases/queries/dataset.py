"""Add the files that make a release a dataset for repositories."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby
from typing import Any

from annotator.domain.agreement.kappa import kappa_of_cells
from annotator.domain.content import content_type
from annotator.domain.states import Mode
from annotator.models import Project
from annotator.releases.folder import ReleaseFolder
from annotator.releases.queries.croissant import CROISSANT, croissant
from annotator.releases.queries.dataset_card import citation_file, header, licence_file, sections
from annotator.releases.queries.dataset_tables import add_tables, json_rows
from annotator.releases.queries.individual import ANNOTATIONS

README, LICENCE, CITATION = "README.md", "LICENSE", "CITATION.cff"
KAPPA, ARTIFACTS = "statistics/kappa.json", "statistics/artifacts.json"
Row = dict[str, Any]


@dataclass
class _Both:
    """What two people gave the same items: how many items, and how often each pair of labels; of all, and of those that
    both answered blind."""

    units: int = 0
    blind: int = 0
    cells: Counter[tuple[str, str]] = field(default_factory=Counter)
    blind_cells: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, cells: Iterable[tuple[str, str]], *, is_blind: bool) -> None:
        counted = Counter(cells)
        self.units += 1
        self.cells += counted
        if is_blind:
            self.blind += 1
            self.blind_cells += counted

    def to_json(self) -> Row:
        kappa, kappa_blind = kappa_of_cells(self.cells).value, kappa_of_cells(self.blind_cells).value
        return {"units": self.units, "kappa": kappa, "blind": self.blind, "kappa_blind": kappa_blind}


def agreement_rows(project: Project, files: ReleaseFolder) -> list[Row]:
    """Cohen's kappa of every two people over the released items that both answered, by layer and language."""
    rows = []
    for layer in project.layers.all():
        kind = content_type(layer.content_type)
        found: dict[tuple[str, str, str], _Both] = {}
        answers = json_rows(files, ANNOTATIONS.format(slug=layer.slug)) if kind.dimensions else ()
        # The answers to an item follow each other.
        for (language, _uid, _revision), some in groupby(answers, key=_item):
            of_item = sorted(some, key=lambda row: str(row["annotator"]))
            observed = [_observed(kind, row) for row in of_item]
            for (one, first), (other, second) in combinations(zip(of_item, observed, strict=True), 2):
                both = found.setdefault((language, one["annotator"], other["annotator"]), _Both())
                is_blind = one["mode"] == other["mode"] == Mode.BLIND
                both.add(zip(first, second, strict=True), is_blind=is_blind)
        for (language, *people), both in sorted(found.items(), key=lambda one: one[0]):
            rows.append({"layer": layer.slug, "language": language, "annotators": people} | both.to_json())
    return rows


def _item(row: Row) -> tuple[str, str, int]:
    return row["language"], row["uid"], row["revision"]


def _observed(kind: Any, row: Row) -> list[str]:
    observed: list[str] = kind.observations(
        row["content"], tokens=[""] * row["token_count"], dimension=kind.dimensions[0]
    )
    return observed


def add_dataset_files(
    project: Project, files: ReleaseFolder, *, sources: Sequence[Mapping[str, Any]], date: str
) -> None:
    """Add what makes a dataset of the files: the card around the README that is there, licence, citation, tables and
    their description."""
    tables = add_tables(files)
    agreement = agreement_rows(project, files)
    if agreement:
        files[KAPPA] = (json.dumps(agreement, ensure_ascii=False, indent=1) + "\n").encode()
    readme = files[README].decode().rstrip("\n")
    audit = json.loads(files.get(ARTIFACTS, b"[]"))
    files[README] = f"{header(project, tables)}{readme}\n\n{sections(project, tables, agreement, audit)}".encode()
    files[LICENCE] = licence_file(project, sources).encode()
    files[CITATION] = citation_file(project, date).encode()
    files[CROISSANT] = croissant(project, tables, files, date)
