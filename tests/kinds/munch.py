"""A project in which words are written for a marked one, chosen and found inapt, and its people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.test import Client
from django.urls import reverse

from annotator.models import Project, Role, User
from annotator.protocols.munch.start import START
from annotator.work.answering.actions.trials import answer_trial
from tests.factories import make_member
from tests.scenarios import Scenario

SAMPLE = Path(START.guidelines["en"]).parents[1] / "sample"
NAMES = ("for_generation.csv", "for_judgement.csv")
ONE = 'i0,idx,s0,novelty,sid,genre,human_ans\r\n0,7,"She felt a <b>wave</b>, a wave of joy.",0.1,a-1,FICTION,\r\n'


class Munch(Scenario):
    """Adjudicators who have solved the trial."""

    def __init__(self, people: int, template: str = "substitution", *, project: Project | None = None) -> None:
        super().__init__(
            template, languages=["en"], people=people, project=project, role=Role.ADJUDICATOR, slug="words"
        )
        self.solve_trial(*self.people)

    def solve_trial(self, *people: User) -> None:
        for person in people:
            stage = self.stage("substitute")
            assert answer_trial(stage=stage, content={"word": "Criticised", "reason": ""}, by=person)

    def write(self, *words: str) -> None:
        """Each of the first people writes a word, or says that none fits."""
        for person, word in zip(self.people, words, strict=False):
            self.answer(person, "substitute", {"word": word, "reason": "" if word else "unclear"})


def sample_files(language: str = "en") -> dict[str, str | bytes]:
    """The sample, without the sentences that it has no words for."""
    files = {name: (SAMPLE / language / name).read_bytes() for name in NAMES}
    lines = files[NAMES[0]].splitlines(keepends=True)
    return {**files, NAMES[0]: b"".join(line for line in lines if not line.rstrip().endswith(b","))}


def give(scene: Munch, *words: str, expect: int = 200) -> Any:
    rows = [{"word": word, "sense": "", "synset": ""} for word in words]
    return scene.answer(scene.people[5], "inapt", {"words": rows, "none": False}, expect=expect)


def only_writes(scene: Munch) -> None:
    """Nobody votes or looks for inapt words there."""
    scene.project.stages.filter(layer__slug__in=("best", "inapt")).delete()


def releases_page(scene: Munch) -> str:
    client = Client()
    client.force_login(make_member(scene.project, Role.MANAGER))
    return " ".join(client.get(reverse("releases", args=["words"])).content.decode().split())
