"""The units that words are written for, and how they are found.

*marked*: a sentence with one marked word, which is a token of its own; the last part of its segment's uid says which
one ("news-4:7"). *words*: the words that people wrote for it, one per token; its uid is that of the sentence with
":words" at its end. So both are known by their uid alone, whether an answer or an import made them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from annotator.core.unit_kinds import Closed, Reworded
from annotator.domain.text.marked import Marked, mark_token, marked_at
from annotator.domain.text.revision import moved_tokens
from annotator.domain.text.tokens import is_punctuation
from annotator.models import Unit

MARKED, WORDS = "marked", "words"
SUBSTITUTES, BEST, INAPT = "substitutes", "best", "inapt"
# Why a sentence or its words are closed, as events say it.
WORD_CHANGED, SENTENCE_CHANGED = "marked word changed", "sentence changed"
# How words came about that people wrote here.
RULE = "substitutes"
WORDS_END = ":words"


def marked_uid(of: str, position: int) -> str:
    """The uid of a sentence with its token at `position` marked."""
    return f"{of}:{position}"


def position_of(uid: str) -> int:
    """Which token of a marked sentence is the word. Raises ValueError for another uid."""
    return int(uid.rpartition(":")[2])


def words_uid(marked: str) -> str:
    """The uid of the words that are written for a marked sentence."""
    return marked + WORDS_END


def marked_uid_of(words: str) -> str:
    """The uid of the marked sentence that words are for."""
    return words.removesuffix(WORDS_END)


def marked_wording(unit: Unit, before: Unit, after: Unit) -> Reworded | Closed:
    """The sentence as it reads now, with the same word marked; closed where another word stands there."""
    position = position_of(unit.segment.uid)
    # What is attached to the beginning of the word is one token more here than in the sentence.
    for place in (position, position - 1):
        if 0 <= place < len(before.tokens) and _tokens(before, place) == (unit.tokens, unit.spaces, position):
            now = moved_tokens(before.tokens, after.tokens).get(place)
            if now is not None:
                tokens, spaces, at = mark_token(after.tokens, after.spaces, now).tokens()
                return Reworded(tuple(tokens), tuple(spaces), key=str(at))
    return Closed(WORD_CHANGED)


def _tokens(sentence: Unit, place: int) -> tuple[list[str], list[str], int] | None:
    if is_punctuation(sentence.tokens[place]):
        return None
    return mark_token(sentence.tokens, sentence.spaces, place).tokens()


def words_wording(unit: Unit, before: Unit, after: Unit) -> Closed | None:
    """The words for a marked sentence: known by its uid. While it keeps that, its answers say what becomes of them."""
    return None if before.segment_id == after.segment_id else Closed(SENTENCE_CHANGED)


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
