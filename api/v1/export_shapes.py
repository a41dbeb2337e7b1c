"""The shape of what is asked for an export."""

from __future__ import annotations

from rest_framework import serializers

from annotator.releases.queries.label_export import Whose


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
