"""What is asked and answered where people are given work: assigned items, blind samples, training, texts of people who
left; and tables of a project."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from annotator.domain.dealing.deal import Amount, Turns
from annotator.domain.states import Mode
from annotator.work.answering.actions.repeats import MOST
from annotator.work.answering.actions.training import MAX_ITEMS as MAX_TRAINED
from annotator.work.queue.actions.orphaned_answers import MAX_REASON
from annotator.work.queue.queries.dealing import STRATA
from api.v1.shapes import Anything, Content, Numbers, Plain, Strings, array, identifier

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


class ReturnRequest(serializers.Serializer):
    assignment = identifier(required=False, default=None, allow_null=True, help_text="Null: all that are open.")


class UnassignRequest(serializers.Serializer):
    user = serializers.CharField(max_length=150)
    mode = serializers.ChoiceField([mode.value for mode in Mode], required=False, default=Mode.REVIEW.value)


class ReturnedAnswer(serializers.Serializer):
    returned = serializers.IntegerField()


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


class Texts(Plain):
    schema = array(array({"type": "string"}))


class HandOverRequest(serializers.Serializer):
    to = serializers.CharField(
        max_length=150, help_text="The username of the person who should revise it, one of `writers`."
    )


class GiveUpRequest(serializers.Serializer):
    reason = serializers.CharField(
        max_length=MAX_REASON, help_text="The reason why nobody will revise it; releases list it."
    )


class LeftRemark(serializers.Serializer):
    key = serializers.CharField(help_text="Which of the texts it is about; empty where there is one.")
    reason = serializers.CharField(help_text="In words; empty where a correction was suggested.")
    texts = Strings(help_text="The suggested correction.")
    comment = serializers.CharField()


class LeftTextRow(serializers.Serializer):
    answer = serializers.IntegerField(help_text="Names it in the other calls.")
    writer = serializers.CharField(source="writer.username")
    texts = Texts(help_text="The lines of each text that was sent back.")
    remarks = LeftRemark(many=True)


class LeftTextsAnswer(serializers.Serializer):
    results = LeftTextRow(many=True)
    writers = Strings(help_text="The usernames of the people to whom a text of the stage can be handed over.")


class BlindRequest(serializers.Serializer):
    """Who gets a blind sample, and how it is drawn."""

    users = serializers.ListField(
        child=serializers.CharField(max_length=150), min_length=1, max_length=1000, help_text="Usernames of members."
    )
    count = serializers.IntegerField(
        min_value=1, max_value=100_000, help_text="Items; pairs where sentences of pairs are labelled."
    )
    seed = serializers.IntegerField(
        required=False, default=1, min_value=0, max_value=MAX_SEED, help_text="The same seed gives the same sample."
    )
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Only count what it can be drawn from.")


class BlindPersonAnswer(serializers.Serializer):
    """What somebody was given of a sample, and what was left out."""

    user = serializers.CharField(source="user.username")
    pairs = serializers.IntegerField()
    sentences = serializers.IntegerField()
    items = serializers.IntegerField(help_text="Of a stage that labels neither pairs nor their sentences.")
    already = serializers.IntegerField(help_text="Assigned before.")
    seen = serializers.IntegerField(help_text="Left out: already seen with suggestions.")
    own = serializers.IntegerField(help_text="Left out: written by them, or with labels that they mark blind.")
    decided = serializers.IntegerField(help_text="Left out: already decided, or in the next stage.")


class PoolAnswer(serializers.Serializer):
    """What a sample can be drawn from, and why not from the rest."""

    total = serializers.IntegerField()
    free = serializers.IntegerField(help_text="All of the people can have them.")
    given = serializers.IntegerField(help_text="Of these, already assigned to all of them.")
    decided = serializers.IntegerField()
    seen = serializers.IntegerField()
    own = serializers.IntegerField()


class BlindAnswer(serializers.Serializer):
    """What people were given, or with `dry_run` what the sample can be drawn from (`pool`)."""

    people = BlindPersonAnswer(many=True)
    pool = PoolAnswer(allow_null=True)


class TransferRequest(serializers.Serializer):
    source = serializers.CharField(  # type: ignore[assignment]  # DRF takes fields off the class
        max_length=20, help_text="The language whose tags are carried over."
    )
    target = serializers.CharField(max_length=20)


class TransferAnswer(serializers.Serializer):
    created = serializers.IntegerField()
    updated = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    reviewed = serializers.IntegerField(help_text="Already tagged in the target language.")
    untagged = serializers.IntegerField(help_text="Without a tag in the source language.")
    without_text = serializers.IntegerField(help_text="Without text in the target language.")


# As a stage is that does not train people.
NO_TRAINING = {"count": 0, "labelled": 50, "seed": 1, "threshold": None}


class TrainingSettingsRequest(serializers.Serializer):
    count = serializers.IntegerField(min_value=0, max_value=MAX_TRAINED, help_text="Items per batch; 0: no training.")
    labelled = serializers.IntegerField(
        required=False, default=50, min_value=0, max_value=100, help_text="Percentage with labels in gold."
    )
    seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=MAX_SEED)
    threshold = serializers.FloatField(
        required=False,
        default=None,
        allow_null=True,
        min_value=0,
        max_value=1,
        help_text="The kappa that lets people in; null: a manager lets people in.",
    )
    again = serializers.IntegerField(
        required=False,
        default=0,
        min_value=0,
        max_value=MOST,
        help_text="Out of how many items people are given one again, without being told; 0: none.",
    )


class TrainingSettingsAnswer(serializers.Serializer):
    count = serializers.IntegerField(help_text="Items per batch; 0: no training.")
    labelled = serializers.IntegerField(help_text="Percentage with labels in gold.")
    seed = serializers.IntegerField()
    threshold = serializers.FloatField(allow_null=True, help_text="Null: a manager lets people in.")
    again = serializers.IntegerField(help_text="Out of how many items people are given one again; 0: none.")


class LastTryAnswer(serializers.Serializer):
    number = serializers.IntegerField()
    done_at = serializers.DateTimeField(allow_null=True, help_text="Null: it is open.")
    score = serializers.FloatField(allow_null=True, help_text="Kappa against gold; null where it is undefined.")


class TraineeAnswer(serializers.Serializer):
    user = serializers.CharField(help_text="Username.")
    let_in = serializers.BooleanField()
    last = LastTryAnswer(allow_null=True, help_text="Null: no batch yet.")


class TraineesAnswer(serializers.Serializer):
    people = TraineeAnswer(many=True, help_text="Nobody where the stage has no training.")


class LetInRequest(serializers.Serializer):
    user = serializers.CharField(max_length=150, help_text="A username of `people`.")
    let_in = serializers.BooleanField(help_text="False: they are given no more work, and keep what they have.")


class OwnBatchAnswer(LastTryAnswer):
    id = serializers.IntegerField(help_text="For the calls below `training/{id}/`.")
    created_at = serializers.DateTimeField()
    done = serializers.IntegerField(help_text="Answered items.")
    total = serializers.IntegerField()
    let_in = serializers.BooleanField()


class ComparedAnswer(serializers.Serializer):
    unit = serializers.IntegerField(source="unit.pk")
    text = serializers.CharField(source="unit.text")
    gold = Content()
    answer = Content()
    tokens = Numbers(help_text="Those on which they differ.")
    same = serializers.BooleanField()


class OwnTrainingAnswer(serializers.Serializer):
    needs_training = serializers.BooleanField(help_text="Whether the user cannot work in the stage yet.")
    batch = OwnBatchAnswer(allow_null=True, help_text="The last one; null: none yet.")
    items = ComparedAnswer(many=True, help_text="Of a finished batch.")
