"""One import of a project at a time, and taking back what an unfinished one left.

The turn is the project's one unpublished `Import` row, so nobody who labels waits for it. Whoever writes says so on the
row; when they have been silent for long, the next one takes back what they left.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.core.prepared import execute
from annotator.domain.said import gettext_noop as _
from annotator.domain.said import say
from annotator.models import (
    Alignment,
    Annotation,
    Assignment,
    BlindMark,
    Gold,
    Import,
    Item,
    LemmaPlace,
    Pair,
    Project,
    Segment,
    Suggestion,
    Unit,
    User,
)

# Longer than any part that is written in one transaction.
SILENT_FOR = timedelta(seconds=15)
LOOK_SECONDS = 0.2
# Segments or units that are deleted in a transaction: on SQLite whoever saves waits for it.
AT_ONCE = {"sqlite": 100, "postgresql": 1000}

# About what a row takes in the database, with its indexes.
ROW_BYTES = 500
# And what a token does, with the place of its lemma.
TOKEN_BYTES = 100

Report = Callable[[], None]


class TurnLostError(ActionError):
    """Another import took this one for dead and took it back."""


@dataclass(frozen=True)
class Turn:
    """The right to write an import that is not published."""

    imported: Import

    def keep(self) -> None:
        """Hold the row until the transaction ends, and say that somebody is at it. Raises TurnLostError."""
        holder = Import._meta.get_field("holder").get_db_prep_value(self.imported.holder, connection)
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        # Written by hand: it belongs to every transaction of an import.
        if not execute(
            "UPDATE annotator_import SET seen_at = %s WHERE id = %s AND holder = %s AND published_at IS NULL",
            [now, self.imported.pk, holder],
        ):
            raise TurnLostError(
                say(_("This import was interrupted for so long that another one took its turn. Start it again."))
            )


def take_turn(*, project: Project, dataset: str, labels: str, by: User | None, job: int | None, report: Report) -> Turn:
    """Wait until no other import of the project is under way, take back what a dead one left, and begin.

    A job that begins the same part again takes back at once what it had begun. `report` is called while waiting.
    """
    while True:
        try:
            with transaction.atomic():
                row = Import.objects.create(project=project, dataset=dataset, labels=labels, created_by=by, job_id=job)
                return Turn(row)
        except IntegrityError:
            other = project.imports.filter(published_at=None).first()
            if other is None and not Project.objects.filter(pk=project.pk).exists():
                raise
        if other is None:
            continue
        if (job is not None and other.job_id == job) or other.seen_at < timezone.now() - SILENT_FOR:
            before, other.holder = other.holder, uuid.uuid4()
            same = Import.objects.filter(pk=other.pk, holder=before, published_at=None)
            if same.update(holder=other.holder, seen_at=timezone.now()):
                drop(Turn(other))
        else:
            report()
            time.sleep(LOOK_SECONDS)


def weight_of(files: Iterable[Mapping[str, Any]], summary: Mapping[str, Any]) -> int:
    """Bytes that an import counts for in a project: its files, and the rows that are made of them. A file of short
    lines or words makes far more of those than it has bytes."""
    rows = sum(max(0, tally["new"]) for tally in summary.get("counts", {}).values())
    tokens = max(0, summary.get("tokens", 0))
    return sum(max(0, one.get("size", 0)) for one in files) + ROW_BYTES * rows + TOKEN_BYTES * tokens


def drop(turn: Turn) -> None:
    """Delete an unpublished import and every row that came with it, in short transactions. Raises TurnLostError."""
    imported = turn.imported
    # Pairs hold their sentences' segments.
    _delete(turn, Pair.objects.filter(imported=imported))
    # Before their segments, which would take them along one by one: each with all that could hang on it.
    _delete_units(turn)
    _delete(turn, Segment.objects.filter(imported=imported))
    with transaction.atomic():
        turn.keep()
        Import.objects.filter(pk=imported.pk).delete()


def drop_failed(turn: Turn) -> None:
    """As `drop`, for whoever is about to say why it failed: what cannot be deleted now, the next import takes back."""
    try:
        drop(turn)
    except (DatabaseError, TurnLostError):
        return


def _delete(turn: Turn, rows: QuerySet[Pair] | QuerySet[Segment]) -> None:
    while pks := list(rows.order_by().values_list("pk", flat=True)[: AT_ONCE[connection.vendor]]):
        with transaction.atomic():
            turn.keep()
            rows.model._default_manager.filter(pk__in=pks).delete()


def _delete_units(turn: Turn) -> None:
    rows = Unit.objects.filter(imported=turn.imported).order_by()
    while pks := list(rows.values_list("pk", flat=True)[: AT_ONCE[connection.vendor]]):
        with transaction.atomic():
            turn.keep()
            for hanging in hanging_on(pks):
                # A statement each. Django would read all of them first, with every token of every sentence.
                hanging._raw_delete(hanging.db)


def hanging_on(units: Sequence[int]) -> Iterator[QuerySet[Any]]:
    """All that leads to these units, and they themselves: what points to others comes before them."""
    links = Unit.parents.through.objects
    yield links.filter(from_unit__in=units)
    yield links.filter(to_unit__in=units)
    yield LemmaPlace.objects.filter(unit__in=units)
    yield BlindMark.objects.filter(assignment__unit__in=units)
    yield Assignment.objects.filter(unit__in=units)
    yield Annotation.objects.filter(unit__in=units)
    yield Item.objects.filter(unit__in=units)
    yield Gold.all_rows.filter(unit__in=units)
    for side in ("source", "target"):
        yield Suggestion.objects.filter(**{f"alignment__{side}__in": units})
    yield Suggestion.objects.filter(source__in=units)
    yield Suggestion.objects.filter(unit__in=units)
    for side in ("source", "target"):
        yield Alignment.objects.filter(**{f"{side}__in": units})
    yield Unit.objects.filter(pk__in=units)
