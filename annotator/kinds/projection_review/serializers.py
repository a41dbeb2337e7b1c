"""The projection review's part of what is sent."""

from __future__ import annotations

from rest_framework import serializers

from api.v1.shapes import SPAN, ContextAnswer, Plain, Spans, Strings, array


class Links(Plain):
    """`[source token, target token, score]` each."""

    schema = array(array({"type": "number"}))


class Outcomes(Plain):
    """What became of every source span."""

    schema = array(
        {
            "type": "object",
            "properties": {
                "source": SPAN,
                "outcome": {"type": "string", "description": "projected, unaligned or dropped"},
                "reason": {"type": "string"},
                "target": {**SPAN, "nullable": True},
            },
            "required": ["source", "outcome", "reason", "target"],
        }
    )


class SourceAnswer(serializers.Serializer):
    language = serializers.CharField(source="unit.language")
    unit = serializers.IntegerField(source="unit.pk")
    tokens = Strings(source="unit.tokens")
    spaces = Strings(source="unit.spaces")
    spans = Spans()
    links = Links()
    outcomes = Outcomes()


class ReviewAdjudicationPart(serializers.Serializer):
    context = ContextAnswer()


class ReviewPart(ReviewAdjudicationPart):
    source = SourceAnswer(allow_null=True, help_text="The main one; what an answer begins from.")
    sources = SourceAnswer(many=True, help_text="All that are shown, the main one first.")
