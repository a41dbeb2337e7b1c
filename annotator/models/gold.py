from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.models.project import Project
from annotator.models.sentence import Sentence


class GoldSource(models.TextChoices):
    IMPORTED = "imported", _("Imported")
    AGREED = "agreed", _("Agreed")
    ADJUDICATED = "adjudicated", _("Adjudicated")


class Gold(models.Model):
    """The adjudicated labels of a sentence. No spans is a decision too; no row means nobody decided."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="golds")
    sentence = models.OneToOneField(Sentence, on_delete=models.CASCADE, related_name="gold")
    spans = models.JSONField(default=list)
    source = models.CharField(max_length=20, choices=GoldSource.choices)
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="golds")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(source__in=GoldSource.values), name="gold_source_known"),
        ]

    def __str__(self) -> str:
        return f"gold of {self.sentence}"
