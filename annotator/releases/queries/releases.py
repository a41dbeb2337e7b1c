"""What there is to release, and who may have the file of a release: anyone who may see all that it holds."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.core.permissions import Permission
from annotator.domain.states import AnnotationState
from annotator.models import Project, Release, Stage
from annotator.releases.queries.exports import STATISTICS, labels_something
from annotator.releases.queries.release_readme import ANSWERS
from annotator.reports.queries.tables import FURTHER, permission_for
from annotator.work.blind.queries.blind import has_blind_work


def answers_stand(project: Project, stages: Iterable[Stage]) -> bool:
    """Whether finished answers are the result as they are, as ratings are: nobody decides in one of the project's
    `stages`, and nothing is labelled."""
    return not any(stage.adjudicates for stage in stages) and not labels_something(project)


def has_results(project: Project) -> bool:
    """Whether a release would hold anything: gold, or finished answers where these stand as they are."""
    if project.golds.exists():
        return True
    return (
        answers_stand(project, project.stages.all()) and project.annotations.filter(state=AnnotationState.DONE).exists()
    )


def why_not_downloaded(access: Access, release: Release) -> str:
    """Why the user may not download a release, as a sentence; empty where they may.

    A release holds what others decided, and tables that count what they answered. So it is for nobody who works blind,
    and its tables for whom they are for on the reports page. One query.
    """
    return refused_downloads(access, [release])[release.number]


def why_not_while_blind(project: Project) -> str:
    """Why anyone who works blind in a project does not get what holds the answers of others, as a sentence."""
    if answers_stand(project, project.stages.all()):
        return _("You answer blind in this project, so you cannot see what others answered. Nobody decides on it here.")
    return _("You have blind items in this project, so you cannot see what others decided until gold is decided there.")


def refused_downloads(access: Access, releases: Iterable[Release]) -> dict[int, str]:
    """`why_not_downloaded` of several releases of the project, by number. One query for all of them, and a few
    for the person who is blind."""
    if has_blind_work(access.user, access.project):
        reason = why_not_while_blind(access.project)
        return {release.number: reason for release in releases}
    for_adjudicators = _(
        "This release has tables that count other people's answers, as on the reports page. They "
        "are for adjudicators: ask one of them for the file."
    )
    return {
        release.number: "" if all(access.may(permission) for permission in _needed(release)) else for_adjudicators
        for release in releases
    }


def _needed(release: Release) -> set[Permission]:
    """What the tables in a release ask of anyone who sees them, and the answers that they count."""
    files = release.manifest.get("files", {})
    answers = {Permission.ADJUDICATE for path in files if path.startswith(ANSWERS.partition("{")[0])}
    return answers | {permission_for(kind) for kind in FURTHER if STATISTICS.format(kind=kind) in files}
