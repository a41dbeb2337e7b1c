"""What the list of sentences finds, for tests of what is found at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.core.access import Access
from annotator.models import Project, Role, Unit, User
from annotator.search.queries.filters import Filters, reader_of
from annotator.search.queries.listing import found
from annotator.search.queries.rows import rows_of


@dataclass(frozen=True)
class Found:
    """The first page, each text with its translations."""

    rows: list[tuple[Unit, Sequence[Unit]]]
    more: bool
    unknown: Sequence[str]
    frequent: str

    @property
    def units(self) -> list[Unit]:
        return [unit for unit, _others in self.rows]


def find(project: Project, query: str, *, reader: User, decides: bool = False) -> Found:
    """What words or an ID find. `decides`: whether the reader may see what others answered."""
    access = reader_of(Access(reader, project, Role.ADJUDICATOR if decides else Role.ANNOTATOR))
    page = found(access, Filters(q=query.strip()))
    rows = [(row.unit, row.others) for row in rows_of(access, page)]
    return Found(rows, bool(page.after), page.hits.unknown, page.hits.frequent)
