"""Who must not see labels on which segment. The one place that knows; every list, item and memory asks it.

A person is blind on a segment while they have a blind assignment on a unit that touches it, in any language, and no
gold is decided on that unit. The facts are rows (`BlindMark`): made with the assignment, live until gold is decided.
A layer says which other layers' content may be shown all the same (`Layer.shows`). Without a layer, whoever is blind in
any is meant: for what holds the content of several (releases), and for deciding, where all of them are at hand.

The ids of units other than sentences and pairs tell of what they were made, in which file they came, and by which rule:
often the answer. Anyone who is blind there is told another name (`shown_uid`). Stored ids never change.
Guarded by tests/work/test_blind_queries.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Q, QuerySet

from annotator.core.prepared import PreparedRows
from annotator.domain.stable_shuffle import another_name
from annotator.domain.states import AssignmentState, Mode
from annotator.models import Assignment, BlindMark, Gold, JobKind, Layer, Project, Segment, Unit, User


def blind_segments(
    user: User,
    project: Project | int,
    segments: Iterable[int],
    layer: Layer | None = None,
    within: Collection[int] | None = None,
) -> set[int]:
    """Those of the segment ids on which the user is blind: for the content of `layer`, or for any. One query.

    `within`: blind in one of these layers (ids).
    """
    ids = set(segments)
    if not ids:
        return set()
    marks = _MARKS.rows(project=project if isinstance(project, int) else project.pk, user=user.pk, segments=ids)
    return {
        segment
        for segment, blind_in, shows in marks
        if (layer is None or layer.slug not in shows) and (within is None or blind_in in within)
    }


_MARKS = PreparedRows(
    lambda project, user, segments: BlindMark.objects.filter(
        project=project, user=user, segment__in=segments, live=True
    ).values_list("segment_id", "layer_id", "layer__shows"),
    project=int,
    user=int,
    segments=list,
)


def blind_units(
    user: User,
    project: Project | int,
    units: Iterable[Unit],
    layer: Layer | None = None,
    within: Collection[int] | None = None,
) -> set[int]:
    """The ids of those units that touch a segment on which the user is blind, as `blind_segments` says. One query."""
    rows = list(units)
    hidden = blind_segments(user, project, {segment for unit in rows for segment in unit.touches}, layer, within)
    return {unit.pk for unit in rows if not hidden.isdisjoint(unit.touches)}


def shown_uid(unit: Unit, *, hidden: bool) -> str:
    """The id of a unit, or another name where it must stay `hidden` from the reader. It comes with its segment."""
    if not hidden or unit.kind in _NAMED_FREELY:
        return unit.segment.uid
    # Not its number: numbers follow the files, and files hold a class each.
    return f"#{another_name(unit.segment.uid)}"


def shown_uids(user: User, project: Project, units: Iterable[Unit], *, decides: bool = True) -> dict[int, str]:
    """By unit id, how it is called before a reader. Units come with their segments.

    `decides`: whether the reader may see what others answered; before anyone who may not, an id is hidden until gold is
    decided, blind or not: they may be given the unit next. Two queries at most; none for sentences and pairs.
    """
    rows = list(units)
    telling = [unit for unit in rows if unit.kind not in _NAMED_FREELY]
    hidden = blind_units(user, project, telling)
    if not decides and telling:
        decided = set(Gold.objects.filter(unit__in=telling).values_list("unit_id", flat=True))
        hidden |= {unit.pk for unit in telling} - decided
    return {unit.pk: shown_uid(unit, hidden=unit.pk in hidden) for unit in rows}


# Jobs whose results have numbers of what was suggested or answered.
COUNTING_JOBS: frozenset[str] = frozenset(
    {
        *(JobKind.PREDICT, JobKind.TRAIN, JobKind.PROJECT, JobKind.REVISE, JobKind.RELABEL, JobKind.RELEASE),
        JobKind.ACCEPT,
    }
)
_NAMED_FREELY = (Segment.SENTENCE, Segment.PAIR)


def is_blind(user: User, unit: Unit) -> bool:
    """True when labels on what this unit touches must not be shown to the user."""
    return bool(blind_segments(user, unit.project_id, unit.touches))


def hiding(project: Project, layer: Layer) -> list[int]:
    """The ids of the layers in which somebody who is blind must not see the content of `layer`. One query."""
    return [pk for pk, shows in project.layers.values_list("pk", "shows") if layer.slug not in shows]


def blind_on(user: User, project: Project, field: str, layers: Collection[int]) -> Q:
    """Condition: what `layers` hide (ids, of `hiding`) is hidden from the user on the segment that `field` names."""
    marks = BlindMark.objects.filter(project=project, user=user, layer__in=layers, live=True)
    # An uncorrelated subquery: the database works it out once, not once a row.
    return Q(**{f"{field}__in": marks.values("segment_id")})


def has_blind_work(user: User, project: Project) -> bool:
    """True while the user is blind anywhere in the project: files that hold others' work are withheld then."""
    return BlindMark.objects.filter(project=project, user=user, live=True).exists()


def answers_blind(user: User, project: Project) -> bool:
    """True while the user has blind work open in the project: tables of what others answered are withheld then."""
    return _open_blind(user, project).exists()


def withheld_results(user: User, project: Project) -> frozenset[str]:
    """The kinds of job whose results the user is not told, since they have blind work open in the project."""
    return COUNTING_JOBS if answers_blind(user, project) else frozenset()


def segments_to_answer(user: User, project: Project) -> QuerySet[BlindMark, int]:
    """The ids of the segments on which the user has blind work open, in any language and layer; a subquery."""
    marks = BlindMark.objects.filter(assignment__in=_open_blind(user, project), live=True)
    return marks.values_list("segment_id", flat=True)


def labels_blind(user: User, project: Project, language: str, layers: Collection[int] | None = None) -> bool:
    """True while the user has blind work open in the language: memory then shows their own decisions only.

    `layers`: in one of these alone (ids).
    """
    rows = _open_blind(user, project).filter(stage__language=language)
    return (rows if layers is None else rows.filter(stage__layer__in=layers)).exists()


def _open_blind(user: User, project: Project) -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        project=project, user=user, mode=Mode.BLIND, state=AssignmentState.OPEN, blind_marks__live=True
    )
