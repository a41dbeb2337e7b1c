"""What a stage waits for: the one that it is made from, and a manager's part."""

from __future__ import annotations

from annotator.core.kind import kinds, source_layer, task_due
from annotator.models import Project, Stage


def before(stage: Stage) -> Stage | None:
    """The stage whose answers or labels this one is made from, in which to begin where this one is empty. One query at
    most."""
    if stage.made_from is not None:
        return stage.made_from
    layer = source_layer(stage)
    if layer is None:
        return None
    rows = Stage.objects.filter(project=stage.project_id, layer=layer, language=stage.language)
    return rows.exclude(kind=Stage.ADJUDICATE).select_related("layer").order_by("position", "pk").first()


def due_for(stage: Stage) -> Stage | None:
    """The stage in which a manager can make units for this one right now, from what people finished there."""
    slugs = [kind.slug for kind in kinds() if kind.manager_task and kind.manager_task.creates == stage.layer.unit_kind]
    rows = Stage.objects.filter(project=stage.project_id, kind__in=slugs, language=stage.language)
    found = rows.select_related("layer", "project").order_by("position", "pk") if slugs else []
    return next((row for row in found if task_due(row)), None)


def due_texts(project: Project) -> list[str]:
    """What a manager should do in stages before a release, in sentences."""
    stages = project.stages.exclude(kind=Stage.ADJUDICATE).select_related("layer", "project").order_by("position", "pk")
    return list(dict.fromkeys(said for stage in stages if (said := task_due(stage))))
