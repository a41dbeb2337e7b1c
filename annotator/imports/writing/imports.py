"""Import: sentences, pairs and labels from files into a project. Importing again adds nothing and changes nothing.

The files are read once: everything is checked and staged on disk before anything is written. Rows are written hidden,
in short transactions that nobody waits for, and published by one (`rows.py`); labels of units that were there before
are added after it (`known_labels.py`). One import of a project is under way at a time; what a dead one left is deleted
(`leases.py`). Memory does not grow with the files.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

from django.db import transaction

from annotator.core.database.background_writer import BackgroundWriter
from annotator.core.database.bulk import synced_later
from annotator.core.database.statistics import refresh_statistics
from annotator.core.errors import ActionError
from annotator.core.files.room import check_grows
from annotator.domain.mapping import labels_of_machine
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.common.records import Read
from annotator.formats.corpora import meta4xnli
from annotator.formats.corpus.corpus import Corpus
from annotator.formats.corpus.records import reading_order, records_of
from annotator.imports.drafts.datasets import check_dataset
from annotator.imports.reading.check import Check
from annotator.imports.reading.findings import Findings
from annotator.imports.reading.parallel import Comparison, ParallelShown
from annotator.imports.reading.problems import Problems
from annotator.imports.reading.source import Terms
from annotator.imports.reading.staging import StagingStore, staging_store
from annotator.imports.reading.summary import ImportSummary, Tally, weight_of
from annotator.imports.writing.known_labels import KnownLabels
from annotator.imports.writing.leases import Lease, Report, acquire, drop, drop_failed
from annotator.imports.writing.rows import Rows
from annotator.models import Import, Project, User
from annotator.work.derivation.actions.changes import after_import

__all__ = [
    "LABELS",
    "ImportSummary",
    "Tally",
    "import_corpus",
    "import_meta4xnli",
    "import_records",
    "reading_order",
]

LABELS = ("none", "gold")
# Of a check, between two times that it renews its lease.
RENEW_SECONDS = 3.0

# Is told how much is done, of the number of records; what it raises ends the import.
Progress = Callable[[int], None]


Keep = Callable[[Findings, list[ParallelShown]], object]
"""Is given all that was found, before anything is published."""


def import_meta4xnli(
    *, project: Project, root: Path, dataset: str, labels: str = "none", by: User | None
) -> ImportSummary:
    """Read a dataset in the published layout under `root` and import it; see `import_corpus`.

    Raises FormatError (file, line, what was expected) or ActionError; nothing is imported then.
    """
    check_dataset(dataset)
    corpus = meta4xnli.read_corpus(root, dataset, labels=labels_of_machine(project.scheme))
    return import_corpus(project=project, corpus=corpus, labels=labels, by=by)


def import_corpus(
    *,
    project: Project,
    corpus: Corpus,
    labels: str = "none",
    by: User | None,
    job: int | None = None,
    report: Report = lambda: None,
) -> ImportSummary:
    """Add the segments, sentences and pairs of `corpus` that the project does not have yet; see `import_records`.

    With `labels="gold"` its spans and pair tags become gold where nothing is decided yet; what people decided stays.
    """
    check_dataset(corpus.dataset)
    if labels not in LABELS:
        raise ActionError(message(_("Labels can be imported as “none” or “gold”, not “%(labels)s”."), labels=labels))
    return import_records(
        project=project,
        reads=records_of(corpus),
        terms=Terms(corpus.dataset, labels),
        by=by,
        job=job,
        report=lambda _done: report(),
    )


def import_records(  # noqa: PLR0913 -- where records go and who is told of them, by name
    *,
    project: Project,
    reads: Iterable[Read],
    terms: Terms,
    by: User | None,
    job: int | None = None,
    report: Progress = lambda _done: None,
    expected: int = 0,
    problems: Problems | None = None,
    keep: Keep | None = None,
) -> ImportSummary:
    """Add what the project does not have yet of the records that are read: all of it or none.

    Raises ActionError, with nothing changed, when something is wrong with a record or the project has another text,
    inference label or premise under the same id; the first of `problems` is named. With `keep`, languages are compared
    with each other, too, while what was checked is written.

    Waits while another import of the project is under way. `job` is the id of the job whose part this is: one that
    was started before is started again, one that was published is only completed. `expected` is about how many records
    there are.
    """
    lease = acquire(
        project=project, dataset=terms.dataset, labels=terms.labels_as, by=by, job=job, report=lambda: report(0)
    )
    found = problems or Problems()
    with staging_store() as store:
        try:
            check = Check(project, terms, store, found, stages=True)
            findings = check.run(reads, _renewing(lease, lambda read: report(min(read, expected) // 4)))
            summary, total = findings.summary, findings.counts.records
            with Comparison(findings, store, terms) if keep is not None else nullcontext() as comparison:
                is_there = job is not None and not summary.changed and bool(_published_before(job, terms.dataset))
                rows = None
                if not found.error_count and not is_there:
                    _check_room(project, terms, summary, by)
                    rows = _written(lease, terms, store, lambda done: report((total + 3 * done) // 4))
                if keep is not None and comparison is not None:
                    # Also where there are errors: it may have more to say of what cannot be imported.
                    keep(findings, comparison.result(partial(_renewing(lease, report), total)))
                _refuse(found)
            if rows is None:
                drop(lease)
            else:
                rows.publish(summary, by)
        except BaseException:
            drop_failed(lease)
            raise
        for _step in KnownLabels(project, terms, lease.imported).add(store.staged(is_known=True)):
            report(total)
    _follow([lease.imported] if job is None else _published_before(job, terms.dataset), report, total)
    if summary.changed:
        refresh_statistics()
    return summary


def _check_room(project: Project, terms: Terms, summary: ImportSummary, by: User | None) -> None:
    # Its files are in the draft until then, which counts for the person who brought them.
    more, files = weight_of(terms.files, summary.to_json()), weight_of(terms.files, {})
    check_grows(project=project, by=by, more=more, instead_of=files)


def _written(lease: Lease, terms: Terms, store: StagingStore, report: Progress) -> Rows:
    """What was staged is in the database, and nobody sees it yet."""
    with synced_later(), _out_of_sight(), BackgroundWriter() as beside:
        rows = Rows(lease, terms, store, beside)
        for done in rows.write():
            report(done)
    return rows


@contextmanager
def _out_of_sight() -> Iterator[None]:
    """The collector of garbage need not look through all that stands by now for each part that is written."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _refuse(problems: Problems) -> None:
    """Raise ActionError where there is an error."""
    if not problems.error_count:
        return
    first = problems.errors[0].message
    if problems.error_count == 1:
        raise ActionError(first)
    raise ActionError(
        message(
            _("%(first)s There are %(number)d errors in total. Nothing was imported."),
            first=first,
            number=problems.error_count,
        )
    )


def _renewing(lease: Lease, report: Progress) -> Progress:
    """As `report`, and keeps the lease while nothing is written."""
    said_at = time.monotonic()

    def progress(done: int) -> None:
        nonlocal said_at
        report(done)
        if time.monotonic() - said_at > RENEW_SECONDS:
            said_at = time.monotonic()
            with transaction.atomic():
                lease.renew()

    return progress


def _published_before(job: int, dataset: str) -> list[Import]:
    """What this try of the job published, or an earlier one."""
    rows = Import.objects.filter(job_id=job, dataset=dataset, published_at__isnull=False)
    return list(rows.select_related("project").order_by("pk"))


def _follow(imports: Iterable[Import], report: Progress, total: int) -> None:
    """Make what labels become that came in; a try that was stopped may have left some of it."""
    for imported in imports:
        for _step in after_import(imported):
            report(total)
