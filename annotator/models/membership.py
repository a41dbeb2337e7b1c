from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.models.project import Project


class Role(models.TextChoices):
    """What a member may do; each role includes the ones before it (`permissions.py`)."""

    ANNOTATOR = "annotator", _("Annotator")
    ADJUDICATOR = "adjudicator", _("Adjudicator")
    MANAGER = "manager", _("Manager")


class Membership(models.Model):
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=20, choices=Role.choices, default=Role.ANNOTATOR)
    # In which the person is given work; none: in all of the project's.
    languages = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="membership_once_per_project"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.project}: {self.role}"
