"""What is sent beside a sentence that is rewritten, or an expression that is defined."""

from __future__ import annotations

from rest_framework import serializers

from annotator.domain.content import REWRITE
from api.v1.shapes import Strings


class PairRemarkAnswer(serializers.Serializer):
    about = serializers.ChoiceField(REWRITE.names, help_text="The text that the remark is about.")
    reason = serializers.CharField(help_text="Reason for the rejection, in words; empty for a correction.")
    texts = Strings(help_text="Suggested wording of both sentences; empty without a suggestion.")
    comment = serializers.CharField()


class RewritePart(serializers.Serializer):
    focus = serializers.ListField(
        child=serializers.IntegerField(), help_text="The tokens of the marked expression, from 0."
    )
    remarks = PairRemarkAnswer(many=True, help_text="Remarks of others on a pair that was sent back.")


class DefinePart(serializers.Serializer):
    examples = Strings(help_text="First sentences in which the expression is marked.")
    more = serializers.IntegerField(help_text="Number of further sentences.")


class BringRequest(serializers.Serializer):
    what = serializers.ChoiceField(["expressions", "pairs"])
    after = serializers.IntegerField(
        min_value=0, default=0, help_text="0 in the first call, then `after` of the previous response."
    )


class NotMadeAnswer(serializers.Serializer):
    reason = serializers.CharField()
    segment = serializers.IntegerField(help_text="ID of the sentence's segment.")
    sentence = serializers.CharField()
    definition = serializers.CharField()


class BringAnswer(serializers.Serializer):
    after = serializers.IntegerField(allow_null=True, help_text="Where the next call continues; null at the end.")
    made = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    refused = serializers.DictField(child=serializers.IntegerField(), help_text="Pairs that were not made, by reason.")
    named = NotMadeAnswer(many=True, help_text="First of the refused pairs, at most 50 per reason.")
