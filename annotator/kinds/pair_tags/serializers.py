"""Pairs as they are sent."""

from __future__ import annotations

from rest_framework import serializers

from api.v1.shapes import ProgressAnswer, Spans, Strings, identifier

MAX_CONFIRMED = 1000


class SideAnswer(serializers.Serializer):
    uid = serializers.CharField(source="segment.uid")
    role = serializers.CharField(source="segment.role")
    tokens = Strings()
    spaces = Strings()
    spans = Spans()
    labels = serializers.CharField(help_text="Whose labels: gold, own, annotation or none.")


class PairAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="pair.pk")
    pair_id = serializers.CharField(source="pair.pair_id")
    inference = serializers.CharField(source="pair.inference", help_text="Its inference label; empty without one.")
    genre = serializers.CharField(source="pair.genre")
    premise = SideAnswer()
    hypothesis = SideAnswer()


class PairAdjudicationPart(serializers.Serializer):
    pair = PairAnswer()


class PairPart(PairAdjudicationPart):
    may_label = serializers.BooleanField(
        help_text="Whether the person can give the pair an inference label, or change the one they gave."
    )
    proposed = serializers.CharField(allow_null=True, help_text="A tag that no labels contradict, or null.")


class InferenceRequest(serializers.Serializer):
    inference = serializers.CharField(
        allow_blank=True, max_length=20, help_text="One of the project's inference labels; empty removes it."
    )
    seen = serializers.CharField(allow_blank=True, max_length=20, help_text="The label that the person saw, or empty.")


class InferenceAnswer(serializers.Serializer):
    inference = serializers.CharField()


class ProposedQuery(serializers.Serializer):
    after = identifier(required=False, default=0, least=0, help_text="`next` of the previous page.")


class ProposedAnswer(serializers.Serializer):
    pairs = PairAnswer(many=True)
    next = serializers.IntegerField(allow_null=True, help_text="`after` of the next page; null at the end.")


class ConfirmRequest(serializers.Serializer):
    pairs = serializers.ListField(child=identifier(), min_length=1, max_length=MAX_CONFIRMED)


class ConfirmedAnswer(serializers.Serializer):
    confirmed = serializers.ListField(child=serializers.IntegerField())
    left_out = serializers.ListField(child=serializers.IntegerField(), help_text="No longer proposed.")
    progress = ProgressAnswer()
