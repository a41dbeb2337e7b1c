"""A few texts of our own for a new project, so that its pages have something to show."""

from __future__ import annotations

from annotator.core.presets import Start
from annotator.imports.drafts.drafts import Upload, add_files, change_draft, drop_draft, start_draft, start_import
from annotator.models import Job, Project, User
from annotator.projects.actions.projects import check_sample

DATASET = "sample"


def add_sample(*, project: Project, start: Start, by: User | None) -> list[Job]:
    """Import the sample of a starting point, as a job for each language of the project that it has.

    Nothing is decided on it: it is there to be worked on. It is an import like others, and is undone like others.
    Raises ActionError where there is none in the project's languages.
    """
    check_sample(start, project.languages)
    jobs = []
    for language in start.sampled(project.languages):
        path = start.samples[language]
        draft = start_draft(project=project, by=by)
        try:
            add_files(draft=draft, uploads=[Upload(path.name, [path.read_bytes()])], by=by)
            files = {str(one["id"]): {"language": language} for one in draft.files}
            changes = {"labels_as": "none", "publishable": True, "dataset": f"{DATASET}-{language}", "files": files}
            change_draft(draft=draft, changes=changes, by=by)
            jobs.append(start_import(draft=draft, by=by))
        except BaseException:
            drop_draft(draft=draft, by=by)
            raise
    return jobs
