"""What an event of a project backup says was before and after, as far as pages and undos read it; labels on words."""

from __future__ import annotations

from collections.abc import Mapping

from annotator.backup.actions.schema import Values, span_list
from annotator.backup.actions.shapes import Misfit, Shape, inside, keyed, mapped, optional, text, truth, whole
from annotator.backup.actions.shapes import anything as any_value
from annotator.domain.content import SPANS, content_type
from annotator.domain.labels.schemes import SpanError
from annotator.domain.labels.spans import Scheme, check_spans, spans_from_json
from annotator.domain.labels.translations import NAME as TRANSLATIONS
from annotator.domain.labels.translations import check_translations, translations_of, with_translations
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.projection.carry import SourceOutcome
from annotator.domain.states import AnnotationState
from annotator.domain.verbs import Verb

_UNDO_KEYS = {"content": mapped(any_value), "doubt": truth, "comment": text(), "state": text(20)}
_undo = keyed({**_UNDO_KEYS, "undo_event": optional(whole(1))}, {"version": whole()})

# What pages read of an event, by its verb: keys that `before` and `after` must have, with their shapes.
_COUNTS = mapped(keyed({"new": whole(0), "known": whole(0)}))
_EVENTS: Mapping[str, tuple[Mapping[str, Shape], Mapping[str, Shape]]] = {
    Verb.ANNOTATION_RETURNED: (
        {"version": whole(), "state": text(20), "comment": text()}, {"unit": whole(1), "version": whole()},
    ),
    Verb.ANNOTATION_RETURN_UNDONE: ({"version": whole()}, {"unit": whole(1), "undoes": whole(1), "version": whole()}),
    Verb.ANNOTATION_UNDONE: ({}, {"undoes": whole(1)}),
    Verb.ANNOTATION_GIVEN_UP: ({}, {"reason": text()}),
    Verb.ANNOTATION_HANDED_OVER: ({}, {"user": whole(1)}),
    Verb.UNIT_REWORDED: ({"unit": whole(1)}, {}),
    Verb.IMPORT: ({}, {"counts": _COUNTS}),
}  # fmt: skip
# What pages read of any event that has it.
_EVENT_KEYS: Mapping[str, Shape] = {
    "unit": optional(whole(0)),
    "user": optional(whole(0)),
    "undoes": optional(whole(0)),
    "version": whole(),
    "comment": text(),
    "doubt": truth,
    "reason": text(),
    "state": text(20),
    "content": mapped(any_value),
    "counts": mapped(any_value),
    "definitions": whole(0),
}
_side = optional(keyed({}, _EVENT_KEYS, rest=any_value))


def check_sides(row: Values) -> None:
    """Check `before` and `after` of an event. Raises Misfit."""
    act = row["verb"]
    # What it is about may be gone; then no page reads more of it.
    needed = _EVENTS.get(act, ({}, {})) if row["subject_id"] or act == Verb.IMPORT else ({}, {})
    for column, wanted in zip(("before", "after"), needed, strict=True):
        side = row[column]
        inside(column, _side, side)
        if wanted:
            inside(column, keyed(wanted, rest=any_value), side)
    if act.startswith("member."):
        for column in ("before", "after"):
            if row[column]:
                inside(column, keyed({"user": optional(whole(1))}, rest=any_value), row[column])


def is_undo(before: Values) -> bool:
    """Whether an undo of the event could bring this back."""
    try:
        _undo(before)
    except Misfit:
        return False
    return before["state"] in set(AnnotationState)


def check_kept(slug: str, content: Values) -> None:
    """Whether a content of before has the parts that such contents have. Its labels may be gone.

    Raises Misfit."""
    if slug == SPANS.slug:
        given = keyed({"spans": span_list}, may={TRANSLATIONS: any_value})(content)
        try:
            translations_of(given)
        except (SpanError, TypeError) as error:
            raise Misfit(message(_("is not a valid answer")), TRANSLATIONS) from error
        return
    for name, value in content_type(slug).empty().items():
        if value is not None and type(content.get(name)) is not type(value):
            raise Misfit(message(_("is not a valid answer")), name)


def labels_on(content: Values, *, length: int, scheme: Values) -> Values:
    """Labels on tokens, with the scores of machines, which `Spans.check` leaves out."""
    given = keyed({"spans": span_list}, {TRANSLATIONS: any_value})(content)
    rules = Scheme.from_json(scheme)
    checked = check_spans(spans_from_json(given["spans"]), length=length, scheme=rules)
    said = check_translations(given.get(TRANSLATIONS, []), rules, done=False)
    return with_translations({"spans": [span.to_json() for span in checked]}, said)


def check_outcome(outcome: Values) -> None:
    """Check what became of a source span. Raises Misfit."""
    for name in ("source", "target"):
        if outcome.get(name) is not None:
            span_list([outcome[name]])
    try:
        SourceOutcome.from_json(outcome)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise Misfit(message(_("is not a valid answer"))) from None
