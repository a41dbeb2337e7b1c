"""Add the files that make a release a dataset for repositories."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from annotator.domain.agreement.kappa import cohen_kappa
from annotator.domain.content import content_type
from annotator.domain.states import Mode
from annotator.models import Project
from annotator.releases.queries.croissant import CROISSANT, croissant
from annotator.releases.queries.dataset_card import citation_file, header, licence_file, sections
from annotator.releases.queries.dataset_tables import dataset_tables, json_rows
from annotator.releases.queries.individual import ANNOTATIONS

README, LICENCE, CITATION = "README.md", "LICENSE", "CITATION.cff"
KAPPA, ARTIFACTS = "statistics/kappa.json", "statistics/artifacts.json"
Row = dict[str, Any]


class _Answer(NamedTuple):
    is_blind: bool
    observed: tuple[str, ...]


def agreement_rows(project: Project, files: Mapping[str, bytes]) -> list[Row]:
    """Cohen's kappa of every two people over the released items that both answered, by layer and language."""
    rows = []
    for layer in project.layers.all():
        kind = content_type(layer.content_type)
        answers: defaultdict[tuple[str, str], dict[tuple[str, int], _Answer]] = defaultdict(dict)
        for row in json_rows(files, ANNOTATIONS.format(slug=layer.slug)) if kind.dimensions else ():
            observed = tuple(map(sys.intern, _observed(kind, row)))
            of_person = answers[row["language"], row["annotator"]]
            of_person[row["uid"], row["revision"]] = _Answer(row["mode"] == Mode.BLIND, observed)
        for one, other in combinations(sorted(answers), 2):
            common = sorted(answers[one].keys() & answers[other].keys())
            if one[0] == other[0] and common:
                both = [(answers[one][unit], answers[other][unit]) for unit in common]
                rows.append({"layer": layer.slug, "language": one[0], "annotators": [one[1], other[1]]} | _kappas(both))
    return rows


def _kappas(both: Sequence[tuple[_Answer, _Answer]]) -> Row:
    blind = [pair for pair in both if all(answer.is_blind for answer in pair)]
    return {"units": len(both), "kappa": _kappa(both), "blind": len(blind), "kappa_blind": _kappa(blind)}


def _kappa(both: Sequence[tuple[_Answer, _Answer]]) -> float | None:
    first, second = ([label for pair in both for label in pair[place].observed] for place in (0, 1))
    return cohen_kappa(first, second).value


def _observed(kind: Any, row: Row) -> list[str]:
    observed: list[str] = kind.observations(
        row["content"], tokens=[""] * row["token_count"], dimension=kind.dimensions[0]
    )
    return observed


def dataset_files(
    project: Project, files: Mapping[str, bytes], *, sources: Sequence[Mapping[str, Any]], date: str
) -> dict[str, bytes]:
    """The card around the README that is there, licence, citation, tables and their description."""
    tables = dataset_tables(files)
    found: dict[str, bytes] = {}
    for table in tables:
        found |= table.files()
    agreement = agreement_rows(project, files)
    if agreement:
        found[KAPPA] = (json.dumps(agreement, ensure_ascii=False, indent=1) + "\n").encode()
    readme = files[README].decode().rstrip("\n")
    audit = json.loads(files.get(ARTIFACTS, b"[]"))
    found[README] = f"{header(project, tables)}{readme}\n\n{sections(project, tables, agreement, audit)}".encode()
    found[LICENCE] = licence_file(project, sources).encode()
    found[CITATION] = citation_file(project, date).encode()
    found[CROISSANT] = croissant(project, tables, {**files, **found}, date)
    return found
