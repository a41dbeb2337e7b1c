"""The answers of the calls beside the workspaces (theirs: `shapes`)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotator.models import Project
from api.v1.shapes import AnnotationAnswer, Anything, GoldDecision, PagedAnswer, ProgressAnswer, Strings


class ErrorDetail(serializers.Serializer):
    code = serializers.CharField()
    message = serializers.CharField(help_text="A message for the user.")
    fields = serializers.DictField(child=serializers.ListField(child=serializers.CharField()), required=False)
    theirs = serializers.DictField(required=False, help_text="The current state (409).")
    mine = serializers.DictField(required=False, help_text="The state that was sent (409).")


class ErrorAnswer(serializers.Serializer):
    error = ErrorDetail()


class TokenAnswer(serializers.Serializer):
    token = serializers.CharField()


class SettingsAnswer(serializers.Serializer):
    """As `SettingsRequest` takes them."""

    name = serializers.CharField()
    descriptions = Anything()
    dictionaries = Anything()
    function_words = Anything()
    sources = Anything()
    adjudicate_own = serializers.BooleanField()
    train_every = serializers.IntegerField()


class KeysAnswer(serializers.Serializer):
    changed = serializers.DictField(child=serializers.CharField(allow_blank=True))
    singles = serializers.BooleanField()


class ProjectAnswer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    languages = Strings()
    archived = serializers.BooleanField(source="is_archived")


class ProjectsAnswer(PagedAnswer):
    results = ProjectAnswer(many=True)


class DeletedAnswer(serializers.Serializer):
    slug = serializers.CharField(
        help_text="The slug of the project that a job is deleting. Nobody can find it any more."
    )


class LabelsAnswer(serializers.Serializer):
    """What a change of the labels does, in numbers; `applied`: whether it is done, or `job` does it."""

    applied = serializers.BooleanField()
    version = serializers.IntegerField()
    annotations = Anything(source="consequences.annotations", help_text="Labels that change, by label.")
    gold = Anything(source="consequences.gold")
    suggestions = Anything(source="consequences.suggestions")
    gold_reopened = serializers.IntegerField(source="consequences.gold_reopened")
    more = serializers.BooleanField(source="consequences.more", help_text="The actual numbers may be higher.")
    job = serializers.IntegerField(allow_null=True)


class LayerAnswer(serializers.Serializer):
    slug = serializers.CharField()
    content_type = serializers.CharField()
    unit_kind = serializers.CharField()
    version = serializers.IntegerField(source="scheme_version", help_text="The version of the scheme.")
    scheme = Anything(source="scheme_data")


class ProjectStageAnswer(serializers.Serializer):
    """A stage and how far it is."""

    id = serializers.IntegerField(source="stage.pk")
    kind = serializers.CharField(source="stage.kind")
    language = serializers.CharField(source="stage.language")
    layer = serializers.CharField(source="stage.layer.slug")
    content_type = serializers.CharField(source="stage.layer.content_type")
    mode = serializers.CharField(source="stage.mode")
    context = serializers.CharField(
        source="stage.shown_context",
        help_text="What is shown around a sentence; empty if items are shown whole.",
    )
    name = serializers.CharField(source="stage")
    position = serializers.IntegerField(source="stage.position")
    progress = ProgressAnswer()
    source_changed = serializers.IntegerField(
        help_text="Items that were reviewed or decided before their source changed."
    )


class ProjectDetailAnswer(serializers.Serializer):
    slug = serializers.CharField(source="project.slug")
    name = serializers.CharField(source="project.name")
    description = serializers.CharField(source="project.description")
    languages = Strings(source="project.languages")
    sources = serializers.SerializerMethodField(
        help_text="By language, the languages whose labels are projected onto it."
    )
    archived = serializers.BooleanField(source="project.is_archived")
    role = serializers.CharField()
    layers = LayerAnswer(many=True)
    stages = ProjectStageAnswer(many=True)

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}})
    def get_sources(self, shown: dict[str, Any]) -> dict[str, list[str]]:
        project: Project = shown["project"]
        return {language: project.sources_of(language) for language in project.languages}


class SaveAnswer(serializers.Serializer):
    annotation = AnnotationAnswer()
    state = serializers.CharField(help_text="The state of the assignment: open or done.")
    progress = ProgressAnswer()


class OwnItemAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="assignment.pk")
    uid = serializers.CharField()
    state = serializers.CharField(source="assignment.state")
    doubt = serializers.BooleanField(source="assignment.doubtful")
    text = serializers.CharField()
    position = serializers.IntegerField(source="assignment.reading")


class SourceChangedItemAnswer(serializers.Serializer):
    unit = serializers.IntegerField(source="unit.pk")
    uid = serializers.CharField()
    text = serializers.CharField()
    sources = Strings(help_text="The languages whose labels or tags changed.")
    gold = serializers.BooleanField(source="decided", help_text="Whether gold is decided.")
    assignment = serializers.IntegerField(allow_null=True, help_text="The user's answer, to save it again.")
    item = serializers.IntegerField(
        source="decision", allow_null=True, help_text="The item in the adjudication stage, to decide it again."
    )


class SourceChangedItemsAnswer(serializers.Serializer):
    results = SourceChangedItemAnswer(many=True)
    more = serializers.BooleanField(help_text="Whether there are more.")


class OwnItemsAnswer(serializers.Serializer):
    results = OwnItemAnswer(many=True)
    more = serializers.BooleanField(help_text="Whether there are more in that direction.")


class GoldAnswer(serializers.Serializer):
    gold = GoldDecision(allow_null=True)


class ExampleAnswer(serializers.Serializer):
    uid = serializers.CharField()
    tokens = Strings()
    spaces = Strings()
    index = serializers.IntegerField()
    labelled = serializers.BooleanField()


class LemmaAnswer(serializers.Serializer):
    lemma = serializers.CharField()
    labelled = serializers.IntegerField()
    unlabelled = serializers.IntegerField()
    examples = ExampleAnswer(many=True)
    in_all = serializers.IntegerField(
        help_text="How often it occurs in the language, if not all decided places were searched; otherwise 0."
    )


class SpanAgreementAnswer(serializers.Serializer):
    """How many spans both people have, and how many of them go together one to one."""

    first = serializers.IntegerField()
    second = serializers.IntegerField()
    exact = serializers.IntegerField(help_text="Spans with the same words and label.")
    exact_f1 = serializers.FloatField(allow_null=True, help_text="Null if neither has a span.")
    overlapping = serializers.IntegerField(help_text="Spans with the same label and a word in common.")
    overlapping_f1 = serializers.FloatField(allow_null=True)


class KappaRow(serializers.Serializer):
    role = serializers.CharField()
    inference = serializers.CharField()
    kappa = serializers.FloatField(allow_null=True)
    ac1 = serializers.FloatField(allow_null=True, help_text="Gwet's AC1; null if nothing is in common.")
    spans = SpanAgreementAnswer(allow_null=True, help_text="Agreement on spans, if labels on tokens are compared.")
    reason = serializers.CharField(help_text="why kappa is undefined: nothing, or one_label")
    observed = serializers.FloatField(allow_null=True)
    expected = serializers.FloatField(allow_null=True)
    labels = serializers.ListField(child=serializers.CharField())
    table = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    n = serializers.IntegerField()
    specific = serializers.DictField(child=serializers.FloatField(allow_null=True))
    strength = serializers.CharField()
    blind = serializers.IntegerField()
    # How many units both have done, as the layer calls them.
    sentences = serializers.IntegerField(required=False)
    pairs = serializers.IntegerField(required=False)
    units = serializers.IntegerField(required=False)


class TermAnswer(serializers.Serializer):
    term = serializers.CharField(source="text")
    uses = serializers.IntegerField(help_text="Spans of people's answers that have it now.")


class TermsAnswer(serializers.Serializer):
    terms = TermAnswer(many=True)


class AgreementInputsAnswer(serializers.Serializer):
    """Inputs of the comparison. The same answers give the same `sha256`."""

    units = serializers.IntegerField(help_text="The number of items that both have finished.")
    blind = serializers.IntegerField(help_text="The number of them on which neither saw suggestions.")
    last_event = serializers.IntegerField(help_text="The project's newest event before the answers were read.")
    scheme_version = serializers.IntegerField(help_text="The version of the layer's scheme; 0 without a layer.")
    sha256 = serializers.CharField()


class AgreementSinceAnswer(serializers.Serializer):
    answers = serializers.IntegerField(help_text="Answers to items that both have finished.")
    more = serializers.BooleanField(help_text="There are more answers than were counted.")
    scheme = serializers.BooleanField(help_text="The labels of the layer were changed.")


class AgreementAnswer(serializers.Serializer):
    annotators = serializers.ListField(child=serializers.CharField())
    layer = serializers.CharField()
    language = serializers.CharField()
    mapping = serializers.DictField(
        child=serializers.CharField(allow_blank=True), help_text="What labels are treated as; empty: as they are."
    )
    rows = KappaRow(many=True)
    computed_at = serializers.DateTimeField()
    inputs = AgreementInputsAnswer()
    since = AgreementSinceAnswer(
        allow_null=True, help_text="What changed since a stored run; null if it was computed for this answer."
    )


class StoredStudyAnswer(serializers.Serializer):
    """Agreement of several people as it was stored, without its results."""

    id = serializers.IntegerField()
    people = serializers.ListField(child=serializers.CharField(), help_text="Results call them by their place here.")
    layer = serializers.CharField()
    language = serializers.CharField()
    dimension = serializers.CharField()
    mapping = serializers.CharField(allow_blank=True)
    cluster = serializers.CharField(help_text="What is drawn as a whole for intervals: units or documents.")
    seed = serializers.IntegerField()
    resamples = serializers.IntegerField()
    units = serializers.IntegerField(help_text="Items that two of the people or more have finished.")
    scheme_version = serializers.IntegerField()
    sha256 = serializers.CharField(help_text="Of settings and answers: the same ones have the same results.")
    computed_at = serializers.DateTimeField()


class StudiesAnswer(PagedAnswer):
    studies = StoredStudyAnswer(many=True)


class StudyAnswer(StoredStudyAnswer):
    """With its results: coefficients in `rows`, groups of items in `strata`, and what suggestions do in `anchoring`."""

    results = Anything()


class GuidelineProposalAnswer(serializers.Serializer):
    """A sentence that was proposed for the guidelines."""

    id = serializers.IntegerField(source="pk")
    language = serializers.CharField(help_text="Of the guidelines that it is for.")
    text = serializers.CharField()


class JobAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="job.pk")
    kind = serializers.CharField(source="job.kind")
    name = serializers.CharField(source="job.get_kind_display")
    state = serializers.CharField(source="job.state")
    done = serializers.IntegerField(source="job.done")
    total = serializers.IntegerField(source="job.total")
    percent = serializers.IntegerField()
    per_second = serializers.FloatField(allow_null=True)
    seconds_left = serializers.IntegerField(allow_null=True)
    waiting = serializers.CharField(help_text="why nothing happens, or empty")
    error = serializers.CharField(source="job.error_shown")
    params = Anything(source="job.params")
    result = Anything(help_text="what came of it; empty for whoever answers blind, where it counts answers")
    created_at = serializers.DateTimeField(source="job.created_at")
    started_at = serializers.DateTimeField(source="job.started_at", allow_null=True)
    finished_at = serializers.DateTimeField(source="job.finished_at", allow_null=True)


class JobsAnswer(PagedAnswer):
    results = JobAnswer(many=True)


class SetAsideAnswer(serializers.Serializer):
    """A sentence, whatever its language, and why it is set aside."""

    uid = serializers.CharField()
    set_aside = serializers.CharField(source="set_aside_reason", help_text="The reason; empty: it is in the corpus.")
    set_aside_by = serializers.CharField(allow_null=True, help_text="The person who set it aside; null: nobody.")


class MergedTermsAnswer(serializers.Serializer):
    """What a merging of terms changed."""

    annotations = serializers.IntegerField()
    spans = serializers.IntegerField()
    golds = serializers.IntegerField()


class OpenedGoldAnswer(serializers.Serializer):
    stage = serializers.IntegerField(source="stage_id", help_text="In which it can be adjudicated.")
    item = serializers.IntegerField(source="pk")
