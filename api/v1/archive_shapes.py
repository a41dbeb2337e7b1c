"""The shapes of archives: those of a project, and those that are uploaded to restore one."""

from __future__ import annotations

from rest_framework import serializers

from api.v1.answers import JobAnswer
from api.v1.shapes import PagedAnswer


class ArchiveRequest(serializers.Serializer):
    pseudonyms = serializers.BooleanField(
        required=False, default=False, help_text="People are person-1, person-2, … in it."
    )


class ArchiveAnswer(serializers.Serializer):
    """The whole project in one file; `…archives/{id}/file/` is that file."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="file_name")
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    pseudonyms = serializers.BooleanField()
    created_by = serializers.CharField(source="created_by.username", default=None, allow_null=True)
    created_at = serializers.DateTimeField()
    job = serializers.IntegerField(source="job_id")
    missing_releases = serializers.ListField(
        child=serializers.IntegerField(),
        source="job.result.missing_releases",
        default=list,
        help_text="Numbers of the releases whose files were missing.",
    )


class ArchivesAnswer(PagedAnswer):
    """Newest first. `changed`: something happened in the project that is not in the newest one; null without any."""

    archives = ArchiveAnswer(many=True)
    changed = serializers.BooleanField(allow_null=True)


class ArchiveGoneAnswer(serializers.Serializer):
    id = serializers.IntegerField()


class UploadRequest(serializers.Serializer):
    file = serializers.FileField()


class RestoreRequest(serializers.Serializer):
    slug = serializers.SlugField(max_length=50, help_text="The short name of the new project.")


class AccountAnswer(serializers.Serializer):
    """Somebody in a backup: a placeholder in the restored project, until a site admin maps it to an account."""

    username = serializers.CharField()
    name = serializers.CharField()


class HoldsAnswer(serializers.Serializer):
    """What an archive holds."""

    format = serializers.IntegerField()
    name = serializers.CharField()
    slug = serializers.CharField()
    languages = serializers.ListField(child=serializers.CharField())
    sentences = serializers.DictField(child=serializers.IntegerField(), help_text="By language.")
    annotations = serializers.IntegerField()
    golds = serializers.IntegerField()
    releases = serializers.IntegerField()
    changed_at = serializers.CharField(help_text="The time of the last activity, ISO 8601; or empty.")
    archived = serializers.BooleanField()
    left_out = serializers.DictField(
        child=serializers.IntegerField(), help_text="Rows that are not restored, by kind: job, traineddetector."
    )
    missing_releases = serializers.ListField(
        child=serializers.IntegerField(),
        default=list,
        help_text="Numbers of the releases whose files are missing; they are restored without a file.",
    )


class UploadAnswer(serializers.Serializer):
    """An uploaded archive, and what has become of it."""

    key = serializers.UUIDField(source="upload.key")
    name = serializers.CharField(source="upload.name")
    size = serializers.IntegerField(source="upload.size")
    state = serializers.CharField(help_text="waiting (to be started), running, done, or over (failed or discarded)")
    error = serializers.CharField(help_text="The reason why it failed, or empty.")
    holds = HoldsAnswer(source="about")
    people = AccountAnswer(many=True)
    job = JobAnswer(source="progress", allow_null=True)
    project = serializers.CharField(
        source="project.slug", default=None, allow_null=True, help_text="Set once it exists."
    )
