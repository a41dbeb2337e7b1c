"""The texts of one project in another that was copied from it: sentences, pairs, documents, and units of other kinds
that came with files. What people and machines said of them, and what was made from answers, stays where it is.

They come as one import of the new project: hidden in short transactions, then published by one, so that they are there
as a whole or not at all. A copy that was interrupted is undone and started again (`leases.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Q

from annotator.core.access import managed_by
from annotator.core.database.background_writer import BackgroundWriter
from annotator.core.database.bulk import prepared, reserved
from annotator.core.database.numbered import Ids
from annotator.core.errors import ActionError
from annotator.core.kind import already_answered
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.imports.reading.known import Key
from annotator.imports.reading.source import Terms
from annotator.imports.reading.staging import StagingStore, staging_store
from annotator.imports.reading.summary import ImportSummary, Tally
from annotator.imports.writing.answers import Written
from annotator.imports.writing.imports import Progress
from annotator.imports.writing.leases import Lease, acquire, drop, drop_failed
from annotator.imports.writing.rows import Rows
from annotator.models import Import, Job, Pair, Project, Segment, Unit
from annotator.work.derivation.actions.changes import after_import
from annotator.work.queue.actions.items import entered, fitting
from annotator.work.queue.queries.set_aside import segments_aside

# Segments in one transaction: on SQLite anyone who saves waits for its end.
CHUNK_SIZE = 50
# The kinds of units that are copied whatever they came from; of others those that came with files.
TEXTS = (Segment.SENTENCE, Segment.PAIR)


def texts_to_copy(source: Project) -> int:
    """How many segments a copy of the project has: what progress counts to."""
    return sum(rows.count() for rows in _segments(source))


def source_of(job: Job) -> Project:
    """The project that a job copies from. Raises ActionError where whoever started it does not manage it any more."""
    rows = Project.objects.filter(deleting_at=None) if job.created_by is None else managed_by(job.created_by)
    found = rows.filter(pk=job.params["from"]).first()
    if found is None:
        raise ActionError(message(_("The source project no longer exists, or you no longer manage it.")))
    return found


def copy_texts(*, job: Job, report: Progress) -> None:
    """Copy the current texts of the project that `job` names into the job's own, which has the same languages.

    Ids (uids, ids of pairs), documents, roles, reading order, tokens, lemmas and parts of speech stay. Of its licences
    the copy has all, and may be published where all of the original may. Raises ActionError, with nothing copied.
    """
    project, source = job.project, source_of(job)
    lease = acquire(
        project=project, dataset=source.slug, labels="none", by=job.created_by, job=job.pk, report=lambda: report(0)
    )
    try:
        if Import.objects.filter(job_id=job.pk, published_at__isnull=False).exists():
            # It was killed after its last write.
            drop(lease)
        else:
            with staging_store() as store:
                with BackgroundWriter() as beside:
                    copied = _Texts(source, lease, store, beside)
                    for done in copied.copy():
                        report(done)
                copied.publish(copied.summary, job.created_by)
    except BaseException:
        drop_failed(lease)
        raise
    total = texts_to_copy(source)
    for imported in Import.objects.filter(job_id=job.pk, published_at__isnull=False).select_related("project"):
        for _step in after_import(imported):
            report(total)


def _segments(source: Project) -> list[Any]:
    """Those of sentences, those of pairs, which name them, and those of other kinds that came with files."""
    rows = Segment.objects.published().filter(project=source, set_aside_reason="").order_by("pk")
    aside = Q(pair__premise__in=segments_aside(source)) | Q(pair__hypothesis__in=segments_aside(source))
    rows = rows.exclude(pk__in=Segment.objects.filter(aside, project=source).order_by().values("pk"))
    further = rows.exclude(kind__in=TEXTS).filter(imported__isnull=False)
    return [*(rows.filter(kind=kind) for kind in TEXTS), further]


def _units(source: Project) -> Any:
    # Not by the unit's own import: a revision of what came in has none.
    rows = Unit.objects.published().filter(project=source, is_current=True).order_by("pk")
    return rows.filter(Q(kind__in=TEXTS) | Q(segment__imported__published_at__isnull=False))


class _Copies:
    """The ids of rows and of their copies: eight bytes each."""

    def __init__(self, model: type[Segment] | type[Unit], ids: Sequence[int]) -> None:
        self._old = Ids(ids)
        self._new = Ids(reserved(model, len(self._old)))

    def __getitem__(self, pk: int) -> int:
        return self._new.id(self._old.number(pk) or 0) or 0

    def __contains__(self, pk: int) -> bool:
        return self._old.number(pk) is not None


class _Texts(Rows):
    """Writes copies of rows that are there, where an import writes what files hold."""

    def __init__(self, source: Project, lease: Lease, store: StagingStore, beside: BackgroundWriter) -> None:
        super().__init__(lease, Terms(source.slug), store, beside)
        project = self._project
        self.summary = ImportSummary(dataset=source.slug, labels="none")
        self._source = source
        self._stages = entered(project)
        self._segments = [list(rows.values_list("pk", flat=True).iterator()) for rows in _segments(source)]
        self._segment_copies = _Copies(Segment, sorted(pk for pks in self._segments for pk in pks))
        self._unit_copies = _Copies(Unit, list(_units(source).values_list("pk", flat=True).iterator()))
        # By id of the source's import, how many files came before its own.
        self._first_file: dict[int | None, int] = {}
        self._take_origins()

    def copy(self) -> Iterator[int]:
        """Write all of it; gives how many segments are written, between two transactions."""
        done = 0
        for pks in self._segments:
            for start in range(0, len(pks), CHUNK_SIZE):
                some = pks[start : start + CHUNK_SIZE]
                self._write(some)
                done += len(some)
                yield done
        self._place()
        self._places.finish()

    def _take_origins(self) -> None:
        imports = list(self._source.imports.filter(published_at__isnull=False).order_by("pk"))
        mine = self._lease.imported
        for one in imports:
            self._first_file[one.pk] = len(mine.files)
            mine.files = [*mine.files, *one.files]
        mine.licence = "; ".join(dict.fromkeys(one.licence for one in imports if one.licence))[:200]
        mine.publishable = all(one.publishable for one in imports)
        originals = {one.original_language for one in imports}
        mine.original_language = originals.pop() if len(originals) == 1 else ""

    def _write(self, pks: Sequence[int]) -> None:
        olds = {row.pk: row for row in Segment.objects.filter(pk__in=pks).order_by("pk")}
        slots = {pk: self._slot(row) for pk, row in olds.items()}
        units: dict[Key, Unit] = {}
        parents: list[tuple[int, int]] = []
        # What was revised or came in meanwhile is not among the copies.
        rows = [row for row in _units(self._source).filter(segment__in=pks) if row.pk in self._unit_copies]
        for row in rows:
            units[row.language, olds[row.segment_id].uid] = self._copied(row, slots[row.segment_id])
        links = Unit.parents.through.objects.filter(from_unit__in=rows).order_by("pk")
        for child, parent in links.values_list("from_unit", "to_unit"):
            if parent in self._unit_copies:
                parents.append((self._unit_copies[child], self._unit_copies[parent]))
        pairs = [self._copied_pair(row, slots) for row in Pair.objects.filter(segment__in=pks).order_by("pk")]
        written = Written(decided=self._settled(rows))
        self._answers.items(written, list(units.values()))
        self._insert([prepared(Segment, slots.values()), prepared(Pair, pairs)], units, written, parents)
        if pairs:
            self._unplaced += units.values()
            self._place()
        self._count_copied(units.values(), len(pairs), sum(row.kind != Segment.PAIR for row in slots.values()))

    def _settled(self, rows: Sequence[Unit]) -> set[tuple[int, int]]:
        """The copies on which nobody is asked, with the layers, since the answers came in as units and come, too."""
        imported = [row for row in rows if row.imported_id is not None]
        found = set()
        for stage in self._stages:
            if some := fitting(stage, imported):
                settled = already_answered(stage, some)
                found |= {(self._unit_copies[pk], stage.layer_id) for pk in settled}
        return found

    def _count_copied(self, units: Any, pairs: int, segments: int) -> None:
        self.summary.pairs.new += pairs
        self.summary.segments.new += segments
        for unit in units:
            self.summary.tokens += unit.token_count
            if unit.kind == Segment.SENTENCE:
                self.summary.sentences.setdefault(unit.language, Tally()).new += 1

    def _slot(self, old: Segment) -> Segment:
        names = ("kind", "uid", "role", "dataset", "genre", "group", "position")
        values = {name: getattr(old, name) for name in names}
        imported = self._lease.imported
        return Segment(pk=self._segment_copies[old.pk], project=self._project, imported=imported, **values)

    def _copied(self, old: Unit, slot: Segment) -> Unit:
        names = ("kind", "language", "tokens", "spaces", "token_count", "lemmas", "content_words", "parts_of_speech")
        values = {name: getattr(old, name) for name in names}
        first, file = self._first_file.get(old.imported_id), old.origin_file
        return Unit(
            pk=self._unit_copies[old.pk],
            project=self._project,
            segment=slot,
            touches=[self._segment_copies[pk] for pk in old.touches if pk in self._segment_copies],
            imported=self._lease.imported,
            origin_file=None if first is None or file is None else first + file,
            origin_line=old.origin_line,
            **values,
        )

    def _copied_pair(self, old: Pair, slots: Mapping[int, Segment]) -> Pair:
        names = ("pair_id", "dataset", "source_dataset", "genre", "inference", "position")
        return Pair(
            project=self._project,
            segment=slots[old.segment_id],
            premise_id=self._segment_copies[old.premise_id],
            hypothesis_id=self._segment_copies[old.hypothesis_id],
            imported=self._lease.imported,
            **{name: getattr(old, name) for name in names},
        )
