"""Senses out of a WordNet that is installed: a lexicon of six words, of our own writing."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from annotator.core.presets import StageSpec
from annotator.kinds.substitution.wordnet import Sense, senses_of
from annotator.models import Role
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.protocols.munch.start import START
from tests.clients import client_of
from tests.factories import make_member

wn: Any = pytest.importorskip("wn", reason="wn is not installed: pip install -c constraints.txt -e '.[wordnet]'")

LEXICON = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="http://purl.org/dc/elements/1.1/">
  <Lexicon id="{id}" label="A few words" language="{language}" email="nobody@example.org" license="CC0" version="1">
    {entries}
    {synsets}
  </Lexicon>
</LexicalResource>
"""
# Each synset with what it means and its words.
ENGLISH = {
    "w1": ("n", "water that rises and falls", ("wave", "billow")),
    "w2": ("n", "a feeling that comes all at once", ("wave", "surge")),
    "v1": ("v", "to go for somebody in order to hurt them", ("attack", "assail")),
    "v2": ("v", "to get into one's hands", ("take", "seize")),
    "a1": ("n", "a period of English", ("New",)),
    "a2": ("a", "not used before", ("new",)),
    **{f"b{number}": ("v", f"to go to pieces, way {number}", ("break",)) for number in range(75)},
}
# What another lexicon says in the same words, and what it adds.
FURTHER = {
    "w1": ("n", "water that rises and falls", ("billow", "wave")),
    "w4": ("n", "hair that bends", ("wave",)),
    "u1": ("n", "", ("ripple", "undulation")),
    "u2": ("n", "", ("ripple", "undulation")),
}
SPANISH = {"o1": ("n", "agua que sube y baja", ("ola", "onda"))}


def _lexicon(name: str, language: str, synsets: dict[str, tuple[str, str, tuple[str, ...]]]) -> str:
    senses: dict[tuple[str, str], list[str]] = {}
    for synset, (part, _meaning, words) in synsets.items():
        for word in words:
            senses.setdefault((word, part), []).append(synset)
    entries = [
        f'<LexicalEntry id="{name}-{word}-{part}"><Lemma writtenForm="{word}" partOfSpeech="{part}"/>'
        + "".join(f'<Sense id="{name}-{word}-{one}" synset="{name}-{one}"/>' for one in of)
        + "</LexicalEntry>"
        for (word, part), of in senses.items()
    ]
    rows = [
        f'<Synset id="{name}-{key}" ili="" partOfSpeech="{part}"><Definition>{meaning}</Definition></Synset>'
        for key, (part, meaning, _words) in synsets.items()
    ]
    return LEXICON.format(id=name, language=language, entries="\n".join(entries), synsets="\n".join(rows))


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[None]:
    """Two lexicons in a folder of the test's."""
    before = wn.config.database_path.parent
    wn.config.data_directory = tmp_path / "wn"
    for name, language, synsets in (("few", "en", ENGLISH), ("pocas", "es", SPANISH)):
        path = tmp_path / f"{name}.xml"
        path.write_text(_lexicon(name, language, synsets), encoding="utf-8")
        wn.add(path, progress_handler=None)
    yield
    wn._db.clear_connections()
    wn.config.data_directory = before


@pytest.mark.usefixtures("installed")
class TestInstalled:
    def test_every_sense_of_a_word_with_its_other_words(self) -> None:
        found = senses_of("wave", "en")
        assert found.available
        assert set(found.senses) == {
            Sense("few-w1", "n", "water that rises and falls", ("billow",)),
            Sense("few-w2", "n", "a feeling that comes all at once", ("surge",)),
        }

    @pytest.mark.parametrize(("word", "language", "synsets"), [
        ("attacked", "en", ["few-v1"]),
        ("attacked", "en-GB", ["few-v1"]),
        ("ATTACKED", "en", ["few-v1"]),
        ("Wave", "en", ["few-w1", "few-w2"]),
        ("waves", "en", ["few-w1", "few-w2"]),
        ("attacked,", "en", ["few-v1"]),
        ("took", "en", ["few-v2"]),
        ("New", "en", ["few-a1", "few-a2"]),
        ("ola", "es", ["pocas-o1"]),
        ("OLAS", "es", ["pocas-o1"]),
        ("wave", "es", []),
        ("zzz", "en", []),
    ])  # fmt: skip
    def test_which_are_found(self, word: str, language: str, synsets: list[str]) -> None:
        found = senses_of(word, language)
        assert found.available
        assert sorted(sense.synset for sense in found.senses) == synsets

    @pytest.mark.parametrize("word", ["wave", "waves", "WAVES"])
    def test_its_own_lemma_is_none_of_its_other_words(self, word: str) -> None:
        assert {sense.words for sense in senses_of(word, "en").senses} == {("billow",), ("surge",)}

    def test_a_word_that_begins_a_sentence_is_no_name_first(self) -> None:
        found = senses_of("New", "en").senses
        assert [(sense.part, sense.definition) for sense in found] == [
            ("a", "not used before"),
            ("n", "a period of English"),
        ]

    def test_all_senses_of_a_word_are_there(self) -> None:
        assert len(senses_of("breaks", "en").senses) == 75

    def test_what_two_lexicons_say_in_the_same_words_is_there_once(self, tmp_path: Path) -> None:
        path = tmp_path / "more.xml"
        path.write_text(_lexicon("more", "en", FURTHER), encoding="utf-8")
        wn.add(path, progress_handler=None)
        found = senses_of("wave", "en").senses
        assert sorted(sense.synset for sense in found) == ["few-w1", "few-w2", "more-w4"]
        assert len(senses_of("ripple", "en").senses) == 2, "without definitions they may differ"

    def test_a_language_without_one(self) -> None:
        assert not senses_of("uhin", "eu").available

    def test_every_thread_of_the_web_server_can_look(self) -> None:
        assert senses_of("wave", "en").available
        with ThreadPoolExecutor(max_workers=3) as threads:
            found = list(threads.map(lambda _number: senses_of("wave", "en"), range(12)))
        assert {len(one.senses) for one in found} == {2}

    @pytest.mark.django_db
    def test_the_call_gives_them(self) -> None:
        project = create_project(slug="words", preset=START.preset(["en"]), by=None)
        if not project.stages.filter(kind="inapt").exists():
            add_stages(project=project, specs=[StageSpec("inapt", "en", made_from="substitute")], by=None)
        path = f"/api/v1/projects/words/stages/{project.stages.get(kind='inapt').pk}/senses/?word=attacked"
        meaning = "to go for somebody in order to hurt them"
        sense = {"synset": "few-v1", "part": "v", "definition": meaning, "words": ["assail"]}
        found = client_of(make_member(project, Role.ADJUDICATOR)).get(path).json()
        assert found == {"available": True, "senses": [sense]}
