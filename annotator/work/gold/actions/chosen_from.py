"""What a decision was chosen from: checked against the answers that stand, and kept with the gold and in its event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotator.core.errors import ActionError, translate
from annotator.domain.choosing import ChoiceError, Chosen, check_chosen
from annotator.domain.content import Content, content_type
from annotator.domain.states import AnnotationState
from annotator.models import Annotation, Layer, Unit


def finished(unit: Unit, layer: Layer) -> list[Annotation]:
    """The answers that a decision is chosen from. The unit is held."""
    rows = Annotation.objects.filter(unit=unit, layer=layer, state=AnnotationState.DONE)
    return list(rows.only("user_id", "version", "content").order_by("pk"))


def check_chosen_from(
    layer: Layer, unit: Unit, content: Content, chosen: Chosen | None, answers: Sequence[Annotation]
) -> None:
    """Whether a decision says what it was chosen from, and says what was chosen (`domain.choosing`)."""
    if chosen is None:
        raise ActionError(
            _("The decision does not say which answers it was chosen from. Choose an answer for each difference.")
        )
    if chosen.answers != {row.pk: row.version for row in answers}:
        raise ActionError(_("The answers changed after you opened this item. Open it again, then decide."))
    contents = {row.pk: row.content for row in answers}
    try:
        check_chosen(content_type(layer.content_type), chosen, content, answers=contents, tokens=tuple(unit.tokens))
    except ChoiceError as error:
        raise ActionError(translate(error)) from error


def kept(chosen: Chosen | None, answers: Sequence[Annotation]) -> dict[str, Any] | None:
    """What a decision was chosen from as it is kept: by person, who has one answer to a unit. None without answers."""
    if not answers and chosen is None:
        return None
    users = {row.pk: row.user_id for row in answers}
    record: dict[str, Any] = {"answers": [{"user": row.user_id, "version": row.version} for row in answers]}
    if chosen is None:
        return record
    return {
        **record,
        "all": None if chosen.all is None else {"user": users[chosen.all]},
        "differences": [
            {"key": key, "user": None if one is None else users[one]} for key, one in chosen.differences.items()
        ],
        "edited": chosen.edited,
    }
