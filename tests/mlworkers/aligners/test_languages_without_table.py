"""Languages for which nothing is shipped: the lexical aligner learns from the project's own text alone."""

from __future__ import annotations

import pytest

from annotator.domain.text.tokens import word_of
from mlworkers.engines.aligners.lexical.prior import Prior
from mlworkers.engines.registry import load_aligner
from tests.mlworkers.parallel import everyday, links

# Words that recur, and how one says them in the other language.
OBVIOUS = {
    ("ca", "en"): """gat cat, gos dog, nena girl, nen boy, germana sister, germà brother, mestra teacher, llegeix reads,
        dorm sleeps, beu drinks, menja eats, obre opens, tanca closes, llibre book, diari newspaper, porta door,
        finestra window, jardí garden, cuina kitchen, casa house, ciutat city, mercat market, pa bread, llet milk,
        aigua water, poma apple, mira looks, gran big, petita small""",
    # The verb is last in Basque and in the middle in Spanish.
    ("eu", "es"): """liburua libro, egunkaria periódico, mahaia mesa, mahaian mesa, etxea casa, etxean casa,
        sukaldean cocina, lorategian jardín, anaiak hermano, amak madre, irakasleak profesora, neskak chica,
        mutilak chico, irakurtzen lee, irekitzen abre, ixten cierra, erosi comprado, jaten come, katua gato,
        txakurra perro""",
}


@pytest.mark.parametrize(("source", "target"), OBVIOUS)
def test_obvious_words_are_linked_nearly_wherever_both_are(source: str, target: str) -> None:
    assert Prior.shipped(source, target) is None
    pairs = everyday(source, target)
    assert len(pairs) >= 30
    aligner = load_aligner("lexical", source=source, target=target, corpus=pairs)
    linked = [
        {(word_of(left[link.source]), word_of(right[link.target])) for link in found}
        for (left, right), found in zip(pairs, aligner.align(pairs), strict=True)
    ]
    for word, translation in (entry.split() for entry in OBVIOUS[source, target].split(",")):
        both = [
            found
            for (left, right), found in zip(pairs, linked, strict=True)
            if word in map(word_of, left) and translation in map(word_of, right)
        ]
        assert len(both) >= 2, f"{word} does not recur"
        assert sum((word, translation) in found for found in both) >= 0.7 * len(both), (word, translation)


def test_a_new_sentence_of_known_words_is_aligned() -> None:
    aligner = load_aligner("lexical", source="ca", target="en", corpus=everyday("ca", "en"))
    found = links(aligner, "La germana de la mestra beu aigua.", "The teacher's sister drinks water.")
    assert {("germana", "sister"), ("mestra", "teacher's"), ("beu", "drinks"), ("aigua.", "water.")} <= found
