"""A project in which pairs are written, and calls that people there make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotator.core.counters import recounted, recounted_people
from annotator.core.starts import STARTS
from annotator.models import Project, Role, Stage, User
from annotator.projects.actions.projects import create_project
from annotator.work.queue.queries.progress import stage_progress
from tests.clients import client_of
from tests.factories import make_member

BLANKET = {
    "figurative": ["Her voice is a warm blanket.", "Her voice is a rusty saw."],
    "literal": ["Her voice is soothing.", "Her voice is unpleasant."],
}
OFFICE = {
    "figurative": ["The office was a beehive.", "The office was a graveyard."],
    "literal": ["The office was busy.", "Nobody was in the office."],
}
WARM = {**BLANKET, "literal": ["Her voice is pleasant.", "Her voice hurts."]}
ACCEPT, REJECT = {"verdict": "accept"}, {"verdict": "reject", "reason": "incoherent"}


@dataclass
class Scene:
    """Everything that a test of a whole round needs."""

    project: Project
    write: Stage
    validate: Stage
    categories: Stage
    people: list[User]

    def send(self, user: User, method: str, path: str, body: Any = None) -> Any:
        """A call and its answer, whatever it is."""
        return getattr(client_of(user), method)(f"/api/v1/projects/{self.project.slug}/{path}", body)

    def call(self, user: User, method: str, path: str, body: Any = None) -> Any:
        """A call that succeeds."""
        response = self.send(user, method, path, body)
        assert response.status_code == 200, response.content
        return response.json()

    def claim(self, user: User, stage: Stage, count: int = 1) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.call(user, "post", f"stages/{stage.pk}/claim/", {"count": count})["items"]
        return found

    def answer(self, user: User, item: dict[str, Any], content: Any, **more: Any) -> Any:
        body = {"version": item["annotation"]["version"], "content": content, "done": True, **more}
        return self.call(user, "post", f"assignments/{item['id']}/save/", body)

    def written(self, user: User, content: Any = BLANKET) -> dict[str, Any]:
        """A pair that somebody wrote; its item."""
        (item,) = self.claim(user, self.write)
        self.answer(user, item, content)
        return item

    def judged(self, user: User, **verdict: Any) -> dict[str, Any]:
        """The next pair, judged; its item."""
        (item,) = self.claim(user, self.validate)
        self.answer(user, item, verdict)
        return item

    def check_numbers(self) -> None:
        """What is counted as people work is what a recount says."""
        for stage in (self.write, self.validate, self.categories):
            numbers, shown = recounted(stage), stage_progress(stage)
            assert (shown.total, shown.done, shown.open) == (numbers["total"], numbers["done"], numbers["open"])
        for stage in self.project.stages.all():
            people = recounted_people(stage)
            for row in stage.counters.filter(user__isnull=False):
                own = people.get(row.user_id or 0, {})
                assert (row.own_open, row.own_done) == (own.get("own_open", 0), own.get("own_done", 0)), stage.kind


def make_scene(language: str = "en", slug: str = "figures") -> Scene:
    project = create_project(slug=slug, preset=STARTS["mabl"].preset([language]), by=None)
    write, validate, categories = (project.stages.get(kind=kind) for kind in ("write-pair", "validate", "categories"))
    people = [make_member(project, Role.ANNOTATOR) for _ in range(4)]
    return Scene(project, write, validate, categories, people)
