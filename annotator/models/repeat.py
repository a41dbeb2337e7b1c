from __future__ import annotations

from django.conf import settings
from django.db import models

from annotator.models.assignment import Assignment
from annotator.models.project import Project
from annotator.models.stage import Stage


class Repeat(models.Model):
    """An item that a person is given again, without being told, to see how consistent their answers are. The second
    answer is no annotation, so that it counts nowhere but in the consistency of the person.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="repeats")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, db_index=False, related_name="repeats")
    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="repeat")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="repeats")
    # How many items of the stage the person had done by then.
    after = models.PositiveIntegerField()
    # The content that the person had given when the item came again, and the second answer, as in
    # `work/answering/kept_answers.py`; null: there is none yet.
    first = models.JSONField()
    answer = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["stage", "user", "done_at"], name="repeat_of_person"),
            models.Index(fields=["project", "user"], name="repeat_in_project"),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} again"
