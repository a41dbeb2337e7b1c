"""What kinds of work add to releases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from annotator.core.installed import Brought
from annotator.models import Project
from annotator.work.gold.queries.left_out import LeftOut


@dataclass(frozen=True)
class Part:
    """What a kind adds to releases: files by path, and what stays out of them.

    `about` is for the release's README: what the files under a path hold. `datasets`: of which datasets there are rows
    in them. `outdated`: units (ids) that are decided and no longer stand; `layers/` is without them, too.
    """

    files: Mapping[str, bytes]
    about: Mapping[str, str]
    left_out: tuple[LeftOut, ...] = ()
    datasets: tuple[str, ...] = ()
    outdated: frozenset[int] = frozenset()


def corrected_note(number: int) -> str:
    """What a README says beside its files of texts that go out as somebody corrected them."""
    return f"; {number} {'is' if number == 1 else 'are'} as corrected in validation" if number else ""


# How many units are left out of a release for want of a decision: by language, and by "pair" or another kind.
Undecided = Callable[[Project], Mapping[tuple[str, str], int]]


@dataclass(frozen=True)
class ReleasePart:
    """Files that a kind adds to releases.

    `compute` is asked for each project, and gives no files where it has none of its units. `undecided` says how many
    units it leaves out for want of a decision, for pages that do not compute it (`queries.gold_gaps.gold_gaps`).
    `lacks` says in a sentence what is released without something that no release needs; "" where nothing is.
    """

    name: str
    compute: Callable[[Project], Part]
    undecided: Undecided | None = None
    lacks: Callable[[Project], str] | None = None


PARTS: Mapping[str, ReleasePart] = Brought("release_parts", key="name")


def lacks(project: Project) -> list[str]:
    """What a release would hold without something that it does not need, in sentences for the page."""
    return [text for part in PARTS.values() if part.lacks is not None and (text := part.lacks(project))]
