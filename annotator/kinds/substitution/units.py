"""The units that words are written for, and how they are found.

*marked*: a sentence with one marked word, which is a token of its own; the last part of its segment's uid says which
one ("news-4:7"). *words*: the words that people wrote for it, one a token; its uid is that of the sentence with
":words" at its end. So both are known by their uid alone, whether an answer or an import made them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from annotator.domain.marked import Marked, marked_at
from annotator.models import Unit

MARKED, WORDS = "marked", "words"
SUBSTITUTES, BEST, INAPT = "substitutes", "best", "inapt"
_WORDS_END = ":words"


def marked_uid(of: str, position: int) -> str:
    """The uid of a sentence with its token at `position` marked."""
    return f"{of}:{position}"


def position_of(uid: str) -> int:
    """Which token of a marked sentence is the word. Raises ValueError for another uid."""
    return int(uid.rpartition(":")[2])


def words_uid(marked: str) -> str:
    """The uid of the words that are written for a marked sentence."""
    return marked + _WORDS_END


def marked_uid_of(words: str) -> str:
    """The uid of the marked sentence that words are for."""
    return words.removesuffix(_WORDS_END)


def as_marked(unit: Unit) -> Marked:
    """A marked sentence as a text with its word. The unit comes with its segment."""
    return marked_at(unit.tokens, unit.spaces, position_of(unit.segment.uid))


def marked_sentences(units: Sequence[Unit]) -> dict[int, Marked]:
    """By unit id, the marked sentence that a unit is, or whose words it is; of one project and language.

    One query where there are words among them. What has no sentence any more is left out.
    """
    found = {unit.pk: as_marked(unit) for unit in units if unit.kind == MARKED}
    words = {unit.pk: marked_uid_of(unit.segment.uid) for unit in units if unit.kind == WORDS}
    if words:
        sentences = by_uid(units[0].project_id, units[0].language, words.values())
        found |= {pk: as_marked(sentences[uid]) for pk, uid in words.items() if uid in sentences}
    return found


def by_uid(project: int, language: str, uids: Iterable[str]) -> Mapping[str, Unit]:
    """The current units of these segments, with them."""
    rows = Unit.objects.published().filter(
        project=project, language=language, is_current=True, segment__uid__in=list(uids)
    )
    return {row.segment.uid: row for row in rows.select_related("segment")}
