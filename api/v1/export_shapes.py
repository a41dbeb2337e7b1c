"""The shapes of exports and releases: what is asked for one, and what is told of it."""

from __future__ import annotations

from rest_framework import serializers

from annotator.domain.labels.label_uses import LabelUse
from annotator.releases.queries.label_export import Whose
from api.v1.shapes import identifier


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


class ReleaseRequest(serializers.Serializer):
    partial = serializers.BooleanField(  # type: ignore[assignment]  # the name is that of a property of serializers
        required=False, default=False, help_text="Release what has gold, and list what is left out."
    )
    comments = serializers.BooleanField(required=False, default=False, help_text="Include people's comments.")
    mapping = serializers.CharField(
        max_length=100, required=False, default="", allow_blank=True, help_text="Of labels in the published layout."
    )
    sample = serializers.BooleanField(required=False, default=False, help_text="Include literal uses.")
    seed = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False, default=1)
    uses = serializers.DictField(
        child=serializers.ChoiceField(choices=[use.value for use in LabelUse]),
        required=False,
        default=dict,
        help_text="By label, what it marks in the sample; default: what the scheme says.",
    )
    splits = serializers.ListField(child=identifier(), required=False, default=list, max_length=100)


class ReleaseAnswer(serializers.Serializer):
    number = serializers.IntegerField()
    job = serializers.IntegerField(source="job_id", allow_null=True)
    partial = serializers.BooleanField(source="manifest.partial", default=False)  # type: ignore[assignment]
    file = serializers.CharField(source="file_name")
    size = serializers.IntegerField(help_text="In bytes.")
    sha256 = serializers.CharField()
    created_at = serializers.DateTimeField()


class ReleasesAnswer(serializers.Serializer):
    releases = ReleaseAnswer(many=True)
