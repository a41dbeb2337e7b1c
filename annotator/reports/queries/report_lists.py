"""Which tables a project has: those that its stages lead to, and those that have something to count. And who reads
which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.core.permissions import Permission
from annotator.models import Annotation, AnnotationState, Gold, Project, Unit
from annotator.reports.queries.reports import ReportSpec
from annotator.reports.queries.tables import EVALUATIONS, FURTHER, REPORTS, all_figures
from annotator.work.blind.queries.blind import answers_blind


@dataclass(frozen=True, slots=True)
class Listed:
    """A table of a project. `led_to`: by its stages; `there`: there is something to count."""

    kind: str
    table: ReportSpec
    led_to: bool
    there: bool


def listed_reports(project: Project) -> list[Listed]:
    """The tables of a project, those of kinds before the core's.

    A statement for the stages, and one or two for each test of what there is to count, which look into an index.
    """
    stages = list(project.stages.select_related("layer"))
    there = set(countable(project))
    found = []
    for kind, table in _known():
        if len(project.languages) < table.languages:
            continue
        one = Listed(kind, table, table.belongs(project, stages), table.figures.name in there)
        if one.led_to or one.there:
            found.append(one)
    return found


def tells_answers(table: ReportSpec) -> bool:
    """Whether a table counts what others answered before it is decided."""
    return table.counts_answers or table.needs == Permission.ADJUDICATE


def why_withheld(access: Access, table: ReportSpec | None = None) -> str:
    """Why the user may not read a table, or without one those of what others answered, as a sentence; "" where they
    may.

    Anyone who is answering blind could subtract their own answers, adjudicator or not. At most one query.
    """
    if not access.may(table.needs if table is not None else Permission.ADJUDICATE):
        return _("Other tables show what others answered. They are for adjudicators.")
    if (table is None or tells_answers(table)) and answers_blind(access.user, access.project):
        return _(
            "Other tables show what others answered. You will see them once you finish or return your blind items."
        )
    return ""


def countable(project: Project) -> list[str]:
    """The names of the figures of which a project has any. A statement or two for each test, by an index."""
    applies = {test: test(project) for test in dict.fromkeys(figures.applies for figures in all_figures().values())}
    return [name for name, figures in all_figures().items() if applies[figures.applies]]


@cache
def has_answers(content_type: str, unit_kind: str = "") -> Callable[[Project], bool]:
    """A test of projects: whether there is a finished answer, or gold, in a layer of this content type, on units of one
    kind where one is said. The same one for the same things, so that it is asked once."""

    def there(project: Project) -> bool:
        of_type = [layer for layer in project.layers.all() if layer.content_type == content_type]
        layers = [layer for layer in of_type if unit_kind in ("", layer.unit_kind)]
        done = Annotation.objects.filter(project=project, layer__in=layers, state=AnnotationState.DONE)
        gold = Gold.objects.filter(project=project, layer__in=layers)
        return bool(layers) and (done.exists() or gold.exists())

    return there


@cache
def has_units(kind: str) -> Callable[[Project], bool]:
    """A test of projects: whether there are such units. The same one for the same kind."""

    def there(project: Project) -> bool:
        return Unit.objects.published().filter(project=project, kind=kind, is_current=True).exists()

    return there


def _known() -> Iterator[tuple[str, ReportSpec]]:
    """All tables in the order of the page: kinds' with those of the last package first, then the core's."""
    yield from reversed(list(FURTHER.items()))
    yield from REPORTS.items()
    yield from EVALUATIONS.items()
