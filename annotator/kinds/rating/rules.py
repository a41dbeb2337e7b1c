"""Which tuples are compared, and why there is nothing to rate or compare yet."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_lazy

from annotator.core.unit_kinds import imported_markings
from annotator.domain.content import BEST_WORST, RATING
from annotator.kinds.rating.tuples import to_come, too_few_expressions
from annotator.models import Layer, Project, Stage
from annotator.work.answering.queries.own import ANYBODYS

LABEL_FIRST = gettext_lazy(
    "Label words first: each labelled expression becomes an item. Words that several people labelled "
    "blind appear here once they are decided."
)


def is_marked(layer: Layer) -> bool:
    """Whether a layer has labels on words, or is on units that came marked."""
    return layer.content_type == Layer.SPANS or layer.unit_kind in imported_markings()


def shown_to_raters(project: Project) -> list[str]:
    """The layers whose content people who rate or compare blind may still see. They may label, too: what they look at
    are the labelled words, or it is not about them. They may write for marked words, and decide on what was written."""
    scales = (RATING.slug, BEST_WORST.slug)
    return [
        layer.slug
        for layer in project.layers.all()
        if layer.content_type == Layer.SPANS or (layer.unit_kind not in ANYBODYS and layer.content_type not in scales)
    ]


def why_no_expressions(stage: Stage) -> str:
    """Why there is no marked expression in a stage, as a sentence."""
    if stage.made_from is not None and stage.made_from.layer.content_type != Layer.SPANS:
        return gettext("Import sentences with a marked word first: each marked word becomes an item.")
    return str(LABEL_FIRST)


def why_no_marked_tuples(stage: Stage) -> str:
    """Why there is no tuple of expressions in a stage, as a sentence; empty where they are made for those who ask."""
    return "" if to_come(stage) else too_few_expressions(stage) or why_no_expressions(stage)
