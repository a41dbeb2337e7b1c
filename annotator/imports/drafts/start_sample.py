"""A few texts of our own for a new project, so that its pages have something to show."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.presets import Start
from annotator.imports.drafts.drafts import Upload, add_files, change_draft, drop_draft, start_draft, start_import
from annotator.models import Job, Project, User

DATASET = "sample"


def check_sample(start: Start, languages: Sequence[str]) -> None:
    """Whether a starting point has a sample in one of the languages. Raises ActionError where it has none."""
    if not start.samples:
        raise ActionError(_("There is no sample for this starting point."))
    if not start.sampled(languages):
        raise ActionError(
            _("There is a sample in these languages alone: %(languages)s. Take one of them, or leave the sample out.")
            % {"languages": ", ".join(start.samples)}
        )


def add_sample(*, project: Project, start: Start, by: User | None) -> list[Job]:
    """Import the sample of a starting point, as a job for each language of the project that it has.

    Nothing is decided on it: it is there to be worked on. It is an import like others, and is taken back like others.
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
