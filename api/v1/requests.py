"""What requests must look like."""

from __future__ import annotations

import math
import re
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from annotator.core.presets import Texts
from annotator.core.starts import STARTS, workflow
from annotator.domain.agreement.plan import RESAMPLES
from annotator.domain.choosing import Chosen
from annotator.domain.states import AssignmentState
from annotator.reports.queries.studies.question import CLUSTERS, MAX_PEOPLE, MAX_RESAMPLES, MAX_SEED, UNITS
from annotator.revisions.set_aside import MAX_REASON
from annotator.work.gold.queries.adjudication import item_ids
from annotator.work.queue.actions.assignments import MAX_CLAIM, NARROWED
from api.v1.shapes import MAX_ID, identifier, item_number

MAX_COMMENT = 5000

MAX_HELD = 100

# Workspaces have some fifty commands; these are the names that scripts give them.
MAX_OWN_KEYS = 100

_COMMAND = re.compile(r"[a-zA-Z]{1,30}")

MAX_PAGE = 200

# Longer than any answer of a person to one item; a day.
MAX_SECONDS = 24 * 60 * 60

# Of a content: how many values it has in all, how deep they lie, and how long a text in it is.
MAX_VALUES = 20_000

MAX_DEPTH = 20

MAX_TEXT = 20_000


def _version(least: int = 1) -> serializers.IntegerField:
    return identifier(least=least)


def _at_hand() -> serializers.IntegerField:
    return identifier(
        required=False,
        default=None,
        help_text="The unit that is answered or decided: it is no evidence for itself.",
    )


def _comment() -> serializers.CharField:
    return serializers.CharField(
        required=False, default="", allow_blank=True, max_length=MAX_COMMENT, trim_whitespace=False
    )


class ContentField(serializers.JSONField):
    """A content of whatever type: a JSON object of a reasonable size that every database can store.

    What it says is checked by the layer's content type, when it is written.
    """

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise serializers.ValidationError(_("The content must be an object."))
        self._left = MAX_VALUES
        self._check(data, "", 0)
        return data

    def _check(self, value: Any, where: str, depth: int) -> None:
        self._left -= 1
        if self._left < 0 or depth > MAX_DEPTH:
            raise serializers.ValidationError(_("The content is too large."))
        if isinstance(value, str):
            if len(value) > MAX_TEXT:
                self._refuse(where, _("This text is too long. The limit is %(most)d characters."), most=MAX_TEXT)
            if "\x00" in value or any("\ud800" <= character <= "\udfff" for character in value):
                self._refuse(where, _("This text has characters that cannot be stored."))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            if not math.isfinite(value) or abs(value) > 2**53:
                self._refuse(where, _("This number is too large."))
        elif isinstance(value, dict):
            for name, part in value.items():
                self._check(name, where, depth + 1)
                self._check(part, f"{where}.{name}" if where else name, depth + 1)
        elif isinstance(value, list):
            for index, part in enumerate(value):
                self._check(part, f"{where}.{index}" if where else str(index), depth + 1)

    def _refuse(self, where: str, message: Any, **numbers: int) -> None:
        text = str(message) % numbers if numbers else str(message)
        raise serializers.ValidationError({where: [text]} if where else text)


class KeysRequest(serializers.Serializer):
    changed = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=30, trim_whitespace=False),
        help_text="The key of each command that was changed, as workspaces name it; empty: no key.",
    )
    singles = serializers.BooleanField(help_text="Whether keys of one sign act.")

    def validate_changed(self, changed: dict[str, str]) -> dict[str, str]:
        """Commands are names of the scripts; there are not many."""
        if len(changed) > MAX_OWN_KEYS or not all(_COMMAND.fullmatch(command) for command in changed):
            raise serializers.ValidationError(_("These are not keys of a workspace."))
        return changed


class ClaimRequest(serializers.Serializer):
    held = serializers.ListField(
        child=item_number(),
        required=False,
        default=list,
        max_length=MAX_HELD,
        help_text="Assignments that the screen holds.",
    )
    count = serializers.IntegerField(required=False, default=1, min_value=1, max_value=MAX_CLAIM)
    only = serializers.ChoiceField(
        choices=["", *NARROWED], required=False, default="", help_text="The filter of the queue."
    )


class SaveRequest(serializers.Serializer):
    version = _version(0)
    content = ContentField()
    doubt = serializers.BooleanField(required=False, default=False)
    comment = _comment()
    done = serializers.BooleanField()
    seconds = serializers.FloatField(
        required=False, default=0.0, min_value=0, max_value=MAX_SECONDS, help_text="The time spent on it."
    )


class UndoRequest(serializers.Serializer):
    version = _version()


class TextRequest(serializers.Serializer):
    """The new wording, over the revision whose unit the address names."""

    text = serializers.CharField(max_length=MAX_TEXT, trim_whitespace=False, allow_blank=True)
    stage = identifier(required=False, default=None, help_text="The stage whose item the answer returns.")


class SetAsideRequest(serializers.Serializer):
    reason = serializers.CharField(max_length=MAX_REASON, help_text="Why it should not be in the corpus.")


class SeenRequest(serializers.Serializer):
    id = identifier()
    version = _version()


class ChosenThereRequest(serializers.Serializer):
    key = serializers.CharField(max_length=MAX_TEXT)
    answer = identifier(allow_null=True, help_text="The answer taken there, by id; null for something else.")


class ChosenRequest(serializers.Serializer):
    """What a decision was chosen from: one of the answers as a whole, or a choice for each of their differences.

    `answers` are those that were seen, all of them. `edited` says that the person also changed what the answers share,
    or that there was nothing to choose from."""

    answers = SeenRequest(many=True)
    all = identifier(required=False, default=None, allow_null=True, help_text="The answer taken as a whole, by id.")
    differences = ChosenThereRequest(many=True, required=False, default=list)
    edited = serializers.BooleanField(required=False, default=False)

    def to_internal_value(self, data: Any) -> Chosen:
        given = super().to_internal_value(data)
        return Chosen(
            answers={one["id"]: one["version"] for one in given["answers"]},
            all=given["all"],
            differences={one["key"]: one["answer"] for one in given["differences"]},
            edited=given["edited"],
        )


class GoldRequest(serializers.Serializer):
    layer = serializers.CharField(max_length=50)
    version = _version(0)
    content = ContentField()
    chosen = ChosenRequest()
    reason = _comment()


class ReopenRequest(serializers.Serializer):
    layer = serializers.CharField(max_length=50)
    version = _version()


class NewProjectRequest(serializers.Serializer):
    name = serializers.CharField(max_length=200)
    slug = serializers.SlugField(max_length=50, required=False, default="", allow_blank=True)
    languages = serializers.ListField(
        child=serializers.CharField(max_length=100),
        min_length=1,
        max_length=50,
        help_text="By tag or name, the one that is labelled first before the others.",
    )
    sources = serializers.ListField(
        child=serializers.CharField(max_length=100),
        required=False,
        default=list,
        max_length=50,
        help_text="The languages whose labels are projected onto the others; default: the first one.",
    )
    start = serializers.ChoiceField(choices=list(STARTS), required=False, default="metaphor-parallel")
    texts = serializers.ChoiceField(choices=[texts.value for texts in Texts], required=False, default=None)
    labels = serializers.ListField(
        child=serializers.CharField(max_length=100), required=False, default=list, max_length=500
    )
    steps = serializers.MultipleChoiceField(choices=list(workflow().words), required=False, default=None)
    sample = serializers.BooleanField(
        required=False, default=False, help_text="Brings a few texts to try it with, as jobs: see the project's jobs."
    )


class SettingsRequest(serializers.Serializer):
    """What is left out stays as it is."""

    name = serializers.CharField(max_length=200, required=False)
    descriptions = serializers.DictField(child=serializers.CharField(max_length=2000, allow_blank=True), required=False)
    dictionaries = serializers.DictField(
        child=serializers.ListField(child=serializers.DictField(child=serializers.CharField(max_length=500))),
        required=False,
        help_text="By language, each with name and url; {lemma} in the url.",
    )
    function_words = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(max_length=100)), required=False
    )
    sources = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(max_length=20), allow_empty=True),
        required=False,
        help_text="By language, the languages whose labels are projected onto it; languages left out do not change.",
    )
    adjudicate_own = serializers.BooleanField(required=False)
    train_every = serializers.IntegerField(required=False)

    def validate_dictionaries(self, value: dict[str, list[dict[str, str]]]) -> dict[str, list[dict[str, str]]]:
        if any(one.keys() != {"name", "url"} for found in value.values() for one in found):
            raise serializers.ValidationError(_("A dictionary must have a name and a url."))
        return value


class CopyRequest(serializers.Serializer):
    name = serializers.CharField(max_length=200)
    slug = serializers.SlugField(max_length=50, required=False, default="", allow_blank=True)
    members = serializers.BooleanField(required=False, default=False)
    texts = serializers.BooleanField(required=False, default=False)


class DeleteRequest(serializers.Serializer):
    name = serializers.CharField(max_length=200, help_text="The name of the project, to confirm it.")


class LabelRowRequest(serializers.Serializer):
    old = serializers.CharField(
        max_length=100, required=False, default="", allow_blank=True, help_text="Empty: a new label."
    )
    code = serializers.CharField(
        max_length=100, required=False, default="", allow_blank=True, help_text="Empty: it is removed."
    )
    name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    key = serializers.CharField(max_length=1, required=False, default="", allow_blank=True)
    colour = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    description = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)
    anchor = serializers.CharField(
        max_length=100,
        required=False,
        default=None,
        allow_blank=True,
        allow_null=True,
        help_text="The heading of the guidelines that explains it, such as label-METAPHOR. Null: as it is.",
    )
    split_from = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    tokenless = serializers.BooleanField(
        required=False,
        default=None,
        allow_null=True,
        help_text="Whether it can label the sentence alone. Null: unchanged.",
    )


class LabelsRequest(serializers.Serializer):
    version = _version()
    labels = LabelRowRequest(many=True)
    apply = serializers.BooleanField(
        required=False, default=False, help_text="False: only what it would do, in numbers."
    )


class ItemsQuery(serializers.Serializer):
    state = serializers.ChoiceField(
        choices=[AssignmentState.OPEN.value, AssignmentState.DONE.value],
        required=False,
        default="",
        allow_blank=True,
    )
    doubt = serializers.BooleanField(
        required=False, default=False, help_text="Only those that the user is not sure about."
    )
    before = identifier(
        least=-MAX_ID,
        required=False,
        default=None,
        help_text="The last ones before this assignment; 0: the last of all.",
    )
    after = item_number(required=False, default=None, help_text="The ones after this assignment.")
    limit = serializers.IntegerField(required=False, default=50, min_value=1, max_value=MAX_PAGE)


class LemmaQuery(serializers.Serializer):
    language = serializers.CharField(max_length=20)
    lemma = serializers.CharField(max_length=200)
    layer = serializers.CharField(
        max_length=50, required=False, default="", allow_blank=True, help_text="Default: the project's labels."
    )
    unit = _at_hand()


class TermsQuery(serializers.Serializer):
    attribute = serializers.CharField(max_length=100)
    unit = _at_hand()


class OpenGoldRequest(serializers.Serializer):
    layer = serializers.CharField(max_length=50)


class MergeTermsRequest(serializers.Serializer):
    attribute = serializers.CharField(max_length=100)
    term = serializers.CharField(max_length=200, help_text="The one that is replaced.")
    into = serializers.CharField(max_length=200)


class AdjudicateQuery(serializers.Serializer):
    limit = serializers.IntegerField(required=False, default=20, min_value=1, max_value=100)
    item = identifier(required=False, default=None, help_text="That one alone, whether it waits or is decided.")
    only = serializers.CharField(
        max_length=2000, required=False, default="", help_text="Ids of items with commas between: of these alone."
    )

    def validate_only(self, value: str) -> list[int]:
        return item_ids(value)


class AgreementQuery(serializers.Serializer):
    a = serializers.CharField(max_length=150, help_text="Username of one annotator.")
    b = serializers.CharField(max_length=150, help_text="Username of the other.")
    layer = serializers.CharField(max_length=50, help_text="tokens, pairs, or a layer's slug.")
    dimension = serializers.CharField(
        max_length=50, required=False, default="", help_text="What to compare; default: the content type's first one."
    )
    language = serializers.CharField(max_length=20, required=False, default="")
    mapping = serializers.CharField(
        max_length=50, required=False, default="", help_text="A mapping of the scheme, under which labels are compared."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["a"] == attrs["b"]:
            raise serializers.ValidationError(_("Agreement needs two different annotators."))
        return attrs


class StudyRequest(serializers.Serializer):
    people = serializers.ListField(
        child=serializers.CharField(max_length=150), max_length=MAX_PEOPLE, help_text="Usernames of the annotators."
    )
    layer = serializers.CharField(max_length=50, help_text="tokens, pairs, or a layer's slug.")
    language = serializers.CharField(max_length=20, required=False, default="")
    dimension = serializers.CharField(
        max_length=50,
        required=False,
        default="",
        help_text="What to compare; default: the content type's first one. outcomes: of reviews of projections.",
    )
    mapping = serializers.CharField(
        max_length=50, required=False, default="", help_text="A mapping of the scheme, under which labels are compared."
    )
    cluster = serializers.ChoiceField(
        CLUSTERS, required=False, default=UNITS, help_text="What is drawn as a whole for intervals."
    )
    seed = serializers.IntegerField(required=False, default=1, min_value=1, max_value=MAX_SEED)
    resamples = serializers.IntegerField(required=False, default=RESAMPLES, min_value=1, max_value=MAX_RESAMPLES)


class SourceChangedQuery(serializers.Serializer):
    after = serializers.IntegerField(
        min_value=0, max_value=10**9, required=False, default=0, help_text="The number of results to skip."
    )
