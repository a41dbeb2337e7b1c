"""Undo an import: all that came with it, while nobody has worked on it."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core.counters import add_to_counter, count_items
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.policies import check_open
from annotator.core.unit_kinds import counted_units
from annotator.domain.effective_content import Answer
from annotator.domain.states import AnnotationState, AssignmentState, ItemState
from annotator.domain.verbs import Verb
from annotator.imports.reading.summary import weight_of
from annotator.imports.undo.labels import came_in, take_from_counters, withdraw_labels
from annotator.imports.undo.made import made_of, take_along
from annotator.imports.writing.leases import Lease, drop
from annotator.machines.actions.projections import projections_from, withdraw_projections
from annotator.models import (
    Annotation,
    Assignment,
    BlindMark,
    Gold,
    GoldSource,
    Import,
    Item,
    Pair,
    Project,
    Stage,
    Unit,
    User,
)
from annotator.work.answering.queries.inference_labels import labelled_by
from annotator.work.derivation.actions.changes import labels_changed
from annotator.work.derivation.actions.sources import unsee_sources
from annotator.work.gold.actions.adjudication import reopen_adjudication
from annotator.work.lexicon.actions.lemmas import mark_places
from annotator.work.queue.actions.giving_back import give_back
from annotator.work.queue.actions.items import change_item
from annotator.work.queue.actions.order import refresh_order
from annotator.work.queue.queries.progress import held_in_advance

CHUNK_SIZE = 100
# Places of work that are looked at to say who worked on what.
MAX_PLACES = 300


def undo_import(*, imported: Import, by: User | None) -> None:
    """Delete all that came with a published import; what it decided on units of others is open again.

    Raises ActionError, with nothing changed, when somebody has worked on it (answered, decided, revised a text),
    something was added to it by a later import, or another import is under way.
    """
    project = imported.project
    with transaction.atomic():
        check_open(project)
        _check_published(imported)
        _check_untouched(imported)
    _reopen_others(imported, by)
    withdraw_labels(imported)
    lease = _hide(project, imported, by)
    drop(lease)


def _check_published(imported: Import) -> None:
    row = Import.objects.select_for_update(no_key=True).filter(pk=imported.pk, published_at__isnull=False).first()
    if row is None:
        raise ActionError(_("This import no longer exists, or has not finished yet."))
    if Import.objects.filter(project=imported.project_id, published_at=None).exists():
        raise ActionError(_("Another import is under way in this project. Undo this one when it has finished."))


def _check_untouched(imported: Import) -> None:
    worked_on = _worked_on(imported)
    if number := worked_on.count():
        text = ngettext(
            "Someone has worked on %(number)d item of this import, so it can't be undone.",
            "Someone has worked on %(number)d items of this import, so it can't be undone.",
            number,
        ) % {"number": number}
        raise ActionError(f"{text} {_who_on_what(worked_on, imported)}".rstrip())
    if stays := made_of(imported).stays:
        raise ActionError(_what_stays(stays, imported))
    later = ~Q(imported=imported)
    added = Unit.objects.filter(later, segment__imported=imported)
    decided = Gold.all_rows.filter(Q(unit__imported=imported), later | Q(imported=None))
    if added.exists() or decided.exists():
        raise ActionError(_("Something was added to this import later. Undo that first."))
    if Annotation.objects.filter(suggestion__in=projections_from(imported)).exists():
        raise ActionError(
            _("Someone has answered items with labels projected from this import, so it can't be undone.")
        )


def _worked_on(imported: Import) -> QuerySet[Unit]:
    """Units that came with the import, or that it decided on, on which people did something."""
    untouched = held_in_advance() | Q(state=AssignmentState.RETURNED)
    of_unit = {"unit": OuterRef("pk")}
    by_people = ~Q(source=GoldSource.IMPORTED) | Q(reopened=True)
    units = came_in(imported)
    # A pair whose inference label came from a person.
    labelled = Pair.objects.annotate(given_by=labelled_by()).exclude(inference="").exclude(given_by=None)
    came_done = Exists(units.filter(unit=OuterRef("unit"), user=OuterRef("user")))
    mine = Unit.objects.filter(imported=imported).filter(
        Exists(Annotation.objects.exclude(pk__in=units.values("pk")).filter(**of_unit))
        | Exists(Assignment.objects.filter(~untouched, ~came_done, **of_unit))
        | Exists(Gold.all_rows.filter(by_people, **of_unit))
        | Exists(Unit.objects.filter(segment=OuterRef("segment"), language=OuterRef("language"), imported=None))
        | Exists(labelled.filter(segment=OuterRef("segment")))
    )
    # What came in on units of others, and somebody has changed since.
    changed = Annotation.objects.filter(imported=imported).exclude(pk__in=units.values("pk"))
    redecided = Unit.objects.filter(Exists(Gold.all_rows.filter(by_people, imported=imported, **of_unit)))
    return Unit.objects.filter(
        Q(pk__in=mine.values("pk")) | Q(pk__in=redecided.values("pk")) | Q(pk__in=changed.values("unit"))
    )


def _what_stays(made: list[int], imported: Import) -> str:
    """That somebody has worked on what was made of the import's texts: how many of which, and who did."""
    units = Unit.objects.filter(pk__in=made)
    numbers = units.order_by("kind").values_list("kind").annotate(Count("pk"))
    text = _("Someone has worked on items made from the texts of this import (%(units)s), so it can't be undone.") % {
        "units": ", ".join(counted_units(kind, number) for kind, number in numbers)
    }
    return f"{text} {_who_on_what(units, imported)}".rstrip()


def _who_on_what(units: QuerySet[Unit], imported: Import) -> str:
    """Who answered or decided on the units, and an example of each; "" where nobody's name is known."""
    found: dict[int, list[str]] = {}
    answers = Annotation.objects.filter(unit__in=units).exclude(pk__in=came_in(imported).values("pk"))
    claims = Assignment.objects.filter(unit__in=units, expires_at=None).exclude(state=AssignmentState.RETURNED)
    golds = Gold.all_rows.filter(unit__in=units, decided_by__isnull=False)
    for rows, name in ((answers, "user"), (claims, "user"), (golds, "decided_by")):
        places = rows.order_by("unit").values_list(name, "unit__segment__uid", "unit__language")
        for person, uid, language in places[:MAX_PLACES]:
            place = f"{uid} [{language}]"
            if place not in found.setdefault(person, []):
                found[person].append(place)
    people = sorted(User.objects.filter(pk__in=found), key=str)
    return "; ".join(f"{person}: {', '.join(found[person.pk][:3])}" for person in people)


def _reopen_others(imported: Import, by: User | None) -> None:
    """What the import decided on units that were there before it is open again, in batches."""
    golds = Gold.all_rows.filter(imported=imported).exclude(unit__imported=imported).order_by("pk")
    while pks := list(golds.values_list("pk", flat=True)[:CHUNK_SIZE]):
        with transaction.atomic():
            _reopen(pks, by)


def _reopen(golds: list[int], by: User | None) -> None:
    rows = list(Gold.all_rows.filter(pk__in=golds).select_related("project", "layer", "unit__segment"))
    # The rows stay, so that versions go on counting. Before what waits for a decision is asked: none stands any more.
    Gold.all_rows.filter(pk__in=golds).update(reopened=True, imported=None)
    items = (
        Item.objects.filter(unit__in=[gold.unit_id for gold in rows])
        .exclude(stage__kind=Stage.ADJUDICATE)
        .exclude(state=ItemState.VOID)
        .select_related("stage")
        .select_for_update(no_key=True, of=("self",))
        .order_by("pk")
    )
    by_place: dict[tuple[int, int], list[Item]] = {}
    for item in items:
        by_place.setdefault((item.unit_id, item.stage.layer_id), []).append(item)
    for gold in rows:
        for item in by_place.get((gold.unit_id, gold.layer_id), ()):
            change_item(item, user=None, decided=False)
        if gold.unit.is_current:
            BlindMark.objects.filter(assignment__unit=gold.unit_id, layer=gold.layer).update(live=True)
        reopen_adjudication(
            project=gold.project,
            unit=gold.unit,
            layer=gold.layer,
            by=None,
            decided_by=None,
            counted=gold.unit.is_current,
        )
        done = Annotation.objects.filter(unit=gold.unit_id, layer=gold.layer, state=AnnotationState.DONE).order_by("pk")
        answers = [
            Answer(mode, content, user) for mode, content, user in done.values_list("mode", "content", "user_id")
        ]
        mark_places(gold.unit, gold.layer, answers)
        unsee_sources(gold.layer, gold.unit)
    for layer in {gold.layer for gold in rows}:
        labels_changed(layer, [gold.unit for gold in rows if gold.layer == layer], by=by)
    for project in {gold.project for gold in rows}:
        refresh_order(project, [gold.unit for gold in rows])


@transaction.atomic
def _hide(project: Project, imported: Import, by: User | None) -> Lease:
    """Nobody sees or claims it from here on; the deletion that follows is in no hurry."""
    _check_published(imported)
    # What was made of it goes with it, where nobody has worked on that either (looked at below).
    take_along(imported, made_of(imported))
    # Held, so that nobody answers one of them while we look whether anybody has.
    mine = Item.objects.filter(unit__imported=imported)
    items = list(mine.select_for_update(no_key=True, of=("self",)).order_by("pk"))
    _check_untouched(imported)
    claimed = Assignment.objects.filter(unit__imported=imported, state=AssignmentState.OPEN)
    if pks := list(claimed.values_list("pk", flat=True)):
        give_back(pks, by=by, verb=Verb.ASSIGNMENT_FREED)
        items = list(mine.order_by("pk"))
    stages = {stage.pk: stage for stage in project.stages.all()}
    count_items([item for item in items if not stages[item.stage_id].adjudicates], user=None, sign=-1)
    take_from_counters(imported)
    for stage in stages.values():
        if stage.adjudicates:
            decided = Gold.objects.filter(
                imported=imported, layer=stage.layer_id, unit__language=stage.language, unit__is_current=True
            )
            add_to_counter(stage, None, project=project.pk, done=-decided.count())
    withdraw_projections(project, imported)
    imported.published_at, imported.holder, imported.seen_at = None, uuid.uuid4(), timezone.now()
    imported.save(update_fields=["published_at", "holder", "seen_at"])
    Project.objects.filter(pk=project.pk).update(
        size=Greatest(0, F("size") - weight_of(imported.files, imported.summary))
    )
    log(
        project=project,
        actor=by,
        verb=Verb.IMPORT_TAKEN_BACK,
        subject=project,
        before={**imported.summary, "import": imported.pk},
    )
    return Lease(imported)
