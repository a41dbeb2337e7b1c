"""The labels kind's part of what is sent."""

from __future__ import annotations

from rest_framework import serializers

from api.v1.shapes import ContextAnswer


class LabelsPart(serializers.Serializer):
    context = ContextAnswer()  # type: ignore[assignment]  # DRF takes fields off the class
