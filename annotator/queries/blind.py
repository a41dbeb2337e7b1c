"""Who must not see labels on which segment. The one place that knows; every list, item and memory asks it.

A person is blind on a segment when they have a blind assignment on one of its sentences, or on a pair
that holds it, in any language, and no gold is decided for that assignment's sentence or pair.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import OuterRef, Q, QuerySet

from annotator.models import Assignment, AssignmentState, Mode, Pair, Project, Segment, User
from annotator.queries.decided import decided_pair, decided_sentence


def live_blind_assignments(user: User, project: Project) -> QuerySet[Assignment]:
    """The user's blind assignments, open or done, whose gold is not decided yet.

    Those on a text that was replaced are over: nobody can finish them, and gold is never decided there.
    """
    return Assignment.objects.filter(
        Q(sentence__isnull=True) | Q(sentence__is_current=True),
        ~decided_sentence("sentence_id"),
        ~decided_pair(OuterRef("stage__language"), "pair_id"),
        project=project,
        user=user,
        mode=Mode.BLIND,
    ).order_by()


def _segments(user: User, project: Project, field: str) -> Q:
    live = live_blind_assignments(user, project)
    # Uncorrelated subqueries: the database works each out once, not once a row.
    return (
        Q(**{f"{field}__in": live.filter(sentence__isnull=False).values("sentence__segment_id")})
        | Q(**{f"{field}__in": live.filter(pair__isnull=False).values("pair__premise_id")})
        | Q(**{f"{field}__in": live.filter(pair__isnull=False).values("pair__hypothesis_id")})
    )


def blind_on(user: User, project: Project, *segment_fields: str) -> Q:
    """Condition: one of the segments that `segment_fields` (such as "segment_id") name is hidden from the user."""
    condition = Q()
    for field in segment_fields:
        condition |= _segments(user, project, field)
    return condition


def blind_segments(user: User, project: Project, segments: Iterable[int]) -> set[int]:
    """Those of the segment ids on which the user is blind. One query."""
    ids = set(segments)
    if not ids:
        return set()
    hidden = Segment.objects.filter(_segments(user, project, "pk"), project=project, pk__in=ids)
    return set(hidden.order_by().values_list("pk", flat=True))


def is_blind(user: User, segment: Segment) -> bool:
    """True when labels on this segment must not be shown to the user."""
    return bool(blind_segments(user, segment.project, [segment.pk]))


def is_blind_on_pair(user: User, pair: Pair) -> bool:
    """True when the user is blind on the premise or the hypothesis: a tag tells about the labels of both."""
    return bool(blind_segments(user, pair.project, [pair.premise_id, pair.hypothesis_id]))


def labels_blind(user: User, project: Project, language: str) -> bool:
    """True while the user has blind work open in the language: memory then shows their own decisions only."""
    return live_blind_assignments(user, project).filter(stage__language=language, state=AssignmentState.OPEN).exists()


def agreement_hidden(user: User, project: Project, language: str, people: Iterable[User]) -> bool:
    """True while agreement with oneself would tell: the table of a few items shows what the other chose."""
    return user in people and labels_blind(user, project, language)
