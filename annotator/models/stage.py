from __future__ import annotations

from django.db import models

from annotator.domain.context import Context
from annotator.domain.states import Mode
from annotator.models.layer import Layer
from annotator.models.project import Project


class Stage(models.Model):
    """A step of the workflow: one layer in one language, by one kind of work. Several of one kind may exist."""

    # Decides gold of its layer; the core's own kind. All others live in `annotator/kinds/`.
    ADJUDICATE = "adjudicate"

    class Order(models.TextChoices):
        READING = "reading"
        UNCERTAIN = "uncertain"
        LABELLED = "labelled"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="stages")
    kind = models.CharField(max_length=50)
    layer = models.ForeignKey(Layer, on_delete=models.PROTECT, related_name="stages")
    language = models.CharField(max_length=20)
    title = models.CharField(max_length=200, blank=True)
    position = models.PositiveIntegerField()
    mode = models.CharField(max_length=10, default=Mode.REVIEW)
    # How many people answer an item.
    answers_wanted = models.PositiveSmallIntegerField(default=1)
    order = models.CharField(max_length=20, choices=Order.choices, default=Order.READING)
    # What is shown around a sentence. Blind work never shows more, wherever the person looks
    # (`work/answering/queries/contexts.py`).
    context = models.CharField(max_length=20, default=Context.NEIGHBOURS)
    # The training batch before work: `count` items, `labelled` percent of them with labels, `seed`, and the `threshold`
    # of kappa that lets people in, null where managers do. Empty: there is none.
    training = models.JSONField(default=dict, blank=True)
    # Out of so many items that a person does, they are given one again, without being told; 0: none.
    again = models.PositiveSmallIntegerField(default=0)
    # The stage whose answers become this one's units, where a kind makes units from answers.
    made_from = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="makes")

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(mode__in=[mode.value for mode in Mode]), name="stage_mode_known"),
            models.CheckConstraint(
                condition=models.Q(context__in=[level.value for level in Context]), name="stage_context_known"
            ),
            models.CheckConstraint(condition=models.Q(answers_wanted__gte=1), name="stage_wants_an_answer"),
        ]

    def __str__(self) -> str:
        return self.title or f"{self.kind} ({self.language})"

    @property
    def has_context(self) -> bool:
        """Whether something is shown around what is worked on: where sentences are labelled, or labels decided."""
        return self.layer.content_type == Layer.SPANS

    @property
    def shown_context(self) -> str:
        """What is recorded of an answer that is started here; empty where nothing is ever shown around an item."""
        return str(self.context) if self.has_context else ""

    @property
    def adjudicates(self) -> bool:
        """Whether gold is decided here and nothing is claimed."""
        return self.kind == self.ADJUDICATE
