"""Whose text a unit is: nobody judges, or decides on, what they wrote themselves. Marking is not writing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from annotator.core.unit_kinds import also_wrote, markings
from annotator.domain.text.tokens import word_of
from annotator.models import Segment, Unit, User

# They came in with files, and people fix them.
ANYBODYS = (Segment.SENTENCE, Segment.PAIR)


def anybodys() -> frozenset[str]:
    """The kinds of units that nobody wrote: anyone who imported or revised them, or marked something in them, may judge
    what others say of them."""
    return frozenset(ANYBODYS) | markings()


def own_units(user: User, units: Iterable[Unit]) -> set[int]:
    """Those of the units (ids) that the person wrote: as their author, as that of an earlier wording, which somebody
    else revised, or by giving the same answer as their author.

    No statement for what is `anybodys`. Asked each time, so neither a change of role nor a later answer goes unseen.
    """
    not_theirs = anybodys()
    written = [unit for unit in units if unit.kind not in not_theirs]
    if not written:
        return set()
    own = {unit.pk for unit in written if unit.author_id == user.pk} | _wrote_before(user, written)
    by_kind: dict[str, list[Unit]] = {}
    for unit in written:
        if unit.pk not in own:
            by_kind.setdefault(unit.kind, []).append(unit)
    for kind, rest in by_kind.items():
        own |= also_wrote(kind, user, rest)
    return own


def _wrote_before(user: User, units: Iterable[Unit]) -> set[int]:
    """One query where a text has a second revision, else none."""
    again = {(unit.segment_id, unit.language): unit.pk for unit in units if unit.revision > 1}
    if not again:
        return set()
    rows = Unit.objects.filter(author=user, segment__in={segment for segment, _language in again})
    return {again[place] for place in rows.values_list("segment_id", "language") if place in again}


def wrote_the_same(user: User, units: Sequence[Unit]) -> set[int]:
    """Those of the units (ids), all of one kind, whose words the user has written, too: whatever their capitals, marks
    at their ends, and spelling (`word_of`). One query."""
    written = Unit.objects.filter(
        author=user,
        project__in={unit.project_id for unit in units},
        kind__in={unit.kind for unit in units},
        token_count__in={unit.token_count for unit in units},
    )
    own = {(project, language, *_words(tokens)) for project, language, tokens in written.values_list(*_SAME)}
    return {unit.pk for unit in units if (unit.project_id, unit.language, *_words(unit.tokens)) in own}


def _words(tokens: Iterable[str]) -> list[str]:
    return [word for word in map(word_of, tokens) if word]


_SAME = ("project", "language", "tokens")
