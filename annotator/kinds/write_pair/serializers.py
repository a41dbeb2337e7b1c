"""What is sent beside a pair that is written."""

from __future__ import annotations

from rest_framework import serializers

from annotator.domain.content.figurative_pair import LONGEST
from api.v1.shapes import ProgressAnswer, Strings

MAX_PAIRS = 1000


class RemarkAnswer(serializers.Serializer):
    reason = serializers.CharField(help_text="Reason for the rejection, in words; empty for a correction.")
    texts = Strings(help_text="Suggested lines of the pair; empty without a suggestion.")
    comment = serializers.CharField()


class SentBackAnswer(serializers.Serializer):
    lines = Strings()
    comment = serializers.CharField(help_text="The writer's comment at that time.")


class WritePart(serializers.Serializer):
    remarks = RemarkAnswer(many=True, help_text="Remarks of others on the text that was sent back.")
    sent_back = SentBackAnswer(many=True, help_text="Texts that were sent back; an unchanged one needs a new comment.")


class SimilarRequest(serializers.Serializer):
    first = serializers.CharField(max_length=LONGEST, required=False, default="", allow_blank=True)
    second = serializers.CharField(max_length=LONGEST, required=False, default="", allow_blank=True)
    unit = serializers.IntegerField(
        min_value=1,
        required=False,
        default=None,
        help_text="ID of the unit being written on; its own pair is left out.",
    )


class SimilarAnswer(serializers.Serializer):
    similar = serializers.ListField(
        child=Strings(), help_text="Lines of each similar pair by others, the most similar first."
    )
    own = serializers.ListField(child=Strings(), help_text="Lines of the caller's pairs with the same words.")


class TargetRequest(serializers.Serializer):
    target = serializers.IntegerField(
        min_value=0, max_value=MAX_PAIRS, help_text="Number of pairs that each person writes; 0 for no limit."
    )


class TargetAnswer(serializers.Serializer):
    target = serializers.IntegerField()
    progress = ProgressAnswer()
