"""What is sent beside an expression that is rated, and the words of a scale."""

from __future__ import annotations

from rest_framework import serializers

MOST_POINTS = 9


class MarkedPart(serializers.Serializer):
    marked = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="The tokens of the expression that is rated.",
    )
    expression = serializers.CharField(help_text="Its words, without the punctuation around them.")


class ScaleRequest(serializers.Serializer):
    question = serializers.CharField(max_length=200, allow_blank=True)
    high = serializers.CharField(max_length=50, allow_blank=True)
    low = serializers.CharField(max_length=50, allow_blank=True)
    points = serializers.IntegerField(
        min_value=2, max_value=MOST_POINTS, required=False, help_text="Of ratings: the highest value; the lowest is 1."
    )


class ScaleAnswer(ScaleRequest):
    pass
