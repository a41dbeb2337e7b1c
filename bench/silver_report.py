"""What two readers said of drawn pairs, by way of a project: brought in, answered, and counted as the product does.

Needs a DATA_DIR of its own, which is set before this is imported; see `bench/silver_readers.py`.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.core.management import call_command
from django.utils import timezone

import bench.setup  # noqa: F401 -- before all that needs models
from annotator.core.starts import STARTS
from annotator.domain.content.verdict import ACCEPT
from annotator.domain.pairs.inference_pairs import class_of
from annotator.domain.shares import wilson
from annotator.imports.drafts.drafts import Upload, add_files, change_draft, start_draft
from annotator.imports.writing.run import run_import
from annotator.models import Annotation, AnnotationState, Project, Role, Stage, User
from annotator.projects.actions.projects import add_member, create_project
from annotator.protocols.impli.corpus import Pair, pairs_of
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.tables import FURTHER
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.queue.actions.assignments import claim
from bench.silver_pairs import LANGUAGE

Row = Mapping[str, str]


def figures(key: Sequence[Row], verdicts: Sequence[Sequence[Row]]) -> str:
    """Tables in Markdown: by class and by where definitions are from, and how far both readers agree."""
    call_command("migrate", verbosity=0)
    project = create_project(slug="silver", preset=STARTS["impli"].preset([LANGUAGE]), by=None)
    sources = sorted({row["source"] for row in key})
    for source in sources:
        _bring(project, source, [row for row in key if row["source"] == source])
    numbers = {pair.unit.pk: row["number"] for pair, row in _with_rows(project, sources, key)}
    stage = project.stages.select_related("project", "layer").get(kind="validate")
    readers = []
    for number, said in enumerate(verdicts, start=1):
        reader = User.objects.create(username=f"reader-{number}")
        add_member(project=project, user=reader, role=Role.ANNOTATOR, by=None)
        _answer(stage, reader, dict(_by_unit(numbers, said)))
        readers.append(reader)
    parts = [_shares(project, readers), "The project's report on valid pairs, both readers together:", _valid(project)]
    return "\n\n".join([*parts, _agreement(stage, *readers)])


def _bring(project: Project, source: str, rows: Sequence[Row]) -> None:
    """Files named by their class, as one dataset. All cells are enclosed: marks at the ends of texts are kept so."""
    texts: defaultdict[str, io.StringIO] = defaultdict(io.StringIO)
    for row in rows:
        made = class_of(row["made"])
        assert made is not None, row["made"]
        rows_of = csv.writer(texts[made.file_name("drawn")], csv.excel_tab, quoting=csv.QUOTE_ALL, lineterminator="\n")
        rows_of.writerow([row["premise"], row["hypothesis"], ""])
    draft = start_draft(project=project, by=None)
    uploads = [Upload(name, [text.getvalue().encode()]) for name, text in sorted(texts.items())]
    add_files(draft=draft, uploads=uploads, by=None)
    # Without labels: what came as gold is not judged.
    choices = {"dataset": source, "publishable": True, "labels_as": "none"}
    change_draft(draft=draft, changes=choices, by=None)
    run_import(draft=draft, by=None)


def _with_rows(project: Project, sources: Sequence[str], key: Sequence[Row]) -> Iterable[tuple[Pair, Row]]:
    """The pairs of the project, each with its row: those of a class and source are in the order of the key."""
    rows = {
        (source, made): iter([row for row in key if (row["source"], row["made"]) == (source, made)])
        for source in sources
        for made in {row["made"] for row in key}
    }
    for pair in pairs_of(project):
        row = next(rows[pair.unit.segment.dataset, str(pair.made)])
        assert row["hypothesis"].split() == pair.unit.text.split("\n")[1].split(), row["number"]
        yield pair, row


def _by_unit(numbers: Mapping[int, str], said: Sequence[Row]) -> Iterable[tuple[int, Row]]:
    by_number = {row["number"]: row for row in said}
    missing = [number for number in numbers.values() if number not in by_number]
    if missing:
        raise SystemExit(f"A reader's file has no verdict on the pairs {', '.join(missing)}.")
    return ((unit, by_number[number]) for unit, number in numbers.items())


def _answer(stage: Stage, reader: User, said: Mapping[int, Row]) -> None:
    """The whole queue of a reader. What is not well-formed is rejected."""
    now = timezone.now()
    while found := claim(stage=stage, user=reader, count=20, now=now):
        for row in found:
            unit = row.item.unit_id
            accepted = said[unit]["well_formed"] == "yes"
            verdict = {"verdict": ACCEPT} if accepted else {"verdict": "reject", "reason": "incoherent"}
            content = {**verdict, "second": said[unit]["follows"]}
            save_annotation(
                project=stage.project, assignment=row.pk, version=0, content=content, done=True, by=reader, now=now
            )


def _shares(project: Project, readers: Sequence[User]) -> str:
    """By class, and by class and dataset: which share each reader, and both, find well-formed and rightly labelled."""
    rows = Annotation.objects.filter(project=project, layer__slug="validity", state=AnnotationState.DONE)
    content = {(user, unit): found for user, unit, found in rows.values_list("user_id", "unit_id", "content")}
    groups: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in pairs_of(project):
        groups[str(pair.made)].append(pair)
        groups[f"{pair.made}, {pair.unit.segment.dataset}"].append(pair)
    names = [*(user.username for user in readers), "both"]
    lines = [
        "| class | pairs | "
        + " | ".join(f"{what}: {name}" for what in ("well-formed", "label right") for name in names)
        + " |",
        "|---" * (2 + 2 * len(names)) + "|",
    ]
    for name, pairs in sorted(groups.items()):
        cells = []
        for right in (_well_formed, _label_right):
            found = [[right(pair, content[user.pk, pair.unit.pk]) for user in readers] for pair in pairs]
            counts = [*(sum(column) for column in zip(*found, strict=True)), sum(all(row) for row in found)]
            cells += [_share(count, len(pairs)) for count in counts]
        lines.append(f"| {name} | {len(pairs)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _well_formed(_pair: Pair, content: Mapping[str, str]) -> bool:
    return content["verdict"] == ACCEPT


def _label_right(pair: Pair, content: Mapping[str, str]) -> bool:
    return content["second"] == pair.made.follows


def _share(part: int, whole: int) -> str:
    low, high = wilson(part, whole)
    return f"{100 * part / whole:.0f} % ({100 * low:.0f}–{100 * high:.0f})"


def _valid(project: Project) -> str:
    report = FURTHER["valid-pairs"].compute(project)
    rows = [[str(row[column]) for column in report.columns] for row in report.rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [report.columns, ["---"] * len(report.columns), *rows])


def _agreement(stage: Stage, one: User, other: User) -> str:
    lines = []
    for dimension, name in (("verdicts", "well-formed"), ("second", "follows")):
        found = agreement(stage.project, a=one, b=other, layer=stage.layer.slug, language=LANGUAGE, dimension=dimension)
        kappa, ac1 = found.overall.kappa, found.overall.ac1
        value = "undefined" if kappa.value is None else f"{kappa.value:.2f}"
        lines.append(f"{name}: kappa {value}, observed {kappa.observed:.2f}, AC1 {ac1:.2f}, {kappa.n} pairs")
    return "\n".join(lines)
