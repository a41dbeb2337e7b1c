"""Which expressions follow from labels, and what managers do then."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from annotator.domain.content import Content
from annotator.domain.content.definitions import check_says_something
from annotator.kinds.impli.expressions import add_expressions
from annotator.kinds.impli.gathering import new_definitions
from annotator.kinds.impli.up_to_date import is_outdated, note_sentences
from annotator.models import Stage, Unit


def derive_expressions(stage: Stage, labelled: Sequence[tuple[Unit, Content | None]]) -> None:
    """Add the expressions that are labelled in sentences."""
    marked = add_expressions(stage, labelled)
    note_sentences(stage, [unit for unit, _content in labelled], marked)


def pairs_due(stage: Stage) -> str:
    """Why a manager should make pairs of definitions now, as a sentence; empty where they need not."""
    if new_definitions(stage):
        return gettext("Some finished definitions have not been turned into pairs yet.")
    if is_outdated(stage):
        return gettext(
            "Labels, texts or definitions have changed since pairs were made by rule. Make the pairs again: "
            "until then, releases leave out those that no longer fit."
        )
    return ""


def fit_definitions(unit: Unit, content: Content, done: bool) -> Content:
    """Definitions as they are. Raises ContentError for finished ones that say nothing in the unit's language."""
    if done:
        check_says_something(content, unit.language)
    return content
