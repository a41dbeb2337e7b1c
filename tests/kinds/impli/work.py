"""A project in which expressions are marked, rewritten, defined and validated, and calls that people there make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotator.core.starts import STARTS
from annotator.models import Project, Role, Stage, User
from annotator.projects.actions.projects import create_project
from tests.clients import client_of
from tests.factories import make_member, make_sentence

FIGURATIVE = "Our branch was left holding the baby ."
LITERAL = "My aunt was holding the baby while we ate ."
DEFINED = {"correct": "to be responsible for everything", "adversarial": "to nurse a newborn", "antonym": ""}
REWRITTEN = {
    "paraphrase": "Our branch was left with all the responsibility.",
    "changed": "Our branch was left holding the keys.",
    "opposite": "",
}
YES, NO = {"verdict": "accept", "second": "yes"}, {"verdict": "accept", "second": "no"}


@dataclass
class Scene:
    """Everything that a test of a whole round needs."""

    project: Project
    stages: dict[str, Stage]
    people: list[User]
    manager: User

    def send(self, user: User, method: str, path: str, body: Any = None) -> Any:
        """A call and its answer, whatever it is."""
        return getattr(client_of(user), method)(f"/api/v1/projects/{self.project.slug}/{path}", body)

    def call(self, user: User, method: str, path: str, body: Any = None) -> Any:
        """A call that succeeds."""
        response = self.send(user, method, path, body)
        assert response.status_code == 200, response.content
        return response.json()

    def claim(self, user: User, stage: str, count: int = 1) -> list[dict[str, Any]]:
        path = f"stages/{self.stages[stage].pk}/claim/"
        found: list[dict[str, Any]] = self.call(user, "post", path, {"count": count})["items"]
        return found

    def answer(self, user: User, item: dict[str, Any], content: Any, **more: Any) -> Any:
        body = {"version": item["annotation"]["version"], "content": content, "done": True, **more}
        return self.call(user, "post", f"assignments/{item['id']}/save/", body)

    def marked(self, user: User) -> None:
        """Both sentences with their expression, figurative in the first one."""
        for item, (label, tokens) in zip(
            self.claim(user, "correct", 2), (("FIGURATIVE", [4, 5, 6]), ("LITERAL", [3, 4, 5])), strict=True
        ):
            span = {"tokens": tokens, "label": label, "attributes": {}, "score": None}
            self.answer(user, item, {"spans": [span]})

    def bring(self, what: str, user: User | None = None) -> dict[str, Any]:
        """Expressions or pairs are brought in line, to the end; what it did in all."""
        path, after = f"stages/{self.stages['define'].pk}/pairs/", 0
        done: dict[str, Any] = {"made": 0, "withdrawn": 0, "refused": {}, "named": []}
        while after is not None:
            found = self.call(user or self.manager, "post", path, {"what": what, "after": after})
            done = {
                "made": done["made"] + found["made"],
                "withdrawn": done["withdrawn"] + found["withdrawn"],
                "refused": {**done["refused"], **found["refused"]},
                "named": done["named"] + found["named"],
            }
            after = found["after"]
        return done

    def defined(self, user: User, content: Any = DEFINED) -> None:
        """The next expression, defined."""
        (item,) = self.claim(user, "define")
        self.answer(user, item, content)

    def judged(self, user: User, hypothesis: str, verdict: Any) -> None:
        """The pair with this second sentence, judged."""
        items = self.claim(user, "validate", 20)
        (item,) = [one for one in items if hypothesis in " ".join(one["unit"]["tokens"])]
        self.answer(user, item, verdict)


def make_scene(slug: str = "inference") -> Scene:
    project = create_project(slug=slug, preset=STARTS["impli"].preset(["en"]), by=None)
    make_sentence(project, FIGURATIVE, language="en")
    make_sentence(project, LITERAL, language="en")
    stages = {stage.kind: stage for stage in project.stages.exclude(kind=Stage.ADJUDICATE)}
    people = [make_member(project, Role.ANNOTATOR) for _ in range(4)]
    return Scene(project, stages, people, make_member(project, Role.MANAGER))


def bio(text: str, label: str = "", begin: int = 0, end: int = 0) -> str:
    """A sentence as token and tag a line, with one span."""
    tags = [f"{'B' if at == begin else 'I'}-{label}" if begin <= at < end else "O" for at in range(len(text.split()))]
    return "".join(f"{token}\t{tag}\n" for token, tag in zip(text.split(), tags, strict=True)) + "\n"
