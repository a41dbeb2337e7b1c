"""The dataset card of a release (`README.md` with its header), its licence and how to cite it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from annotator.domain.audit.scores import Guessed
from annotator.models import Project
from annotator.releases.card import ABOUT, NOT_STATED, STATEMENT, Author, authors_of
from annotator.releases.queries.dataset_tables import Table, writes_parquet

Agreement = Sequence[Mapping[str, Any]]
Audit = Sequence[Mapping[str, Any]]
# Identifiers that hubs of datasets know; others are "other", with their name.
_LICENCES = (
    "apache-2.0", "mit", "cc0-1.0", "cc-by-2.0", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0",
    "cc-by-nc-4.0", "cc-by-nc-sa-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-4.0", "odc-by", "odbl", "pddl",
)  # fmt: skip
_SIZES = ((1000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "1M<n<10M"
# By the tables that are there.
_TASKS = (("sentences", "token-classification"), ("pairs", "text-classification"))


def title_of(project: Project) -> str:
    return project.dataset_card.get("title") or project.name


def header(project: Project, tables: Sequence[Table]) -> str:
    """The YAML header by which hubs and `datasets` know what is there. Texts are written as JSON, which is YAML."""
    card = project.dataset_card
    names = {table.name.partition("_")[0] for table in tables}
    tasks = [task for part, task in _TASKS if part in names]
    rows = max((table.size for table in tables), default=0)
    size = next((word for most, word in _SIZES if rows < most), _LARGEST)
    lines = [
        "---",
        f"pretty_name: {_quoted(title_of(project))}",
        *_licence_lines(card.get("licence_labels", "")),
        *_listed("language", dict.fromkeys(language.partition("-")[0].lower() for language in project.languages)),
        *_listed("multilinguality", ["translation" if len(project.languages) > 1 else "monolingual"]),
        *_listed("task_categories", tasks),
        *_listed("size_categories", [size]),
    ]
    if tables:
        lines.append("configs:")
    for table in tables:
        lines += [f"- config_name: {_quoted(table.name)}", f"  data_files: {_quoted(table.path)}"]
    return "\n".join([*lines, "---", ""])


def _licence_lines(stated: str) -> list[str]:
    if not stated:
        return ["license: unknown"]
    if stated.lower() in _LICENCES:
        return [f"license: {stated.lower()}"]
    return ["license: other", f"license_name: {_quoted(stated)}"]


def _listed(name: str, values: Sequence[str] | Mapping[str, Any]) -> list[str]:
    return [f"{name}:", *(f"- {_quoted(value)}" for value in values)] if values else []


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def sections(project: Project, tables: Sequence[Table], agreement: Agreement, audit: Audit) -> str:
    """The sections after the description of the files: how to load the tables, agreement, artifacts, and the data
    statement, in English but for the answers."""
    card = project.dataset_card
    lines: list[str] = []
    if tables:
        lines += [
            "## Loading",
            "",
            "```python",
            "from datasets import load_dataset",
            "",
            f'load_dataset("path/to/this/folder", "{tables[0].name}")',
            "```",
            "",
            "`data/` has flat tables. `croissant.json` describes their columns.",
        ]
        if not writes_parquet():
            lines += ["There is no Parquet: the site that made this release does not have the extra `parquet`."]
        lines += [""]
    lines += ["## Agreement", "", *_agreement(agreement)]
    if audit:
        lines += ["", "## Artifacts", "", *_artifacts(audit)]
    lines += ["", "## About", ""]
    for question in ABOUT[1:]:
        lines.append(f"- {question.english}: {_on_one_line(card.get(question.name))}")
    lines += ["", "## Data statement", ""]
    for question in STATEMENT:
        lines += [f"### {question.english}", "", card.get(question.name) or NOT_STATED, ""]
    return "\n".join(lines)


def _on_one_line(text: str | None) -> str:
    return " · ".join(filter(None, map(str.strip, (text or "").splitlines()))) or NOT_STATED


def _agreement(rows: Agreement) -> list[str]:
    if not rows:
        return ["No two people answered the same items."]
    lines = [
        "Cohen’s kappa of every two people over the items that both answered, tokens pooled. Only blind items were",
        "answered independently. Only items with gold count: in a partial release, disagreements that nobody has",
        "decided are missing, and kappa is higher than over all answers.",
        "",
        "| layer | language | people | items | kappa | blind items | kappa, blind |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        people = " – ".join(map(_cell, row["annotators"]))
        numbers = f"{row['units']} | {_number(row['kappa'])} | {row['blind']} | {_number(row['kappa_blind'])}"
        lines.append(f"| {row['layer']} | {row['language']} | {people} | {numbers} |")
    return lines


def _artifacts(tasks: Audit) -> list[str]:
    """The scores of a simple classifier, as a table and in words."""
    lines = [
        "Macro-F1 (%) of a simple classifier that sees only a part of each instance: mean and standard deviation over",
        "five folds. In lexical splits, no expression or group is in two folds.",
    ]
    rows = []
    for task in tasks:
        for one in task["scores"]:
            if one["mean"] is not None:
                numbers = f"{one['mean']:.1f} | {one['spread']:.1f}"
                rows.append(f"| {_guessed(task)} | {task['language']} | {one['split']} | {one['seen']} | {numbers} |")
    if rows:
        head = "| guessed | language | split | shown | macro-F1 | standard deviation |"
        lines += ["", head, "|---|---|---|---|---|---|", *rows]
    for task in tasks:
        lines += ["", f"{_guessed(task)}, {task['language']}: {' '.join(task['conclusions'])}"]
    return lines


def _guessed(task: Mapping[str, Any]) -> str:
    return f"{task['layer']} ({task['what']})" if task["what"] != Guessed.GOLD else str(task["layer"])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def licence_file(project: Project, sources: Sequence[Mapping[str, Any]]) -> str:
    """The licences of labels and texts, as far as they are stated."""
    card = project.dataset_card
    lines = [f"{title_of(project)}", ""]
    for what, name in (("labels", "licence_labels"), ("texts", "licence_texts")):
        stated = card.get(name, "")
        lines.append(f"Licence of the {what}: {stated or NOT_STATED}")
        if stated.lower() in _LICENCES:
            lines.append(f"https://spdx.org/licenses/{stated}.html")
        lines.append("")
    for one in sources:
        if one["publishable"]:
            lines.append(f"Texts of {one['dataset']}: {one['licence'] or NOT_STATED}")
    return "\n".join(lines).rstrip() + "\n"


def citation_file(project: Project, date: str) -> str:
    """`CITATION.cff`, version 1.2.0 of the format, which must name authors."""
    card = project.dataset_card
    lines = [
        "cff-version: 1.2.0",
        'message: "If you use this dataset, please cite it."',
        "type: dataset",
        f"title: {_quoted(title_of(project))}",
        "authors:",
        *(line for author in authors_of(card) for line in _author(author)),
    ]
    if not authors_of(card):
        lines.append(f"- name: {_quoted(NOT_STATED)}")
    if card.get("doi"):
        lines.append(f"doi: {_quoted(card['doi'])}")
    if card.get("licence_labels", "").lower() in _LICENCES:
        lines.append(f"license: {_quoted(card['licence_labels'])}")
    if date:
        lines.append(f"date-released: {_quoted(date)}")
    if card.get("citation"):
        lines.append(f"notes: {_quoted(card['citation'])}")
    return "\n".join(lines) + "\n"


def _author(author: Author) -> list[str]:
    lines = [f"- family-names: {_quoted(author.family)}"]
    if author.given:
        lines.append(f"  given-names: {_quoted(author.given)}")
    if author.orcid:
        lines.append(f"  orcid: {_quoted('https://orcid.org/' + author.orcid)}")
    if author.affiliation:
        lines.append(f"  affiliation: {_quoted(author.affiliation)}")
    return lines
