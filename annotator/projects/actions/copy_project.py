"""A new project with the settings of another one, and its texts on request. What people did stays where it is."""

from __future__ import annotations

from contextlib import suppress

from django.db import transaction

from annotator.core.events import log
from annotator.core.files.pictures import picture_file, picture_part, pictures_in
from annotator.core.files.room import check_room
from annotator.core.files.storage import site_files
from annotator.domain.verbs import Verb
from annotator.jobs.actions import start_job
from annotator.models import JobKind, Layer, Project, Role, Stage, User
from annotator.projects.actions.projects import add_member, new_project

# What a copy has of its own.
_OWN = {"id", "slug", "name", "archived_at", "deleting_at", "created_at", "guidelines_version", "created_by_id", "size"}


@transaction.atomic
def copy_project(
    *, project: Project, slug: str, name: str, members: bool = False, texts: bool = False, by: User | None
) -> Project:
    """Create a project with the languages, layers, stages, guidelines and rules of `project`.

    `members`: with its members, too. `texts`: with its sentences and pairs, which a job brings (`copy_texts.py`). `by`
    becomes a manager of it. Raises ActionError for a slug that is taken or cannot be one.
    """
    fields = [field.attname for field in Project._meta.concrete_fields if field.attname not in _OWN]
    values = {field: getattr(project, field) for field in fields}
    size = project.size if texts else 0
    check_room(by=by, more=max(1, size))
    made = new_project(Project(slug=slug, name=name, created_by=by, size=size, **values))
    layers = {layer.pk: _copied(layer, made) for layer in Layer.objects.filter(project=project).order_by("pk")}
    stages: dict[int, Stage] = {}
    # A stage comes after the one that it is made from, which was there first.
    for stage in Stage.objects.filter(project=project).order_by("pk"):
        old, origin = stage.pk, stage.made_from_id
        stage.pk, stage.project = None, made
        stage.layer_id, stage.made_from = layers[stage.layer_id].pk, stages.get(origin) if origin else None
        stage.save(force_insert=True)
        stages[old] = stage
    log(
        project=made,
        actor=by,
        verb=Verb.PROJECT_COPY,
        subject=made,
        after={"from": project.pk, "slug": slug, "languages": made.languages, "members": members, "texts": texts},
    )
    if by is not None:
        add_member(project=made, user=by, role=Role.MANAGER, by=by)
    if members:
        for membership in project.memberships.exclude(user=by).select_related("user").order_by("pk"):
            add_member(project=made, user=membership.user, role=membership.role, languages=membership.languages, by=by)
    _copy_pictures(project, made)
    if texts:
        start_job(project=made, kind=JobKind.COPY, params={"from": project.pk}, by=by)
    return made


def _copied(layer: Layer, project: Project) -> Layer:
    layer.pk, layer.project, layer.scheme_version = None, project, 1
    layer.save(force_insert=True)
    return layer


def _copy_pictures(project: Project, made: Project) -> None:
    """Those that the guidelines show. A file that is missing is missing in the copy, too."""
    for name in pictures_in(project.guidelines.values()):
        with suppress(FileNotFoundError), site_files().open(picture_file(project.pk, name)) as file:
            picture_part(file.read()).name(picture_file(made.pk, name))
