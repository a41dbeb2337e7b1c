from __future__ import annotations

from django.conf import settings
from django.db import models

from annotator.models.project import Project
from annotator.models.stage import Stage


class Training(models.Model):
    """A person's try at a training batch of a stage: items whose gold is known. Its answers are not annotations, so
    that they count nowhere.

    A project backup holds none: whoever works there is let in again.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="trainings")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, db_index=False, related_name="trainings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="trainings")
    # Which try of the person; 0 where a manager let them in before any.
    number = models.PositiveIntegerField()
    # In order: `{"unit": id, "gold": content, "answer": null}`; the answer as `actions/training.py` writes it.
    items = models.JSONField(default=list)
    # When the person finished it, and kappa against gold then; null where it is undefined.
    done_at = models.DateTimeField(null=True)
    score = models.FloatField(null=True)
    # Whether the person is given work since then.
    let_in = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["stage", "user", "number"], name="training_once_per_try")]
        indexes = [models.Index(fields=["project", "user"], name="training_of_person")]

    def __str__(self) -> str:
        return f"{self.user}: try {self.number} in {self.stage}"
