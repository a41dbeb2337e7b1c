"""Jobs without models, for the queue `default`: import, release, and what changes a whole project."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import override

from annotator.backup.actions.keeping import PreparedArchive, prepare_archive, store_archive
from annotator.backup.actions.uploads import finish_restoring, run_restoring, upload_of
from annotator.backup.actions.writing import rows_to_write
from annotator.celery import app
from annotator.core.database.snapshot import snapshot
from annotator.core.errors import ActionError
from annotator.core.files.uploads import UploadError, drop_upload, unpacked, uploaded
from annotator.core.processes.child_process import ChildDiedError
from annotator.domain.labels.relabel import Relabelling
from annotator.domain.mapping import labels_of_machine
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.common.errors import FormatError
from annotator.formats.corpora.meta4xnli import list_datasets, read_corpus
from annotator.imports.drafts.drafts import finish_draft
from annotator.imports.writing.copy_texts import copy_texts, source_of, texts_to_copy
from annotator.imports.writing.imports import import_corpus
from annotator.imports.writing.run import draft_to_import, run_check, run_import
from annotator.jobs import running as jobs
from annotator.jobs import workers
from annotator.models import ChunkState, ImportDraft, Job, JobChunk, JobKind, Layer, Stage
from annotator.projects.actions.delete_project import delete_last, delete_rows, rows_of
from annotator.projects.actions.relabel import CHUNK, finish_relabelling, relabel_units, units_with_contents
from annotator.projects.actions.stages import fill_stage, missing_units, wait_for_saves
from annotator.releases.actions.label_exports import PreparedExport, prepare_export, store_export
from annotator.releases.actions.releases import PreparedRelease, prepare_release, store_release
from annotator.releases.queries.label_export import sentences_to_export
from annotator.reports.queries.report_lists import countable
from annotator.reports.queries.tables import all_figures
from annotator.work.lexicon.actions.words import CHUNK as WORDS_CHUNK
from annotator.work.lexicon.actions.words import changed_sentences, recompute_content_words, sentences_with_words

# Units whose items one transaction makes.
FILL_CHUNK = 500
# The same where units are made from their answers, which takes several statements each.
MAKE_CHUNK = 50


@app.task(name="annotator.tasks.work")
def work(job_id: int) -> None:
    """Look at a job, and do what is to be done on it."""
    workers.take("default", job_id)


@dataclass(frozen=True)
class Import:
    """Import what a draft holds, or the datasets of an uploaded zip, each published by one transaction of its own."""

    user_errors: tuple[type[Exception], ...] = (ActionError, FormatError, UploadError, ChildDiedError)

    def plan(self, job: Job) -> jobs.Plan:
        if job.params.get("draft"):
            draft = _draft(job)
            expected = draft.preview.get("expected", 0)
            return jobs.Plan([["check" if job.params["check"] else "draft"]], sizes=[max(expected, 1)])
        with tempfile.TemporaryDirectory() as folder:
            root = unpacked(uploaded(job.params["path"]), Path(folder))
            found = list_datasets(root)
        if job.params["dataset"]:
            wanted = job.params["dataset"]
            if wanted not in found:
                raise UploadError.no_dataset(wanted, found)
            found = (wanted,)
        if not found:
            raise UploadError.no_layout()
        return jobs.Plan([[dataset] for dataset in found])

    def prepare(self, job: Job) -> None:
        return None

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> list[dict[str, Any]]:
        if job.params.get("draft"):
            draft = _draft(job)
            with override(_interface(job)):
                if job.params["check"]:
                    run_check(draft=draft, report=report)
                    return []
                run_import(draft=draft, by=job.created_by, job=job.pk, report=report)
            return _summaries(job, draft.dataset)
        with tempfile.TemporaryDirectory() as folder:
            root = unpacked(uploaded(job.params["path"]), Path(folder))
            corpus = read_corpus(root, items[0], labels=labels_of_machine(job.project.scheme))
        import_corpus(
            project=job.project,
            corpus=corpus,
            labels=job.params["labels"],
            by=job.created_by,
            job=job.pk,
            report=lambda: report(0),
        )
        return _summaries(job, items[0])

    def store(
        self, job: Job, items: list[str], outcome: list[dict[str, Any]], engine: None
    ) -> dict[str, list[dict[str, Any]]]:
        return {"datasets": outcome}

    def finish(self, job: Job) -> dict[str, Any]:
        # All of it is imported. That of a job that failed stays, to be tried again.
        if not job.params.get("draft"):
            drop_upload(job.params["path"])
        elif not job.params["check"]:
            imported = job.project.imports.filter(job_id=job.pk, published_at__isnull=False).order_by("pk").first()
            finish_draft(draft=_draft(job), imported=imported.pk if imported else None)
        return {}


def _draft(job: Job) -> ImportDraft:
    with override(_interface(job)):
        return draft_to_import(job.project, job.params["draft"], job.params["fingerprint"])


def _interface(job: Job) -> str:
    """The language in which whoever started an import is told what is wrong."""
    return job.params.get("interface") or settings.LANGUAGE_CODE


def _summaries(job: Job, dataset: str) -> list[dict[str, Any]]:
    """Two when an earlier try was stopped after it had published its rows, and labels were left to add."""
    imports = job.project.imports.filter(job_id=job.pk, dataset=dataset, published_at__isnull=False)
    return list(imports.values_list("summary", flat=True))


@dataclass(frozen=True)
class MakeRelease:
    """Write the gold of a project into a release. One chunk: a release is there as a whole or not at all."""

    user_errors: tuple[type[Exception], ...] = (ActionError,)

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["release"]])

    def prepare(self, job: Job) -> None:
        return None

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> PreparedRelease:
        return prepare_release(
            job=job,
            partial=job.params["partial"],
            mapping=job.params.get("mapping", ""),
            sample_seed=job.params["seed"] if job.params.get("sample") else None,
            sample_uses=job.params.get("uses", {}),
            comments=job.params.get("comments", False),
        )

    def store(self, job: Job, items: list[str], outcome: PreparedRelease, engine: None) -> dict[str, Any]:
        release = store_release(job=job, prepared=outcome)
        return {"number": release.number, "file": release.file_name, "size": release.size}

    def finish(self, job: Job) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class FillStage:
    """Make the items of a stage that was added to a project with many sentences."""

    user_errors: tuple[type[Exception], ...] = (ActionError, LookupError)

    def plan(self, job: Job) -> jobs.Plan:
        stage = _stage(job)
        wait_for_saves(stage)
        units = list(missing_units(stage).values_list("pk", flat=True).iterator())
        size = FILL_CHUNK if stage.made_from_id is None else MAKE_CHUNK
        return jobs.Plan([units[start : start + size] for start in range(0, len(units), size)])

    def prepare(self, job: Job) -> Stage:
        return _stage(job)

    def work(self, job: Job, items: list[int], engine: Stage, report: jobs.Progress) -> None:
        return None

    def store(self, job: Job, items: list[int], outcome: None, engine: Stage) -> dict[str, int]:
        return {"total": fill_stage(engine, items)}

    def finish(self, job: Job) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class Relabel:
    """Bring annotations, gold and suggestions in line with labels that were changed."""

    user_errors: tuple[type[Exception], ...] = (ActionError,)

    def plan(self, job: Job) -> jobs.Plan:
        units = units_with_contents(_layer(job))
        return jobs.Plan([units[start : start + CHUNK] for start in range(0, len(units), CHUNK)])

    def prepare(self, job: Job) -> Layer:
        return _layer(job)

    def work(self, job: Job, items: list[int], engine: Layer, report: jobs.Progress) -> None:
        return None

    def store(self, job: Job, items: list[int], outcome: None, engine: Layer) -> dict[str, int]:
        change = Relabelling.from_json(job.params["change"])
        return relabel_units(layer=engine, change=change, units=items, by=job.created_by)

    def finish(self, job: Job) -> dict[str, int]:
        change = Relabelling.from_json(job.params["change"])
        return finish_relabelling(layer=_layer(job), change=change, since=job.created_at, by=job.created_by)


@dataclass(frozen=True)
class TellWords:
    """Tell the content words of a language anew, after the project's list of closed-class words was changed."""

    user_errors: tuple[type[Exception], ...] = (ActionError,)

    def plan(self, job: Job) -> jobs.Plan:
        units = sentences_with_words(job.project, job.params["language"])
        return jobs.Plan([units[start : start + WORDS_CHUNK] for start in range(0, len(units), WORDS_CHUNK)])

    def prepare(self, job: Job) -> None:
        return None

    def work(self, job: Job, items: list[int], engine: None, report: jobs.Progress) -> list[int]:
        return changed_sentences(job.project, items)

    def store(self, job: Job, items: list[int], outcome: list[int], engine: None) -> dict[str, int]:
        return {"sentences": recompute_content_words(project=job.project, units=outcome)}

    def finish(self, job: Job) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class CountFigures:
    """Count what tables on pages are made from. A chunk for each figures that the project has any of."""

    user_errors: tuple[type[Exception], ...] = (ActionError,)

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([[name] for name in countable(job.project)])

    def prepare(self, job: Job) -> None:
        return None

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> dict[str, Any]:
        with snapshot():
            return all_figures()[items[0]].count(job.project)

    def store(self, job: Job, items: list[str], outcome: dict[str, Any], engine: None) -> dict[str, Any]:
        return {"figures": {items[0]: outcome}}

    def finish(self, job: Job) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class DeleteProject:
    """Delete everything of a project. One chunk, which may be begun again at any point."""

    user_errors: tuple[type[Exception], ...] = (ActionError,)

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["project"]], sizes=[rows_of(job.project)])

    def prepare(self, job: Job) -> None:
        return None

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> None:
        """In short transactions, so that nobody else waits: nobody sees the project any more."""
        others = JobChunk.objects.filter(job__project=job.project_id, state=ChunkState.RUNNING).exclude(job=job)
        # Whoever works on a job that was cancelled finds out when storing, and holds its chunk by lease till then.
        while others.filter(lease_until__gt=timezone.now()).exists():
            report(0)
            time.sleep(1)
        delete_rows(job.project, report)

    def store(self, job: Job, items: list[str], outcome: None, engine: None) -> dict[str, Any]:
        return {}

    def finish(self, job: Job) -> dict[str, Any]:
        delete_last(job.project, job)
        return {}


@dataclass(frozen=True)
class CopyTexts:
    """Bring the texts of the project that this one was copied from. One chunk: they are published as a whole."""

    user_errors: tuple[type[Exception], ...] = (ActionError,)

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["texts"]], sizes=[texts_to_copy(source_of(job))])

    def prepare(self, job: Job) -> None:
        return None

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> list[dict[str, Any]]:
        copy_texts(job=job, report=report)
        imports = job.project.imports.filter(job_id=job.pk, published_at__isnull=False)
        return list(imports.values_list("summary", flat=True))

    def store(
        self, job: Job, items: list[str], outcome: list[dict[str, Any]], engine: None
    ) -> dict[str, list[dict[str, Any]]]:
        return {"datasets": outcome}

    def finish(self, job: Job) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class WriteArchive:
    """Write a project into one file. One chunk: an archive is there as a whole or not at all."""

    user_errors: tuple[type[Exception], ...] = (ActionError,)

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["archive"]], sizes=[rows_to_write(job.project)])

    def prepare(self, job: Job) -> None:
        return None

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> PreparedArchive:
        return prepare_archive(
            job=job, pseudonyms=job.params["pseudonyms"], report=lambda written, _all: report(written)
        )

    def store(self, job: Job, items: list[str], outcome: PreparedArchive, engine: None) -> dict[str, Any]:
        archive = store_archive(job=job, prepared=outcome)
        return {"size": archive.size, "sha256": archive.sha256}

    def finish(self, job: Job) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class WriteExport:
    """Write a layer's labels in a format of another tool. One chunk: the file is there as a whole or not at all."""

    user_errors: tuple[type[Exception], ...] = (ActionError,)

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["export"]], sizes=[sentences_to_export(job.project)])

    def prepare(self, job: Job) -> None:
        return None

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> PreparedExport:
        return prepare_export(job=job, report=report)

    def store(self, job: Job, items: list[str], outcome: PreparedExport, engine: None) -> dict[str, Any]:
        return store_export(job=job, prepared=outcome)

    def finish(self, job: Job) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class Restore:
    """Make the project of an uploaded archive. One chunk, which may be begun again at any point."""

    user_errors: tuple[type[Exception], ...] = (ActionError,)

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["project"]], sizes=[max(upload_of(job).about["rows"], 1)])

    def prepare(self, job: Job) -> None:
        return None

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> None:
        """In short transactions, so that nobody else waits: nobody sees the project yet."""
        run_restoring(job=job, report=report)

    def store(self, job: Job, items: list[str], outcome: None, engine: None) -> dict[str, Any]:
        return {}

    def finish(self, job: Job) -> dict[str, Any]:
        finish_restoring(job=job)
        return {}


def _stage(job: Job) -> Stage:
    stage = Stage.objects.filter(project=job.project_id, pk=job.params["stage"]).select_related("layer").first()
    if stage is None:
        raise ActionError(message(_("The stage was removed meanwhile; there is nothing to fill.")))
    stage.project = job.project
    return stage


def _layer(job: Job) -> Layer:
    return Layer.objects.select_related("project").get(project=job.project_id, pk=job.params["layer"])


jobs.register(JobKind.FILL, FillStage())
jobs.register(JobKind.RELABEL, Relabel())
jobs.register(JobKind.WORDS, TellWords())
jobs.register(JobKind.COUNT, CountFigures())
jobs.register(JobKind.EXPORT, WriteExport())
jobs.register(JobKind.DELETE, DeleteProject())
jobs.register(JobKind.COPY, CopyTexts())
jobs.register(JobKind.ARCHIVE, WriteArchive())
jobs.register(JobKind.RESTORE, Restore())
jobs.register(JobKind.IMPORT, Import())
jobs.register(JobKind.RELEASE, MakeRelease())
