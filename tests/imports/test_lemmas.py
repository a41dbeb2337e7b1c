"""Lemmas of many sentences come from a process of their own: the same ones, however they were asked for."""

from __future__ import annotations

import pytest

from annotator.domain.text.lemmas import lemmas_of
from annotator.imports.reading import lemmas as import_lemmas
from annotator.imports.reading.lemmas import Lemmas

TEXTS = [
    (language, f"{words} {number} .".split())
    for number in range(60)
    for language, words in (("es", "Las casas volaban , dijo"), ("eu", "Etxea ikusi dut"), ("en", "They were flying"))
]


@pytest.mark.parametrize("announced", [len(TEXTS), 40])
@pytest.mark.parametrize("most", [200_000, 30])
@pytest.mark.slow
def test_a_helper_says_what_is_said_without_one(monkeypatch: pytest.MonkeyPatch, announced: int, most: int) -> None:
    monkeypatch.setattr(import_lemmas, "MANY", 20)
    monkeypatch.setattr(import_lemmas, "MAX_KEPT", most)
    found = []
    with Lemmas() as lemmas:
        for text in TEXTS[:announced]:
            lemmas.announce([text])
        assert lemmas.helped
        for start in range(0, len(TEXTS), 10):
            lemmas.expect(TEXTS[start : start + 10])
            found += [lemmas.of(tokens, language) for language, tokens in TEXTS[start : start + 10]]

    assert found == [lemmas_of(tokens, language) for language, tokens in TEXTS]


def test_few_sentences_need_no_process() -> None:
    with Lemmas() as lemmas:
        lemmas.announce(TEXTS)
        lemmas.expect(TEXTS)
        assert not lemmas.helped
        assert lemmas.of(["Volaban"], "es") == ["volar"]
