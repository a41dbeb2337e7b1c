"""Gold that came of answers by itself, and who may still change one of these answers."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.core.kind import kind_of, makes_gold
from annotator.domain.states import AnnotationState
from annotator.models import Annotation, Gold, GoldSource, Release, Stage, User

# What a person or a file decided: where that is undone, answers do not decide by themselves any more.
SOMEBODYS = Q(decided_by__isnull=False) | Q(source=GoldSource.IMPORTED)


def still_changeable(stage: Stage, units: Collection[int], user: User) -> set[int]:
    """Those of the units, by id, whose gold in the stage's layer came of answers by itself, one of them the user's,
    which they may still change: nobody has worked on what followed, and no release holds it. One query, none where
    answers of the stage never decide.
    """
    if not units or not makes_gold(kind_of(stage)):
        return set()
    return set(changeable_gold(stage, user).filter(unit__in=units).values_list("unit_id", flat=True))


def changeable_gold(stage: Stage, user: User) -> QuerySet[Gold]:
    """The decisions that `still_changeable` speaks of."""
    of_unit = Annotation.objects.filter(unit=OuterRef("unit"))
    own = of_unit.filter(layer=OuterRef("layer"), user=user, state=AnnotationState.DONE)
    followed = of_unit.filter(layer__stages__made_from=stage).exclude(layer=OuterRef("layer"))
    decided_on = Gold.objects.filter(unit=OuterRef("unit"), layer__stages__made_from=stage)
    released = Release.objects.filter(project=OuterRef("project"), created_at__gte=OuterRef("updated_at"))
    return Gold.objects.filter(
        Exists(own),
        ~Exists(followed),
        ~Exists(decided_on.exclude(layer=OuterRef("layer"))),
        ~Exists(released),
        layer=stage.layer_id,
        decided_by=None,
        imported=None,
    ).exclude(source=GoldSource.IMPORTED)
