"""Units that follow from others are in line with them after any sequence of acts: doing it again changes nothing."""

from __future__ import annotations

from collections import Counter as Tally
from typing import Any

import pytest
from django.db import transaction

from annotator.core.errors import ActionError
from annotator.core.kind import rule_of
from annotator.core.presets import StageSpec
from annotator.domain.content.verdict import VERDICT
from annotator.domain.states import ItemState
from annotator.models import Item, Mode, Project, Stage, Unit
from annotator.projects.actions.stages import add_stages
from annotator.work.derivation.actions.changes import follows_from
from annotator.work.derivation.actions.reconcile import reconcile
from annotator.work.queue.actions.assignments import claim
from tests.factories import stage_of
from tests.work.test_counters import CHECKED_EVERY, Crowd, check

pytestmark = pytest.mark.django_db

MADE_FROM = {"rewrite": "correct", "substitute": "correct", "rate-marked": "correct", "choose-best": "substitute"}


class Writers(Crowd):
    """People who label, write of what is labelled, and judge what was written."""

    def __init__(self, seed: int, *, wanted: int, mode: str) -> None:
        super().__init__(seed, wanted=wanted, mode=mode)
        more = [StageSpec(kind, "en", made_from=before, answers_wanted=2) for kind, before in MADE_FROM.items()]
        more += [
            StageSpec("define", "en"),
            StageSpec("validate", "en", made_from="rewrite", answers_wanted=2),
            StageSpec("best-worst-marked", "en", made_from="correct"),
        ]
        add_stages(project=self.project, specs=more, by=None)
        self.stages = [
            stage_of(self.project, "correct", "en"),
            *(stage_of(self.project, one.kind, "en") for one in more),
        ]

    def content(self, stage: Stage) -> dict[str, Any]:
        number = self.random.randrange(3)
        match stage.layer.content_type:
            case "rewrite":
                return {"paraphrase": f"It passes fast {number}", "changed": self.random.choice(["", "It stands"])}
            case "substitute":
                return {"word": f"word{number}", "reason": ""}
            case "definitions":
                return {"correct": f"pass {number}", "adversarial": "", "antonym": ""}
            case "verdict":
                says = self.random.choice(["accept", "reject"])
                reason = "other" if says == "reject" else ""
                return {**VERDICT.empty(), "verdict": says, "reason": reason, "second": "yes"}
            case "best":
                return {"words": [], "none": True}
            case "best-worst":
                return {"best": 0, "worst": 1 + number}
        return super().content(stage)

    def claim(self) -> None:
        for stage in self.stages:
            claim(stage=stage, user=self.random.choice(self.people), count=1, now=self.now)

    ACTS = (
        *[claim] * 8,
        *[Crowd.save] * 16,
        *[Crowd.undo, Crowd.decide, Crowd.fix, Crowd.restore] * 2,
        Crowd.accept,
        Crowd.hand_back,
        Crowd.reopen,
        Crowd.set_aside,
    )


def check_in_line(project: Project) -> None:
    """Reconciling everything once more makes nothing and restores nothing. What stayed for the sake of gold or of an
    answer may go, once these are gone; doing it a third time changes nothing at all."""
    before = current(project)
    reconcile_all(project)
    now = current(project)
    assert now <= before
    reconcile_all(project)
    assert current(project) == now


def reconcile_all(project: Project) -> None:
    with transaction.atomic():
        for stage in project.stages.select_related("layer", "project", "made_from__layer").order_by("pk"):
            if not stage.adjudicates and rule_of(stage) is not None:
                reconcile(stage, list(follows_from(stage)), by=None)


def current(project: Project) -> set[Any]:
    """The current units, and the items that are in a stage."""
    units = Unit.objects.filter(project=project, is_current=True).values_list("pk")
    items = Item.objects.filter(project=project).exclude(state=ItemState.VOID).values_list("unit", "stage")
    return {*units, *items}


@pytest.mark.parametrize(("wanted", "mode"), [(1, Mode.REVIEW), (2, Mode.BLIND)])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.slow
def test_after_any_sequence_of_acts_what_follows_is_in_line(seed: int, wanted: int, mode: str) -> None:
    crowd = Writers(seed, wanted=wanted, mode=mode)
    done: Tally[str] = Tally()
    for at in range(60):
        act = crowd.random.choice(crowd.ACTS)
        try:
            act(crowd)
            done[act.__name__] += 1
        except ActionError:
            done["refused"] += 1
        if at % CHECKED_EVERY == 0:
            check(crowd.project)
            check_in_line(crowd.project)
    made = Tally(Unit.objects.filter(project=crowd.project).values_list("kind", flat=True))
    assert {"focus", "marked", "marked-expression", "inference-pair"} <= made.keys(), made
