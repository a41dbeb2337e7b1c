"""What is asked for an export, and what releases are."""

from __future__ import annotations

from rest_framework import serializers

from annotator.releases.queries.label_export import Whose
from api.v1.shapes import Anything, PagedAnswer


class ExportRequest(serializers.Serializer):
    format = serializers.CharField(max_length=50, help_text="jsonl, csv, conllu, …")
    layer = serializers.CharField(
        max_length=50, required=False, default="", allow_blank=True, help_text="Empty: the text alone."
    )
    languages = serializers.ListField(
        child=serializers.CharField(max_length=20),
        max_length=100,
        required=False,
        default=list,
        help_text="Empty: all.",
    )
    whose = serializers.ChoiceField(choices=[one.value for one in Whose], required=False, default=Whose.GOLD.value)
    name = serializers.CharField(
        max_length=200,
        required=False,
        default="",
        allow_blank=True,
        help_text="A person's username, or a model's name; empty: the model that predicted last.",
    )
    undecided = serializers.BooleanField(
        required=False, default=False, help_text="Include sentences without such an answer."
    )


class ReleaseAnswer(serializers.Serializer):
    number = serializers.IntegerField(source="release.number")
    file_name = serializers.CharField(source="release.file_name")
    sha256 = serializers.CharField(source="release.sha256")
    size = serializers.IntegerField(source="release.size", help_text="Bytes.")
    created_at = serializers.DateTimeField(source="release.created_at")
    created_by = serializers.CharField(source="release.created_by", allow_null=True)
    refusal = serializers.CharField(help_text="Why the user cannot download it; empty: they can.")


class ReleasesAnswer(PagedAnswer):
    releases = ReleaseAnswer(many=True)


class ReleaseDetailAnswer(ReleaseAnswer):
    manifest = Anything(help_text="Without the list of what was left out, which its files have.")
