"""Imports of drafts as jobs: progress, cancelling, a worker that dies, files that are not those that were previewed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotator.core.errors import ActionError
from annotator.core.files.storage import site_files
from annotator.imports.drafts.drafts import preview_draft, start_check, start_import
from annotator.imports.writing.run import run_import
from annotator.jobs import running as jobs
from annotator.jobs.actions import cancel_job, retry_job
from annotator.jobs.running import run_job
from annotator.jobs.sweep import free_dead_workers
from annotator.models import Gold, Import, ImportDraft, Job, JobState, Project, Segment, Unit
from tests.drafts import CATALAN, SPANISH, draft_of, everything, make_plain, sentences

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]
LINE = "Una oración que se repite con el número {} .\n"


@pytest.fixture
def project() -> Project:
    return make_plain()


def many(number: int) -> str:
    return "".join(LINE.format(n) for n in range(number))


def run(job: Job, **more: Any) -> Job:
    run_job(job.pk, worker="one", **more)
    job.refresh_from_db()
    return job


def on_report(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Look in at every report of an import, however fast it is."""
    monkeypatch.setattr(jobs, "REPORT_SECONDS", 0)

    def looked_at(*, report: Callable[[int], None], **more: Any) -> dict[str, Any]:
        def look(done: int) -> None:
            act()
            report(done)

        return run_import(report=look, **more)

    monkeypatch.setattr("annotator.imports.jobs.run_import", looked_at)


def kept(uploads: Path) -> list[Path]:
    return [path for path in uploads.rglob("*") if path.is_file()] if uploads.exists() else []


def test_what_was_previewed_comes_and_the_files_go(project: Project, uploads: Path) -> None:
    draft = draft_of(project, {"novel.es.txt": SPANISH, "novel.ca.txt": CATALAN})
    assert preview_draft(draft=draft)["ready"]

    job = run(start_import(draft=draft, by=None))

    assert job.state == JobState.DONE, job.error
    assert (job.done, job.total) == (3, 3)
    assert job.result["datasets"][0]["counts"]["sentences ca"] == {"new": 3, "known": 0}
    assert sentences(project, "ca") == CATALAN.splitlines()
    draft.refresh_from_db()
    assert draft.imported == Import.objects.get()


@pytest.mark.django_db(transaction=True)
def test_nothing_is_left_in_the_uploads_folder(project: Project, uploads: Path) -> None:
    draft = draft_of(project, {"novel.es.txt": SPANISH})

    run(start_import(draft=draft, by=None))

    assert kept(uploads) == []
    with pytest.raises(ActionError, match="already been imported"):
        start_import(draft=draft, by=None)


def test_progress_is_told_in_records(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = draft_of(project, {"es.txt": many(500)})
    job = start_import(draft=draft, by=None)
    seen: list[int] = []
    on_report(monkeypatch, lambda: seen.append(Job.objects.get(pk=job.pk).done))

    run(job)

    assert (job.done, job.total) == (500, 500)
    assert seen == sorted(seen)
    assert len({number for number in seen if 0 < number < 500}) > 5


def test_a_check_reads_all_and_writes_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.imports.drafts.preview.WHOLE_BYTES", 1000)
    monkeypatch.setattr("annotator.imports.drafts.preview.SAMPLE", 100)
    draft = draft_of(project, {"es.txt": many(900)})
    assert not preview_draft(draft=draft)["whole"]
    before = everything()

    job = run(start_check(draft=draft, by=None))

    assert job.state == JobState.DONE, job.error
    assert everything() == before
    assert not Import.objects.exists()
    draft.refresh_from_db()
    preview = preview_draft(draft=draft)
    assert (preview["whole"], preview["counts"]["records"], len(preview["rows"])) == (True, 900, 20)


def test_an_error_beyond_the_preview_imports_nothing_and_is_shown(
    project: Project, monkeypatch: pytest.MonkeyPatch, uploads: Path
) -> None:
    monkeypatch.setattr("annotator.imports.drafts.preview.WHOLE_BYTES", 1000)
    monkeypatch.setattr("annotator.imports.drafts.preview.SAMPLE", 100)
    draft = draft_of(project, {"es.txt": many(900) + "palabra " * 6000 + "\n"})
    assert preview_draft(draft=draft)["ready"]
    before = everything()

    job = run(start_import(draft=draft, by=None))

    assert job.state == JobState.FAILED
    assert "es.txt:901" in job.error
    assert everything() == before
    assert not Import.objects.exists()
    draft.refresh_from_db()
    assert draft.preview["problems"][0]["line"] == 901
    # To be corrected, without choosing everything anew.
    assert kept(uploads)


def test_cancelled_in_the_middle_nothing_is_there(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = draft_of(project, {"es.txt": many(500)})
    job = start_import(draft=draft, by=None)

    def cancel() -> None:
        if Unit.objects.count() > 100:
            cancel_job(job=job, by=None)

    on_report(monkeypatch, cancel)
    before = everything()
    run(job)

    assert job.state == JobState.CANCELLED
    assert everything() == before
    assert not Import.objects.exists()
    monkeypatch.undo()
    assert run(retry_job(job=job, by=None)).state == JobState.DONE
    assert project.segments.count() == 500


class Killed(BaseException):
    """The process is gone: nothing that it would have done comes any more."""


def test_a_worker_that_dies_leaves_nothing_to_see_and_the_next_one_begins_anew(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = draft_of(project, {"es.txt": many(500)})
    job = start_import(draft=draft, by=None)

    def die() -> None:
        if Unit.objects.count() > 100:
            raise Killed

    on_report(monkeypatch, die)
    monkeypatch.setattr("annotator.imports.writing.imports.drop_failed", lambda _turn: None)
    with pytest.raises(Killed):
        run_job(job.pk, worker="one")
    assert Segment.objects.exists()
    assert not project.segments.exists()
    monkeypatch.undo()
    free_dead_workers()

    run(job)

    assert job.state == JobState.DONE, job.error
    assert (project.segments.count(), Segment.objects.count(), Import.objects.count()) == (500, 500, 1)


def test_a_file_that_is_not_the_one_that_was_previewed_is_refused(project: Project) -> None:
    draft = draft_of(project, {"es.txt": SPANISH})
    job = start_import(draft=draft, by=None)
    site_files().here(draft.file(draft.files[0]["stored"])).write_text("Otra cosa .\n")

    run(job)

    assert job.state == JobState.FAILED
    assert "es.txt is not the file that was previewed" in job.error
    assert not Unit.objects.exists()


def test_gold_on_what_was_there_is_completed_after_a_crash(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"El\tO\nsol{n}\tB-METAPHOR\n.\tO\n\n" for n in range(300))
    chosen = {"format": "tagged", "files": {"1": {"language": "es"}}, "dataset": "t"}
    run(start_import(draft=draft_of(project, {"t.tsv": text}, **chosen), by=None))
    job = start_import(draft=draft_of(project, {"t.tsv": text}, **chosen, labels_as="gold"), by=None)

    def die() -> None:
        if Gold.objects.count() > 50:
            raise Killed

    on_report(monkeypatch, die)
    with pytest.raises(Killed):
        run_job(job.pk, worker="one")
    assert 0 < Gold.objects.count() < 300
    monkeypatch.undo()
    free_dead_workers()

    run(job)

    assert job.state == JobState.DONE, job.error
    assert Gold.objects.count() == 300


class TestCommand:
    def test_it_does_the_same_in_one_go(self, project: Project, tmp_path: Path, uploads: Path) -> None:
        for name, text in (("novel.es.txt", SPANISH), ("novel.ca.txt", CATALAN)):
            (tmp_path / name).write_text(text)
        paths = [str(tmp_path / name) for name in ("novel.es.txt", "novel.ca.txt")]

        call_command("import_files", *paths, "--project", "corpus", "--check")
        assert not Unit.objects.exists()
        call_command("import_files", *paths, "--project", "corpus", "--licence", "CC0")

        assert sentences(project, "es") == SPANISH.splitlines()
        assert Import.objects.get().licence == "CC0"
        call_command("take_back_import", "corpus", str(Import.objects.get().pk))
        assert not Unit.objects.exists()

    def test_columns_and_language_can_be_said(self, project: Project, tmp_path: Path) -> None:
        path = tmp_path / "t.csv"
        path.write_text("7,El sol .,nada\n8,La luna .,nada\n")

        call_command(
            "import_files", str(path), "--project", "corpus", "--columns", "id,text:es,", "--option", "header=false"
        )

        assert list(project.segments.values_list("uid", flat=True)) == ["t:7", "t:8"]

    def test_what_is_wrong_is_said_and_nothing_is_left(self, project: Project, tmp_path: Path, uploads: Path) -> None:
        path = tmp_path / "t.csv"
        path.write_text("id,text:es\n7,El sol .\n7,La luna .\n")

        for more in (["--check"], []):
            with pytest.raises(CommandError):
                call_command("import_files", str(path), "--project", "corpus", *more)

        assert not Unit.objects.exists()
        assert not ImportDraft.objects.exists()
        assert kept(uploads) == []
