"""The shapes of splits: what is asked for one, and what is told of it."""

from __future__ import annotations

from rest_framework import serializers

from annotator.models import SplitMethod
from annotator.splits.queries.stored import STRATA
from api.v1.shapes import PagedAnswer

_OWN = [SplitMethod.RATIO.value, SplitMethod.FOLDS.value, SplitMethod.LEXICAL.value]


class SplitRequest(serializers.Serializer):
    name = serializers.CharField(max_length=100, help_text="Letters, digits, “.”, “_” and “-”: files are called by it.")
    layer = serializers.CharField(max_length=50, help_text="Its items are split, and its gold is looked at.")
    method = serializers.ChoiceField(choices=_OWN, required=False, default=SplitMethod.RATIO.value)
    parts = serializers.ListField(
        child=serializers.CharField(max_length=50),
        max_length=20,
        required=False,
        default=lambda: ["train", "dev", "test"],
        help_text="In a lexical split, no expression of the last one is in another.",
    )
    shares = serializers.ListField(
        child=serializers.FloatField(min_value=0), max_length=20, required=False, default=lambda: [0.6, 0.2, 0.2]
    )
    strata = serializers.ListField(
        child=serializers.ChoiceField(choices=list(STRATA)),
        max_length=4,
        required=False,
        default=lambda: ["dataset", "role", "label"],
    )
    together = serializers.BooleanField(required=False, default=True, help_text="Keep groups in one part.")
    seed = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False, default=1)


class ImportSplitRequest(serializers.Serializer):
    name = serializers.CharField(max_length=100)
    layer = serializers.CharField(max_length=50)
    files = serializers.ListField(child=serializers.FileField(), min_length=1, max_length=1000)
    partial = serializers.BooleanField(required=False, default=False, help_text="Leave out rows that are not here.")


class SplitAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    layer = serializers.CharField(source="layer.slug")
    method = serializers.CharField(help_text="ratio, folds, lexical or imported")
    parts = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField(source="created_by.username", default=None, allow_null=True)
    sha256 = serializers.CharField()


class SplitsAnswer(PagedAnswer):
    splits = SplitAnswer(many=True)


class SplitDetailAnswer(SplitAnswer):
    params = serializers.DictField(help_text="Seed, shares, strata, and whether groups stay together.")
    size = serializers.IntegerField()
    left_out = serializers.IntegerField(help_text="Items that are in no part.")
    results = serializers.DictField(help_text="Sizes, strata, table and leakage: docs/reference/formats.md, “Splits”.")


class DeletedSplitAnswer(serializers.Serializer):
    id = serializers.IntegerField()
