"""What answers are made of: serializers that produce what is sent, from rows and the dataclasses of `queries/`.

The schema is made from them, so it cannot say anything else than what is sent (tests/api/test_schema.py). Lists of
numbers, tokens and spans are sent as they are stored; their schema stands beside them.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

MAX_ID = 2**63 - 1

Json = dict[str, Any]


def array(items: Json) -> Json:
    """The schema of a list."""
    return {"type": "array", "items": items}


SPAN: Json = {
    "type": "object",
    "properties": {
        "tokens": array({"type": "integer"}),
        "label": {"type": "string"},
        "attributes": {"type": "object", "additionalProperties": {"type": "string"}},
        "score": {"type": "number", "nullable": True, "description": "A machine's probability; null for people's."},
    },
    "required": ["tokens", "label", "attributes", "score"],
}


class Plain(serializers.Field):
    """A value that is sent as it is stored. Subclasses say in `schema` what it looks like."""

    schema: Json = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        extend_schema_field(cls.schema)(cls)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        return value


class Strings(Plain):
    schema = array({"type": "string"})


class SpanSources(Plain):
    schema = array(array({"type": "string"}))


class Booleans(Plain):
    schema = array({"type": "boolean"})


class Numbers(Plain):
    schema = array({"type": "number"})


class Spans(Plain):
    schema = array(SPAN)


class Anything(Plain):
    schema = {"type": "object", "additionalProperties": {}}


class Content(Plain):
    """Of the layer's content type."""

    schema = {
        "type": "object",
        "additionalProperties": {},
        "description": 'By the content type of the layer: spans `{"spans": [span, …]}`, choice `{"value": "…"}`.',
    }


class Origins(Plain):
    """What of a content was kept from the suggestion, added to it, and removed from it."""

    schema = {
        "type": "object",
        "properties": {name: array({}) for name in ("kept", "added", "removed")},
        "required": ["kept", "added", "removed"],
    }


def identifier(*, least: int = 1, **kwargs: Any) -> serializers.IntegerField:
    """A number that fits a primary key."""
    return serializers.IntegerField(min_value=least, max_value=MAX_ID, **kwargs)


def item_number(**kwargs: Any) -> serializers.IntegerField:
    """The id of an item in a workspace; below zero where the item is given again."""
    return identifier(least=-MAX_ID, validators=[_not_zero], **kwargs)


def _not_zero(value: int) -> None:
    if value == 0:
        raise serializers.ValidationError(_("There is no item 0."))


class PagedAnswer(serializers.Serializer):
    """A page of a list."""

    next = serializers.URLField(allow_null=True, help_text="The address of the next page; null: there is none.")


class ProgressAnswer(serializers.Serializer):
    """How far a stage is, blind answers included."""

    done = serializers.IntegerField()
    open = serializers.IntegerField(help_text="Started or assigned to someone; not what a page only holds in advance.")
    total = serializers.IntegerField()
    mine = serializers.IntegerField(help_text="Of those that are done.")
    blind = serializers.IntegerField(help_text="The open items that the user has to answer blind.")


class StageAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    language = serializers.CharField()
    layer = serializers.CharField(source="layer.slug")
    content_type = serializers.CharField(source="layer.content_type")


class UnitAnswer(serializers.Serializer):
    """A text to be answered, with what helps to read it; no labels."""

    id = serializers.IntegerField()
    uid = serializers.CharField(
        source="segment.uid",
        help_text="Its ID; another name while the reader is blind there and the ID might reveal something.",
    )
    kind = serializers.CharField()
    language = serializers.CharField()
    revision = serializers.IntegerField()
    role = serializers.CharField(source="segment.role")
    dataset = serializers.CharField(source="segment.dataset")
    genre = serializers.CharField(source="segment.genre")
    tokens = Strings()
    spaces = Strings(help_text="White space before each token and after the last one; empty: single spaces.")
    lemmas = Strings()
    content_words = Booleans()


class AnnotationAnswer(serializers.Serializer):
    version = serializers.IntegerField()
    state = serializers.CharField(help_text="unseen, open or done")
    content = Content()
    doubt = serializers.BooleanField()
    comment = serializers.CharField()
    updated_at = serializers.DateTimeField(allow_null=True)
    can_undo = serializers.BooleanField()
    origins = Origins()


class SuggestionAnswer(serializers.Serializer):
    kind = serializers.CharField(help_text="prediction, projection, transfer, earlier-gold or proposal")
    language = serializers.CharField(source="source_language", help_text="Where it comes from; empty: a prediction.")
    name = serializers.CharField()
    revision = serializers.CharField()
    threshold = serializers.FloatField(allow_null=True)
    content = Content()
    probabilities = Numbers()
    score = serializers.FloatField(
        allow_null=True, help_text="For a projection: how reliably its labels were carried over, 0 to 1."
    )
    span_sources = SpanSources(
        help_text="For a projection: the languages that each span comes from: its own, then those that agree."
    )


class NeighbourAnswer(serializers.Serializer):
    uid = serializers.CharField(source="segment.uid")
    role = serializers.CharField(source="segment.role")
    text = serializers.CharField()


class PartnerAnswer(serializers.Serializer):
    role = serializers.CharField()
    inference = serializers.CharField()
    text = serializers.CharField()


class ContextAnswer(serializers.Serializer):
    """What stands around a sentence: its group, and the other sides of its pairs."""

    before = NeighbourAnswer(many=True)
    after = NeighbourAnswer(many=True)
    pair = PartnerAnswer(many=True)


class RevisedAnswer(serializers.Serializer):
    """What changed for the person where the text was fixed."""

    before = serializers.CharField(help_text="The text that was replaced.")
    again = serializers.BooleanField(help_text="Whether the person must check their answer again.")
    changed = Numbers(help_text="Tokens that must be decided again; empty if the answer is done.")
    lost = Strings(help_text="The person's labels that could not be carried over.")


class SourceChangeAnswer(serializers.Serializer):
    """A source that changed since labels or tags were carried over from it, or since the answer was last reviewed."""

    language = serializers.CharField()
    decided = serializers.BooleanField(help_text="Whether there is anything now.")
    labels = Strings(help_text="The current content, as a person reads it.")


class LateProposalAnswer(serializers.Serializer):
    """A label that a person suggested after the answer was begun: to be put on words, or taken off them."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(help_text="Who suggested it.")
    label = serializers.CharField(source="detail.label")
    words = Numbers(source="detail.words", help_text="Tokens.")
    remove = serializers.BooleanField(source="detail.remove")


class ItemAnswer(serializers.Serializer):
    """An own assignment as its workspace shows it; the kind of work adds its part."""

    id = serializers.IntegerField(source="shown.assignment.pk", help_text="The ID of the assignment.")
    kind = serializers.CharField(source="shown.stage.kind")
    stage = StageAnswer(source="shown.stage")
    mode = serializers.CharField(source="shown.mode", help_text="review or blind")
    state = serializers.CharField(source="shown.assignment.state", help_text="open, done or returned")
    unit = UnitAnswer(source="shown.unit")
    annotation = AnnotationAnswer(source="shown.answer")
    suggestion = SuggestionAnswer(source="shown.suggestion", allow_null=True)
    gold = serializers.BooleanField(
        source="shown.is_closed", help_text="Whether gold is decided, so that the answer cannot be changed any more."
    )
    revised = RevisedAnswer(source="shown.revised", allow_null=True)
    source_changed = SourceChangeAnswer(
        source="shown.source_changed", many=True, help_text="Sources that changed; empty: none did."
    )
    late_proposals = LateProposalAnswer(source="shown.proposals", many=True)

    def to_representation(self, instance: Any) -> Any:
        data = super().to_representation(instance)
        # An id may tell what the answer is.
        data["unit"]["uid"] = instance["shown"].uid
        return data


class GivenAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    version = serializers.IntegerField()
    annotator = serializers.CharField(source="user")
    mode = serializers.CharField()
    content = Content()
    doubt = serializers.BooleanField()
    comment = serializers.CharField()


class SaidThereAnswer(serializers.Serializer):
    """What some answers say where they differ from others."""

    answers = Numbers(help_text="The IDs of the answers that say it.")
    content = Content(help_text="The part of their content that is about it.")


class DifferenceAnswer(serializers.Serializer):
    """A place where answers differ: a decision names for each of them the answer that it takes."""

    key = serializers.CharField()
    tokens = Numbers(help_text="Its tokens, if it is about tokens.")
    says = SaidThereAnswer(many=True)


class GoldDecision(serializers.Serializer):
    version = serializers.IntegerField()
    layer = serializers.CharField(source="layer.slug")
    content = Content()
    reason = serializers.CharField()
    source = serializers.CharField(help_text="imported, agreed or adjudicated")


class ChosenThereAnswer(serializers.Serializer):
    key = serializers.CharField()
    answer = serializers.IntegerField(allow_null=True)


class ChosenAnswer(serializers.Serializer):
    """What a decision was chosen from, as `ChosenRequest` says it."""

    all = serializers.IntegerField(allow_null=True)
    differences = ChosenThereAnswer(many=True)
    edited = serializers.BooleanField()


class BarredAnswer(serializers.Serializer):
    """How many items wait for somebody else, and why the user cannot decide on them. Each is counted once."""

    blind = serializers.IntegerField(help_text="The user labelled them blind.")
    own = serializers.IntegerField(help_text="The user wrote them.")
    answered = serializers.IntegerField(help_text="The user answered them, and the project bars deciding on that.")
    nobody = serializers.BooleanField(help_text="None remains, and nobody else can decide on any of them.")


class AdjudicationAnswer(serializers.Serializer):
    """A unit that waits for a decision; the kind of work adds its part."""

    id = serializers.IntegerField(source="waiting.item.pk")
    kind = serializers.CharField(source="waiting.kind", help_text="The kind of work whose part it carries.")
    stage = StageAnswer(source="waiting.stage")
    unit = UnitAnswer(source="waiting.unit")
    agreement = serializers.FloatField(source="waiting.agreement")
    why = serializers.CharField(source="waiting.why", help_text="differs, doubt or agreed")
    answers = GivenAnswer(source="waiting.answers", many=True)
    shared = Content(source="waiting.shared", help_text="What all answers share; empty where they differ.")
    differences = DifferenceAnswer(source="waiting.differences", many=True)
    chosen = ChosenAnswer(
        source="waiting.chosen",
        allow_null=True,
        help_text="The answers that the decided gold was chosen from, if known.",
    )
    suggestion = SuggestionAnswer(source="waiting.suggestion", allow_null=True)
    source_changed = SourceChangeAnswer(
        source="waiting.source_changed", many=True, help_text="Sources that changed; empty: none did."
    )
    gold = GoldDecision(source="waiting.gold", allow_null=True, help_text="Of a decided one that was asked for.")
