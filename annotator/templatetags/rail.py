"""The rail: the same entries on every page of a project, with what is left to do in each stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django import template
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotator.core.access import Access
from annotator.core.kind import is_open_ended, kind_of
from annotator.core.permissions import Permission
from annotator.jobs.queries import active_jobs
from annotator.models import Stage
from annotator.templatetags.words import stage_title
from annotator.web.pages import Section
from annotator.work.queue.queries.progress import MAX_WAITING, Progress, project_progress, public_progress

register = template.Library()


@dataclass(frozen=True, slots=True)
class Entry:
    """A link of the rail.

    `language`: of a stage; `left`: items of a stage that are not done, or wait for a decision, None where that is not
    counted; `at_least`: there may be more of them.
    """

    label: str
    url: str
    icon: str
    current: bool
    language: str = ""
    left: int | None = None
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Entries under a heading. `stages`: they are the project's stages, which workspaces list, too."""

    title: str
    entries: Sequence[Entry]
    stages: bool = False


@dataclass(frozen=True, slots=True)
class Rail:
    """Navigation of a page. `current`: the entry that the page belongs to; `running`: number of unfinished jobs."""

    groups: Sequence[Group]
    current: Entry | None
    running: int

    @property
    def stages(self) -> Sequence[Entry]:
        return next((group.entries for group in self.groups if group.stages), ())


@register.simple_tag
def rail_of(access: Access, section: Section) -> Rail:
    """The rail for a person, with a page's current entry. Three statements: stages, their counters, unfinished jobs."""
    # An annotator's rail is short: other pages are linked from the pages that mention them.
    oversees = Permission.ADJUDICATE
    groups = [
        Group("", _entries(access, section, [("project", _("Overview"), "layout-dashboard", Permission.VIEW)])),
        Group(pgettext("heading", "Work"), _stages(access, section), stages=True),
        Group(
            _("Data"),
            _entries(
                access,
                section,
                [
                    ("find", _("Sentences"), "search", Permission.VIEW),
                    ("import", _("Imports"), "upload", Permission.MANAGE),
                    ("splits", _("Splits"), "split", oversees),
                    ("releases", _("Releases"), "package", oversees),
                ],
            ),
        ),
        Group(
            _("Quality"),
            _entries(
                access,
                section,
                [
                    ("agreement", _("Agreement"), "handshake", Permission.ADJUDICATE),
                    ("reports", _("Reports"), "chart-column", oversees),
                    ("map", pgettext("heading", "Map"), "map", oversees),
                ],
            ),
        ),
        Group(
            _("Project"),
            _entries(
                access,
                section,
                [
                    ("guidelines", _("Guidelines"), "book-open", Permission.VIEW),
                    ("members", _("Members"), "users", oversees),
                    ("settings", _("Settings"), "settings", Permission.MANAGE),
                ],
            ),
        ),
    ]
    shown = [group for group in groups if group.entries]
    current = next((entry for group in shown for entry in group.entries if entry.current), None)
    return Rail(shown, current, active_jobs(access.project).count())


def _entries(access: Access, section: Section, named: Sequence[tuple[str, str, str, Permission]]) -> list[Entry]:
    slug = access.project.slug
    return [
        Entry(label, reverse(name, args=[slug]), icon, current=name == section)
        for name, label, icon, needs in named
        if access.may(needs)
    ]


def _stages(access: Access, section: Section) -> list[Entry]:
    return [
        Entry(
            stage_title(stage),
            reverse("work", args=[access.project.slug, stage.pk]),
            "scale" if stage.adjudicates else "pen-line",
            current=stage == section,
            language=stage.language,
            left=_left(stage, numbers),
            at_least=numbers.waiting >= MAX_WAITING,
        )
        for stage, numbers in project_progress(access.project, access.user)
        if may_open(access, stage)
    ]


def may_open(access: Access, stage: Stage) -> bool:
    """Whether a person may open the workspace of a stage."""
    needed = Permission.ADJUDICATE if stage.adjudicates else kind_of(stage).needs
    return access.may(needed) and access.works_in(stage.language)


def _left(stage: Stage, numbers: Progress) -> int | None:
    if stage.adjudicates:
        return numbers.waiting
    # Where people write as they like nothing is left.
    if is_open_ended(kind_of(stage)):
        return None
    shown = public_progress(stage, numbers)
    return max(0, shown.total - shown.done)
