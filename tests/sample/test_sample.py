"""The sample corpus: one layout, one text, and every phenomenon that the demo is there to show."""

import json
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import annotator
from annotator.core.starts import PRESETS
from annotator.formats.corpora.meta4xnli import read_corpus, write_corpus

SAMPLE = Path(annotator.__file__).parent / "sample"
LANGUAGES = ("es", "en")
ROLES = ("prem", "hyp")
CLASSES = ("met", "nonrelevant", "no_met")
HEADER = ["language", "gold_label", "sentence1", "sentence2", "promptID", "pairID", "genre", "source_dataset"]
PREMISES, PAIRS = 25, 75


class Sentence(NamedTuple):
    tokens: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.tokens)

    @property
    def labelled(self) -> bool:
        return any(label != "O" for label in self.labels)

    def units(self) -> list[list[int]]:
        """Token indices of each labelled unit; an I- continues the unit before it, also across a gap."""
        units: list[list[int]] = []
        for index, label in enumerate(self.labels):
            if label == "B-METAPHOR":
                units.append([index])
            elif label == "I-METAPHOR":
                units[-1].append(index)
        return units

    def words(self) -> list[str]:
        return [" ".join(self.tokens[i].strip(".,:!?¡¿") for i in unit) for unit in self.units()]


class Row(NamedTuple):
    tag: str
    language: str
    gold_label: str
    sentence1: str
    sentence2: str
    prompt: int
    pair: int
    genre: str


def detection_path(language: str, role: str) -> Path:
    return SAMPLE / "detection" / "source_datasets" / language / f"sample_{role}.tsv"


def interpretation_path(tag: str) -> Path:
    return SAMPLE / "interpretation" / "source_datasets" / f"sample_{tag}.tsv"


def read_sentences(language: str, role: str) -> list[Sentence]:
    text = detection_path(language, role).read_bytes().decode("utf-8")
    groups = text.removesuffix("\n\n").split("\n\n")
    return [Sentence(*zip(*(line.split("\t") for line in group.split("\n")), strict=True)) for group in groups]


def read_rows(tag: str) -> list[Row]:
    lines = interpretation_path(tag).read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    assert lines[0].split("\t") == HEADER
    rows = []
    for line in lines[1:]:
        language, gold, first, second, prompt, pair, genre, dataset = line.split("\t")
        assert dataset == "sample"
        assert prompt.endswith("_sample")
        assert pair.endswith("_sample")
        number = [int(name.removesuffix("_sample")) for name in (prompt, pair)]
        rows.append(Row(tag, language, gold, first, second, number[0], number[1], genre))
    return rows


@pytest.fixture(scope="module")
def sentences() -> dict[tuple[str, str], list[Sentence]]:
    return {(lang, role): read_sentences(lang, role) for lang in LANGUAGES for role in ROLES}


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return [row for tag in CLASSES for row in read_rows(tag)]


@pytest.fixture(scope="module")
def segments(
    sentences: dict[tuple[str, str], list[Sentence]],
) -> list[tuple[Sentence, Sentence]]:
    """Every segment as (Spanish, English)."""
    return [both for role in ROLES for both in zip(sentences["es", role], sentences["en", role], strict=True)]


@pytest.fixture(scope="module")
def overlap() -> dict[str, Any]:
    data = json.loads((SAMPLE / "annotators.json").read_text(encoding="utf-8"))
    overlap: dict[str, Any] = data["overlap"]
    return overlap


class TestLayout:
    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("role", ROLES)
    def test_detection_bytes(self, language: str, role: str) -> None:
        data = detection_path(language, role).read_bytes()
        assert not data.startswith(b"\xef\xbb\xbf")
        assert b"\r" not in data
        assert data.endswith(b"\n\n")
        assert b"\n\n\n" not in data
        for line in data.decode("utf-8").split("\n"):
            if line:
                token, label = line.split("\t")
                assert token
                assert not any(c.isspace() for c in token)
                assert label in {"O", "B-METAPHOR", "I-METAPHOR"}

    @pytest.mark.parametrize("tag", CLASSES)
    def test_interpretation_bytes_and_order(self, tag: str) -> None:
        data = interpretation_path(tag).read_bytes()
        assert not data.startswith(b"\xef\xbb\xbf")
        assert b"\r" not in data
        assert data.endswith(b"\n")
        assert not data.endswith(b"\n\n")
        found = [(row.language, row.pair) for row in read_rows(tag)]
        numbers = sorted({pair for _, pair in found})
        assert found == [(language, pair) for language in LANGUAGES for pair in numbers]

    def test_counts(self, sentences: dict[tuple[str, str], list[Sentence]], rows: list[Row]) -> None:
        for language in LANGUAGES:
            assert len(sentences[language, "prem"]) == PREMISES
            assert len(sentences[language, "hyp"]) == PAIRS
            ids = sorted(row.pair for row in rows if row.language == language)
            assert ids == list(range(1, PAIRS + 1))

    def test_no_orphan_labels(self, segments: list[tuple[Sentence, Sentence]]) -> None:
        for segment in segments:
            for sentence in segment:
                labelled = [label for label in sentence.labels if label != "O"]
                assert labelled[:1] in ([], ["B-METAPHOR"]), sentence.text

    def test_texts_are_the_same_in_both_files(
        self, sentences: dict[tuple[str, str], list[Sentence]], rows: list[Row]
    ) -> None:
        for row in rows:
            assert row.sentence1 == sentences[row.language, "prem"][row.prompt - 1].text
            assert row.sentence2 == sentences[row.language, "hyp"][row.pair - 1].text
            assert row.prompt == (row.pair + 2) // 3

    def test_languages_agree_about_the_pair(self, rows: list[Row]) -> None:
        by_pair: dict[int, set[tuple[str, str, str]]] = {}
        for row in rows:
            by_pair.setdefault(row.pair, set()).add((row.tag, row.gold_label, row.genre))
        assert all(len(about) == 1 for about in by_pair.values())

    def test_reader_and_writer_leave_every_byte(self, segments: list[tuple[Sentence, Sentence]]) -> None:
        corpus = read_corpus(SAMPLE, "sample")
        assert corpus.languages == LANGUAGES
        assert (len(corpus.segments), len(corpus.pairs)) == (PREMISES + PAIRS, PAIRS)

        # An I- after O is how a discontinuous unit is written: nothing else is odd here.
        gaps = [unit for _, en in segments for unit in en.units() if unit[-1] - unit[0] >= len(unit)]
        assert len(corpus.warnings) == len(gaps)

        files = write_corpus(corpus)
        assert len(files) == 7
        for path, content in files.items():
            assert content == (SAMPLE / path).read_bytes(), path


class TestContent:
    def test_three_hypotheses_with_three_labels(self, rows: list[Row]) -> None:
        orders = set()
        for prompt in range(1, PREMISES + 1):
            pairs = sorted(r for r in rows if r.prompt == prompt and r.language == "es")
            labels = [r.gold_label for r in sorted(pairs, key=lambda r: r.pair)]
            assert sorted(labels) == ["contradiction", "entailment", "neutral"]
            orders.add(tuple(labels))
        assert len(orders) == 6

    def test_class_follows_the_spanish_labels(
        self, sentences: dict[tuple[str, str], list[Sentence]], rows: list[Row]
    ) -> None:
        for row in rows:
            premise = sentences["es", "prem"][row.prompt - 1]
            hypothesis = sentences["es", "hyp"][row.pair - 1]
            labelled = premise.labelled or hypothesis.labelled
            assert (row.tag == "no_met") == (not labelled), row

    def test_class_sizes(self, rows: list[Row]) -> None:
        tags = Counter(row.tag for row in rows if row.language == "es")
        assert tags["met"] >= 12
        assert tags["nonrelevant"] >= 20
        assert tags["no_met"] >= 20

    @pytest.mark.parametrize("index", [0, 1], ids=LANGUAGES)
    def test_share_of_labelled_sentences(self, segments: list[tuple[Sentence, Sentence]], index: int) -> None:
        share = sum(segment[index].labelled for segment in segments) / len(segments)
        assert 0.25 <= share <= 0.35

    def test_no_sentence_occurs_twice(self, segments: list[tuple[Sentence, Sentence]]) -> None:
        for texts in zip(*((es.text, en.text) for es, en in segments), strict=True):
            assert len(set(texts)) == len(texts)

    def test_genres(self, rows: list[Row]) -> None:
        assert len({row.genre for row in rows}) >= 8


class TestPhenomena:
    def test_single_words(self, segments: list[tuple[Sentence, Sentence]]) -> None:
        found = {word for es, _ in segments for word in es.words()}
        assert {"devora", "batería", "frío"} <= found  # a verb, a noun, an adjective

    def test_multi_word_units(self, segments: list[tuple[Sentence, Sentence]]) -> None:
        for index in (0, 1):
            units = [unit for segment in segments for unit in segment[index].units()]
            contiguous = [u for u in units if len(u) > 1 and u[-1] - u[0] == len(u) - 1]
            assert len(contiguous) >= 5

    def test_discontinuous_units_in_english(self, segments: list[tuple[Sentence, Sentence]]) -> None:
        found = {
            words
            for _, en in segments
            for unit, words in zip(en.units(), en.words(), strict=True)
            if unit[-1] - unit[0] >= len(unit)
        }
        assert {"take off", "called off"} <= found

    def test_lost_in_translation(self, segments: list[tuple[Sentence, Sentence]]) -> None:
        lost = [es.text for es, en in segments if es.labelled and not en.labelled]
        assert len(lost) >= 3

    def test_gained_in_translation(self, segments: list[tuple[Sentence, Sentence]]) -> None:
        gained = [es.text for es, en in segments if en.labelled and not es.labelled]
        assert len(gained) >= 3

    def test_spanish_verb_to_english_pronoun_and_verb(self, segments: list[tuple[Sentence, Sentence]]) -> None:
        (both,) = [(es, en) for es, en in segments if es.tokens[0] == "Lucharon"]
        assert both[0].labels[0] == "B-METAPHOR"
        assert both[1].tokens[:2] == ("They", "fought")
        assert both[1].labels[:2] == ("O", "B-METAPHOR")

    def test_long_and_short_sentences(self, segments: list[tuple[Sentence, Sentence]]) -> None:
        lengths = [len(es.tokens) for es, _ in segments]
        assert min(lengths) <= 3
        assert sum(length >= 25 for length in lengths) >= 4

    def test_characters(self, segments: list[tuple[Sentence, Sentence]]) -> None:
        spanish = "".join(es.text for es, _ in segments)
        assert set("¿?¡!—«»ñ€;:0123456789") <= set(spanish)
        assert {'"', "“", "”", "—", "'"} <= set("".join(en.text for _, en in segments))
        assert any("n.º" in es.tokens for es, _ in segments)


class TestAnnotators:
    TAGS = ("relevant", "non_relevant", "no_metaphor", "discarded")

    def test_units_exist_once(self, overlap: dict[str, Any]) -> None:
        names = [(entry["unit"], entry["id"]) for entry in overlap["sentences"]]
        assert len(set(names)) == len(names) == 32
        assert Counter(unit for unit, _ in names) == {"prem": 8, "hyp": 24}
        pairs = {entry["pairID"] for entry in overlap["pairs"]}
        assert len(overlap["pairs"]) == 24
        assert pairs == {name for unit, name in names if unit == "hyp"}

    def test_pairs_belong_to_the_premises(self, overlap: dict[str, Any]) -> None:
        numbers = {"prem": set[int](), "hyp": set[int]()}
        for entry in overlap["sentences"]:
            numbers[entry["unit"]].add(int(entry["id"].removesuffix("_sample")))
        assert {(pair + 2) // 3 for pair in numbers["hyp"]} == numbers["prem"]

    def test_spans_lie_within_the_sentence(
        self, overlap: dict[str, Any], sentences: dict[tuple[str, str], list[Sentence]]
    ) -> None:
        for entry in overlap["sentences"]:
            number = int(entry["id"].removesuffix("_sample"))
            length = len(sentences[entry["language"], entry["unit"]][number - 1].tokens)
            assert set(entry["doubt"]) <= {"ana", "ben"}
            assert set(entry["comments"]) <= {"ana", "ben"}
            for who in ("ana", "ben"):
                tokens = [index for span in entry[who] for index in span]
                assert all(span and span == sorted(span) for span in entry[who])
                assert len(set(tokens)) == len(tokens)
                assert all(0 <= index < length for index in tokens)

    def test_tags(self, overlap: dict[str, Any]) -> None:
        for entry in overlap["pairs"]:
            assert entry["ana"] in self.TAGS
            assert entry["ben"] in self.TAGS
            assert set(entry["comments"]) <= {"ana", "ben"}

    def test_agreement_is_substantial_not_perfect(
        self, overlap: dict[str, Any], sentences: dict[tuple[str, str], list[Sentence]]
    ) -> None:
        labels: dict[str, list[str]] = {"ana": [], "ben": []}
        for entry in overlap["sentences"]:
            number = int(entry["id"].removesuffix("_sample"))
            length = len(sentences[entry["language"], entry["unit"]][number - 1].tokens)
            for who, found in labels.items():
                inside = {index for span in entry[who] for index in span}
                found.extend("M" if index in inside else "O" for index in range(length))
        assert 0.70 <= kappa(labels["ana"], labels["ben"]) <= 0.80

        tags = {who: [entry[who] for entry in overlap["pairs"]] for who in ("ana", "ben")}
        assert 0.60 <= kappa(tags["ana"], tags["ben"]) <= 0.70

    def test_there_is_doubt_and_comment(self, overlap: dict[str, Any]) -> None:
        entries = overlap["sentences"]
        assert {who for entry in entries for who in entry["doubt"]} == {"ana", "ben"}
        assert {who for entry in entries for who in entry["comments"]} == {"ana", "ben"}


def kappa(first: list[str], second: list[str]) -> float:
    """Cohen's kappa, written out: the sample is tested without the code that it demonstrates."""
    total = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / total
    counts = Counter(first), Counter(second)
    expected = sum(counts[0][label] * counts[1][label] for label in counts[0]) / total**2
    return (observed - expected) / (1 - expected)


@pytest.mark.parametrize("language", ["en", "es"])
def test_guidelines(language: str) -> None:
    text = PRESETS["meta4xnli-es-en"].guideline_texts()[language]
    assert text.startswith("# ")
    assert "MIPVU" in text
    assert "Steen" in text
    assert "Pragglejaz" in text
    # Markdown is shown with raw HTML switched off.
    assert "<" not in text
