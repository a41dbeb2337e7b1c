"""What is sent beside expressions that are rated or compared, and the words of a scale."""

from __future__ import annotations

from rest_framework import serializers

MAX_POINTS = 9


class MarkedPart(serializers.Serializer):
    marked = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Tokens of the marked expression.",
    )
    expression = serializers.CharField(help_text="Its words, without the punctuation around them.")


class TuplePart(MarkedPart):
    tokens = serializers.ListField(child=serializers.CharField(), help_text="Tokens of its sentence.")
    spaces = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        help_text="White space around the tokens; empty for single spaces.",
    )


class MarkedTuple(serializers.Serializer):
    parts = TuplePart(many=True, help_text="The four expressions, in the order of the unit's lines.")


class ScaleRequest(serializers.Serializer):
    question = serializers.CharField(max_length=200, allow_blank=True)
    high = serializers.CharField(max_length=50, allow_blank=True)
    low = serializers.CharField(max_length=50, allow_blank=True)
    points = serializers.IntegerField(
        min_value=2, max_value=MAX_POINTS, required=False, help_text="Highest value of a rating; the lowest is 1."
    )


class ScaleAnswer(ScaleRequest):
    pass
