"""What a request for an API token must look like."""

from __future__ import annotations

from rest_framework import serializers

from annotator.accounts.actions import MAX_TOKEN_DAYS
from annotator.models import Scope


class TokenRequest(serializers.Serializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)
    name = serializers.CharField(
        required=False, default="API", max_length=100, help_text="Under which the account page lists it."
    )
    scope = serializers.ChoiceField(
        Scope.choices,
        required=False,
        default=Scope.MANAGE,
        help_text="read: calls that change nothing; annotate: also those of annotators and adjudicators; manage: "
        "everything the user can do.",
    )
    project = serializers.SlugField(
        required=False, default=None, allow_null=True, help_text="The only project it is for; null: all."
    )
    days = serializers.IntegerField(
        required=False,
        default=None,
        allow_null=True,
        min_value=1,
        max_value=MAX_TOKEN_DAYS,
        help_text="After which it expires; null: never.",
    )
