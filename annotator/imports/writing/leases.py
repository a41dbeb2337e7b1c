"""One import of a project at a time, and the removal of what an unfinished one left.

The lease is the project's one unpublished `Import` row, so nobody who labels waits for it. Whoever writes renews it in
each transaction; a lease that was not renewed for long is taken over, and its rows are deleted. It is not the lease of
a job's chunk: commands and the undo of an import hold one, too, and one statement both renews it and proves that it is
still ours.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.core.prepared import execute
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.models import (
    Alignment,
    Annotation,
    Assignment,
    BlindMark,
    Gold,
    GuidelineProposal,
    Import,
    Item,
    LemmaPlace,
    Pair,
    Project,
    Repeat,
    Segment,
    Suggestion,
    Unit,
    User,
)

# Longer than any part that is written in one transaction.
EXPIRES_AFTER = timedelta(seconds=15)
LOOK_SECONDS = 0.2
# Segments or units that are deleted in a transaction: on SQLite anyone who saves waits for it.
CHUNK_SIZE = {"sqlite": 100, "postgresql": 1000}

Report = Callable[[], None]


class LeaseLostError(ActionError):
    """Another import took this one for dead and took it back."""


@dataclass(frozen=True)
class Lease:
    """The right to write an import that is not published."""

    imported: Import

    def renew(self) -> None:
        """Hold the row until the transaction ends, and say that somebody is at it. Raises LeaseLostError."""
        holder = Import._meta.get_field("holder").get_db_prep_value(self.imported.holder, connection)
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        # Written by hand: it belongs to every transaction of an import.
        if not execute(
            "UPDATE annotator_import SET seen_at = %s WHERE id = %s AND holder = %s AND published_at IS NULL",
            [now, self.imported.pk, holder],
        ):
            raise LeaseLostError(
                message(_("This import was interrupted for so long that another one started. Start it again."))
            )


def acquire(*, project: Project, dataset: str, labels: str, by: User | None, job: int | None, report: Report) -> Lease:
    """Wait until no other import of the project is under way, undo what a dead one left, and begin.

    A job that begins the same part again undoes at once what it had started. `report` is called while waiting.
    """
    while True:
        try:
            with transaction.atomic():
                row = Import.objects.create(project=project, dataset=dataset, labels=labels, created_by=by, job_id=job)
                return Lease(row)
        except IntegrityError:
            other = project.imports.filter(published_at=None).first()
            if other is None and not Project.objects.filter(pk=project.pk).exists():
                raise
        if other is None:
            continue
        if (job is not None and other.job_id == job) or other.seen_at < timezone.now() - EXPIRES_AFTER:
            before, other.holder = other.holder, uuid.uuid4()
            same = Import.objects.filter(pk=other.pk, holder=before, published_at=None)
            if same.update(holder=other.holder, seen_at=timezone.now()):
                drop(Lease(other))
        else:
            report()
            time.sleep(LOOK_SECONDS)


def drop(lease: Lease) -> None:
    """Delete an unpublished import and every row that came with it, in short transactions. Raises LeaseLostError."""
    imported = lease.imported
    # Pairs hold their sentences' segments.
    _delete(lease, Pair.objects.filter(imported=imported))
    # Before their segments, which would take them along one by one: each with all that could hang on it.
    _delete_units(lease)
    _delete(lease, Segment.objects.filter(imported=imported))
    with transaction.atomic():
        lease.renew()
        Import.objects.filter(pk=imported.pk).delete()


def drop_failed(lease: Lease) -> None:
    """As `drop`, for whoever is about to say why it failed: what cannot be deleted now, the next import takes back."""
    try:
        drop(lease)
    except (DatabaseError, LeaseLostError):
        return


def _delete(lease: Lease, rows: QuerySet[Pair] | QuerySet[Segment]) -> None:
    while pks := list(rows.order_by().values_list("pk", flat=True)[: CHUNK_SIZE[connection.vendor]]):
        with transaction.atomic():
            lease.renew()
            rows.model._default_manager.filter(pk__in=pks).delete()


def _delete_units(lease: Lease) -> None:
    rows = Unit.objects.filter(imported=lease.imported).order_by()
    while pks := list(rows.values_list("pk", flat=True)[: CHUNK_SIZE[connection.vendor]]):
        with transaction.atomic():
            lease.renew()
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
    yield Repeat.objects.filter(assignment__unit__in=units)
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
    yield GuidelineProposal.objects.filter(unit__in=units)
    yield Unit.objects.filter(pk__in=units)
