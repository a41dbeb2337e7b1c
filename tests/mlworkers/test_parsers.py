"""spaCy and Stanza as parsers, by stand-ins of their objects: no model of theirs is at hand where tests run."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from annotator.domain.text.parsed import Word
from mlworkers.engines.base import EngineError
from mlworkers.engines.parsers.spacy_parser import package_of
from mlworkers.engines.registry import load_parser

TEXT = "Iba del brazo."


class Doc(list[Any]):
    """spaCy's: tokens with their place, their part of speech, and their head as a token."""

    def __init__(self, *, parsed: bool) -> None:
        rows = [("Iba", 0, "VERB", 0, "ROOT"), ("del", 4, "ADP", 2, "case"), ("brazo", 8, "NOUN", 0, "obl")]
        tokens = [SimpleNamespace(text=word, idx=at, pos_=tag, dep_=name) for word, at, tag, _head, name in rows]
        for token, (_word, _at, _tag, head, _name) in zip(tokens, rows, strict=True):
            token.head = SimpleNamespace(i=head)
        super().__init__(tokens)
        self._parsed = parsed

    def has_annotation(self, name: str) -> bool:
        return name == "POS" or self._parsed


class Spacy(ModuleType):
    """The package, with the models that are named installed."""

    def __init__(self, *installed: str, parsed: bool = True) -> None:
        super().__init__("spacy")
        self.loaded: list[str] = []
        self.util = SimpleNamespace(is_package=lambda name: name in installed)
        self._parsed = parsed

    def load(self, name: str, *, exclude: Iterable[str]) -> Any:
        self.loaded.append(name)
        return SimpleNamespace(pipe=lambda texts: iter([Doc(parsed=self._parsed) for _text in texts]))


class Stanza(ModuleType):
    """The package, with a pipeline for Spanish alone."""

    def __init__(self) -> None:
        super().__init__("stanza")
        self.asked: list[dict[str, Any]] = []

    def Pipeline(self, language: str, **options: Any) -> Any:
        self.asked.append({"language": language, **options})
        if language != "es":
            raise FileNotFoundError(f"no models for {language}\nand a long explanation")
        return self

    def bulk_process(self, texts: list[str]) -> list[Any]:
        return [SimpleNamespace(sentences=list(_sentences())) for _text in texts]


def _sentences() -> Iterator[Any]:
    """Two, with a word that is written as one and is two."""
    for shift in (0, 15):
        verb, both, noun = (
            SimpleNamespace(start_char=shift + begin, end_char=shift + end) for begin, end in ((0, 3), (4, 7), (8, 13))
        )
        rows = [
            (verb, "VERB", 0, "root"),
            (both, "ADP", 4, "case"),
            (both, "DET", 4, "det"),
            (noun, "NOUN", 1, "obl:arg"),
        ]
        words = [SimpleNamespace(parent=token, upos=tag, head=head, deprel=name) for token, tag, head, name in rows]
        yield SimpleNamespace(words=words)


class TestSpacy:
    @pytest.mark.parametrize(
        ("names", "language", "package"),
        [
            ("", "en-GB", "en_core_web_sm"),
            ("", "ca", "ca_core_news_sm"),
            ("en_core_web_trf, es_core_news_md", "es", "es_core_news_md"),
            ("es_core_news_md", "pt", "pt_core_news_sm"),
        ],
    )
    def test_each_language_has_the_model_that_is_named_or_its_small_one(
        self, names: str, language: str, package: str
    ) -> None:
        assert package_of(names, language) == package

    def test_words_come_with_their_place_tag_and_head(self, monkeypatch: pytest.MonkeyPatch) -> None:
        spacy = Spacy("es_core_news_md")
        monkeypatch.setitem(sys.modules, "spacy", spacy)
        parser = load_parser("spacy:es_core_news_md", language="es")
        assert (
            parser.parse([TEXT, TEXT])
            == [(Word(0, 3, "VERB", 0, "ROOT"), Word(4, 7, "ADP", 2, "case"), Word(8, 13, "NOUN", 0, "obl"))] * 2
        )
        assert (spacy.loaded, parser.name) == (["es_core_news_md"], "spacy:es_core_news_md")

    def test_a_missing_model_is_named_with_what_to_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        spacy = Spacy("es_core_news_sm")
        monkeypatch.setitem(sys.modules, "spacy", spacy)
        with pytest.raises(EngineError, match=r"“en_core_web_sm” is not installed.*spacy download en_core_web_sm"):
            load_parser("spacy", language="en")
        assert spacy.loaded == []

    def test_a_model_without_a_parser_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "spacy", Spacy("es_core_news_sm", parsed=False))
        with pytest.raises(EngineError, match="no parser"):
            load_parser("spacy", language="es").parse([TEXT])


class TestStanza:
    def test_words_of_all_sentences_come_with_their_place_tag_and_head(self, monkeypatch: pytest.MonkeyPatch) -> None:
        stanza = Stanza()
        monkeypatch.setitem(sys.modules, "stanza", stanza)
        (words,) = load_parser("stanza:/models", language="es-MX").parse([f"{TEXT} {TEXT}"])
        assert words[:4] == (
            Word(0, 3, "VERB", 0, "root"),
            Word(4, 7, "ADP", 3, "case"),
            Word(4, 7, "DET", 3, "det"),
            Word(8, 13, "NOUN", 0, "obl:arg"),
        )
        assert [(word.begin, word.head) for word in words[4:]] == [(15, 4), (19, 7), (19, 7), (23, 4)]
        (asked,) = stanza.asked
        assert (asked["dir"], asked["download_method"], asked["tokenize_no_ssplit"]) == ("/models", None, True)

    def test_missing_models_are_named_with_what_to_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "stanza", Stanza())
        with pytest.raises(EngineError, match=r"“eu” cannot be loaded \(no models for eu\).*stanza.download\(\'eu\'\)"):
            load_parser("stanza", language="eu")


@pytest.mark.parametrize("name", ["spacy", "stanza"])
def test_an_installation_without_the_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(EngineError, match=rf"package {name}, which is not installed.*\.\[{name}\]"):
        load_parser(name, language="en")


def test_an_unknown_parser_is_named() -> None:
    with pytest.raises(EngineError, match=r"“udpipe”.*small, spacy or stanza"):
        load_parser("udpipe", language="en")
