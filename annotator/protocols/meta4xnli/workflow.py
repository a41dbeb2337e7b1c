"""The workflow of labels: the kinds of work that its steps are, and what each step is called."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from annotator.core.presets import ADJUDICATE, Workflow

WORKFLOW = Workflow(
    label="correct",
    review="project-review",
    tag="pair-tag",
    twice="twice",
    words={
        "correct": (
            gettext_lazy("Label"),
            gettext_lazy("A person goes through every sentence. A detector can suggest labels first."),
        ),
        "twice": (
            gettext_lazy("By two people, blind"),
            gettext_lazy("Every sentence is labelled twice, without suggestions, so that agreement can be measured."),
        ),
        "project-review": (
            gettext_lazy("Review projections"),
            gettext_lazy("Labels are projected from the source language. People keep, correct or remove them."),
        ),
        "pair-tag": (
            gettext_lazy("Tag pairs"),
            gettext_lazy("Whether the inference needs the labelled words: relevant, non-relevant, none, discarded."),
        ),
        ADJUDICATE: (
            gettext_lazy("Adjudicate"),
            gettext_lazy("Someone decides where answers differ. Decisions are gold and can be released."),
        ),
    },
)
