"""A project in which sentences are labelled, and labelled expressions rated or compared; and calls of its people."""

from __future__ import annotations

from typing import Any

from annotator.core.counters import recounted
from annotator.core.starts import STARTS
from annotator.kinds.rating.expressions import with_brackets
from annotator.models import Project, Role, Stage, Unit, User
from annotator.projects.actions.projects import create_project
from annotator.work.queue.queries.progress import stage_progress
from tests.clients import client_of
from tests.factories import make_member, make_sentence, span, spans

TEXT = "Prices climb , and doubt moved in ."
CLIMB, MOVED_IN = span(1), span(5, 6)
KIND = "marked-expression"


class Scene:
    """Sentences that are labelled and rated, and calls that people make there."""

    def __init__(self, start: str = "rating-marked", kind: str = "rate-marked") -> None:
        self.project: Project = create_project(slug="scaled", preset=STARTS[start].preset(["en"]), by=None)
        self.sentence = make_sentence(self.project, TEXT, language="en")
        make_sentence(self.project, "It rains .", language="en")
        self.correct = self.project.stages.get(kind="correct")
        self.rate = self.project.stages.get(kind=kind)
        self.labeller, *self.people = [make_member(self.project) for _ in range(4)]
        self.manager = make_member(self.project, Role.MANAGER)

    def send(self, user: User, path: str, body: Any) -> Any:
        return client_of(user).post(f"/api/v1/projects/scaled/{path}", body)

    def claim(self, user: User, stage: Stage | None = None) -> list[dict[str, Any]]:
        response = self.send(user, f"stages/{(stage or self.rate).pk}/claim/", {"count": 20})
        assert response.status_code == 200, response.content
        items: list[dict[str, Any]] = response.json()["items"]
        return items

    def save(self, user: User, item: dict[str, Any], content: Any, *, done: bool = True) -> Any:
        body = {"version": item["annotation"]["version"], "content": content, "done": done}
        answer = self.send(user, f"assignments/{item['id']}/save/", body)
        if answer.status_code == 200:
            item["annotation"]["version"] = answer.json()["annotation"]["version"]
        return answer

    def label(self, *given: dict[str, Any], done: bool = True) -> None:
        """The first sentence has these labels now; the item is the labeller's from the first call on."""
        if not hasattr(self, "item"):
            self.item, *_others = self.claim(self.labeller, self.correct)
        answer = self.save(self.labeller, self.item, spans(*given), done=done)
        assert answer.status_code == 200, answer.content

    def rated(self, user: User, *values: int) -> None:
        items = self.claim(user)
        for item, value in zip(items, values, strict=True):
            assert self.save(user, item, {"value": value}).status_code == 200

    def marked(self) -> list[str]:
        """What there is to rate."""
        rows = Unit.objects.filter(kind=KIND, is_current=True).select_related("segment").order_by("segment__uid")
        found = [with_brackets(unit) for unit in rows]
        for stage in self.project.stages.exclude(kind=Stage.ADJUDICATE):
            numbers, shown = recounted(stage), stage_progress(stage)
            assert (shown.total, shown.done, shown.open) == (numbers["total"], numbers["done"], numbers["open"])
        return found
