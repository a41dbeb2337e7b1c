"""Compare answers with their assignments and with the log: each acknowledged save is stored exactly once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Exists, OuterRef, Q

from annotator.domain.batches import batches
from annotator.domain.states import AnnotationState, AssignmentState
from annotator.domain.verbs import Verb
from annotator.integrity.findings import WHOLE, Finding
from annotator.models import Annotation, Assignment, Event

CHUNK = 1000
# Events of an answer that do not raise its version.
_AS_IT_IS = (Verb.ANNOTATION_RETURNED, Verb.ANNOTATION_RETURN_UNDONE, Verb.ANNOTATION_HANDED_OVER)
_COMPARED = ("content", "state", "doubt", "comment")

Logged = list[tuple[str, str, dict[str, Any]]]


def check_assignments() -> Iterator[Finding]:
    """A done assignment has a finished answer, in the assignment's mode."""
    answers = Annotation.objects.filter(unit=OuterRef("unit"), layer=OuterRef("stage__layer"), user=OuterRef("user"))
    finished = answers.filter(state=AnnotationState.DONE, mode=OuterRef("mode"), done_at__isnull=False)
    rows = Assignment.objects.filter(WHOLE, state=AssignmentState.DONE).exclude(Exists(finished)).order_by("pk")
    for pk, slug in rows.values_list("pk", "project__slug").iterator(chunk_size=CHUNK):
        yield Finding(f"assignment {pk} in {slug}", "is done, but has no finished answer.")
    # On a text that was replaced the answer stays, and the assignment is on the new one.
    held = Assignment.objects.filter(unit=OuterRef("unit"), stage__layer=OuterRef("layer"), user=OuterRef("user"))
    unfinished = held.filter(state=AssignmentState.OPEN)
    done = Annotation.objects.filter(WHOLE, Exists(unfinished), state=AnnotationState.DONE, unit__is_current=True)
    for pk, slug in done.order_by("pk").values_list("pk", "project__slug").iterator(chunk_size=CHUNK):
        yield Finding(f"annotation {pk} in {slug}", "is done, but its assignment is open.")


def check_saves() -> Iterator[Finding]:
    """Each answer equals its newest log entry, and each version was logged once."""
    rows = Annotation.objects.filter(WHOLE).order_by("pk").select_related("project").only(
        *("unit", "layer", "user", "stage", "version", *_COMPARED, "imported", "project__slug")
    )  # fmt: skip
    for answers in batches(rows.iterator(chunk_size=CHUNK), CHUNK):
        logged = _logged(answers)
        for answer in answers:
            problem = _problem(answer, logged.get(answer.pk, []))
            if problem:
                yield Finding(f"annotation {answer.pk} in {answer.project.slug}", problem)


def _logged(answers: list[Annotation]) -> Mapping[int, Logged]:
    """By answer, what events say of it, oldest first. That of its first save is about its assignment."""
    by_key = {(row.unit_id, row.layer_id, row.user_id): row.pk for row in answers}
    held = Assignment.objects.filter(unit__in={row.unit_id for row in answers})
    begun = {
        pk: by_key[unit, layer, user]
        for pk, unit, layer, user in held.values_list("pk", "unit", "stage__layer", "user")
        if (unit, layer, user) in by_key
    }
    first = Q(subject_type="assignment", subject_id__in=begun, verb=Verb.ANNOTATION_SAVED)
    later = Q(subject_type="annotation", subject_id__in=[row.pk for row in answers])
    found: dict[int, Logged] = {}
    events = Event.objects.filter(first | later).order_by("pk")
    for kind, subject, verb, after in events.values_list("subject_type", "subject_id", "verb", "after"):
        if isinstance(after, dict) and "version" in after:
            answer = begun[subject] if kind == "assignment" else subject
            found.setdefault(answer, []).append((kind, verb, after))
    return found


def _problem(answer: Annotation, logged: Logged) -> str:
    """Differences between an answer and its log; empty where there are none."""
    version, says = 0, dict[str, Any]()
    # Imported answers have no event; the event of a first save is not found where its stage was removed.
    begins_later = answer.imported_id is not None or answer.stage_id is None
    for kind, verb, after in logged:
        if kind == "assignment":
            # An assignment, too, tells of answers that an undone import deleted.
            version, says = 0, {}
        goes_on = after["version"] == version + 1 or (
            version == 0 and (begins_later or verb == Verb.ANNOTATION_CARRIED)
        )
        if not (goes_on or (after["version"] == version and verb in _AS_IT_IS)):
            return f"version {after['version']} follows version {version} in the log."
        version = after["version"]
        says |= {name: after[name] for name in _COMPARED if name in after}
    if not logged:
        return "" if answer.version == 1 and begins_later else "the log has no event for it."
    if version != answer.version:
        return f"it has version {answer.version}, but the newest in the log is {version}."
    other = [name for name, value in says.items() if getattr(answer, name) != value]
    return f"its {' and '.join(other)} differs from the newest version in the log." if other else ""


def check_undo() -> Iterator[Finding]:
    """The answer that an undo returns to exists."""
    lost = (
        Annotation.objects.filter(WHOLE)
        .exclude(undo_event=None)
        .exclude(Exists(Event.objects.filter(pk=OuterRef("undo_event"))))
    )
    for pk, slug in lost.order_by("pk").values_list("pk", "project__slug").iterator(chunk_size=CHUNK):
        yield Finding(f"annotation {pk} in {slug}", "the save that an undo would undo is not in the log.")
