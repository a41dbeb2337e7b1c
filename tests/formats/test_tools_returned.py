"""What other tools wrote of files that were written here is the same records; tools/README.md says how it was made."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import conllu
import openpyxl
import pytest
from hypothesis import HealthCheck, given

from annotator.formats.columns.python_lists import python_list
from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import Options
from annotator.formats.registry import formats
from tests.domain.strategies import examples
from tests.formats.corpora import back, corpora, look
from tests.formats.tools import make
from tests.formats.tools.cases import WORDS, cases
from tests.formats.tools.sentences import SENTENCES, long_sentences, room_in

MADE = json.loads(make.MADE.read_text("utf-8"))
KEPT = [case for case in cases(kept=True) if case.tool in MADE]
SETTINGS = examples(20, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize(
    ("case", "returned"),
    [pytest.param(case, one, id=f"{case.tool}-{one.name}") for case in KEPT for one in case.returned],
)
def test_what_a_tool_wrote_of_our_file_is_the_same(case, returned):
    path = make.RETURNED / case.tool / returned.name
    assert make.came(case, returned, path) == make.wanted(case, returned)


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.tool}-{case.name}") for case in KEPT])
def test_the_tools_were_given_what_is_written_today(case, tmp_path):
    # Otherwise no tool has read it: let them, as tools/README.md says.
    path = make.write(case, tmp_path)
    assert make.content_sha256(path) == MADE[case.tool]["given"][path.name]


def _conllu_again(corpus, folder):
    """The sentences that the package reads, and what is read of a file that it wrote of them."""
    (path,) = formats()["conllu"].write(corpus, folder)
    sentences = conllu.parse(path.read_text("utf-8"))
    path.write_text("".join(sentence.serialize() for sentence in sentences), "utf-8")
    return sentences, back(formats()["conllu"], [path])


def _check_conllu(corpus, folder):
    sentences, found = _conllu_again(corpus, folder)
    texts = [next(iter(record.texts.values())) for record in corpus]
    assert [[token["form"] for token in one] for one in sentences] == [list(text.tokens) for text in texts]
    assert [one.metadata.get("sent_id", "") for one in sentences] == [record.id for record in corpus]
    assert look(found) == look(corpus)


@SETTINGS
@given(corpora(gaps=("", " "), attributes=False, overlaps=False))
def test_the_package_conllu_reads_and_writes_the_same(corpus):
    with tempfile.TemporaryDirectory() as name:
        _check_conllu(room_in("conllu", corpus), Path(name))


@pytest.mark.parametrize("words", [None, WORDS])
@pytest.mark.slow
def test_the_package_conllu_reads_documents_lemmas_and_long_lines(words, tmp_path):
    records = [type(one)("", 0, {"ca": one.texts["ca"]}, one.id, "", one.group) for one in _with_long(words)]
    corpus = room_in("conllu", records)
    _check_conllu(corpus, tmp_path)
    sentences, _found = _conllu_again(corpus, tmp_path)
    assert [one.metadata.get("newdoc id") for one in sentences[:3:2]] == ["carta", "diari" if words is None else None]
    assert sentences[0][3]["lemma"] == "empassar" and sentences[0][3]["upos"] == "VERB"
    assert sentences[0][3]["misc"]["Label"] == "B-SÍMIL ñ"


def _with_long(words):
    return SENTENCES if words is None else long_sentences(words)


@SETTINGS
@given(corpora(gaps=("", " ", "\n"), attributes=True))
def test_openpyxl_writes_the_same_of_our_workbook(corpus):
    one = formats()["xlsx"]
    with tempfile.TemporaryDirectory() as name:
        try:
            (path,) = one.write(corpus, Path(name))
        except ValueError:
            return
        before = look(back(one, [path], Options(header=True)))
        openpyxl.load_workbook(path).save(path)
        assert look(back(one, [path], Options(header=True))) == before == look(corpus)


@pytest.mark.parametrize("cell", ["['O' 'O' 'O' ... 'O' 'B-M' 'I-M']", "['a', 'b', ..., 'c']"])
def test_lists_that_numpy_cut_short_are_refused(cell, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f'id,tokens\n1,"{cell}"\n', "utf-8")
    assert python_list(cell) is None
    with pytest.raises(FormatError, match=r"a list shortened with “\.\.\.”.*to_json"):
        back(formats()["csv"], [path], Options(columns={0: "id", 1: "tokens"}, header=True))
