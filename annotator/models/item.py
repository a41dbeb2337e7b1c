from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from annotator.domain.states import ItemState
from annotator.models.corpus_import import Import
from annotator.models.project import Project
from annotator.models.stage import Stage
from annotator.models.unit import Unit


class Item(models.Model):
    """A unit in a stage: its place in each order, the answers wanted, open and done, its state.

    Made when the unit enters the stage, and changed in the transaction that changes what it counts
    (`work/queue/actions/items.py`). In a stage that adjudicates, `free` means that a decision is waited for.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="items")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, db_index=False, related_name="items")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="items")
    imported = models.ForeignKey(Import, null=True, on_delete=models.PROTECT, related_name="items")
    state = models.CharField(max_length=10, default=ItemState.FREE)
    answers_wanted = models.PositiveSmallIntegerField(default=1)
    # In the stage's own mode; blind answers beside a review are extra and counted in `extra_*`.
    answers_open = models.PositiveSmallIntegerField(default=0)
    answers_done = models.PositiveSmallIntegerField(default=0)
    extra_open = models.PositiveSmallIntegerField(default=0)
    extra_done = models.PositiveSmallIntegerField(default=0)
    # One key an order, smallest first. Adjudication: how far the answers agree, in `uncertainty`.
    reading = models.BigIntegerField()
    uncertainty = models.FloatField(default=1.0)
    unlabelled = models.PositiveSmallIntegerField(default=1)
    # What a queue can be filtered by, but that of a blind stage: comments and doubts are of everybody's answers.
    suggested = models.BooleanField(default=False)
    doubtful = models.BooleanField(default=False)
    commented = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "unit"], name="item_once_per_stage"),
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in ItemState]), name="item_state_known"
            ),
            # What keeps two people who ask at the same moment from getting the same answer of an item.
            models.CheckConstraint(
                condition=Q(answers_wanted__gte=F("answers_open") + F("answers_done")), name="item_answers_in_bounds"
            ),
        ]
        indexes = [
            models.Index(fields=["stage", "state", "reading"], name="item_reading"),
            models.Index(fields=["stage", "state", "uncertainty", "reading"], name="item_uncertain"),
            models.Index(fields=["stage", "state", "unlabelled", "reading"], name="item_labelled"),
        ]

    def __str__(self) -> str:
        return f"{self.unit} in {self.stage}"
