"""Makes the project that is worked on and its people: `python -m bench.soak.prepare`. Prints its stages as JSON."""

from __future__ import annotations

import json
from typing import Any

from django.utils import timezone

import bench.setup  # noqa: F401 -- before all that needs models
from annotator.machines.actions.training import set_train_every
from annotator.models import Role, Stage, User
from annotator.projects.actions.projects import add_member, create_project
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.queue.actions.assignments import claim
from bench.million import LANGUAGE, fill
from bench.soak import MANAGER, PASSWORD, SLUG, WRITERS

SENTENCES = 2000


def main() -> None:
    mara = _user(MANAGER)
    project = create_project(slug=SLUG, preset="meta4xnli-es-en", by=mara)
    for number in range(WRITERS):
        add_member(project=project, user=_user(f"writer-{number}"), role=Role.ANNOTATOR, by=mara)
    fill(project, SENTENCES)
    # No trainings that follow from saves: they would continue after the last save.
    set_train_every(project=project, hundreds=0, by=mara)
    stage = project.stages.get(kind="correct", language=LANGUAGE)
    _decide(stage, _user("nora"), mara)
    print(json.dumps({"stage": stage.pk}))


def _decide(stage: Stage, annotator: User, manager: User) -> None:
    """Some gold for releases, on sentences that nobody else is given."""
    add_member(project=stage.project, user=annotator, role=Role.ANNOTATOR, by=manager)
    now = timezone.now()
    for row in claim(stage=stage, user=annotator, count=20, now=now):
        content: dict[str, Any] = {"spans": []}
        save_annotation(
            project=stage.project, assignment=row.pk, version=0, content=content, done=True, by=annotator, now=now
        )
    accept_agreed(project=stage.project, layer=stage.layer, language=LANGUAGE, by=manager, without_overlap=True)


def _user(name: str) -> User:
    user = User(username=name)
    user.set_password(PASSWORD)
    user.save()
    return user


if __name__ == "__main__":
    main()
