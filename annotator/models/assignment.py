from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.models.pair import Pair
from annotator.models.project import Project
from annotator.models.sentence import Sentence
from annotator.models.stage import Stage


class Mode(models.TextChoices):
    REVIEW = "review", _("Review")
    BLIND = "blind", _("Blind")


class AssignmentState(models.TextChoices):
    OPEN = "open", _("Open")
    DONE = "done", _("Done")


class Assignment(models.Model):
    """A unit of work for a person in a stage. One sentence or pair has one reviewer per stage; blind work is extra."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="assignments")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="assignments")
    sentence = models.ForeignKey(Sentence, on_delete=models.CASCADE, null=True, related_name="assignments")
    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, null=True, related_name="assignments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments")
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.REVIEW)
    state = models.CharField(max_length=10, choices=AssignmentState.choices, default=AssignmentState.OPEN)
    position = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(sentence__isnull=False, pair__isnull=True) | Q(sentence__isnull=True, pair__isnull=False),
                name="assignment_of_sentence_or_pair",
            ),
            models.UniqueConstraint(fields=["stage", "sentence", "user"], name="assignment_sentence_once_per_person"),
            models.UniqueConstraint(fields=["stage", "pair", "user"], name="assignment_pair_once_per_person"),
            # What keeps two people who ask at the same moment from getting the same sentence.
            models.UniqueConstraint(
                fields=["stage", "sentence"], condition=Q(mode=Mode.REVIEW), name="assignment_one_sentence_reviewer"
            ),
            models.UniqueConstraint(
                fields=["stage", "pair"], condition=Q(mode=Mode.REVIEW), name="assignment_one_pair_reviewer"
            ),
        ]
        indexes = [models.Index(fields=["stage", "user", "state", "position"])]

    def __str__(self) -> str:
        return f"{self.sentence or self.pair} → {self.user} ({self.mode})"
