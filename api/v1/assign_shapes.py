"""What is asked and answered where items are assigned to people, and tables of a project."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from annotator.domain.dealing.deal import Amount, Turns
from annotator.domain.states import Mode
from annotator.work.queue.queries.dealing import STRATA
from api.v1.shapes import Anything, Strings

MAX_SEED = 2**31 - 1
MAX_ITEMS = 1_000_000


class AssignRequest(serializers.Serializer):
    """Who gets how many items, which ones, and how many of them are shared."""

    users = serializers.ListField(
        child=serializers.CharField(max_length=150), min_length=1, max_length=1000, help_text="Usernames of members."
    )
    amount = serializers.ChoiceField(
        [one.value for one in Amount], help_text="What `number` is: items, a percentage, or items of each group."
    )
    number = serializers.IntegerField(required=False, default=0, min_value=0, max_value=MAX_ITEMS)
    seed = serializers.IntegerField(
        required=False,
        default=None,
        allow_null=True,
        min_value=0,
        max_value=MAX_SEED,
        help_text="Of a random sample; null: the first ones in the stage's order.",
    )
    strata = serializers.ListField(
        child=serializers.ChoiceField(sorted(STRATA)),
        required=False,
        default=list,
        max_length=len(STRATA),
        help_text="The groups in a random sample.",
    )
    shared_amount = serializers.ChoiceField(
        [Amount.NUMBER.value, Amount.SHARE.value], required=False, default=Amount.NUMBER.value
    )
    shared = serializers.IntegerField(required=False, default=0, min_value=0, max_value=MAX_ITEMS)
    sharers = serializers.IntegerField(
        required=False, default=2, min_value=2, max_value=50, help_text="How many people get each shared item."
    )
    turns = serializers.ChoiceField([one.value for one in Turns], required=False, default=Turns.IN_TURN.value)
    blind = serializers.BooleanField(required=False, default=False)
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Only count what would be assigned.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuses percentages above 100."""
        for amount, name in (("amount", "number"), ("shared_amount", "shared")):
            if attrs[amount] == Amount.SHARE and attrs[name] > 100:
                raise serializers.ValidationError({name: _("Enter a percentage from 0 to 100.")})
        return attrs


class MoveRequest(serializers.Serializer):
    """Whose not-started items go to whom, the last in order first."""

    user = serializers.CharField(max_length=150)
    mode = serializers.ChoiceField([mode.value for mode in Mode])
    to = serializers.CharField(max_length=150, allow_null=True, help_text="Null: back to the queue.")
    count = serializers.IntegerField(
        required=False, default=None, allow_null=True, min_value=1, max_value=MAX_ITEMS, help_text="Null: all of them."
    )


class LeftOutAnswer(serializers.Serializer):
    """How many items a person cannot have, for each reason."""

    seen = serializers.IntegerField(help_text="They saw suggestions there.")
    own = serializers.IntegerField(help_text="Their own text, or they answer it elsewhere.")
    theirs = serializers.IntegerField(help_text="They have it already.")


class PersonsPartAnswer(serializers.Serializer):
    user = serializers.CharField(source="user.username")
    items = serializers.IntegerField()
    shared = serializers.IntegerField()
    load = serializers.IntegerField(help_text="Open items that they have already.")
    left = LeftOutAnswer()


class PlanAnswer(serializers.Serializer):
    people = PersonsPartAnswer(many=True)
    total = serializers.IntegerField(help_text="All items of the stage.")
    busy = serializers.IntegerField(help_text="Decided, or in others' hands.")
    nobody = serializers.IntegerField(help_text="Items that none of the people can have.")
    given = serializers.IntegerField()
    shared = serializers.IntegerField()


class AssignedAnswer(serializers.Serializer):
    """What an assignment did (`key`, `given`), or with `dry_run` what it would do (`plan`)."""

    key = serializers.UUIDField(allow_null=True, help_text="For the undo.")
    given = serializers.DictField(child=serializers.IntegerField(), help_text="By username, how many items they got.")
    plan = PlanAnswer(allow_null=True)


class UnstartedAnswer(serializers.Serializer):
    user = serializers.CharField(source="user.username")
    mode = serializers.CharField()
    items = serializers.IntegerField()


class AssignableAnswer(serializers.Serializer):
    """Who can be given work of a stage, and who has some that is not started."""

    people = serializers.ListField(child=serializers.CharField(), help_text="Usernames.")
    refusal = serializers.CharField(help_text="Why nothing can be assigned; empty: it can be.")
    blind_refusal = serializers.CharField(help_text="Why nothing can be assigned blind; empty: it can be.")
    unstarted = UnstartedAnswer(many=True)


class UndoneAnswer(serializers.Serializer):
    returned = serializers.IntegerField()
    kept = serializers.IntegerField(help_text="Because someone started them.")


class MovedAnswer(serializers.Serializer):
    moved = serializers.IntegerField()
    refused = serializers.IntegerField(help_text="They stay: the new person cannot have them.")


class NumbersAnswer(serializers.Serializer):
    done = serializers.IntegerField()
    open = serializers.IntegerField()
    doubtful = serializers.IntegerField()
    left = serializers.IntegerField()
    seconds = serializers.FloatField(help_text="Active time on the `timed` items.")
    timed = serializers.IntegerField()
    remaining = serializers.FloatField(allow_null=True, help_text="Active seconds that what is left will take.")


class PersonsNumbersAnswer(NumbersAnswer):
    user = serializers.CharField()


class StageLineAnswer(NumbersAnswer):
    stage = serializers.IntegerField()
    people = PersonsNumbersAnswer(many=True)


class LanguageNumbersAnswer(NumbersAnswer):
    language = serializers.CharField()


class DayAnswer(serializers.Serializer):
    day = serializers.DateField()
    done = serializers.IntegerField(help_text="Answers that were done by then.")


class ProgressTableAnswer(serializers.Serializer):
    """How far people are, by stage, language and person."""

    stages = StageLineAnswer(many=True)
    languages = LanguageNumbersAnswer(many=True)
    people = PersonsNumbersAnswer(many=True)
    days = DayAnswer(many=True)


class ReportAnswer(serializers.Serializer):
    kind = serializers.CharField()
    rows = serializers.ListField(child=Anything(), help_text="As in the file that the page offers.")
    notes = Strings(help_text="What is not counted.")
