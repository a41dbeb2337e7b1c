"""The projection review's part of what is sent."""

from __future__ import annotations

from rest_framework import serializers

from api.v1.shapes import SPAN, ContextAnswer, Plain, Spans, Strings, array


class Links(Plain):
    """`[source token, target token, score]` each."""

    schema = array(array({"type": "number"}))


class Outcomes(Plain):
    """What happened to each source span."""

    schema = array(
        {
            "type": "object",
            "properties": {
                "source": SPAN,
                "outcome": {"type": "string", "description": "projected, unaligned or dropped"},
                "reason": {"type": "string"},
                "target": {**SPAN, "nullable": True},
                "left_out": array(
                    {
                        "type": "object",
                        "description": "A linked token of the target that is not in the projected span.",
                        "properties": {"token": {"type": "integer"}, "reason": {"type": "string"}},
                        "required": ["token", "reason"],
                    }
                ),
            },
            "required": ["source", "outcome", "reason", "target", "left_out"],
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
    context = ContextAnswer()  # type: ignore[assignment]  # DRF takes fields off the class


class ReviewPart(ReviewAdjudicationPart):
    # The main one; what an answer begins from.
    source = SourceAnswer(allow_null=True)  # type: ignore[assignment]  # DRF takes fields off the class
    sources = SourceAnswer(many=True, help_text="Every source shown, the main one first.")
