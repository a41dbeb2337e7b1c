"""The shapes of comparisons: what is asked for one, and what is told of it."""

from __future__ import annotations

from rest_framework import serializers

from annotator.comparisons.files import FORMATS
from annotator.comparisons.queries.sources import SOURCES
from annotator.models import ComparisonKind

MAX_ROWS = 200


class SideRequest(serializers.Serializer):
    language = serializers.CharField(max_length=20, required=False, help_text="Of a comparison of languages.")
    source = serializers.ChoiceField(  # type: ignore[assignment]  # DRF takes fields off the class
        list(SOURCES), required=False, help_text="Of a comparison of versions."
    )
    at = serializers.DateTimeField(required=False, help_text="time: gold as it was then.")
    number = serializers.IntegerField(
        required=False, min_value=1, max_value=2**31 - 1, help_text="release: its number."
    )
    person = serializers.CharField(required=False, max_length=150, help_text="person: the username of the annotator.")


class ComparisonRequest(serializers.Serializer):
    kind = serializers.ChoiceField(ComparisonKind.values)
    layer = serializers.CharField(max_length=50, help_text="The slug of a layer of labels.")
    left = SideRequest()
    right = SideRequest()


class ComparisonAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    kind = serializers.CharField(help_text="languages or versions")
    layer = serializers.CharField(source="layer.slug")
    params = serializers.DictField(help_text="left and right")
    size = serializers.IntegerField(help_text="Number of rows.")
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField(source="created_by.username", default=None, allow_null=True)


class ComparisonsAnswer(serializers.Serializer):
    comparisons = ComparisonAnswer(many=True)


class ComparisonDetailAnswer(ComparisonAnswer):
    results = serializers.DictField(help_text="Counts by cell, and totals or texts: docs/reference/reports.md.")


class FiltersQuery(serializers.Serializer):
    """Which rows; empty filters let all through."""

    state = serializers.CharField(max_length=20, required=False, default="")
    outcome = serializers.CharField(max_length=20, required=False, default="")
    label = serializers.CharField(  # type: ignore[assignment]  # DRF takes fields off the class
        max_length=200, required=False, default=""
    )
    language = serializers.CharField(max_length=20, required=False, default="")
    dataset = serializers.CharField(max_length=200, required=False, default="")
    lemma = serializers.CharField(max_length=200, required=False, default="")


class FileQuery(FiltersQuery):
    file_format = serializers.ChoiceField(list(FORMATS), required=False, default="csv")


class RowsQuery(FiltersQuery):
    after = serializers.IntegerField(
        min_value=0, max_value=10**9, required=False, default=0, help_text="The number of rows to skip."
    )
    page_size = serializers.IntegerField(min_value=1, max_value=MAX_ROWS, required=False, default=50)


class ComparisonRowAnswer(serializers.Serializer):
    uid = serializers.CharField()
    language = serializers.CharField()
    state = serializers.CharField()
    outcome = serializers.CharField()
    dataset = serializers.CharField()
    left = serializers.DictField(allow_null=True, help_text="label, tokens, words")
    right = serializers.DictField(allow_null=True)
    by = serializers.CharField(help_text="review or alignment: what links both sides")


class RowsAnswer(serializers.Serializer):
    count = serializers.IntegerField()
    next = serializers.IntegerField(allow_null=True, help_text="The `after` of the next page.")
    rows = ComparisonRowAnswer(many=True)
