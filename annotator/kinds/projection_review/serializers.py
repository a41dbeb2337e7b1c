"""The projection review's part of what is sent."""

from __future__ import annotations

from rest_framework import serializers

from annotator.kinds.projection_review.sources import SourceState
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
                "score": {"type": "number", "description": "How surely it was carried over, 0 to 1."},
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
            "required": ["source", "outcome", "reason", "target", "left_out", "score"],
        }
    )


class Targets(Plain):
    """The target of each source span, in the order of the outcomes; null where there is none."""

    schema = array({**SPAN, "nullable": True})


class OtherProjectionAnswer(serializers.Serializer):
    """The projection of the same source spans by another aligner."""

    aligner = serializers.CharField()
    targets = Targets()


class SourceAnswer(serializers.Serializer):
    language = serializers.CharField(source="unit.language")
    unit = serializers.IntegerField(source="unit.pk")
    tokens = Strings(source="unit.tokens")
    spaces = Strings(source="unit.spaces")
    spans = Spans()
    links = Links()
    outcomes = Outcomes()
    suggestion = serializers.IntegerField(allow_null=True, help_text="Null: nothing was projected from it.")
    state = serializers.ChoiceField(
        choices=[(state.value, state.value) for state in SourceState],
        help_text="What stands on it where nothing was projected from it; else `projected`.",
    )
    edited = serializers.BooleanField(help_text="Whether a person edited the links.")
    aligner = serializers.CharField(help_text="Empty where nothing was projected.")
    others = OtherProjectionAnswer(many=True)


class LinkRequest(serializers.Serializer):
    """A link that a person sets or removes, in the projection that they see."""

    suggestion = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    source_token = serializers.IntegerField(min_value=0, max_value=100_000)
    target_token = serializers.IntegerField(min_value=0, max_value=100_000)
    linked = serializers.BooleanField()


class ReviewAdjudicationPart(serializers.Serializer):
    context = ContextAnswer()  # type: ignore[assignment]  # DRF takes fields off the class


class ReviewPart(ReviewAdjudicationPart):
    # The main one; what an answer begins from.
    source = SourceAnswer(allow_null=True)  # type: ignore[assignment]  # DRF takes fields off the class
    sources = SourceAnswer(many=True, help_text="Every source shown, the main one first.")
