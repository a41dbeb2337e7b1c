"""What is sent beside a sentence that is rewritten, or an expression that is defined."""

from __future__ import annotations

from rest_framework import serializers

from annotator.domain.content import REWRITE
from api.v1.shapes import Strings


class PairRemarkAnswer(serializers.Serializer):
    about = serializers.ChoiceField(REWRITE.names, help_text="Which of the texts it is about.")
    reason = serializers.CharField(help_text="Why it was rejected, in words; empty for a correction.")
    texts = Strings(help_text="Both sentences as somebody suggested them; empty where nobody did.")
    comment = serializers.CharField()


class RewritePart(serializers.Serializer):
    focus = serializers.ListField(
        child=serializers.IntegerField(), help_text="The tokens of the marked expression, from 0."
    )
    remarks = PairRemarkAnswer(many=True, help_text="What others said of a pair that came back.")


class DefinePart(serializers.Serializer):
    examples = Strings(help_text="The first sentences in which the expression is marked.")
    more = serializers.IntegerField(help_text="How many more there are.")


class BringRequest(serializers.Serializer):
    what = serializers.ChoiceField(["expressions", "pairs"])
    after = serializers.IntegerField(
        min_value=0, default=0, help_text="0 to begin with, then what the answer before said."
    )


class NotMadeAnswer(serializers.Serializer):
    reason = serializers.CharField()
    segment = serializers.IntegerField(help_text="Of the sentence.")
    sentence = serializers.CharField()
    definition = serializers.CharField()


class BringAnswer(serializers.Serializer):
    after = serializers.IntegerField(allow_null=True, help_text="Where the next call goes on; null at the end.")
    made = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    refused = serializers.DictField(child=serializers.IntegerField(), help_text="Pairs that were not made, by reason.")
    named = NotMadeAnswer(many=True, help_text="The first of them, at most 50 of each reason.")
