"""A project in which pairs are written, and calls that people there make."""

from __future__ import annotations

from typing import Any

from annotator.models import Project, Stage, User
from tests.scenarios import Scenario

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


class Mabl(Scenario):
    """The stages of MABL in one language, and four annotators."""

    def __init__(
        self, language: str = "en", slug: str = "figures", *, people: int = 4, project: Project | None = None
    ) -> None:
        super().__init__("mabl", languages=[language], people=people, project=project, slug=slug)
        self.write: Stage = self.stage("write-pair")
        self.validate: Stage = self.stage("validate")
        self.categories: Stage = self.stage("categories")

    def written(self, user: User, content: Any = BLANKET) -> dict[str, Any]:
        """A pair that somebody wrote; its item."""
        (item,) = self.claim(user, self.write)
        self.save(user, item, content)
        return item

    def judged(self, user: User, **verdict: Any) -> dict[str, Any]:
        """The next pair, judged; its item."""
        (item,) = self.claim(user, self.validate)
        self.save(user, item, verdict)
        return item
