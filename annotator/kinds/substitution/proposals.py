"""How often each of the words for a marked sentence was written, for the person who verifies the best one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from annotator.domain.content import SUBSTITUTE
from annotator.domain.states import AnnotationState
from annotator.domain.text.one_word import word_key
from annotator.kinds.substitution.units import by_uid, marked_uid_of
from annotator.models import Annotation, Unit


def proposals_for(units: Sequence[Unit]) -> dict[int, list[tuple[str, int]]]:
    """By unit of words (id), each word with how many people wrote it, the most frequent first, then by the alphabet.

    All are of one project and language. Two queries. Words that were imported, and that nobody wrote here, have 0.
    """
    if not units:
        return {}
    sentences = by_uid(units[0].project_id, units[0].language, [marked_uid_of(unit.segment.uid) for unit in units])
    rows = Annotation.objects.filter(
        unit__in=[row.pk for row in sentences.values()],
        layer__content_type=SUBSTITUTE.slug,
        state=AnnotationState.DONE,
    )
    written: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for marked, word in rows.values_list("unit_id", "content__word"):
        written[marked][word_key(word)] += 1
    found = {}
    for unit in units:
        sentence = sentences.get(marked_uid_of(unit.segment.uid))
        counts = written[sentence.pk] if sentence is not None else Counter[str]()
        counted = [(word, counts[word_key(word)]) for word in unit.tokens]
        found[unit.pk] = sorted(counted, key=lambda one: (-one[1], word_key(one[0])))
    return found
