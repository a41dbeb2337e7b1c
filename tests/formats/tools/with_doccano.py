"""Imports files into doccano as its web page does, looks at what came in, and exports it again.

Runs with doccano's Python: `python with_doccano.py FOLDER`, where `expected.json` says what there is to see, and each
`given/<case>.*` is a file. What doccano writes lands under `returned/`.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import backend  # the package that doccano's distribution calls so

FOLDER = Path(sys.argv[1]).absolute()
HOME = FOLDER / "home"
HOME.mkdir()
(HOME / "media").mkdir()
os.environ.update(
    DOCCANO_HOME=str(HOME),
    STANDALONE="True",
    DEBUG="False",
    DJANGO_SETTINGS_MODULE="config.settings.production",
    DATABASE_URL=f"sqlite:///{HOME}/db.sqlite3",
    MEDIA_ROOT=str(HOME / "media"),
)
BACKEND = Path(next(iter(backend.__path__)))
sys.path.insert(0, str(BACKEND))
os.chdir(BACKEND)

import django

django.setup()

from data_export.celery_tasks import export_dataset
from data_import.datasets import load_dataset
from data_import.pipeline.catalog import create_file_format
from data_import.pipeline.readers import FileName
from django.contrib.auth import get_user_model
from django.core.management import call_command
from examples.models import Example
from labels.models import Category, Relation, Span
from projects import models as projects

# The kind of project that each case is for, and how its file is imported.
CASES = {
    "spans": ("SequenceLabeling", "SequenceLabelingProject", {"allow_overlapping": True}, "JSONL"),
    "relations": (
        "RelationExtraction",
        "SequenceLabelingProject",
        {"allow_overlapping": True, "use_relation": True},
        "JSONL",
    ),
    "categories": ("DocumentClassification", "TextClassificationProject", {}, "JSONL"),
    "both": ("IntentDetectionAndSlotFilling", "IntentDetectionAndSlotFillingProject", {}, "JSONL"),
    "tagged": ("SequenceLabeling", "SequenceLabelingProject", {"allow_overlapping": True}, "CoNLL"),
}
PART = "translatio:part"


def imported(case: str, path: Path, user: object) -> projects.Project:
    task, kind, options, file_format = CASES[case]
    own = "SequenceLabeling" if task == "RelationExtraction" else task
    project = getattr(projects, kind).objects.create(
        name=case, created_by=user, project_type=own, collaborative_annotation=True, **options
    )
    project.add_admin()
    names = [FileName(str(path), str(path), path.name)]
    dataset = load_dataset(task, create_file_format(file_format), names, project, encoding="utf_8")
    dataset.save(user, batch_size=1000)
    assert not dataset.errors, [str(error) for error in dataset.errors]
    return project


def look(project: projects.Project, case: str) -> list[dict[str, object]]:
    """What doccano shows: the texts in order, with the labels on them; parts of a label are put together."""
    found = []
    for example in Example.objects.filter(project=project).order_by("id"):
        spans = {
            one.id: (one.label.text, [[one.start_offset, one.end_offset]])
            for one in Span.objects.filter(example=example)
        }
        for link in Relation.objects.filter(example=example):
            assert link.type.text == PART
            spans[link.from_id_id][1].extend(spans.pop(link.to_id_id)[1])
        labels = sorted((name, sorted(places)) for name, places in spans.values())
        categories = sorted(one.label.text for one in Category.objects.filter(example=example))
        row = {"text": example.text, "labels": [list(one) for one in labels], "categories": categories}
        # CoNLL has no room for ids and tokens.
        row |= {} if case == "tagged" else {"id": str(example.meta.get("id")), "tokens": example.meta.get("tokens")}
        found.append(row)
    return found


def expected(rows: list[dict[str, object]], case: str) -> list[dict[str, object]]:
    found = []
    for row in rows:
        labels = sorted([one["label"], sorted(one["at"])] for one in row["labels"])
        categories = sorted(name for names in row["values"].values() for name in names)
        one = {"text": row["text"], "labels": labels, "categories": categories}
        one |= {} if case == "tagged" else {"id": row["id"], "tokens": row["tokens"]}
        found.append(one)
    return found


def main() -> None:
    call_command("migrate", verbosity=0)
    call_command("create_roles", verbosity=0)
    user = get_user_model().objects.create_user("ana", "ana@example.eu", "x")
    told = json.loads((FOLDER / "expected.json").read_text("utf-8"))
    (FOLDER / "returned").mkdir()
    for case, rows in told.items():
        (path,) = (FOLDER / "given").glob(f"{case}.*")
        try:
            project = imported(case, path, user)
        except Exception as error:  # whatever doccano raises is a difference; the other cases go on
            print(f"DIFFERS {case}: {type(error).__name__}: {str(error)[:600]}")
            continue
        got, want = look(project, case), expected(rows, case)
        if got != want:
            for one, other in zip(got, want, strict=False):
                if one != other:
                    print(f"DIFFERS {case}:\n  given {str(other)[:1500]}\n  seen  {str(one)[:1500]}")
            print(f"DIFFERS {case}: {len(got)} of {len(want)}")
        packed = export_dataset(project.id, "JSONL", False)
        with zipfile.ZipFile(packed) as archive:
            (FOLDER / "returned" / f"{case}.jsonl").write_bytes(archive.read("all.jsonl"))
    shutil.rmtree(HOME)
    print("VERSION doccano", version("doccano"))


main()
