"""One person's labels on one sentence: opened with the suggestions, saved in versions, undone by events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.actions.errors import ActionError, ConflictError
from annotator.actions.events import log
from annotator.actions.training import train_when_due
from annotator.domain.spans import Span, SpanError, check_spans
from annotator.models import (
    Annotation,
    AnnotationState,
    Assignment,
    AssignmentState,
    Event,
    Gold,
    Mode,
    Prediction,
    Projection,
    Sentence,
    StageKind,
    User,
)
from annotator.queries.blind import is_blind

OPENED = "annotation.opened"
SAVED = "annotation.saved"
UNDONE = "annotation.undone"


@transaction.atomic
def open_annotation(*, assignment: Assignment, by: User) -> Annotation:
    """The person's annotation on the assignment's sentence; a new one starts from the suggestions.

    In *project-review* these are the spans of the current projection, in *correct* those of the current
    prediction; in blind mode there are none. What was suggested is kept beside the labels.
    Raises ActionError when the assignment is somebody else's, or gold is decided and there is nothing to open.
    """
    if assignment.user_id != by.pk or assignment.sentence is None:
        raise ActionError(_("This sentence is assigned to somebody else."))
    sentence = assignment.sentence
    found = Annotation.objects.filter(sentence=sentence, annotator=by).first()
    if found is not None:
        return found
    _refuse_over_gold(sentence)
    blind = assignment.mode == Mode.BLIND or is_blind(by, sentence.segment)
    prediction, projection = (None, None) if blind else _suggestion(assignment)
    suggestion = projection or prediction
    suggested = list(suggestion.spans) if suggestion is not None else []
    try:
        with transaction.atomic():
            annotation = Annotation.objects.create(
                project_id=assignment.project_id,
                sentence=sentence,
                annotator=by,
                mode=Mode.BLIND if blind else Mode.REVIEW,
                spans=[{**span, "score": None} for span in suggested],
                suggested=suggested,
                prediction=prediction,
                projection=projection,
            )
    except IntegrityError:
        # The same person in another window was first.
        return Annotation.objects.get(sentence=sentence, annotator=by)
    log(project=assignment.project, actor=by, verb=OPENED, subject=annotation, after=content_of(annotation))
    return annotation


def _suggestion(assignment: Assignment) -> tuple[Prediction | None, Projection | None]:
    if assignment.stage.kind == StageKind.PROJECT_REVIEW:
        projections = Projection.objects.filter(target=assignment.sentence, is_current=True).select_related("source")
        languages = assignment.project.languages
        return None, min(projections, key=lambda row: languages.index(row.source.language), default=None)
    return Prediction.objects.filter(sentence=assignment.sentence, is_current=True).first(), None


@transaction.atomic
def save_annotation(
    *,
    annotation: Annotation,
    version: int,
    spans: Iterable[Span],
    doubt: bool,
    comment: str,
    done: bool,
    by: User,
) -> Annotation:
    """Write the person's labels over the version they saw, and set their assignment done or open with it.

    Writing what already stands changes nothing, so a request may be repeated when its answer was lost.
    Raises ConflictError when `version` is no longer the newest, ActionError when the spans break the
    scheme's rules, gold is decided, the text was replaced, or the annotation is somebody else's.
    """
    current = _locked(annotation, by)
    sentence = current.sentence
    try:
        checked = check_spans(spans, length=sentence.token_count, scheme=current.project.scheme)
    except SpanError as error:
        raise ActionError(str(error)) from error
    mine = {
        "spans": [{**span.to_json(), "score": None} for span in checked],
        "doubt": doubt,
        "comment": comment,
        "state": AnnotationState.DONE if done else AnnotationState.OPEN,
    }
    before = content_of(current)
    if {**before, "version": 0} == {**mine, "version": 0}:
        return current
    _write(current, version, mine)
    log(project=current.project, actor=by, verb=SAVED, subject=current, before=before, after=content_of(current))
    if done and before["state"] != AnnotationState.DONE:
        train_when_due(project=current.project, language=sentence.language)
    return current


@transaction.atomic
def undo_annotation(*, annotation: Annotation, version: int, by: User) -> Annotation:
    """Bring back, as a new version, what the last save that still counts had replaced.

    Undoing again goes one further back. Raises ActionError when there is nothing to undo or gold is
    decided, ConflictError when `version` is no longer the newest.
    """
    current = _locked(annotation, by)
    last = _undoable(annotation_events(current))
    if last is None:
        raise ActionError(_("There is nothing to undo on this sentence."))
    before = content_of(current)
    replaced: dict[str, Any] = last.before or {}
    _write(current, version, {key: replaced[key] for key in ("spans", "doubt", "comment", "state")})
    log(
        project=current.project,
        actor=by,
        verb=UNDONE,
        subject=current,
        before=before,
        after={**content_of(current), "undoes": last.pk},
    )
    return current


def content_of(annotation: Annotation) -> dict[str, Any]:
    """What a person wrote, and its version: the two sides of a conflict, before and after of an event."""
    return {
        "version": annotation.version,
        "state": str(annotation.state),
        "spans": annotation.spans,
        "doubt": annotation.doubt,
        "comment": annotation.comment,
    }


def annotation_events(annotation: Annotation) -> QuerySet[Event]:
    """The annotation's writes, oldest first."""
    return Event.objects.filter(subject_type="annotation", subject_id=annotation.pk, verb__in=(SAVED, UNDONE))


def _undoable(events: Iterable[Event]) -> Event | None:
    """The newest save that no undo took back: saves and undos nest like brackets."""
    stack: list[Event] = []
    for event in events:
        if event.verb == SAVED:
            stack.append(event)
        elif stack:
            stack.pop()
    return stack[-1] if stack else None


def _locked(annotation: Annotation, by: User) -> Annotation:
    """The annotation as it stands, its sentence locked against a gold decision at the same moment."""
    if annotation.annotator_id != by.pk:
        raise ActionError(_("These are somebody else's labels; only they can change them."))
    sentence = Sentence.objects.select_for_update(no_key=True).get(pk=annotation.sentence_id)
    _refuse_over_gold(sentence)
    if not sentence.is_current:
        raise ActionError(_("The text of this sentence was replaced; go on with its new revision."))
    current = Annotation.objects.select_related("project", "sentence").get(pk=annotation.pk)
    return current


def _refuse_over_gold(sentence: Sentence) -> None:
    if Gold.objects.filter(sentence=sentence).exists():
        raise ActionError(_("Gold is decided on this sentence; an adjudicator has to reopen it first."))


def _write(annotation: Annotation, version: int, content: dict[str, Any]) -> None:
    now = timezone.now()
    done = content["state"] == AnnotationState.DONE
    done_at = (annotation.done_at or now) if done else None
    written = Annotation.objects.filter(pk=annotation.pk, version=version).update(
        **content, version=F("version") + 1, updated_at=now, done_at=done_at
    )
    if not written:
        raise ConflictError(
            _("This sentence was saved in another window after you opened it; nothing was overwritten."),
            theirs=content_of(annotation),
            mine={**content, "version": version},
        )
    for key, value in content.items():
        setattr(annotation, key, value)
    annotation.version, annotation.updated_at, annotation.done_at = version + 1, now, done_at
    Assignment.objects.filter(sentence_id=annotation.sentence_id, user_id=annotation.annotator_id).update(
        state=AssignmentState.DONE if done else AssignmentState.OPEN, done_at=done_at
    )
