"""Exports: whose labels come out, what is left out and counted, what is refused, and that all of it comes in again."""

from __future__ import annotations

import csv
import json
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from annotator.core.errors import ActionError
from annotator.core.files.storage import site_files
from annotator.formats.common.features import Feature
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Gold, JobKind, JobState, Layer, Project, Role
from annotator.releases.actions.label_exports import checked_choice
from annotator.releases.queries.label_export import ExportChoice, Whose, writers
from annotator.search.queries.find import by_id
from tests.clients import client_of
from tests.drafts import make_plain, run_all
from tests.factories import (
    make_annotation,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_segment,
    make_sentence,
    make_tag,
    span,
)

# A snapshot is a transaction of its own.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def exports(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def run(*args: Any, **options: Any) -> str:
    out = StringIO()
    call_command("export_files", *map(str, args), stdout=out, stderr=out, **options)
    return out.getvalue()


@pytest.fixture
def project() -> Project:
    """A sentence with gold, one with gold that has no labels, and one that nobody has decided."""
    made = make_project("letters", languages=("es", "en"))
    ana = make_member(made, username="ana")
    labelled, empty, undecided = (
        make_sentence(made, text) for text in ("El tiempo vuela .", "Nadie lo vio .", "Hoy no llueve .")
    )
    make_gold(labelled, [span(2)])
    make_gold(empty)
    make_annotation(labelled, ana, [span(1, 2)])
    make_annotation(undecided, ana, [span(2)])
    make_prediction(undecided, [span(0)], [0.9, 0.1, 0.1, 0.1])
    return made


def tags(folder: Path, name: str = "prem.es.tsv") -> list[list[str]]:
    """The tags of the sentences in a file of tokens and tags."""
    return [
        [line.split("\t")[1] for line in block.split("\n")]
        for block in (folder / name).read_text().strip("\n").split("\n\n")
    ]


@pytest.mark.parametrize(
    ("options", "expected", "left"),
    [
        ({}, [["O", "O", "B-METAPHOR", "O"], ["O", "O", "O", "O"]], 1),
        (
            {"whose": "person", "name": "ana"},
            [["O", "B-METAPHOR", "I-METAPHOR", "O"], ["O", "O", "B-METAPHOR", "O"]],
            1,
        ),
        ({"whose": "model"}, [["B-METAPHOR", "O", "O", "O"]], 2),
    ],
)
def test_whose_labels_come_out(
    project: Project, tmp_path: Path, options: dict[str, str], expected: list[list[str]], left: int
) -> None:
    said = run("letters", tmp_path, format="tagged", layer="labels", language=["es"], **options)

    assert tags(tmp_path) == expected
    assert f"es: {len(expected)} sentences, {left} left out, without an answer" in said


def test_what_is_undecided_comes_out_as_such_where_the_format_can_tell(project: Project, tmp_path: Path) -> None:
    run("letters", tmp_path, format="jsonl", layer="labels", undecided=True)
    there = make_plain("again", languages=("es", "en"))

    call_command(
        "import_files", *map(str, tmp_path.glob("*.jsonl")), project="again", labels_as="gold", stdout=StringIO()
    )

    assert there.sentences.filter(language="es").count() == 3
    stored = Gold.objects.filter(project=there).order_by("unit__segment__position")
    assert [one.content["spans"] for one in stored] == [[span(2)], []]


@pytest.mark.parametrize("slug", ["tagged", "conll2003", "hub", "webanno", "cas-xmi", "cas-json", "meta4xnli"])
def test_nothing_undecided_becomes_a_sentence_without_labels(project: Project, tmp_path: Path, slug: str) -> None:
    with pytest.raises(CommandError, match="nobody has decided"):
        run("letters", tmp_path, format=slug, layer="labels", language=["es"], undecided=True)
    # Nor without a layer, of which all is undecided.
    with pytest.raises(CommandError, match="nobody has decided"):
        run("letters", tmp_path, format=slug, language=["es"])

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("slug", sorted(writers()))
def test_every_format_is_written(project: Project, tmp_path: Path, slug: str) -> None:
    layer = "labels" if Feature.LABELS in writers()[slug].keeps else ""

    said = run("letters", tmp_path, format=slug, layer=layer, language=["es"])

    assert f"es: {2 if layer else 3} sentences" in said
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (ExportChoice("nothing", "labels", ()), "Unknown format nothing"),
        (ExportChoice("csv", "nothing", ()), "no layer nothing"),
        (ExportChoice("csv", "labels", ("fr",)), "no language fr"),
        (ExportChoice("doccano", "labels", ()), "can store only one language"),
        (ExportChoice("tagged", "interpretation", ()), "cannot store pairs"),
        (ExportChoice("lines", "labels", ()), "cannot store labels"),
        (ExportChoice("csv", "labels", (), Whose.PERSON, "nobody"), "Nobody called nobody"),
        (ExportChoice("csv", "labels", (), Whose.MODEL, "crf-9"), "no predictions of crf-9"),
    ],
)
def test_what_is_refused(project: Project, choice: ExportChoice, message: str) -> None:
    with pytest.raises(ActionError, match=message):
        checked_choice(project, choice)


def test_pairs_come_out_with_their_tags(tmp_path: Path) -> None:
    project = make_project("pairs", languages=("es",))
    tagged, _untagged = make_pair(project), make_pair(project)
    make_tag(tagged, "relevant")

    said = run("pairs", tmp_path, format="csv", layer="interpretation")

    rows = "".join(path.read_text() for path in tmp_path.glob("*.csv"))
    assert "1 pairs" in said
    assert rows.count("relevant") == 1


def test_what_is_set_aside_stays_out_and_ids_of_two_datasets_are_told_apart(project: Project, tmp_path: Path) -> None:
    segment = make_segment(project)
    segment.dataset, segment.uid = "other", "other:prem:1"
    segment.save()
    make_gold(make_sentence(project, "La luna calla .", segment=segment), [span(2)])
    aside = project.slots.get(units__token_count=4, units__tokens__0="Nadie")
    aside.set_aside_reason = "garbled"
    aside.save()

    run("letters", tmp_path, format="jsonl", layer="labels")

    rows = "".join(path.read_text() for path in tmp_path.glob("*.jsonl"))
    assert "other:prem:1" in rows
    assert "Nadie" not in rows


@pytest.mark.parametrize("slug", ["csv", "jsonl"])
def test_each_row_has_an_id_that_leads_to_one_sentence(tmp_path: Path, slug: str) -> None:
    project, there = make_project("pairs", languages=("es",)), make_project("again", languages=("es",))
    for number in (1, 2):
        for role in ("prem", "hyp"):
            segment = make_segment(project, role=role, uid=f"set:{role}:{number}")
            make_gold(make_sentence(project, f"Texto {role} {number} .", segment=segment), [span(0)])

    run("pairs", tmp_path, format=slug, layer="labels")

    [path] = tmp_path.iterdir()
    rows = list(csv.DictReader(path.open())) if slug == "csv" else [json.loads(one) for one in path.open()]
    ids = [row["id"] for row in rows]
    assert sorted(ids) == ["hyp:1", "hyp:2", "prem:1", "prem:2"]
    # They come in again as what they were, and each is found by its id.
    call_command("import_files", str(path), project="again", dataset="set", labels_as="gold", stdout=StringIO())
    assert set(there.slots.values_list("uid", flat=True)) == {f"set:{one}" for one in ids}
    mara = make_member(there, Role.MANAGER)
    assert [[unit.segment.uid for unit in by_id(there, one, mara)] for one in ids] == [[f"set:{one}"] for one in ids]


class TestByTheApi:
    def test_a_job_writes_the_file_and_managers_get_it(self, project: Project) -> None:
        client = client_of(make_member(project, Role.MANAGER))
        base = "/api/v1/projects/letters/exports/"

        started = client.post(base, {"format": "tagged", "layer": "labels", "languages": ["es"]}).json()
        run_job(started["id"], worker="one")

        job = project.jobs.get(pk=started["id"])
        assert job.state == JobState.DONE, job.error
        assert job.result["sentences"] == {"es": 2}
        assert job.result["undecided"] == {"es": 1}
        sent = client.get(f"{base}{job.pk}/file/")
        assert sent["Content-Disposition"] == f'attachment; filename="letters-{job.pk}-prem.es.tsv"'
        assert b"".join(sent.streaming_content).startswith(b"El\tO\n")
        assert job.result["file"] == f"letters-{job.pk}-prem.es.tsv"
        # Kept for a week, and no part of the project.
        site_files().delete(job.exported)
        assert client.get(f"{base}{job.pk}/file/").status_code == 404

    def test_several_files_come_as_a_zip(self, project: Project) -> None:
        make_gold(make_sentence(project, "La luna calla .", segment=make_segment(project, role="hyp")), [span(2)])
        params = {"format": "tagged", "layer": "labels", "languages": ["es"]}
        job = start_job(project=project, kind=JobKind.EXPORT, params=params, by=None)

        run_job(job.pk, worker="one")

        job.refresh_from_db()
        assert job.result["file"] == f"letters-tagged-{job.pk}.zip"
        with zipfile.ZipFile(site_files().here(job.exported)) as packed:
            assert sorted(packed.namelist()) == ["hyp.es.tsv", "prem.es.tsv"]

    def test_the_newest_ten_of_a_project_are_kept(self, project: Project) -> None:
        params = {"format": "tagged", "layer": "labels", "languages": ["es"]}
        jobs = []
        for _time in range(12):
            jobs.append(start_job(project=project, kind=JobKind.EXPORT, params=params, by=None))
            run_all(jobs[-1:])

        assert [job.pk for job in jobs if site_files().exists(job.exported)] == [job.pk for job in jobs[2:]]

    def test_a_choice_that_cannot_be_written_starts_no_job(self, project: Project) -> None:
        client = client_of(make_member(project, Role.MANAGER))

        sent = client.post(reverse("api:exports", args=["letters"]), {"format": "doccano", "layer": "labels"})

        assert sent.status_code == 400
        assert "can store only one language" in sent.json()["error"]["message"]
        assert not project.jobs.filter(kind=JobKind.EXPORT).exists()

    def test_what_a_writer_finds_fails_the_job_with_a_sentence(self, project: Project) -> None:
        layer = Layer.objects.get(project=project, slug="labels")
        make_gold(make_sentence(project, "Una oración más ."), [span(0, 1), span(1, 2)], layer=layer)
        job = start_job(
            project=project,
            kind=JobKind.EXPORT,
            params={"format": "tagged", "layer": "labels", "languages": ["es"]},
            by=None,
        )

        run_job(job.pk, worker="one")

        job.refresh_from_db()
        assert job.state == JobState.FAILED
        assert "Choose another format" in job.error
        assert not site_files().exists(job.exported)
