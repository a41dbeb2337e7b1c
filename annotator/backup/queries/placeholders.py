"""The people whom a project's backup names, until a site admin says which accounts they are."""

from __future__ import annotations

from functools import reduce
from operator import or_

from django.db.models import Exists, Model, OuterRef, Q

from annotator.models import Event, Project, Segment, User


def belongings() -> list[tuple[type[Model], str]]:
    """Each model and field by which something is somebody's. Events are nobody's to give away."""
    return [
        (one.related_model, one.field.name)
        for one in User._meta.related_objects
        if isinstance(one.related_model, type)
        and one.related_model is not Event
        and one.related_model._meta.app_label == Project._meta.app_label
    ]


def placeholders_of(project: Project) -> list[User]:
    """Those of the project who have something here that can be an account's, by name. One query, by index."""
    # Anyone who set a sentence aside has done more than that, and no index tells who did.
    asked = [(model, name) for model, name in belongings() if model is not Segment]
    theirs = [Q(Exists(model._base_manager.filter(**{name: OuterRef("pk")}))) for model, name in asked]
    return list(User.objects.filter(reduce(or_, theirs), placeholder_of=project.pk).order_by("username"))
