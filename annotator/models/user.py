from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person who signs in. Site admins are `is_superuser`; what one may do in a project is `Membership`."""

    # Django's: the raw password between set_password and save.
    _password: str | None

    # Asked where the site lets chosen people create projects (`permissions.may_create_projects`).
    creates_projects = models.BooleanField(_("may create projects"), default=False)

    class Meta(AbstractUser.Meta):
        pass

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A new password ends the access that the old one gave: sessions by Django, API tokens here."""
        # Signing in by e-mail asks without capitals.
        self.email = self.email.lower()
        new_password = self.pk is not None and self._password is not None
        super().save(*args, **kwargs)
        if new_password:
            from rest_framework.authtoken.models import Token

            Token.objects.filter(user=self).delete()
