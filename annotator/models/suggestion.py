from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotator.models.alignment import Alignment
from annotator.models.corpus_import import Import
from annotator.models.job import Job
from annotator.models.layer import Layer
from annotator.models.project import Project
from annotator.models.unit import Unit


class SuggestionKind(models.TextChoices):
    PREDICTION = "prediction"  # a detector's
    PROJECTION = "projection"  # carried over from another language by word alignment
    TRANSFER = "transfer"  # the same content, taken over from another language: silver
    EARLIER_GOLD = "earlier-gold"  # what stayed of gold that was decided on the text before it was fixed
    PROPOSAL = "proposal"  # a person's, to those who have the item (`work/answering/actions/proposals.py`)


class Suggestion(models.Model):
    """What a machine, another language or another person says of a unit in a layer. It is not changed afterwards, only
    superseded."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="suggestions")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="suggestions")
    layer = models.ForeignKey(Layer, on_delete=models.CASCADE, db_index=False, related_name="suggestions")
    kind = models.CharField(max_length=20, choices=SuggestionKind.choices)
    # The language that it comes from; empty for a prediction. Of earlier gold, `source` is the text that it was on.
    source_language = models.CharField(max_length=20, blank=True)
    source = models.ForeignKey(Unit, null=True, on_delete=models.CASCADE, db_index=False, related_name="suggests")
    content = models.JSONField()
    # Who said so: detector or aligner, its revision, its threshold; of a proposal, the person's name.
    name = models.CharField(max_length=200, blank=True)
    revision = models.CharField(max_length=100, blank=True)
    threshold = models.FloatField(null=True)
    # A prediction: one number per token, P(labelled), rounded to four places.
    probabilities = models.JSONField(default=list)
    # A prediction: `mapping`, of the scheme, by which the detector's label is one of the project's, where it is not.
    # A projection: `labels` (gold or annotations), `rules`, `source_spans`, and `outcomes`, for every source span
    # `{"source": span, "outcome": "projected|unaligned|dropped", "reason": "", "target": span or null}`.
    # Earlier gold: `lost`, texts of what could not stay.
    # A proposal: `label`, `words` (tokens) and `remove`, whether the label is to go.
    detail = models.JSONField(default=dict)
    # A projection: how surely its labels were carried over, 0 to 1 (`domain/projection/several_sources.py`).
    score = models.FloatField(null=True)
    # A projection that is current: for each span of `content`, in order, the languages that it comes from, its own
    # first, then those whose current projections have the same span. The one field that follows what others say.
    span_sources = models.JSONField(default=list, blank=True)
    alignment = models.ForeignKey(Alignment, null=True, on_delete=models.CASCADE, related_name="suggestions")
    job = models.ForeignKey(Job, null=True, on_delete=models.PROTECT, related_name="suggestions")
    imported = models.ForeignKey(Import, null=True, on_delete=models.PROTECT, related_name="suggestions")
    # A projection or transfer: whether what stands on its source is something else than what it was made from, or than
    # what stood there when its unit was last reviewed (`work/derivation/actions/sources.py` keeps both in step).
    source_changed = models.BooleanField(default=False)
    # What stood there then, where it was something else: `{"content": it, or null, "tokens": those of the source,
    # "version": of the answer that was saved; 0: gold was decided}`.
    reviewed_from = models.JSONField(null=True)
    is_current = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["unit", "layer", "kind", "source_language"],
                condition=Q(is_current=True),
                name="suggestion_one_current",
            ),
            models.UniqueConstraint(
                fields=["job", "unit", "layer", "kind", "source_language"],
                condition=Q(job__isnull=False),
                name="suggestion_once_per_job",
            ),
            models.CheckConstraint(condition=Q(kind__in=SuggestionKind.values), name="suggestion_kind_known"),
        ]
        indexes = [
            models.Index(fields=["project", "layer", "kind", "is_current"], name="suggestion_current"),
            # Not of the layer alone, as for annotations.
            models.Index(fields=["layer", "kind"], name="suggestion_layer"),
            # Without predictions, which have none: SQLite would take "no source" for one that all of them share.
            models.Index(fields=["source"], condition=Q(source__isnull=False), name="suggestion_source"),
            models.Index(
                fields=["project", "layer", "unit"],
                condition=Q(is_current=True, source_changed=True),
                name="suggestion_source_changed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} on {self.unit}"
