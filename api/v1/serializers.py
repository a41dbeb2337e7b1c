"""What requests must look like, and what answers look like (the latter for the schema; see docs/architecture.md)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from annotator.actions.assignments import MAX_CLAIM
from annotator.domain.spans import Span, SpanError
from annotator.models import Tag

MAX_SPANS = 500
MAX_COMMENT = 5000
MAX_HELD = 100
MAX_CONFIRMED = 1000
MAX_ID = 2**63 - 1


# --- requests -------------------------------------------------------------------------------------------------


def _id() -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=MAX_ID)


def _version(least: int = 1) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=least, max_value=MAX_ID)


def _held() -> serializers.ListField:
    return serializers.ListField(
        child=_id(), required=False, default=list, max_length=MAX_HELD, help_text="Assignments the screen holds."
    )


def _comment() -> serializers.CharField:
    return serializers.CharField(
        required=False, default="", allow_blank=True, max_length=MAX_COMMENT, trim_whitespace=False
    )


class SpanSerializer(serializers.Serializer):
    """The label of one unit of meaning; a score sent along is not kept, people have none."""

    tokens = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=100_000), min_length=1, max_length=1000
    )
    label = serializers.CharField(max_length=100)
    attributes = serializers.DictField(child=serializers.CharField(max_length=500), required=False, default=dict)
    score = serializers.FloatField(required=False, allow_null=True, default=None, min_value=0, max_value=1)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            self.to_span(attrs)
        except SpanError as error:
            raise serializers.ValidationError(str(error)) from error
        return attrs

    @staticmethod
    def to_span(data: dict[str, Any]) -> Span:
        return Span(tuple(data["tokens"]), data["label"], data["attributes"])


class SpansMixin(serializers.Serializer):
    spans = serializers.ListField(child=SpanSerializer(), max_length=MAX_SPANS)

    def validated_spans(self) -> list[Span]:
        return [SpanSerializer.to_span(span) for span in self.validated_data["spans"]]


class TokenRequest(serializers.Serializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)


class ClaimRequest(serializers.Serializer):
    held = _held()
    count = serializers.IntegerField(required=False, default=1, min_value=1, max_value=MAX_CLAIM)


class SaveRequest(SpansMixin):
    version = _version()
    doubt = serializers.BooleanField(required=False, default=False)
    comment = _comment()
    done = serializers.BooleanField()
    held = _held()


class UndoRequest(serializers.Serializer):
    version = _version()


class TagRequest(serializers.Serializer):
    version = _version(0)
    tag = serializers.ChoiceField(choices=Tag.choices)
    comment = _comment()
    held = _held()


class ConfirmRequest(serializers.Serializer):
    pairs = serializers.ListField(child=_id(), min_length=1, max_length=MAX_CONFIRMED)


class GoldRequest(SpansMixin):
    version = _version(0)
    reason = _comment()


class PairGoldRequest(serializers.Serializer):
    language = serializers.CharField(max_length=20)
    version = _version(0)
    tag = serializers.ChoiceField(choices=Tag.choices)
    reason = _comment()


class ReopenRequest(serializers.Serializer):
    version = _version()


class ReopenTagRequest(ReopenRequest):
    language = serializers.CharField(max_length=20)


class ItemsQuery(serializers.Serializer):
    state = serializers.ChoiceField(choices=["open", "done"], required=False, default="")


class LemmaQuery(serializers.Serializer):
    language = serializers.CharField(max_length=20)
    lemma = serializers.CharField(max_length=200)


class AdjudicateQuery(serializers.Serializer):
    limit = serializers.IntegerField(required=False, default=20, min_value=1, max_value=100)


class AgreementQuery(serializers.Serializer):
    a = serializers.CharField(max_length=150, help_text="User name of one annotator.")
    b = serializers.CharField(max_length=150, help_text="User name of the other.")
    layer = serializers.ChoiceField(choices=["tokens", "pairs"])
    language = serializers.CharField(max_length=20, required=False, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["a"] == attrs["b"]:
            raise serializers.ValidationError(_("Agreement needs two different annotators."))
        return attrs


# --- answers --------------------------------------------------------------------------------------------------


class ErrorDetail(serializers.Serializer):
    code = serializers.CharField()
    message = serializers.CharField(help_text="A sentence for the person.")
    fields = serializers.DictField(child=serializers.ListField(child=serializers.CharField()), required=False)
    theirs = serializers.DictField(required=False, help_text="What stands (409).")
    mine = serializers.DictField(required=False, help_text="What was sent (409).")


class ErrorAnswer(serializers.Serializer):
    error = ErrorDetail()


class TokenAnswer(serializers.Serializer):
    token = serializers.CharField()


class ProgressAnswer(serializers.Serializer):
    done = serializers.IntegerField()
    open = serializers.IntegerField()
    total = serializers.IntegerField()
    mine = serializers.IntegerField()


class StageAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    language = serializers.CharField()


class ProjectStageAnswer(StageAnswer):
    name = serializers.CharField()
    position = serializers.IntegerField()
    progress = ProgressAnswer()


class ProjectAnswer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    languages = serializers.ListField(child=serializers.CharField())


class SchemeAnswer(serializers.Serializer):
    labels = serializers.ListField(child=serializers.CharField())
    discontinuous = serializers.BooleanField()
    overlaps = serializers.BooleanField()
    attributes = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))


class ProjectDetailAnswer(ProjectAnswer):
    role = serializers.CharField()
    scheme = SchemeAnswer()
    stages = ProjectStageAnswer(many=True)


class SpanAnswer(serializers.Serializer):
    tokens = serializers.ListField(child=serializers.IntegerField())
    label = serializers.CharField()
    attributes = serializers.DictField(child=serializers.CharField())
    score = serializers.FloatField(allow_null=True)


class SentenceAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    uid = serializers.CharField()
    language = serializers.CharField()
    revision = serializers.IntegerField()
    role = serializers.CharField()
    dataset = serializers.CharField()
    genre = serializers.CharField()
    tokens = serializers.ListField(child=serializers.CharField())
    lemmas = serializers.ListField(child=serializers.CharField())
    content = serializers.ListField(child=serializers.BooleanField())


class OriginsAnswer(serializers.Serializer):
    kept = SpanAnswer(many=True)
    added = SpanAnswer(many=True)
    removed = SpanAnswer(many=True)


class AnnotationAnswer(serializers.Serializer):
    version = serializers.IntegerField()
    state = serializers.CharField(help_text="unseen, open or done")
    spans = SpanAnswer(many=True)
    doubt = serializers.BooleanField()
    comment = serializers.CharField()
    updated_at = serializers.DateTimeField(allow_null=True)
    can_undo = serializers.BooleanField()
    origins = OriginsAnswer()


class SuggestionsAnswer(serializers.Serializer):
    kind = serializers.CharField(help_text="prediction or projection")
    name = serializers.CharField()
    revision = serializers.CharField()
    threshold = serializers.FloatField(allow_null=True)
    spans = SpanAnswer(many=True)
    probabilities = serializers.ListField(child=serializers.FloatField())


class NeighbourAnswer(serializers.Serializer):
    uid = serializers.CharField()
    role = serializers.CharField()
    text = serializers.CharField()


class PartnerAnswer(serializers.Serializer):
    role = serializers.CharField()
    inference = serializers.CharField()
    text = serializers.CharField()


class ContextAnswer(serializers.Serializer):
    before = NeighbourAnswer(many=True)
    after = NeighbourAnswer(many=True)
    pair = PartnerAnswer(many=True)


class OutcomeAnswer(serializers.Serializer):
    source = SpanAnswer()
    outcome = serializers.CharField(help_text="projected, unaligned or dropped")
    reason = serializers.CharField()
    target = SpanAnswer(allow_null=True)


class SourceAnswer(serializers.Serializer):
    language = serializers.CharField()
    sentence = serializers.IntegerField()
    tokens = serializers.ListField(child=serializers.CharField())
    spans = SpanAnswer(many=True)
    links = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))
    outcomes = OutcomeAnswer(many=True)


class SideAnswer(serializers.Serializer):
    uid = serializers.CharField()
    role = serializers.CharField()
    tokens = serializers.ListField(child=serializers.CharField())
    spans = SpanAnswer(many=True)
    labels = serializers.CharField(help_text="whose labels: gold, own, annotation or none")


class PairAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    pair_id = serializers.CharField()
    inference = serializers.CharField()
    genre = serializers.CharField()
    premise = SideAnswer()
    hypothesis = SideAnswer()


class OwnTagAnswer(serializers.Serializer):
    tag = serializers.CharField(allow_null=True)
    version = serializers.IntegerField()
    comment = serializers.CharField()
    can_undo = serializers.BooleanField()


class SentenceItem(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="sentence")
    stage = StageAnswer()
    mode = serializers.CharField(help_text="review or blind")
    state = serializers.CharField(help_text="open or done")
    sentence = SentenceAnswer()
    annotation = AnnotationAnswer()
    suggestions = SuggestionsAnswer(allow_null=True)
    context = ContextAnswer()
    source = SourceAnswer(allow_null=True)
    gold = serializers.BooleanField(help_text="whether gold is decided")


class PairItem(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="pair")
    stage = StageAnswer()
    mode = serializers.CharField(help_text="review or blind")
    state = serializers.CharField(help_text="open or done")
    pair = PairAnswer()
    tag = OwnTagAnswer()
    suggested = serializers.CharField(allow_null=True)
    gold = serializers.BooleanField(help_text="whether gold is decided")


class GivenLabelsAnswer(serializers.Serializer):
    annotator = serializers.CharField()
    mode = serializers.CharField()
    spans = SpanAnswer(many=True)
    doubt = serializers.BooleanField()
    comment = serializers.CharField()


class GivenTagAnswer(serializers.Serializer):
    annotator = serializers.CharField()
    mode = serializers.CharField()
    tag = serializers.CharField()
    comment = serializers.CharField()


class GoldAnswer(serializers.Serializer):
    version = serializers.IntegerField()
    spans = SpanAnswer(many=True)
    reason = serializers.CharField()
    source = serializers.CharField()


class PairGoldAnswer(serializers.Serializer):
    version = serializers.IntegerField()
    language = serializers.CharField()
    tag = serializers.CharField()
    reason = serializers.CharField()
    source = serializers.CharField()


class SentenceAdjudication(serializers.Serializer):
    kind = serializers.CharField(help_text="sentence")
    sentence = SentenceAnswer()
    context = ContextAnswer()
    agreement = serializers.FloatField()
    why = serializers.CharField(help_text="differs or doubt")
    annotations = GivenLabelsAnswer(many=True)
    suggestions = SuggestionsAnswer(allow_null=True)
    gold = GoldAnswer(allow_null=True)


class PairAdjudication(serializers.Serializer):
    kind = serializers.CharField(help_text="pair")
    language = serializers.CharField()
    pair = PairAnswer()
    agreement = serializers.FloatField()
    why = serializers.CharField(help_text="differs")
    tags = GivenTagAnswer(many=True)
    suggestions = serializers.CharField(allow_null=True, help_text="the silver tag")
    gold = PairGoldAnswer(allow_null=True)


class OwnItemAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    uid = serializers.CharField()
    state = serializers.CharField()
    doubt = serializers.BooleanField()
    text = serializers.CharField()
    position = serializers.IntegerField()


class ConfirmedAnswer(serializers.Serializer):
    confirmed = serializers.ListField(child=serializers.IntegerField())
    left_out = serializers.ListField(child=serializers.IntegerField(), help_text="No longer proposed.")
    progress = ProgressAnswer()


class ProposedAnswer(serializers.Serializer):
    pairs = PairAnswer(many=True)
    total = serializers.IntegerField(help_text="How many are proposed; the first of them are listed.")


class AcceptedCounts(serializers.Serializer):
    accepted = serializers.IntegerField()
    differing = serializers.IntegerField()
    doubtful = serializers.IntegerField()
    waiting = serializers.IntegerField()


class AcceptedAnswer(serializers.Serializer):
    sentences = AcceptedCounts()
    pairs = AcceptedCounts()


class ExampleAnswer(serializers.Serializer):
    uid = serializers.CharField()
    tokens = serializers.ListField(child=serializers.CharField())
    index = serializers.IntegerField()
    labelled = serializers.BooleanField()


class LemmaAnswer(serializers.Serializer):
    lemma = serializers.CharField()
    labelled = serializers.IntegerField()
    unlabelled = serializers.IntegerField()
    examples = ExampleAnswer(many=True)


class KappaRow(serializers.Serializer):
    role = serializers.CharField()
    inference = serializers.CharField()
    kappa = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(help_text="why kappa is undefined")
    observed = serializers.FloatField(allow_null=True)
    expected = serializers.FloatField(allow_null=True)
    labels = serializers.ListField(child=serializers.CharField())
    table = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    n = serializers.IntegerField()
    specific = serializers.DictField(child=serializers.FloatField(allow_null=True))
    strength = serializers.CharField()
    blind = serializers.IntegerField()
    sentences = serializers.IntegerField(required=False)
    pairs = serializers.IntegerField(required=False)


class AgreementAnswer(serializers.Serializer):
    annotators = serializers.ListField(child=serializers.CharField())
    layer = serializers.CharField()
    language = serializers.CharField()
    rows = KappaRow(many=True)


class JobAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    name = serializers.CharField()
    state = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    percent = serializers.IntegerField()
    per_second = serializers.FloatField(allow_null=True)
    seconds_left = serializers.IntegerField(allow_null=True)
    waiting = serializers.CharField(help_text="why nothing happens, or empty")
    error = serializers.CharField()
    params = serializers.DictField()
    result = serializers.DictField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
