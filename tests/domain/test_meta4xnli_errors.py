"""Files of the published layout that cannot be read: each is named, with its line and what was expected."""

import pytest

from annotator.formats.common.errors import FormatError
from annotator.formats.corpora.meta4xnli import read_corpus
from tests.domain import toy
from tests.domain.toy import EN_HYP, EN_PREM, ES_PREM, MET, NO_MET, NONRELEVANT, change, refused


@pytest.fixture
def files():
    return toy.files()


def test_a_file_that_is_not_utf8(tmp_path, files):
    change(files, ES_PREM, "salió", b"sali\xf3")
    refused(tmp_path, files, ES_PREM, 9, "UTF-8", "0xF3", "position 5")


def test_an_interpretation_file_that_is_not_utf8(tmp_path, files):
    change(files, NO_MET, "viajó", b"viaj\xf3")
    refused(tmp_path, files, NO_MET, 2, "UTF-8", "0xF3")


def test_a_line_without_a_tab(tmp_path, files):
    change(files, EN_HYP, "spoke\tO", "spoke O")
    refused(tmp_path, files, EN_HYP, 2, "tab", "spoke O")


def test_an_unknown_label(tmp_path, files):
    change(files, EN_HYP, "spoke\tO", "spoke\tB-SIMILE")
    refused(tmp_path, files, EN_HYP, 2, "O, B-METAPHOR, I-METAPHOR", "B-SIMILE")


def test_a_file_that_ends_in_the_middle_of_a_line(tmp_path, files):
    files[EN_HYP] = files[EN_HYP][: files[EN_HYP].index(b"\tO\ntrain.")]
    refused(tmp_path, files, EN_HYP, 13, "tab", "“by”")


def test_a_file_that_ends_in_the_middle_of_a_sentence(tmp_path, files):
    files[EN_HYP] = files[EN_HYP][: files[EN_HYP].index(b"train.\tO")]
    refused(tmp_path, files, EN_HYP, 12, "100_toy.dev", "where the file ends", NO_MET + ":3")


def test_a_file_that_ends_between_sentences(tmp_path, files):
    files[EN_HYP] = files[EN_HYP][: files[EN_HYP].index(b"Nobody")]
    refused(tmp_path, files, EN_HYP, 11, "100_toy.dev", "3 sentences in all", "after 2 sentences")


def test_an_empty_file(tmp_path, files):
    files[EN_HYP] = b""
    refused(tmp_path, files, EN_HYP, 1, "after 0 sentences")


def test_a_sentence_too_many(tmp_path, files):
    files[EN_HYP] += b"And\tO\nmore.\tO\n\n"
    refused(tmp_path, files, EN_HYP, 16, "end of the file", "And more.")


def test_languages_of_different_length(tmp_path, files):
    change(files, EN_PREM, "\n\nThe", "\nThe")
    refused(tmp_path, files, EN_PREM, 1, "His words were knives .", 'knives . The "train"')


def test_another_text(tmp_path, files):
    change(files, EN_PREM, "knives", "swords")
    refused(tmp_path, files, EN_PREM, 1, "2_toy.dev", "knives", "swords", MET + ":3")


def test_a_missing_file(tmp_path, files):
    del files[EN_HYP]
    refused(tmp_path, files, EN_HYP, 0, "no such file")


@pytest.mark.parametrize("name", [MET, NONRELEVANT, NO_MET])
def test_a_missing_interpretation_file(tmp_path, files, name):
    del files[name]
    refused(tmp_path, files, name, 0, "no such file")


def test_a_missing_language_folder(tmp_path, files):
    del files[EN_HYP], files[EN_PREM]
    refused(tmp_path, files, MET, 3, "a language with files of toy_dev", "“en”")


def test_a_language_without_rows(tmp_path, files):
    for name in (MET, NONRELEVANT, NO_MET):
        files[name] = b"".join(line for line in files[name].splitlines(keepends=True) if not line.startswith(b"en\t"))
    refused(tmp_path, files, EN_PREM, 1, "no row in “en”")


def test_no_detection_folder(tmp_path, files):
    only = {name: data for name, data in files.items() if name.startswith("interpretation")}
    refused(tmp_path, only, "detection/source_datasets", 0, "folder")


def test_a_pair_in_one_language_only(tmp_path, files):
    files[NO_MET] = b"\n".join(files[NO_MET].split(b"\n")[:2]) + b"\n"
    refused(tmp_path, files, NO_MET, 2, "100_toy.dev", "“en”", "3 pairs in es, 2 in en")


def test_a_pair_twice(tmp_path, files):
    row = files[MET].split(b"\n")[1]
    files[NO_MET] += row + b"\n"
    refused(tmp_path, files, NO_MET, 4, "each pairID only once", "3_toy.dev", MET + ":2")


def test_a_pair_without_its_premise_id(tmp_path, files):
    change(files, MET, "\t2_toy.dev\t", "\t\t", 1)
    refused(tmp_path, files, MET, 2, "the column promptID")


def test_a_pair_whose_premise_has_no_sentence(tmp_path, files):
    change(files, NO_MET, "\t10_toy.dev\t", "\t11_toy.dev\t")
    refused(tmp_path, files, ES_PREM, 11, "premise with promptID “11_toy.dev”", "after 2 sentences")


def test_a_premise_that_differs_between_pairs(tmp_path, files):
    change(files, NO_MET, "salió", "sale")
    refused(tmp_path, files, NO_MET, 2, "10_toy.dev", "salió", "sale", NONRELEVANT + ":2")


@pytest.mark.parametrize(
    ("column", "old", "new"),
    [
        ("gold_label", "en\tentailment", "en\tneutral"),
        ("promptID", "\t2_toy.dev\t", "\t10_toy.dev\t"),
        ("genre", "fiction", "letters"),
        ("source_dataset", "fiction\ttoy.dev", "fiction\tother"),
    ],
)
def test_languages_that_contradict_each_other(tmp_path, files, column, old, new):
    lines = files[MET].decode().split("\n")
    assert old in lines[2]
    lines[2] = lines[2].replace(old, new)
    files[MET] = "\n".join(lines).encode()
    refused(tmp_path, files, MET, 3, f"the {column}", MET + ":2")


def test_a_missing_column(tmp_path, files):
    change(files, MET, "\tgenre", "")
    refused(tmp_path, files, MET, 1, "columns", "lacks genre")


def test_a_row_cut_short(tmp_path, files):
    files[MET] = files[MET][: -len("\ttoy.dev\n")]
    refused(tmp_path, files, MET, 3, "8 columns", "7")


def test_an_unknown_inference_label(tmp_path, files):
    change(files, NO_MET, "es\tneutral", "es\tmaybe")
    refused(tmp_path, files, NO_MET, 2, "entailment, neutral or contradiction", "maybe")


def test_an_empty_interpretation_file(tmp_path, files):
    files[MET] = b""
    refused(tmp_path, files, MET, 1, "header")


def test_no_pairs_at_all(tmp_path, files):
    for name in (MET, NONRELEVANT, NO_MET):
        files[name] = toy.HEADER.encode()
    refused(tmp_path, files, MET, 1, "at least one pair")


@pytest.mark.parametrize("dataset", ["", "../toy_dev", "a\\b"])
def test_a_dataset_is_a_name(tmp_path, dataset):
    with pytest.raises(FormatError, match="the name of a dataset"):
        read_corpus(tmp_path, dataset)
