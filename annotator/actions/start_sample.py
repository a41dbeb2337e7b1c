"""A few texts of our own for a new project, so that its pages have something to show."""

from __future__ import annotations

from annotator.actions.import_drafts import Upload, add_files, change_draft, drop_draft, finish_draft, start_draft
from annotator.actions.import_run import run_import
from annotator.models import Project, User
from annotator.presets import Start
from annotator.queries.imports import imports_of

DATASET = "sample"


def add_sample(*, project: Project, start: Start, by: User | None) -> list[str]:
    """Import the sample of a starting point in those languages of the project that it has; which ones they are.

    Nothing is decided on it yet: it is there to be worked on.
    """
    languages = [language for language in project.languages if language in start.samples]
    for language in languages:
        path = start.samples[language]
        draft = start_draft(project=project, by=by)
        imported = False
        try:
            add_files(draft=draft, uploads=[Upload(path.name, [path.read_bytes()])], by=by)
            files = {str(one["id"]): {"language": language} for one in draft.files}
            changes = {"labels_as": "none", "publishable": True, "dataset": f"{DATASET}-{language}", "files": files}
            change_draft(draft=draft, changes=changes, by=by)
            run_import(draft=draft, by=by)
            imported = True
        finally:
            if imported:
                newest = imports_of(project).filter(dataset=draft.dataset).first()
                finish_draft(draft=draft, imported=newest.pk if newest else None)
            else:
                drop_draft(draft=draft, by=by)
    return languages
