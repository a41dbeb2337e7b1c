from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.models.assignment import Mode
from annotator.models.pair import Pair
from annotator.models.project import Project


class Tag(models.TextChoices):
    RELEVANT = "relevant", _("Relevant")
    NON_RELEVANT = "non_relevant", _("Non-relevant")
    NO_METAPHOR = "no_metaphor", _("No metaphor")
    DISCARDED = "discarded", _("Discarded")


class TagKind(models.TextChoices):
    PERSON = "person", _("Person")
    SILVER = "silver", _("Silver")
    GOLD = "gold", _("Gold")


class PairTag(models.Model):
    """One person's, or gold's, or silver's interpretation tag on a pair in a language."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="pair_tags")
    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="tags")
    language = models.CharField(max_length=20)
    kind = models.CharField(max_length=10, choices=TagKind.choices)
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.REVIEW)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="pair_tags")
    tag = models.CharField(max_length=20, choices=Tag.choices)
    version = models.PositiveIntegerField(default=1)
    comment = models.TextField(blank=True)
    # Gold: how it came about ("imported", "agreed", "adjudicated", "transferred"); silver: from which language.
    source = models.CharField(max_length=20, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pair", "language", "user"], condition=Q(kind=TagKind.PERSON), name="pair_tag_once_per_person"
            ),
            models.UniqueConstraint(
                fields=["pair", "language", "kind"], condition=~Q(kind=TagKind.PERSON), name="pair_tag_one_gold_silver"
            ),
            models.CheckConstraint(
                condition=~Q(kind=TagKind.PERSON) | Q(user__isnull=False), name="pair_tag_person_has_user"
            ),
            models.CheckConstraint(condition=Q(tag__in=Tag.values), name="pair_tag_known"),
        ]
        indexes = [models.Index(fields=["project", "language", "kind"])]

    def __str__(self) -> str:
        return f"{self.pair} [{self.language}] {self.tag} ({self.kind})"
