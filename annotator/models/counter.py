from django.conf import settings
from django.db import models
from django.db.models import Q

from annotator.models.project import Project
from annotator.models.stage import Stage


class Counter(models.Model):
    """How far a stage is: one row per stage and person, and one without a person for bulk writes; summed when read.

    `total`, `done` and `open` are changes of the stage's own numbers that this person's acts brought, so a single
    row may be negative; the sums are the stage's. The rest is the person's own: their answers, open and done, to
    items that are in the stage, and in one that adjudicates their decisions on units that stand. What they did on a
    text that was replaced is none of it, so no number of theirs is above what the stage counts as done.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="counters")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="counters")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="counters")
    total = models.IntegerField(default=0)
    done = models.IntegerField(default=0)
    open = models.IntegerField(default=0)
    own_done = models.IntegerField(default=0)
    own_open = models.IntegerField(default=0)
    blind_done = models.IntegerField(default=0)
    blind_open = models.IntegerField(default=0)
    # Where the person's last search for a free item ended, in the stage's order; for stages with several answers.
    cursor = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "user"], name="counter_once_per_person"),
            models.UniqueConstraint(fields=["stage"], condition=Q(user__isnull=True), name="counter_one_for_bulk"),
        ]

    def __str__(self) -> str:
        return f"{self.stage}, {self.user or 'bulk'}"
