"""What was written before and is like what somebody writes now, by words and their lemmas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotator.domain.figurative_pairs import UNIT_KIND, words
from annotator.models import LemmaPlace, Stage, Unit, User
from annotator.queries.blind import blind_units

SHOWN = 3
# Two sentences are like each other that share so much of their content words.
ALIKE = 0.6
# So many places are looked at, and units compared: frequent words stand in every second sentence.
MOST_PLACES = 3000
MOST_UNITS = 20


def similar_pairs(*, stage: Stage, texts: Sequence[str], user: User) -> list[list[str]]:
    """Lines of pairs of others in the stage's language one of whose figurative sentences is like one of `texts`.

    Pairs that touch what the user answers blind are not among them: they are the others' answers. Four queries, each by
    an index, whatever the project holds.
    """
    project = stage.project
    tokens = [tuple(words(text)) for text in texts]
    content = {
        word
        for some in tokens
        for word, is_content in zip(some, project.content_words(some, stage.language), strict=True)
        if is_content
    }
    if not content:
        return []
    places = LemmaPlace.objects.filter(project=project, language=stage.language)
    known = dict(places.filter(form__in=content).values_list("form", "lemma")[:MOST_PLACES])
    lemmas = {known.get(word, word) for word in content}
    found = places.filter(lemma__in=lemmas, unit__kind=UNIT_KIND).values_list("unit_id", "lemma")[:MOST_PLACES]
    shared = Counter(unit for unit, _lemma in set(found))
    of_others = Unit.objects.published().exclude(author=user)
    units = list(of_others.filter(pk__in=[pk for pk, _number in shared.most_common(MOST_UNITS)], is_current=True))
    hidden = blind_units(user, project, units)
    rows = [(_likeness(tokens, unit, known), unit) for unit in units if unit.pk not in hidden]
    alike = sorted((-share, unit.pk, unit) for share, unit in rows if share >= ALIKE)
    return [unit.text.split("\n")[:4] for _share, _pk, unit in alike[:SHOWN]]


def _likeness(tokens: Sequence[Sequence[str]], unit: Unit, known: dict[str, str]) -> float:
    """The largest share of lemmas that a sentence of ours and a figurative one of the unit have in common."""
    own = dict(zip((token.lower() for token in unit.tokens), unit.lemmas, strict=False)) | known
    theirs = [_lemmas(words(line), own) for line in unit.text.split("\n")[:2]]
    ours = [_lemmas(some, own) for some in tokens]
    return max((len(a & b) / len(a | b) for a in ours for b in theirs if a and b), default=0.0)


def _lemmas(some: Sequence[str], known: dict[str, str]) -> set[str]:
    return {known.get(word, word) for word in some}
