"""Site administration: accounts, and a look at what the log and the workers say.

Everything else is written by actions alone, which keep the rules and the log; here it can only be read.
"""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db import models
from django.http import HttpRequest

from annotator.models import Event, Job, Membership, Project, Release, TrainedDetector, User, Worker

admin.site.site_header = admin.site.site_title = "Translatio"
# One page for signing in, with one limit on guessing.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # as allauth's docs say
# Roles are memberships; e-mail addresses stand with the accounts.
admin.site.unregister([Group, EmailAddress])


class ReadOnly(admin.ModelAdmin):
    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(User)
class Accounts(UserAdmin):
    list_display = ["username", "first_name", "last_name", "is_active", "is_superuser", "last_login"]
    list_filter = ["is_active", "is_superuser"]
    filter_horizontal = []
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (None, {"fields": ["first_name", "last_name", "email"]}),
        (None, {"fields": ["is_active", "creates_projects", "restores_projects", "is_staff", "is_superuser"]}),
    ]

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Accounts are switched off: their work, and the last manager of a project, stay."""
        return False


@admin.register(Project)
class Projects(ReadOnly):
    list_display = ["slug", "name", "languages", "created_at"]


@admin.register(Membership)
class Memberships(ReadOnly):
    list_display = ["project", "user", "role"]
    list_filter = ["role"]
    list_select_related = ["project", "user"]


@admin.register(Job)
class Jobs(ReadOnly):
    list_display = ["id", "project", "kind", "state", "done", "total", "created_at"]
    list_filter = ["kind", "state"]
    list_select_related = ["project"]


@admin.register(TrainedDetector)
class TrainedDetectors(ReadOnly):
    list_display = ["spec", "project", "language", "engine", "revision", "f1", "baseline_f1", "active", "created_at"]
    list_filter = ["active"]
    list_select_related = ["project"]


@admin.register(Release)
class Releases(ReadOnly):
    list_display = ["project", "number", "file_name", "size", "created_at"]
    list_select_related = ["project"]


@admin.register(Worker)
class Workers(ReadOnly):
    list_display = ["name", "queues", "started_at", "seen_at"]


@admin.register(Event)
class Events(ReadOnly):
    list_display = ["id", "at", "project", "actor", "verb", "subject_type", "subject_id"]
    list_filter = ["verb"]
    list_select_related = ["project", "actor"]
    show_full_result_count = False
