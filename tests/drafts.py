"""Import drafts for tests, and what is in a project."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotator.core.starts import plain
from annotator.imports.drafts.drafts import Upload, add_files, change_draft, start_draft
from annotator.imports.writing.run import run_import
from annotator.jobs.running import run_job
from annotator.models import Annotation, Gold, Item, Job, JobState, LemmaPlace, Pair, Project, Segment, Suggestion, Unit
from annotator.models import ImportDraft as Draft
from annotator.projects.actions.projects import create_project
from annotator.protocols.munch.format import Munch
from tests.rows import Rows, rows_of

SPANISH = (
    "El tiempo es oro para quien madruga .\n"
    "La ciudad despierta con el ruido de los trenes .\n"
    "Ana guarda sus cartas en una caja azul .\n"
)
CATALAN = (
    "El temps és or per a qui matina .\n"
    "La ciutat es desperta amb el soroll dels trens .\n"
    "L'Anna desa les cartes en una capsa blava .\n"
)
LABELLED = "El\tO\ntiempo\tB-METAPHOR\nvuela\tB-METAPHOR\n.\tO\n\nAna\tO\nlee\tO\n.\tO\n\n"


def make_plain(slug: str = "corpus", languages: tuple[str, ...] = ("es", "ca")) -> Project:
    """A project of parallel sentences with labels, without pairs."""
    return create_project(slug=slug, preset=plain(list(languages), ["METAPHOR"]), by=None)


def draft_of(project: Project, given: dict[str, str | bytes], /, **changes: Any) -> Draft:
    """A draft with these files, changed as asked."""
    draft = start_draft(project=project, by=None)
    uploads = [
        Upload(name, [content.encode() if isinstance(content, str) else content]) for name, content in given.items()
    ]
    add_files(draft=draft, uploads=uploads, by=None)
    stem = next(iter(given), "").partition(".")[0]
    if draft.dataset == project.slug and stem in Munch.own_names:
        # Such a file is called so in every dataset: tests call the dataset like it.
        changes = {"dataset": stem, **changes}
    if changes:
        change_draft(draft=draft, changes=changes, by=None)
    return draft


def load(project: Project, given: dict[str, str | bytes], /, **changes: Any) -> dict[str, Any]:
    """Import files at once, without a job. Their text may be published, unless the changes say otherwise."""
    return run_import(draft=draft_of(project, given, **{"publishable": True, **changes}), by=None)


def run_all(jobs: Iterable[Job]) -> None:
    """Do jobs here, as a worker would; all of them to the end."""
    for job in jobs:
        run_job(job.pk, worker="one")
        job.refresh_from_db()
        assert job.state == JobState.DONE, job.error


def sentences(project: Project, language: str) -> list[str]:
    """The texts of a language, in reading order."""
    rows = project.sentences.filter(language=language, is_current=True).order_by("segment__position")
    return [row.text for row in rows]


def everything() -> list[Rows]:
    """What an import could touch."""
    return rows_of(Segment, Unit, Pair, Gold, Item, LemmaPlace, Annotation, Suggestion)
