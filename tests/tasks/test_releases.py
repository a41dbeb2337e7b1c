"""Releases as jobs: numbered, whole, from one state of the gold."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotator.core.errors import ActionError
from annotator.core.files.storage import site_files
from annotator.domain.labels.label_uses import LabelUse
from annotator.imports.writing.imports import import_meta4xnli
from annotator.jobs.actions import retry_job, start_job
from annotator.jobs.running import run_job
from annotator.models import Event, Gold, Job, JobKind, JobState, Project, Release
from annotator.models.release import releases_of
from annotator.projects.actions.projects import create_project
from annotator.releases.actions.releases import prepare_release, store_release
from annotator.releases.queries.literal_samples import literal_sample
from tests.corpus_files import DATASET, PUBLISHED, SAMPLE
from tests.factories import make_gold, make_project, make_sentence, make_user, span
from tests.zips import zipped

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def project() -> Project:
    """With all of its gold."""
    made = create_project(slug="corpus", preset="meta4xnli-es-en", by=make_user("mara"))
    import_meta4xnli(project=made, root=SAMPLE, dataset=DATASET, labels="gold", by=None)
    return made


@pytest.fixture
def small() -> Project:
    """One sentence in one language, with gold."""
    made = make_project("small", languages=["es"])
    make_gold(make_sentence(made), [span(2)])
    return made


def run(project: Project, **params: object) -> Job:
    job = start_job(project=project, kind=JobKind.RELEASE, params=params, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    return job


def release_job(project: Project) -> Job:
    return Job.objects.create(project=project, kind=JobKind.RELEASE, state=JobState.RUNNING)


def written(project: Project) -> list[str]:
    return sorted(path.name for path in site_files().here(f"{releases_of(project)}/x").parent.glob("*"))


def test_a_release_is_written_once_with_its_checksum(project: Project) -> None:
    job = run(project)

    assert job.state == JobState.DONE, job.error
    release = Release.objects.get()
    data = site_files().here(release.stored).read_bytes()
    assert (release.number, release.job, release.size) == (1, job, len(data))
    assert release.sha256 == hashlib.sha256(data).hexdigest()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in PUBLISHED:
            assert archive.read(name) == (SAMPLE / name).read_bytes()
        assert json.loads(archive.read("manifest.json")) == release.manifest
    assert Event.objects.filter(verb="release.create", subject_id=release.pk).count() == 1

    second = run(project)
    assert second.state == JobState.DONE
    assert sorted(Release.objects.values_list("number", flat=True)) == [1, 2]


def test_a_release_without_all_gold_is_refused_and_a_partial_one_is_made(project: Project) -> None:
    Gold.objects.filter(unit__segment__uid="sample:prem:1_sample").delete()

    job = run(project)

    assert job.state == JobState.FAILED
    assert "1 sentence: " in job.error
    assert not Release.objects.exists()
    assert written(project) == []

    partial = run(project, partial=True)
    assert partial.state == JobState.DONE, partial.error
    assert Release.objects.get().manifest["partial"] is True


def test_a_failed_release_can_be_tried_again(project: Project) -> None:
    taken = Gold.objects.filter(unit__segment__uid="sample:prem:1_sample")
    rows = list(taken)
    taken.delete()
    job = run(project)
    assert job.state == JobState.FAILED
    Gold.objects.bulk_create(rows)

    retry_job(job=job, by=None)
    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.DONE, "")
    assert Release.objects.get().job == job


def test_two_releases_at_once_are_numbered_one_after_the_other(small: Project) -> None:
    jobs = [release_job(small), release_job(small)]
    prepared = [prepare_release(job=job, partial=False) for job in jobs]
    assert [one.number for one in prepared] == [1, 1]

    releases = [store_release(job=job, prepared=one) for job, one in zip(jobs, prepared, strict=True)]
    del prepared

    assert [release.number for release in releases] == [1, 2]
    assert written(small) == ["small-1.zip", "small-2.zip"]
    for release in releases:
        data = site_files().here(release.stored).read_bytes()
        assert release.sha256 == hashlib.sha256(data).hexdigest()
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            assert json.loads(archive.read("manifest.json")) == release.manifest
        assert release.manifest["number"] == release.number


def test_what_is_prepared_and_not_stored_leaves_nothing_behind(small: Project) -> None:
    prepared = prepare_release(job=release_job(small), partial=False)
    part = prepared.file.part
    assert site_files().exists(part)

    del prepared

    assert not site_files().exists(part)
    assert written(small) == []
    assert not Release.objects.exists()


def test_storing_reads_no_gold_however_much_there_is(small: Project, django_assert_max_num_queries: Any) -> None:
    job = release_job(small)
    prepared = prepare_release(job=job, partial=False)

    # The row of the project, held; the newest number; the release and its event; savepoints of the test.
    with django_assert_max_num_queries(10) as queries:
        store_release(job=job, prepared=prepared)

    assert not any("annotator_gold" in query["sql"] for query in queries.captured_queries)


def test_a_job_that_is_run_again_keeps_its_release(small: Project) -> None:
    job = release_job(small)
    first = store_release(job=job, prepared=prepare_release(job=job, partial=False))

    again = store_release(job=job, prepared=prepare_release(job=job, partial=False))

    assert again == first
    assert written(small) == ["small-1.zip"]


def test_the_same_files_give_the_same_zip() -> None:
    files = {"b.txt": b"two", "a.txt": b"one"}
    assert zipped(files) == zipped(dict(reversed(files.items())))
    with zipfile.ZipFile(io.BytesIO(zipped(files))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files


def test_a_sample_of_literal_uses_names_how_each_was_found_and_is_drawn_again_the_same(project: Project) -> None:
    plain = run(project, partial=True).result["number"]
    first = run(project, partial=True, sample=True, seed=7).result["number"]
    again = run(project, partial=True, sample=True, seed=7).result["number"]

    files = [contents(project, number) for number in (plain, first, again)]

    assert not any(path.startswith("samples/") for path in files[0])
    assert {path: files[1][path] for path in files[0] if path.startswith(("detection/", "sentences"))} == {
        path: files[0][path] for path in files[0] if path.startswith(("detection/", "sentences"))
    }
    assert files[1]["samples/es.jsonl"] == files[2]["samples/es.jsonl"]
    rows = [json.loads(line) for line in files[1]["samples/es.jsonl"].decode().splitlines()]
    labels = {row["id"]: row["label"] for row in rows}
    assert len(labels) == len(rows)
    gold = Gold.objects.filter(unit__language="es", layer=project.label_layer)
    assert sum(label == "metaphor" for label in labels.values()) == sum(len(one.content["spans"]) for one in gold)
    for row in rows:
        assert row["text"].replace("<PME>", "").replace("</PME>", "") == " ".join(row["tokens"])
        assert row["text"].count("<PME>") >= 1
        if row["label"] == "metaphor":
            assert (row["found"], row["like"]) == ("labelled", None)
        else:
            assert row["found"].startswith("same-")
            assert labels[row["like"]] == "metaphor"
    told = json.loads(files[1]["manifest.json"])["samples"]
    assert told["seed"] == 7
    assert sum(told["languages"]["es"]["found"].values()) == len(rows)
    assert "`samples/`" in files[1]["README.md"].decode()


def test_text_that_may_not_be_published_is_in_no_sample(project: Project) -> None:
    uses = {"METAPHOR": LabelUse.METAPHOR}
    assert list(literal_sample(project, "es", seed=1, uses=uses).records())

    project.imports.update(publishable=False)

    assert not list(literal_sample(project, "es", seed=1, uses=uses).records())


def test_what_is_labelled_as_literal_is_no_metaphor_in_a_sample() -> None:
    project = figurative_and_literal()

    number = run(project, sample=True, uses={"FIGURATIVE": "metaphor", "LITERAL": "literal"}).result["number"]

    files = contents(project, number)
    rows = [json.loads(line) for line in files["samples/en.jsonl"].decode().splitlines()]
    by_label = {row["label"]: row for row in rows}
    assert len(rows) == 2
    assert by_label["metaphor"]["text"] == "He was <PME>holding the baby</PME> again ."
    assert by_label["literal"]["text"] == "She was <PME>holding the baby</PME> at home ."
    assert by_label["literal"]["found"] == "labelled"
    assert by_label["literal"]["like"] == by_label["metaphor"]["id"]
    told = json.loads(files["manifest.json"])["samples"]
    assert told["labels"] == {"FIGURATIVE": "metaphor", "LITERAL": "literal"}
    assert told["languages"]["en"]["labelled_literal"] == 1


@pytest.mark.parametrize(
    ("uses", "why"),
    [
        ({}, "Not chosen yet: FIGURATIVE, LITERAL."),
        ({"FIGURATIVE": "metaphor"}, "Not chosen yet: LITERAL."),
        ({"FIGURATIVE": "metaphor", "LITERAL": "true"}, "Not chosen yet: LITERAL."),
        ({"FIGURATIVE": "metaphor", "LITERAL": ["literal"]}, "Not chosen yet: LITERAL."),
        ({"FIGURATIVE": "neither", "LITERAL": "literal"}, "At least one label must be a metaphor"),
        ({"FIGURATIVE": "metaphor", "LITERAL": "literal", "OTHER": "neither"}, "no label “OTHER”"),
    ],
)
def test_a_sample_is_refused_where_it_is_open_what_labels_mean(uses: dict[str, object], why: str) -> None:
    project = figurative_and_literal()

    with pytest.raises(ActionError, match=why):
        start_job(project=project, kind=JobKind.RELEASE, params={"sample": True, "uses": uses}, by=None)

    assert not project.jobs.exists()


def figurative_and_literal() -> Project:
    project = make_project("uses", languages=["en"], labels_named=["FIGURATIVE", "LITERAL"])
    make_gold(
        make_sentence(project, "He was holding the baby again .", language="en"), [span(2, 3, 4, label="FIGURATIVE")]
    )
    make_gold(
        make_sentence(project, "She was holding the baby at home .", language="en"), [span(2, 3, 4, label="LITERAL")]
    )
    return project


def contents(project: Project, number: int) -> dict[str, bytes]:
    release = project.releases.get(number=number)
    with zipfile.ZipFile(site_files().here(release.stored)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
