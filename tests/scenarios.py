"""A project with its people, and what they do there: through the API as pages do, or through the actions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from rest_framework.response import Response

from annotator.core.counters import recounted, recounted_people
from annotator.core.presets import StageSpec
from annotator.core.starts import STARTS
from annotator.models import Project, Role, Sentence, Stage, User
from annotator.projects.actions.projects import create_project
from annotator.work.queue.queries.progress import stage_progress
from tests.clients import client_of
from tests.factories import filled_stage, make_member, make_project, make_sentence


class Scenario:
    """The reference workflow, a template of projects, or a project that is there; `people` are members of it.

    What people send goes through the API and fails the test where it is refused, unless `expect` says how it is.
    Subclasses add what only their kind of work has. A fixture of a module makes one; each test takes a deep copy.
    """

    def __init__(
        self,
        template: str = "",
        *,
        languages: Sequence[str] = ("es", "en"),
        people: int = 2,
        project: Project | None = None,
        role: str = Role.ANNOTATOR,
        slug: str = "",
    ) -> None:
        if project is None and template:
            preset = STARTS[template].preset(list(languages))
            project = create_project(slug=slug or template, preset=preset, by=None)
        self.project: Project = project or make_project(slug, languages=languages)
        self.language = languages[0]
        self.people: list[User] = [make_member(self.project, role) for _ in range(people)]

    @cached_property
    def manager(self) -> User:
        return make_member(self.project, Role.MANAGER)

    # --- stages and sentences -----------------------------------------------------------------------------------------

    def stage(self, kind: str, layer: str = "", language: str = "") -> Stage:
        """The stage of a kind, in the first language unless another is given; the first one where there are several."""
        rows = self.project.stages.select_related("project", "layer").filter(kind=kind)
        rows = rows.filter(language=language or self.language)
        if layer:
            rows = rows.filter(layer__slug=layer)
        return rows.order_by("position")[0]

    def add_stage(self, kind: str, language: str = "", *, made_from: Stage | None = None, **spec: Any) -> Stage:
        """One more stage, with the items of what is there."""
        wanted = StageSpec(kind, language or self.language, **spec)
        return filled_stage(
            project=self.project, spec=wanted, position=self.project.stages.count(), made_from=made_from
        )

    def sentence(self, text: str = "El tiempo vuela", language: str = "") -> Sentence:
        return make_sentence(self.project, text, language=language or self.language)

    # --- through the API ----------------------------------------------------------------------------------------------

    def send(self, user: User, method: str, path: str, body: Any = None) -> Response:
        """A call to a path below the project's, and the response, whatever it is."""
        response: Response = getattr(client_of(user), method)(f"/api/v1/projects/{self.project.slug}/{path}", body)
        return response

    def call(self, user: User, method: str, path: str, body: Any = None, *, expect: int = 200) -> Any:
        """A call with this status, and its body."""
        response = self.send(user, method, path, body)
        assert response.status_code == expect, response.content
        return response.json()

    def claim(self, user: User, stage: Stage | str, count: int = 1) -> list[dict[str, Any]]:
        """Items as the API sends them."""
        row = self.stage(stage) if isinstance(stage, str) else stage
        items: list[dict[str, Any]] = self.call(user, "post", f"stages/{row.pk}/claim/", {"count": count})["items"]
        return items

    def save(self, user: User, item: dict[str, Any], content: Any, *, expect: int = 200, **more: Any) -> Any:
        """Save a claimed item as done, over the version that it was claimed with."""
        body = {"version": item["annotation"]["version"], "content": content, "done": True, **more}
        return self.call(user, "post", f"assignments/{item['id']}/save/", body, expect=expect)

    def answer(self, user: User, stage: Stage | str, content: Any, *, expect: int = 200, **more: Any) -> Any:
        """Claim the next item and save it as done."""
        item, *_ = self.claim(user, stage)
        return self.save(user, item, content, expect=expect, **more)

    # --- what holds afterwards ----------------------------------------------------------------------------------------

    def check_counters(self) -> None:
        """Each stage's counters, and each person's, equal a recount."""
        for stage in self.project.stages.exclude(kind=Stage.ADJUDICATE):
            numbers, shown = recounted(stage), stage_progress(stage)
            assert (shown.total, shown.done, shown.open) == (numbers["total"], numbers["done"], numbers["open"])
        for stage in self.project.stages.all():
            people = recounted_people(stage)
            for row in stage.counters.filter(user__isnull=False):
                own = people.get(row.user_id or 0, {})
                assert (row.own_open, row.own_done) == (own.get("own_open", 0), own.get("own_done", 0)), stage.kind
