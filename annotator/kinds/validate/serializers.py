"""What is sent beside a text that is judged."""

from __future__ import annotations

from rest_framework import serializers

from api.v1.shapes import Strings


class OwnVerdictAnswer(serializers.Serializer):
    verdict = serializers.CharField()
    reason = serializers.CharField()
    texts = Strings(help_text="The lines of a correction.")
    second = serializers.CharField(allow_null=True)
    comment = serializers.CharField()


class JudgedAgainAnswer(serializers.Serializer):
    before = Strings(help_text="The lines of the text that went back.")
    comment = serializers.CharField(help_text="What its writer has said since; empty where they said nothing.")
    own = OwnVerdictAnswer(allow_null=True, help_text="What the caller had said of it, and in which words.")


class ValidatePart(serializers.Serializer):
    again = JudgedAgainAnswer(allow_null=True, help_text="Of a text that had gone back to its writer.")
