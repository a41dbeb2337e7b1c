"""A project in which expressions are marked, rewritten, defined and validated, and calls that people there make."""

from __future__ import annotations

from typing import Any

from annotator.models import User
from tests.factories import span, spans
from tests.scenarios import Scenario

FIGURATIVE = "Our branch was left holding the baby ."
LITERAL = "My aunt was holding the baby while we ate ."
DEFINED = {"correct": "to be responsible for everything", "adversarial": "to nurse a newborn", "antonym": ""}
REWRITTEN = {
    "paraphrase": "Our branch was left with all the responsibility.",
    "changed": "Our branch was left holding the keys.",
    "opposite": "",
}
YES, NO = {"verdict": "accept", "second": "yes"}, {"verdict": "accept", "second": "no"}


class Impli(Scenario):
    """Two sentences with one expression, figurative in the first, and four annotators."""

    def __init__(self, slug: str = "inference") -> None:
        super().__init__("impli", languages=["en"], people=4, slug=slug)
        self.sentence(FIGURATIVE)
        self.sentence(LITERAL)

    def marked(self, user: User) -> None:
        """Both sentences with their expression, figurative in the first one."""
        marks = [span(4, 5, 6, label="FIGURATIVE"), span(3, 4, 5, label="LITERAL")]
        for item, mark in zip(self.claim(user, "correct", 2), marks, strict=True):
            self.save(user, item, spans(mark))

    def bring(self, what: str, user: User | None = None) -> dict[str, Any]:
        """Expressions or pairs are brought in line, to the end; what it did in all."""
        path, after = f"stages/{self.stage('define').pk}/pairs/", 0
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
        self.answer(user, "define", content)

    def judged(self, user: User, hypothesis: str, verdict: Any) -> None:
        """The pair with this second sentence, judged."""
        items = self.claim(user, "validate", 20)
        (item,) = [one for one in items if hypothesis in " ".join(one["unit"]["tokens"])]
        self.save(user, item, verdict)


def bio(text: str, label: str = "", begin: int = 0, end: int = 0) -> str:
    """A sentence as token and tag a line, with one span."""
    tags = [f"{'B' if at == begin else 'I'}-{label}" if begin <= at < end else "O" for at in range(len(text.split()))]
    return "".join(f"{token}\t{tag}\n" for token, tag in zip(text.split(), tags, strict=True)) + "\n"
