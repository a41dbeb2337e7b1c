"""The records of an import under the ids that they have in the project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from annotator.domain.messages import Message, by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatError, FormatWarning, UnevenError, quote
from annotator.formats.common.records import PairRecord, Read, Record
from annotator.formats.corpus.incoming import file_key, record_uid
from annotator.imports.reading.ids import GivenIds
from annotator.imports.reading.staging import StagingStore
from annotator.models import LabelsAs, Project, Segment

PAGE = 500


@dataclass(frozen=True)
class Terms:
    """What becomes of the records. `files`: where they come from, as `Import.files`."""

    dataset: str
    labels_as: str = LabelsAs.NONE
    labels_name: str = ""
    labels_revision: str = ""
    people: Mapping[str, str] = field(default_factory=dict)
    # By label or category of the files, what it becomes here, as `domain.incoming_labels.LabelMapping` is stored.
    label_map: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    # Records without an id are the segments that the dataset has, in their order.
    by_order: bool = False
    # With `by_order`, of those segments the ones with a text in this language; "" for all.
    originals: str = ""
    # Each file has texts of its own, also where another one in another language is called alike.
    apart: bool = False
    # Lines that seem to be left out or doubled are not errors.
    accept_shifts: bool = False
    files: Sequence[Mapping[str, Any]] = ()
    licence: str = ""
    publishable: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """A record and its uid."""

    uid: str
    record: Record


Found = Entry | PairRecord | FormatWarning | FormatError


def identified(reads: Iterable[Read], project: Project, terms: Terms, store: StagingStore) -> Iterator[Found]:
    """The records with their uids. Those without an id are counted, file by file, or take the dataset's in order.

    In a project without roles, sentences come in as plain ones; in one without inference labels, pairs do not come in.
    Both are counted in a warning.
    """
    plain = Counter[str]()
    fitting = _without_pairs(reads, project, plain)
    if terms.by_order:
        yield from _in_order(fitting, project, terms)
    else:
        yield from _counted(GivenIds(project.languages, store), fitting, project, terms)
    for what, number in plain.items():
        yield FormatWarning("", 0, message(by_number(number, *_PLAIN[what]), number=number))


# What a project of plain sentences has no place for.
_PLAIN = {
    "roles": (
        _(
            "%(number)d sentence has a role, such as premise or hypothesis. This project has no roles, so it is "
            "imported as a plain sentence."
        ),
        _(
            "%(number)d sentences have a role, such as premise or hypothesis. This project has no roles, so they are "
            "imported as plain sentences."
        ),
    ),
    "pairs": (
        _("%(number)d pair is left out: this project has no inference labels."),
        _("%(number)d pairs are left out: this project has no inference labels."),
    ),
}


def _without_pairs(reads: Iterable[Read], project: Project, plain: Counter[str]) -> Iterator[Read]:
    """The reads without pairs that the project has no place for; counts these, and roles that it does not have."""
    for read in reads:
        if isinstance(read, PairRecord) and not project.inferences:
            plain["pairs"] += 1
            continue
        if isinstance(read, Record) and read.role and not project.roles:
            plain["roles"] += 1
        yield read


def _counted(given: GivenIds, reads: Iterable[Read], project: Project, terms: Terms) -> Iterator[Found]:
    numbers: dict[tuple[str, str], int] = {}
    for read in given.of(reads):
        if not isinstance(read, Record):
            yield read
        elif read.id:
            yield Entry(record_uid(terms.dataset, read.role, read.id), read)
        else:
            # Counted by what parallel files share: where one has a blank line, the other one stands for the record.
            key = file_key(read.file, () if terms.apart else project.languages)
            number = numbers[key, read.role] = numbers.get((key, read.role), 0) + 1
            # A file that is called like its dataset needs no name of its own.
            counted = f"{key}:{number}" if key and key != terms.dataset else str(number)
            while given.has(read.role, counted):
                counted = f"{key}:{counted}"
            yield Entry(record_uid(terms.dataset, read.role, counted), read)
    yield from given.warnings()


def _in_order(reads: Iterable[Read], project: Project, terms: Terms) -> Iterator[Found]:
    """Record n is segment n of the dataset; a different number of them is an error."""
    uids: Iterator[str] = iter(())
    number = 0
    last: Record | None = None
    for read in reads:
        if not isinstance(read, Record):
            yield read
            continue
        if last is None:
            uids = _uids(project, terms, read.kind or Segment.SENTENCE)
        last = read
        uid = next(uids, None)
        if uid is None and not number:
            yield FormatError(
                read.file, read.line, message(_("an existing dataset of the project")), quote(terms.dataset)
            )
            return
        if uid is None:
            yield UnevenError(read.file, read.line, _as_many(number, terms), message(_("one more")))
            return
        number += 1
        yield Entry(uid, read)
    missing = sum(1 for _uid in uids)
    if missing:
        file, line = (last.file, last.line) if last else ("", 0)
        yield UnevenError(file, line, _as_many(number + missing, terms), str(number))


def _as_many(number: int, terms: Terms) -> Message:
    if terms.originals:
        what = _("as many as the dataset has in %(language)s (%(number)d)")
        return message(what, language=terms.originals, number=number)
    return message(_("as many sentences as the dataset has (%(number)d)"), number=number)


def _uids(project: Project, terms: Terms, kind: str) -> Iterator[str]:
    rows = project.slots.published().filter(kind=kind, dataset=terms.dataset).order_by("position", "pk")
    if terms.originals:
        rows = rows.filter(units__language=terms.originals, units__is_current=True)
    position, pk = -1, 0
    while True:
        after = Q(position__gt=position) | Q(position=position, pk__gt=pk)
        page = list(rows.filter(after).values_list("uid", "position", "pk")[:PAGE])
        for uid, position, pk in page:  # noqa: B007 -- the last ones are where the next page begins
            yield uid
        if len(page) < PAGE:
            return
