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
    before = Strings(help_text="Lines of the text that was sent back.")
    comment = serializers.CharField(help_text="The writer's comment since then; empty without one.")
    own = OwnVerdictAnswer(allow_null=True, help_text="The caller's previous verdict.")


class ValidatePart(serializers.Serializer):
    again = JudgedAgainAnswer(allow_null=True, help_text="Given for a text that was sent back to its writer.")
