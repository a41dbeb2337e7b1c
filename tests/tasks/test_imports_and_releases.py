"""Import of uploaded zips, and releases, as jobs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils.translation import override

from annotator.core.files.uploads import UploadError, keep_upload
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Event, Gold, Job, JobKind, JobState, Project, Sentence
from annotator.projects.actions.projects import create_project
from annotator.sample.demo import SAMPLE
from tests.factories import make_user
from tests.zips import zipped

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Any) -> None:
    settings.UPLOADS_DIR = tmp_path / "uploads"
    settings.RELEASES_DIR = tmp_path / "releases"


@pytest.fixture
def project() -> Project:
    return create_project(slug="corpus", preset="meta4xnli-es-en", by=make_user("mara"))


def sample_files() -> dict[str, bytes]:
    files = [path for name in ("detection", "interpretation") for path in (SAMPLE / name).rglob("*.tsv")]
    return {str(path.relative_to(SAMPLE)): path.read_bytes() for path in files}


def upload(files: Mapping[str, bytes]) -> str:
    return keep_upload(chunks=[zipped(files)], name="corpus.zip")


def run(project: Project, kind: JobKind, **params: object) -> Job:
    job = start_job(project=project, kind=kind, params=params, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("inside", ["", "my corpus/", "repository-main/data/"])
def test_a_zip_is_imported_with_and_without_folders_around_it(project: Project, inside: str) -> None:
    files = {inside + name: content for name, content in sample_files().items()}

    job = run(project, JobKind.IMPORT, path=upload(files), labels="gold")

    assert job.state == JobState.DONE, job.error
    assert Sentence.objects.filter(project=project).count() == 200
    assert Gold.objects.filter(layer__slug="labels").count() == 200
    assert Gold.objects.filter(layer__slug="interpretation").count() == 150
    summary = job.result["datasets"][0]
    assert (summary["dataset"], summary["changed"]) == ("sample", True)
    assert (job.done, job.total) == (1, 1)

    again = run(project, JobKind.IMPORT, path=upload(files), labels="gold", dataset="sample")
    assert again.result["datasets"][0]["changed"] is False
    assert Sentence.objects.count() == 200


def test_an_upload_stays_until_all_of_it_is_imported(project: Project, settings: Any) -> None:
    broken = sample_files() | {"detection/source_datasets/es/sample_prem.tsv": b"no tab"}
    job = run(project, JobKind.IMPORT, path=upload(broken), labels="none")
    assert job.state == JobState.FAILED
    assert [path.name for path in settings.UPLOADS_DIR.iterdir()] == [job.params["path"]]

    job = run(project, JobKind.IMPORT, path=upload(sample_files()), labels="none")

    assert job.state == JobState.DONE
    assert not (settings.UPLOADS_DIR / job.params["path"]).exists()


@pytest.mark.parametrize(
    "beside",
    [
        {"README.txt": b"x", "docs/notes.txt": b"x", ".DS_Store": b"x"},
        {f"interpretation/source_datasets/._sample_{kind}.tsv": b"x" for kind in ("met", "nonrelevant", "no_met")},
        {"__MACOSX/interpretation/source_datasets/sample_met.tsv": b"x"},
    ],
)
def test_what_packers_put_beside_a_corpus_does_not_matter(project: Project, beside: dict[str, bytes]) -> None:
    job = run(project, JobKind.IMPORT, path=upload({**sample_files(), **beside}))

    assert job.state == JobState.DONE, job.error
    assert [summary["dataset"] for summary in job.result["datasets"]] == ["sample"]


def test_a_zip_with_the_separator_of_windows_is_imported(project: Project) -> None:
    files = {"detection\\": b"", **{name.replace("/", "\\"): content for name, content in sample_files().items()}}

    job = run(project, JobKind.IMPORT, path=upload(files))

    assert job.state == JobState.DONE, job.error
    assert project.sentences.count() == 200


def test_a_zip_that_lacks_one_file_of_pairs_names_it(project: Project) -> None:
    files = sample_files()
    name = "interpretation/source_datasets/sample_nonrelevant.tsv"
    del files[name]

    job = run(project, JobKind.IMPORT, path=upload(files))

    assert job.state == JobState.FAILED
    assert job.error == f"{name}: expected this file, got no such file"


def test_a_zip_of_several_corpora_is_refused(project: Project) -> None:
    files = {f"{folder}/{name}": content for folder in "ab" for name, content in sample_files().items()}

    job = run(project, JobKind.IMPORT, path=upload(files))

    assert job.state == JobState.FAILED
    assert "several corpora: a, b" in job.error
    assert not project.sentences.exists()


def test_a_dataset_needs_a_name_that_every_command_takes(project: Project) -> None:
    files = {name.replace("sample_", "my set_"): content for name, content in sample_files().items()}

    job = run(project, JobKind.IMPORT, path=upload(files))

    assert job.state == JobState.FAILED
    assert "“my set” is not the name of a dataset" in job.error
    assert not project.sentences.exists()


def test_a_file_that_breaks_the_format_fails_with_file_and_line_and_imports_nothing(project: Project) -> None:
    files = sample_files()
    name = "detection/source_datasets/es/sample_prem.tsv"
    files[name] = files[name].replace(b"\tO\n", b" O\n", 1)

    job = run(project, JobKind.IMPORT, path=upload(files))

    assert job.state == JobState.FAILED
    assert job.error.startswith(f"{name}:1: expected ")
    with override("es"):
        assert job.error_shown.startswith(f"{name}:1: se esperaba ")
    assert not project.sentences.exists()


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"notes.txt": b"hello"}, "no corpus in the expected layout"),
        ({"../outside.tsv": b"x"}, "leads elsewhere: ../outside.tsv"),
        ({"/etc/outside.tsv": b"x"}, "leads elsewhere"),
        ({"a\\..\\b.tsv": b"x"}, "leads elsewhere"),
        ({"\\\\server\\b.tsv": b"x"}, "leads elsewhere"),
        ({"C:\\b.tsv": b"x"}, "leads elsewhere"),
    ],
)
def test_a_zip_that_is_no_corpus_or_leads_elsewhere_is_refused(
    project: Project, tmp_path: Path, files: dict[str, bytes], sentence: str
) -> None:
    job = run(project, JobKind.IMPORT, path=upload(files))

    assert job.state == JobState.FAILED
    assert sentence in job.error
    assert not project.sentences.exists()
    assert not list(tmp_path.rglob("outside.tsv"))


def test_a_zip_that_swells_is_refused_while_it_is_unpacked(project: Project, settings: Any) -> None:
    settings.IMPORT_MAX_BYTES = 2 * 1024 * 1024
    path = upload({"bomb.tsv": b"\0" * (5 * 1024 * 1024)})

    job = run(project, JobKind.IMPORT, path=path)

    assert job.state == JobState.FAILED
    assert "more than 2 MB" in job.error


def test_a_dataset_that_is_not_in_the_zip_is_named_with_those_that_are(project: Project) -> None:
    job = run(project, JobKind.IMPORT, path=upload(sample_files()), dataset="other")

    assert job.state == JobState.FAILED
    assert 'no dataset "other"; it holds: sample' in job.error


def test_an_upload_that_is_gone_fails_in_words(project: Project) -> None:
    for path in ("nothing.zip", "../../etc/passwd"):
        job = run(project, JobKind.IMPORT, path=path)
        assert job.state == JobState.FAILED
        assert "Upload it again" in job.error


def test_what_is_no_zip_or_too_large_is_not_kept(tmp_path: Path, settings: Any) -> None:
    settings.IMPORT_MAX_BYTES = 1024
    with pytest.raises(UploadError, match=r"notes\.txt is not a zip file"):
        keep_upload(chunks=[b"hello"], name="notes.txt")
    with pytest.raises(UploadError, match="IMPORT_MAX_BYTES"):
        keep_upload(chunks=[b"x" * 1000, b"x" * 1000], name="big.zip")
    assert list((tmp_path / "uploads").iterdir()) == []


def test_a_damaged_zip_is_refused(project: Project) -> None:
    data = bytearray(zipped({"a.tsv": b"some text " * 1000}))
    data[60:80] = b"\xff" * 20

    job = run(project, JobKind.IMPORT, path=keep_upload(chunks=[bytes(data)], name="corpus.zip"))

    assert job.state == JobState.FAILED
    assert "cannot be read" in job.error


def test_the_sample_is_loaded_once_and_shows_something_everywhere() -> None:
    call_command("load_sample")

    project = Project.objects.get(slug="sample")
    counts = {
        "sentences": project.sentences.count(),
        "annotations": project.annotations.count(),
        "events": Event.objects.count(),
        "jobs": project.jobs.count(),
        "releases": project.releases.count(),
    }
    assert counts["sentences"] == 200
    assert not project.jobs.exclude(state=JobState.DONE).exists()
    assert counts["releases"] == 1
    current = project.suggestions.filter(is_current=True)
    waiting = current.filter(kind="projection", unit__annotations=None)
    assert waiting.count() >= 10
    labels = project.annotations.filter(layer=project.label_layer)
    assert labels.filter(user__username="ben", mode="blind").count() == 31
    assert project.golds.filter(layer=project.label_layer, unit__language="es").count() >= 10
    undecided = labels.filter(user__username="ben", unit__golds=None)
    assert undecided.count() >= 3, "nothing is left to adjudicate"
    assert current.filter(unit__language="en", kind="transfer").exists()

    call_command("load_sample")

    assert counts == {
        "sentences": project.sentences.count(),
        "annotations": project.annotations.count(),
        "events": Event.objects.count(),
        "jobs": project.jobs.count(),
        "releases": project.releases.count(),
    }
