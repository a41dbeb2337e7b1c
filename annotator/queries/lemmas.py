"""Lemmas: of tokens, and what was decided on the same lemma elsewhere in a project."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import simplemma
from django.db.models import Count, Max, Sum

from annotator.domain.function_words import is_function_word
from annotator.domain.languages import base_language
from annotator.domain.tokens import bare, is_punctuation
from annotator.models import Annotation, AnnotationState, Gold, Project, Sentence, User
from annotator.queries.blind import blind_on, labels_blind
from mlworkers.engines.words import has_lemmas

MAX_EXAMPLES = 10

Occurrence = tuple[int, int]
"""A sentence's id and a token's index."""


@lru_cache(maxsize=200_000)
def lemma_of(token: str, language: str) -> str:
    """The lemma of a token, in lower case; the bare word itself in languages for which there is no lemma list."""
    word = bare(token).replace("’", "'")
    if not word:
        return token
    if not has_lemmas(language):
        return word.lower()
    # Capitals count here, unlike in a detector's features: a reader takes "Colorado" for a name.
    return simplemma.lemmatize(word, base_language(language)).lower()


def content_words(tokens: Sequence[str], language: str) -> list[bool]:
    """For each token, whether it is a content word: not punctuation, not a number, not a function word."""
    is_function = is_function_word(language)
    return [not is_punctuation(token) and any(map(str.isalpha, token)) and not is_function(token) for token in tokens]


@dataclass(frozen=True)
class LemmaMemory:
    """How often a lemma was labelled and left unlabelled in decided sentences, with some examples of each."""

    lemma: str
    labelled: int
    unlabelled: int
    examples: tuple[dict[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "lemma": self.lemma,
            "labelled": self.labelled,
            "unlabelled": self.unlabelled,
            "examples": list(self.examples),
        }


def lemma_memory(project: Project, *, language: str, lemma: str, user: User) -> LemmaMemory:
    """What was decided on a lemma (or on the lemma of a word form) in the sentences of a language.

    A sentence counts once gold, or somebody's annotation of it, is done: gold before the user's own,
    own before others'. Segments on which the user is blind count with the user's own labels only, and
    while the user has blind work open in the language, so do all.
    """
    lemma = lemma.strip()
    occurrences = _index(project, language).get(lemma.lower(), ())
    if not occurrences:
        lemma = lemma_of(lemma, language)
        occurrences = _index(project, language).get(lemma, ())
    decided = _decided(project, language, {sentence for sentence, _ in occurrences}, user)
    found = [
        (sentence, index, any(index in span["tokens"] for span in decided[sentence]))
        for sentence, index in occurrences
        if sentence in decided
    ]
    labelled = [item for item in found if item[2]]
    unlabelled = [item for item in found if not item[2]]
    # Both kinds are worth seeing, so each gets half of the room, or more where the other needs less.
    half = MAX_EXAMPLES // 2
    shown = labelled[: max(half, MAX_EXAMPLES - len(unlabelled))]
    shown += unlabelled[: MAX_EXAMPLES - len(shown)]
    texts = {
        row.pk: row
        for row in Sentence.objects.filter(pk__in=[sentence for sentence, _, _ in shown]).select_related("segment")
    }
    return LemmaMemory(
        lemma=lemma,
        labelled=len(labelled),
        unlabelled=len(unlabelled),
        examples=tuple(
            {
                "uid": texts[sentence].segment.uid,
                "tokens": texts[sentence].tokens,
                "index": index,
                "labelled": is_labelled,
            }
            for sentence, index, is_labelled in shown
        ),
    )


def _decided(project: Project, language: str, sentences: set[int], user: User) -> dict[int, list[dict[str, Any]]]:
    """The spans that stand for each decided one of the sentences, as far as the user may know them."""
    in_language = {"project": project, "sentence__language": language, "sentence__is_current": True}
    done = Annotation.objects.filter(**in_language, state=AnnotationState.DONE)
    own = done.filter(annotator=user)
    decided: dict[int, list[dict[str, Any]]] = {}
    if not labels_blind(user, project, language):
        hidden = blind_on(user, project, "sentence__segment_id")
        others = done.exclude(annotator=user).exclude(hidden)
        # The reviewer's ("review") comes last, and so stands.
        decided.update(others.order_by("mode", "-pk").values_list("sentence_id", "spans"))
        decided.update(own.values_list("sentence_id", "spans"))
        decided.update(Gold.objects.filter(**in_language).exclude(hidden).values_list("sentence_id", "spans"))
    else:
        decided.update(own.values_list("sentence_id", "spans"))
    return {sentence: spans for sentence, spans in decided.items() if sentence in sentences}


class _Cache:
    """A few values by key, the least recently used thrown out; safe between threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Any, dict[str, list[Occurrence]]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Any, make: Callable[[], dict[str, list[Occurrence]]]) -> dict[str, list[Occurrence]]:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._size:
                self._values.popitem(last=False)
        return value


_indexes = _Cache(size=8)


def _index(project: Project, language: str) -> dict[str, list[Occurrence]]:
    """Where each lemma stands in the current sentences of a language, in reading order; kept until they change."""
    current = Sentence.objects.filter(project=project, language=language, is_current=True)
    state = current.aggregate(count=Count("pk"), newest=Max("pk"), sum=Sum("pk"), at=Max("created_at"))
    # Texts never change, so which ones are current names the index; the time tells databases apart that were restored.
    key = (project.pk, language, *state.values())
    return _indexes.get(
        key,
        lambda: build_index(current.order_by("segment__position", "pk").values_list("pk", "tokens"), language),
    )


def build_index(sentences: Iterable[tuple[int, Sequence[str]]], language: str) -> dict[str, list[Occurrence]]:
    """Lemma → where it stands, in the order of `sentences`; punctuation is left out."""
    index: dict[str, list[Occurrence]] = {}
    for pk, tokens in sentences:
        for position, token in enumerate(tokens):
            if not is_punctuation(token):
                index.setdefault(lemma_of(token, language), []).append((pk, position))
    return index
