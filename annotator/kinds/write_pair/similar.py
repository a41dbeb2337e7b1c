"""What was written before and is like what somebody writes now, by words and their lemmas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from annotator.domain.pairs.figurative_pairs import LINES, UNIT_KIND, words
from annotator.domain.text.lemmas import known_lemma
from annotator.domain.text.lookup import lookup_key
from annotator.domain.text.tokens import bare
from annotator.models import LemmaPlace, Project, Stage, Unit, User
from annotator.work.blind.queries.blind import blind_units

SHOWN = 3
# Two sentences are like each other that share so many of the lemmas of their content words.
ALIKE = 0.6
# So many places are looked at, and units compared: frequent words stand in every second sentence.
MAX_PLACES = 3000
MAX_UNITS = 20


@dataclass(frozen=True, slots=True)
class Similar:
    """Pairs by their lines: the likest of others first, and what the writer has written with the same words."""

    others: list[list[str]]
    own: list[list[str]]


def similar_pairs(*, stage: Stage, texts: Sequence[str], user: User, unit: int | None = None) -> Similar:
    """Pairs in the stage's language one of whose figurative sentences is like one of `texts`; of the user's own, those
    with the words of both, but for what was made from the unit with the id `unit`, which is being written.

    Of several that are the same, one is given. Others' pairs that touch what the user answers blind are not among them.
    Four queries, each by an index, whatever the project holds.
    """
    project = stage.project
    tokens = [tuple(words(text)) for text in texts]
    ours = [_content(project, stage.language, some) for some in tokens]
    content = {word for some in ours for word in some}
    if not content:
        return Similar([], [])
    places = LemmaPlace.objects.filter(project=project, language=stage.language)
    known = dict(places.filter(form__in=content).values_list("form", "lemma")[:MAX_PLACES])
    # What was made before there were dictionaries here has its forms for lemmas.
    lemmas = content | {known_lemma(word, stage.language, known) for word in content}
    found = places.filter(lemma__in=lemmas, unit__kind=UNIT_KIND).values_list("unit_id", "lemma")[:MAX_PLACES]
    shared = Counter(unit for unit, _lemma in set(found))
    written_now = Unit.objects.filter(author=user, parents=unit)
    units = list(
        Unit.objects.published()
        .filter(pk__in=[pk for pk, _number in shared.most_common(MAX_UNITS)], is_current=True)
        .exclude(pk__in=written_now.values("pk"))
    )
    of_others = [one for one in units if one.author_id != user.pk]
    hidden = blind_units(user, project, of_others)
    rows = [(_likeness(project, ours, one, known), one) for one in of_others if one.pk not in hidden]
    alike = sorted((-share, one.pk, one) for share, one in rows if share >= ALIKE)
    again = [one for one in units if one.author_id == user.pk and _figurative(one) == sorted(tokens)]
    return Similar(_once([one for _share, _pk, one in alike])[:SHOWN], _once(again)[:SHOWN])


def _figurative(unit: Unit) -> list[tuple[str, ...]]:
    """The words of both figurative sentences, in one order."""
    return sorted(words(line) for line in unit.text.split("\n")[:2])


def _once(units: Sequence[Unit]) -> list[list[str]]:
    """The lines of each; of those with the same words in all lines, of the first."""
    found: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for unit in units:
        lines = unit.text.split("\n")[:LINES]
        found.setdefault(tuple(words(line) for line in lines), lines)
    return list(found.values())


def _content(project: Project, language: str, some: Sequence[str]) -> list[str]:
    """The content words of a sentence: function words stand in every second one, and say little of what it compares."""
    return list(compress(some, project.content_words(some, language)))


def _likeness(project: Project, content: Sequence[Sequence[str]], unit: Unit, known: dict[str, str]) -> float:
    """The largest share of lemmas that the content words of a sentence of ours and of a figurative one of the unit have
    in common."""
    forms = (lookup_key(bare(token).lower()) for token in unit.tokens)
    own = dict(zip(forms, (lookup_key(lemma.lower()) for lemma in unit.lemmas), strict=False)) | known
    lines = [_content(project, unit.language, words(line)) for line in unit.text.split("\n")[:2]]
    theirs = [_lemmas(some, unit.language, own) for some in lines]
    ours = [_lemmas(some, unit.language, own) for some in content]
    return max((len(a & b) / len(a | b) for a in ours for b in theirs if a and b), default=0.0)


def _lemmas(some: Sequence[str], language: str, known: dict[str, str]) -> set[str]:
    return {known_lemma(word, language, known) for word in some}
