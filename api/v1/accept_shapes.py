"""What is asked and answered where answers are accepted into gold."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from annotator.domain.merging.rules import RuleName


class AcceptRequest(serializers.Serializer):
    without_overlap = serializers.BooleanField(
        required=False, default=False, help_text="Accept although a blind sample could still be assigned."
    )
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Only count what would be accepted.")
    rule = serializers.ChoiceField(
        choices=[name.value for name in RuleName],
        required=False,
        default=RuleName.ALL.value,
        help_text="What decides: all agree, at least some do, one person, the only answer, or an estimate.",
    )
    agreeing = serializers.IntegerField(
        min_value=2, max_value=50, required=False, default=2, help_text="How many must agree (at_least)."
    )
    answers = serializers.IntegerField(
        min_value=2, max_value=50, required=False, default=2, help_text="Of at least how many answers (at_least)."
    )
    person = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        allow_null=True,
        default=None,
        help_text="The ID of the person whose answers count (person).",
    )
    limit = serializers.FloatField(
        min_value=0,
        max_value=0.49,
        required=False,
        default=0.05,
        help_text="The highest uncertainty that is accepted (dawid_skene).",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuses a rule about a person that names none."""
        if attrs["rule"] == RuleName.PERSON and attrs["person"] is None:
            raise serializers.ValidationError({"person": _("Choose a person.")})
        return attrs


class AcceptedAnswer(serializers.Serializer):
    accepted = serializers.IntegerField()
    differing = serializers.IntegerField()
    doubtful = serializers.IntegerField()
    own = serializers.IntegerField(help_text="Items made from the caller's own texts; they are left to other people.")
    waiting = serializers.IntegerField()
    uncertain = serializers.IntegerField(help_text="Items whose estimate is too likely to be wrong.")
    other = serializers.IntegerField(help_text="Items that the rule is not about.")
