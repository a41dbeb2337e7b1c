"""Word links that a person adds or removes in a projection review; the labels are projected again along them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.errors import ActionError, ConflictError
from annotator.core.events import log
from annotator.domain.labels.spans import spans_from_json
from annotator.domain.projection.carry import project as projected
from annotator.domain.projection.several_sources import projection_score
from annotator.domain.states import Mode
from annotator.domain.verbs import Verb
from annotator.models import Alignment, Annotation, Assignment, Project, Suggestion, SuggestionKind, User
from annotator.models.alignment import EDITED_BY_PERSON
from annotator.work.answering.actions.own_answers import check_can_answer, is_reassigned, own_assignment
from annotator.work.answering.actions.policies import check_not_own
from annotator.work.answering.actions.suggestions import refresh_items, supersede
from annotator.work.blind.queries.blind import blind_units
from annotator.work.derivation.actions.sources import mark_sources, settle_sources

# A link that a person sets is certain.
_CERTAIN = 1.0


@dataclass(frozen=True, slots=True)
class Link:
    """A link between a source token and a target token, and whether to add or remove it."""

    source_token: int
    target_token: int
    linked: bool


@again_on_deadlock
@transaction.atomic
def edit_link(*, project: Project, assignment: int, suggestion: int, link: Link, by: User) -> None:
    """Set or remove a link of the projection that the person reviews, and project its labels again.

    The links are a person's from then on: jobs that align again leave them (`store_projections`). What the machine said
    stays on record. Raises ConflictError when the projection is not current any more, ActionError when the person is
    blind, gold is decided, or there is no such word, NotYoursError for somebody else's assignment.
    """
    row = own_assignment(project, assignment, by)
    check_can_answer(row, by)
    check_not_own(row.unit, by)
    if row.mode != Mode.REVIEW or blind_units(by, project, [row.unit], row.stage.layer):
        raise ActionError(_("You are annotating blind here, so you can't edit links."))
    if is_reassigned(row):
        raise ActionError(_("This item was returned and is now assigned to someone else. The link was not changed."))
    old = _projection(row, suggestion)
    links = _changed(old, link, len(row.unit.tokens))
    if links is None:
        return
    new = _projected_again(project, row, old, links)
    _shown_instead(row, old, new, by)
    for refresh in (mark_sources, settle_sources):
        refresh(row.stage.layer, [row.unit_id])
    refresh_items(project, row.stage.layer, [row.unit_id])
    log(
        project=project,
        actor=by,
        verb=Verb.ALIGNMENT_EDITED,
        subject=row.unit,
        before={"suggestion": old.pk, "linked": not link.linked},
        after={
            "suggestion": new.pk,
            "source": old.source_id,
            "source_token": link.source_token,
            "target_token": link.target_token,
            "linked": link.linked,
        },
    )


def _projection(row: Assignment, suggestion: int) -> Suggestion:
    """The projection onto the assignment's sentence, current and with its links and source. It is held."""
    rows = Suggestion.objects.filter(
        pk=suggestion, unit=row.unit_id, layer=row.stage.layer_id, kind=SuggestionKind.PROJECTION
    )
    found = rows.select_for_update(no_key=True, of=("self",)).select_related("source", "alignment").first()
    if found is None or found.source is None or found.alignment is None:
        raise ActionError(_("There is no such projection on this sentence."))
    if not found.is_current:
        raise ConflictError(
            _("The labels were projected again after you opened this item. Open it again, then edit the links."),
            theirs={},
            mine={},
        )
    if not found.source.is_current:
        # Its links are between words that are not all there any more.
        raise ActionError(
            _("The source text was edited after its labels were projected. Project them again, then edit the links.")
        )
    return found


def _changed(old: Suggestion, link: Link, length: int) -> list[list[Any]] | None:
    """The links after the edit; None where it changes nothing. Raises ActionError for words that are not there."""
    if old.source is None or old.alignment is None:
        raise ValueError(f"Suggestion {old.pk} has no links.")
    if link.source_token >= len(old.source.tokens) or link.target_token >= length:
        raise ActionError(_("There is no such word. Open the item again."))
    place = [link.source_token, link.target_token]
    there: list[list[Any]] = [one for one in old.alignment.links if one[:2] == place]
    if bool(there) == link.linked:
        return None
    rest = [one for one in old.alignment.links if one not in there]
    return sorted([*rest, [*place, _CERTAIN]]) if link.linked else rest


def _projected_again(project: Project, row: Assignment, old: Suggestion, links: list[list[Any]]) -> Suggestion:
    """The projection along these links, in place of the old one."""
    result = projected(
        spans_from_json(old.detail.get("source_spans", [])),
        [(source, target) for source, target, _score in links],
        row.unit.tokens,
        rules=project.rules,
        is_function_word=project.is_function_word(row.unit.language),
        several=project.scheme.several,
    )
    source = old.source
    if source is None:
        raise ValueError(f"Suggestion {old.pk} was carried over from nowhere.")
    supersede([old])
    alignment = Alignment.objects.create(
        project=project, source=source, target=row.unit, aligner=EDITED_BY_PERSON, links=links
    )
    detail = {name: value for name, value in old.detail.items() if name != "second_opinion"}
    outcomes = [outcome.to_json() for outcome in result.outcomes]
    return Suggestion.objects.create(
        project=project,
        unit=row.unit,
        layer=row.stage.layer,
        kind=old.kind,
        source_language=old.source_language,
        source_id=old.source_id,
        alignment=alignment,
        name=EDITED_BY_PERSON,
        content={"spans": [span.to_json() for span in result.spans]},
        detail={**detail, "outcomes": outcomes, "edited_from": old.pk},
        score=projection_score(result.outcomes, [(source, target, score) for source, target, score in links]),
        span_sources=[[old.source_language] for _span in result.spans],
        source_changed=old.source_changed,
        reviewed_from=old.reviewed_from,
    )


def _shown_instead(row: Assignment, old: Suggestion, new: Suggestion, by: User) -> None:
    """The person is shown the new projection where they were shown the old one, and their answer begins from it."""

    def replaced(shown: list[int]) -> list[int]:
        return [new.pk if pk == old.pk else pk for pk in shown]

    row.shown = replaced(row.shown)
    if row.suggestion_id == old.pk:
        row.suggestion = new
    row.save(update_fields=["shown", "suggestion"])
    answer = Annotation.objects.filter(unit=row.unit_id, layer=row.stage.layer_id, user=by).first()
    if answer is None:
        return
    answer.shown = replaced(answer.shown)
    if answer.suggestion_id == old.pk:
        answer.suggestion, answer.suggested = new, new.content
    Annotation.objects.filter(pk=answer.pk).update(
        shown=answer.shown, suggestion=answer.suggestion, suggested=answer.suggested
    )
