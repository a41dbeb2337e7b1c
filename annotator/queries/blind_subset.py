"""Whether a blind subset could still be drawn that accepting into gold would spoil: what is decided is not handed out
blind any more (`actions/blind.py`)."""

from __future__ import annotations

from django.db.models import Q

from annotator.domain.states import Mode
from annotator.models import Counter, Gold, GoldSource, Project, Stage


def subset_to_draw(project: Project, language: str) -> bool:
    """Two people or more label in the language, none of them has worked blind, and nothing was accepted so far.

    False where a stage is blind as a whole: there all is compared. From counters and a few rows by index.
    """
    layer = project.label_layer
    stages = list(Stage.objects.filter(project=project, language=language).exclude(kind=Stage.ADJUDICATE))
    labelling = [stage for stage in stages if stage.layer_id == layer.pk]
    if not labelling or any(stage.mode == Mode.BLIND for stage in labelling):
        return False
    people = [row for row in project.memberships.all() if not row.languages or language in row.languages]
    if len(people) < 2:
        return False
    blind = Counter.objects.filter(Q(blind_open__gt=0) | Q(blind_done__gt=0), stage__in=stages)
    accepted = Gold.objects.filter(layer=layer, unit__language=language, source=GoldSource.AGREED)
    return not blind.exists() and not accepted.exists()
