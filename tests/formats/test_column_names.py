"""Names that say several things: the cells decide what a column is, and the words what a file is in."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.formats.columns.columns import guess_columns
from annotator.formats.common.errors import FormatWarning
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import Read, Record
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats
from tests.formats.brought import guessed

TEXTS = ("Rumours bloom in town.", "She shrugged her worries off.", "Time heals all wounds.")
NUMBERS = ("158", "159", "160")
CODES = ("n-3", "n-4", "n-5")
SWAHILI = ("Alikwenda nyumbani.", "Alibaki.", "Walilala jana usiku.")


def meanings(languages: tuple[str, ...], **columns: tuple[str, ...]) -> list[str]:
    """What columns of these names and cells are taken for."""
    rows = [list(columns), *map(list, zip(*columns.values(), strict=True))]
    found = guess_columns(rows, languages, file_language=languages[0])
    assert found.header
    return [found.meanings[index] for index in range(len(columns))]


@pytest.mark.parametrize("cells", [NUMBERS, CODES], ids=["numbers", "codes"])
@pytest.mark.parametrize(
    ("name", "languages"),
    [
        (name, languages)
        for name, code in (
            ("text_id", "id"), ("texto_id", "id"), ("frase_id", "id"), ("sentence_id", "id"), ("id_text", "id"),
            ("id", "id"), ("Text ID", "id"), ("textId", "id"), ("sentence_no", "no"), ("Sentence No.", "no"),
            ("frase no", "no"), ("no_frase", "no"), ("no", "no"), ("No", "no"), ("satz_nr", "nr"), ("Nr.", "nr"),
        )
        for languages in (("en",), ("en", code), (code,))
    ],
)  # fmt: skip
def test_a_column_of_ids_is_one(name: str, languages: tuple[str, ...], cells: tuple[str, ...]) -> None:
    other = languages[0]
    assert meanings(languages, **{name: cells, "text": TEXTS})[0] == "id"
    assert meanings(languages, **{"sentence": TEXTS, name: cells}) == [f"text:{other}", "id"]


@pytest.mark.parametrize("code", ["id", "no", "is", "or", "as", "so", "my", "he", "am", "it"])
@pytest.mark.parametrize("shape", ["{}", "text_{}", "{}_text", "Text ({})", "frase_{}"])
def test_a_column_of_texts_is_one_in_its_language(code: str, shape: str) -> None:
    assert meanings(("en", code), **{"en": TEXTS, shape.format(code): SWAHILI}) == ["text:en", f"text:{code}"]
    assert meanings((code,), **{shape.format(code): SWAHILI}) == [f"text:{code}"]


@pytest.mark.parametrize("code", ["is", "or", "as", "so", "my", "he", "am", "it"])
@pytest.mark.parametrize("cells", [("0", "1", "0"), ("TRUE", "FALSE", "TRUE"), ("yes", "no", "no"), NUMBERS])
@pytest.mark.parametrize("own", [True, False])
def test_numbers_and_answers_under_a_code_are_no_texts(code: str, cells: tuple[str, ...], own: bool) -> None:
    languages = ("en", code) if own else ("en",)
    for name in (code, f"text_{code}", f"it_{code}"):
        found = meanings(languages, **{"text": TEXTS, name: cells})
        assert found[0] == "text:en"
        assert not found[1].startswith("text")


def test_languages_by_their_codes_alone_have_words_for_texts() -> None:
    assert meanings(("en", "id"), en=("Yes", "No", "Perhaps"), id=("Ya", "Tidak", "Mungkin")) == ["text:en", "text:id"]
    assert meanings(("en", "id"), id=NUMBERS, en=TEXTS) == ["id", "text:en"]


@pytest.mark.parametrize(
    "name", ["verb_idx", "token_id", "id_verb", "word_no", "n_words", "num_tokens", "words", "target index"]
)
def test_what_comes_twice_or_counts_is_no_id(name: str) -> None:
    found = meanings(("en",), **{"sentence": TEXTS, name: ("1", "2", "1"), "label": ("1", "0", "0")})
    assert found == ["text:en", "", "value:en"]


def test_an_id_may_come_once_a_language() -> None:
    found = meanings(("en", "sw"), text_id=("1", "1", "2"), lang=("en", "sw", "en"), text=TEXTS)
    assert found == ["id", "language", "text"]


def test_what_is_called_by_its_meaning_comes_first() -> None:
    found = meanings(("en",), label_id=("0", "1", "0"), label=("lit", "fig", "lit"), text=TEXTS)
    assert found == ["", "value:en", "text:en"]


@pytest.mark.parametrize("name", ["swa", "swh", "swh_Latn", "SWA", "text_swa", "sentence_swh", "swa-Latn"])
def test_codes_of_three_letters_are_languages_of_the_project(name: str) -> None:
    for english in ("en", "eng", "eng_Latn", "text_eng"):
        assert meanings(("en", "sw"), **{english: TEXTS, name: SWAHILI}) == ["text:en", "text:sw"]


@pytest.mark.parametrize(
    ("names", "languages", "found"),
    [
        (("deu", "ger"), ("de",), "de"), (("fra", "fre"), ("fr",), "fr"), (("zho", "chi", "cmn"), ("zh",), "zh"),
        (("arb", "ara"), ("ar",), "ar"), (("pes", "fas"), ("fa",), "fa"), (("spa",), ("es-MX",), "es-MX"),
        (("sw",), ("swa",), "swa"), (("swh",), ("swa",), "swa"), (("eus", "baq"), ("eu",), "eu"),
    ],
)  # fmt: skip
def test_both_codes_and_those_of_a_common_one(names: tuple[str, ...], languages: tuple[str, ...], found: str) -> None:
    for name in names:
        assert meanings(languages, **{name: TEXTS}) == [f"text:{found}"]


@pytest.mark.parametrize("name", ["lit", "fin", "sun", "run", "per", "swa"])
def test_of_other_languages_three_letters_are_a_word(name: str) -> None:
    assert meanings(("en",), **{"text": TEXTS, name: ("0", "1", "1")}) == ["text:en", ""]
    assert meanings(("en", "lt", "fi", "su", "rn", "fa", "sw"), **{"text": TEXTS, name: ("0", "1", "1")})[1] == ""


@pytest.mark.parametrize(
    ("name", "languages", "found"),
    [
        ("novel-ii.txt", ("en",), "en"),
        ("novel.vi.txt", ("en",), "en"),
        ("part_li.txt", ("en", "es"), "en"),
        ("chapter xi ii.txt", ("en",), "en"),
        ("ii/novel.txt", ("en",), "en"),
        ("what-it-is.txt", ("en",), "en"),
        ("what-it-is.txt", ("en", "it", "is"), "en"),
        ("as-is.txt", ("en", "is"), "en"),
        ("there_is_no.txt", ("en", "no"), "en"),
        ("letters-to-my.txt", ("en",), "en"),
        # Plainly named: the name counts, and languages that the project lacks are told of.
        ("corpus.it.txt", ("en", "it"), "it"),
        ("corpus.fr.txt", ("en",), "fr"),
        ("it/corpus.txt", ("en", "it"), "it"),
        ("french_novel.txt", ("en",), "fr"),
        ("dev.eng.txt", ("es", "en"), "en"),
        ("dev_eng.txt", ("es", "en"), "en"),
        ("novel-vi.txt", ("en", "vi"), "en"),
        ("novel.vi.txt", ("en", "vi"), "vi"),
    ],
)
def test_a_word_or_numeral_in_a_files_name_is_no_language(
    tmp_path: Path, name: str, languages: tuple[str, ...], found: str
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("He went home in the rain.\nShe stayed, and it was all that she could do.\n", encoding="utf-8")
    guess = recognise([SourceFile(name, path, encoding="")], languages=languages)[0]
    assert [file.language for file in guess.files] == [found]


def test_the_tags_of_words_say_no_language(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    text = "He went home in the rain . She stayed , and it was all that she could do ."
    path.write_text(text.replace(" ", "\tO\n") + "\tO\n\n", encoding="utf-8")
    guess = recognise([SourceFile("a.tsv", path, encoding="")], languages=("es", "en"))[0]
    assert (guess.format, [file.language for file in guess.files]) == ("tagged", ["en"])


def table(folder: Path, content: str, *languages: str, name: str = "a.csv") -> tuple[list[Read], list[str]]:
    """What comes of a table, and what was doubtful about it."""
    guess = guessed(folder, {name: content}, *languages)
    return list(formats()[guess.format].read(guess.files, guess.options)), [str(one) for one in guess.doubts.values()]


def texts(reads: list[Read]) -> list[tuple[str, dict[str, str]]]:
    """The ids and the texts of records."""
    return [
        (read.id, {language: text.text for language, text in read.texts.items()})
        for read in reads
        if isinstance(read, Record)
    ]


def test_answers_under_the_code_of_a_language_beside_others_by_code(tmp_path: Path) -> None:
    reads, doubts = table(tmp_path, f"it,en\nTrue,{TEXTS[0]}\nFalse,{TEXTS[1]}\n", "en", "it")
    assert [found for _id, found in texts(reads)] == [{"en": TEXTS[0]}, {"en": TEXTS[1]}]
    assert "“it” (1)" in doubts[0]


@pytest.mark.parametrize("language", ["eng", "English", "en", "inglés"])
def test_a_column_of_languages_by_other_codes_and_names(tmp_path: Path, language: str) -> None:
    reads, _doubts = table(tmp_path, f"id,language,text\n1,{language},{TEXTS[0]}\n", "en", "es")
    assert texts(reads) == [("1", {"en": TEXTS[0]})]


@pytest.mark.parametrize("heading", ["text", "Sentence", "frase", "Tweet", "text_en"])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_a_table_of_one_column_has_a_heading(tmp_path: Path, heading: str, name: str) -> None:
    content = f"{heading}\n{TEXTS[0]}\n{TEXTS[1]}\n"
    reads, _doubts = table(tmp_path, content, "en", name=name)
    assert [found for _id, found in texts(reads)] == ([{"en": TEXTS[0]}, {"en": TEXTS[1]}])


def test_a_sentence_above_sentences_is_no_heading(tmp_path: Path) -> None:
    reads, _doubts = table(tmp_path, "\n".join(TEXTS) + "\n", "en")
    assert [found for _id, found in texts(reads)] == [{"en": text} for text in TEXTS]


def test_of_two_columns_without_names_the_sentences_are_read(tmp_path: Path) -> None:
    reads, doubts = table(tmp_path, "Time flies.\tnote one here\nWe slept.\tnote two here\n", "en", name="a.txt")
    assert [found for _id, found in texts(reads)] == [{"en": "Time flies."}, {"en": "We slept."}]
    assert "some columns are left out, because their contents are unknown: (2)" in doubts


@pytest.mark.parametrize(
    ("heading", "cells", "left"),
    [
        ("status", ("done", "rejected"), "1 answer marked as rejected, which is left out"),
        ("estado", ("terminado", "borrador"), "1 answer marked as a draft, which is left out"),
        ("answer", ("accept", "ignore"), "1 answer marked as ignored, which is left out"),
        ("skipped", ("False", "True"), "1 answer marked as skipped, which is left out"),
        ("is_done", ("true", "false"), "1 answer marked as unfinished, which is left out"),
    ],
)
def test_a_column_says_which_answers_are_none(tmp_path: Path, heading: str, cells: tuple[str, str], left: str) -> None:
    rows = [f'{n},{text},"[[0, 4, ""M""]]",{cell}' for n, (text, cell) in enumerate(zip(TEXTS, cells, strict=False))]
    reads, doubts = table(tmp_path, "\n".join([f"id,text,labels,{heading}", *rows, ""]), "en")
    assert [bool(text.labels) for read in reads if isinstance(read, Record) for text in read.texts.values()] == [
        True,
        False,
    ]
    assert [str(read.what) for read in reads if isinstance(read, FormatWarning)] == [left]
    assert doubts == []


def test_a_number_that_a_formula_keeps_as_text(tmp_path: Path) -> None:
    reads, _doubts = table(tmp_path, f'id,text\n="007",{TEXTS[0]}\n"=""008""",{TEXTS[1]}\n', "en")
    assert texts(reads) == [("007", {"en": TEXTS[0]}), ("008", {"en": TEXTS[1]})]
