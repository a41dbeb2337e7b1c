"""What a word needs that is written for a marked one: it is another word, and it is not apt and inapt at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.domain.content import BEST as VOTES
from annotator.domain.content import Content, ContentError
from annotator.domain.messages import gettext_noop as _
from annotator.domain.pairs.triples import given_as_both
from annotator.domain.states import AnnotationState
from annotator.domain.text.lookup import lookup_key
from annotator.domain.text.one_word import in_case_of, word_key
from annotator.kinds.substitution.units import MARKED, as_marked, by_uid, position_of, words_uid
from annotator.models import Annotation, Gold, Item, LemmaPlace, Stage, Unit

# So many places of the index are looked at: frequent forms stand in every second sentence.
MAX_PLACES = 3000


def fit_substitute(unit: Unit, content: Content, done: bool) -> Content:
    """A substitute as it is. Raises ContentError where it is the marked word itself."""
    if done and unit.kind == MARKED:
        _check_other(content["word"], as_marked(unit).word)
    return content


def fit_inapt(unit: Unit, content: Content, done: bool) -> Content:
    """Inapt words, as they are written in the sentence.

    Raises ContentError where one is the marked word itself, or is apt: decided as the best, or voted so by all.
    """
    if unit.kind != MARKED:
        return content
    marked = as_marked(unit).word
    words = [{**one, "word": in_case_of(one["word"], marked)} for one in content["words"]]
    if done and words:
        for one in words:
            _check_other(one["word"], marked)
        both = given_as_both(known_words([unit])[unit.pk].best, [one["word"] for one in words])
        if both:
            raise ContentError(
                _("“%(word)s” was chosen as the best word for this sentence, so it is apt. Write a different one."),
                word=both[0],
            )
    return {**content, "words": words}


@dataclass(frozen=True, slots=True)
class KnownWords:
    """The words that people wrote for a marked sentence, once all have; and the best of them: as decided, else as voted
    once all have."""

    written: tuple[str, ...] = ()
    best: tuple[str, ...] = ()


def known_words(marked: Sequence[Unit]) -> dict[int, KnownWords]:
    """By unit id, what is known of marked sentences, all of one project and language. Four queries."""
    uids = {words_uid(unit.segment.uid): unit.pk for unit in marked}
    found = {unit.pk: KnownWords() for unit in marked}
    rows = by_uid(marked[0].project_id, marked[0].language, uids)
    if not rows:
        return found
    units = [row.pk for row in rows.values()]
    gold = dict(Gold.objects.filter(unit__in=units, layer__content_type=VOTES.slug).values_list("unit_id", "content"))
    votes: dict[int, list[Content]] = defaultdict(list)
    answers = Annotation.objects.filter(
        unit__in=units, layer__content_type=VOTES.slug, state=AnnotationState.DONE
    ).order_by("pk")
    for unit, content in answers.values_list("unit_id", "content"):
        votes[unit].append(content)
    items = Item.objects.filter(unit__in=units, stage__layer__content_type=VOTES.slug, answers_wanted__gt=0).exclude(
        stage__kind=Stage.ADJUDICATE
    )
    complete = {item.unit_id for item in items if item.answers_done >= item.answers_wanted}
    for uid, row in rows.items():
        best = gold.get(row.pk) or (VOTES.leading(votes[row.pk]) if row.pk in complete else VOTES.empty())
        found[uids[uid]] = KnownWords(tuple(row.tokens), tuple(best["words"]))
    return found


def marked_lemmas(units: Sequence[Unit]) -> dict[int, str]:
    """By unit id, the lemma of the word that is marked in it: its own, else the one that the project knows of the form;
    "" where it knows none. All are marked sentences of one project and language. At most one query."""
    found = {unit.pk: _own_lemma(unit) for unit in units}
    forms = {unit.pk: lookup_key(as_marked(unit).word.lower()) for unit in units if not found[unit.pk]}
    if not forms:
        return found
    places = LemmaPlace.objects.filter(project=units[0].project_id, language=units[0].language, form__in=forms.values())
    known = dict(places.values_list("form", "lemma")[:MAX_PLACES])
    return found | {pk: known.get(form, "") for pk, form in forms.items()}


def _own_lemma(unit: Unit) -> str:
    position = position_of(unit.segment.uid)
    return str(unit.lemmas[position]).lower() if position < len(unit.lemmas) else ""


def _check_other(word: str, marked: str) -> None:
    if word and word_key(word) == word_key(marked):
        raise ContentError(_("“%(word)s” is the word in the sentence. Write a different one."), word=word)
