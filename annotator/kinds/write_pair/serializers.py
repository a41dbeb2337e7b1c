"""What is sent beside a pair that is written."""

from __future__ import annotations

from rest_framework import serializers

from annotator.domain.content.figurative_pair import LONGEST
from api.v1.shapes import ProgressAnswer, Strings

MAX_PAIRS = 1000


class RemarkAnswer(serializers.Serializer):
    reason = serializers.CharField(help_text="Why it was rejected, in words; empty for a correction.")
    texts = Strings(help_text="The lines of the pair as somebody suggested them; empty where nobody did.")
    comment = serializers.CharField()


class SentBackAnswer(serializers.Serializer):
    lines = Strings()
    comment = serializers.CharField(help_text="What the writer's comment was.")


class WritePart(serializers.Serializer):
    remarks = RemarkAnswer(many=True, help_text="What others said of the text that came back.")
    sent_back = SentBackAnswer(many=True, help_text="What came back: as it stands there, it needs a new comment.")


class SimilarRequest(serializers.Serializer):
    first = serializers.CharField(max_length=LONGEST, required=False, default="", allow_blank=True)
    second = serializers.CharField(max_length=LONGEST, required=False, default="", allow_blank=True)
    unit = serializers.IntegerField(
        min_value=1,
        required=False,
        default=None,
        help_text="What one writes on; its own pair is left out.",
    )


class SimilarAnswer(serializers.Serializer):
    similar = serializers.ListField(child=Strings(), help_text="Lines of each pair of others, the likest first.")
    own = serializers.ListField(child=Strings(), help_text="Lines of one's own pairs with the same words.")


class TargetRequest(serializers.Serializer):
    target = serializers.IntegerField(
        min_value=0, max_value=MAX_PAIRS, help_text="Pairs each person writes; 0: any number."
    )


class TargetAnswer(serializers.Serializer):
    target = serializers.IntegerField()
    progress = ProgressAnswer()
