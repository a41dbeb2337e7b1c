from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

# Between the name that a placeholder has in its backup and the project's id. No username of an account has it.
OF_BACKUP = "~"


class User(AbstractUser):
    """A person who signs in. Site admins are `is_superuser`; what one may do in a project is `Membership`."""

    # Django's: the raw password between set_password and save.
    _password: str | None

    # Asked where the site lets chosen people create projects (`permissions.may_create_projects`).
    creates_projects = models.BooleanField(_("may create projects"), default=False)
    # A backup is a stranger's file, so nobody but site admins restores one until this is given.
    restores_projects = models.BooleanField(_("may restore project backups"), default=False)
    # Keys of the workspaces: `{"changed": {command: key}, "singles": whether keys of one sign act}`.
    own_keys = models.JSONField(default=dict, blank=True, editable=False)
    # Stands for somebody whom a project backup names, in the restored project (its id) alone. Nobody signs in with it.
    placeholder_of = models.BigIntegerField(null=True, blank=True, editable=False, db_index=True)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                condition=models.Q(placeholder_of__isnull=True) | models.Q(is_active=False, is_superuser=False),
                name="user_placeholder_is_no_account",
            ),
        ]

    def __str__(self) -> str:
        name = self.get_full_name() or self.backup_name or self.username
        return str(name) if self.placeholder_of is None else gettext("%(name)s (from a backup)") % {"name": name}

    @property
    def backup_name(self) -> str:
        """The username that the backup has for a placeholder; empty for accounts."""
        return "" if self.placeholder_of is None else self.username.rpartition(OF_BACKUP)[0]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A new password ends the access that the old one gave: sessions by Django, API tokens here."""
        # Signing in by email asks without capitals.
        self.email = self.email.lower()
        new_password = self.pk is not None and self._password is not None
        super().save(*args, **kwargs)
        if new_password:
            self.api_tokens.all().delete()
