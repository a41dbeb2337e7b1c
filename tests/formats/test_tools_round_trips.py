"""Other tools' formats: in, out, in again is the same, whatever characters and labels there are."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from annotator.domain.labels.spans import Attributes, Span
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import Labels, Record, Says, Text
from annotator.formats.registry import formats
from tests.domain.strategies import examples
from tests.formats.corpora import TOKENS, back, corpora, look, texts

SETTINGS = examples(30, suppress_health_check=[HealthCheck.too_slow])
JSON_GAPS = ("", " ", "  ", "\t", "\n", "\r\n")


def _there_and_back(slug, corpus):
    one = formats()[slug]
    with tempfile.TemporaryDirectory() as name:
        first, second = Path(name) / "1", Path(name) / "2"
        first.mkdir()
        second.mkdir()
        paths = one.write(corpus, first)
        found = back(one, paths)
        again = one.write(found, second)
        assert [path.read_bytes() for path in again] == [path.read_bytes() for path in paths]
        assert look(back(one, again)) == look(found)
    return look(found)


@SETTINGS
@given(corpora(gaps=JSON_GAPS, attributes=False))
def test_doccano(corpus):
    assert _there_and_back("doccano", corpus) == look(corpus)


@SETTINGS
@given(corpora(gaps=JSON_GAPS, attributes=True))
def test_label_studio(corpus):
    assert _there_and_back("label-studio", corpus) == look(corpus)


@SETTINGS
@given(
    texts(gaps=(" ", ""), attributes=True),
    st.lists(st.sampled_from(["ana", "jon@example.eu", "7"]), unique=True, max_size=3),
    st.floats(0, 1, width=32),
)
def test_label_studio_keeps_whose_labels_they_are(text, names, score):
    ((source,), parts) = (text.labels, [])
    parts.append(Labels(Says.GOLD, "", source.spans))
    parts += [Labels(Says.PERSON, name, source.spans[:1]) for name in names]
    scored = tuple(type(span)(span.tokens, span.label, {}, float(score)) for span in source.spans)
    parts.append(Labels(Says.MODEL, "crf 1", scored))
    corpus = [Record("", 0, {"ca": Text(tokens=text.tokens, spaces=text.spaces, labels=tuple(parts))}, id="s1")]
    assert _there_and_back("label-studio", corpus) == look(corpus)


@SETTINGS
@given(corpora(gaps=("", " ", "  ", "\n", "\t"), attributes=True))
def test_webanno(corpus):
    documents = [Record("", 0, record.texts, id=record.id, group="carta 1.txt") for record in corpus]
    assert _there_and_back("webanno", documents) == look(documents)


@pytest.mark.parametrize("value", ["\\", "a\\", "\\\\", "\\[1]", "[1]\\"])
def test_webanno_tells_a_backslash_at_the_end_of_a_value_from_one_that_escapes(value):
    labels = Labels(Says.GOLD, "", (Span((0,), "METAPHOR", Attributes({"kind": value})),))
    corpus = [Record("", 0, {"ca": Text(tokens=("Hola",), spaces=("", ""), labels=(labels,))}, id="s1", group="carta")]
    assert _there_and_back("webanno", corpus) == look(corpus)


@SETTINGS
@given(st.sampled_from(["cas-xmi", "cas-json"]), corpora(gaps=JSON_GAPS, attributes=True))
def test_cas(slug, corpus):
    documents = [Record("", 0, record.texts, id=record.id, group="Carta/1") for record in corpus]
    assert _there_and_back(slug, documents) == look(documents)


@SETTINGS
@given(st.lists(st.lists(TOKENS, min_size=1, max_size=5), min_size=1, max_size=5), st.sampled_from(["moses", "tmx"]))
def test_parallel_text(sentences, slug):
    one = formats()[slug]
    corpus = [Record("", 0, {"ca": Text(" ".join(words)), "eu": Text("  ".join(words[::-1]))}) for words in sentences]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = one.write(corpus, folder)
        files = [SourceFile(path.name, path, language=path.suffix[1:] if slug == "moses" else "") for path in paths]
        found = [read for read in one.read(files, Options()) if isinstance(read, Record)]
    assert [record.texts for record in found] == [record.texts for record in corpus]


@pytest.mark.parametrize(
    ("slug", "text", "why"),
    [
        ("tmx", "una\nlínia", "line break"),
        ("tmx", "control \x01", "U+0001"),
        ("moses", "una\nlínia", "one sentence a line"),
        ("cas-xmi", "control \x01", "U+0001"),
    ],
)
def test_what_cannot_be_spelt_is_refused(slug, text, why, tmp_path):
    with pytest.raises(ValueError, match=re.escape(why)):
        formats()[slug].write([Record("", 3, {"ca": Text(text)})], tmp_path)


@pytest.mark.parametrize("slug", ["doccano", "webanno", "cas-xmi", "cas-json"])
def test_tools_with_room_for_one_refuse_several_peoples_labels(slug, tmp_path):
    labels = (Labels(Says.PERSON, "ana", ()), Labels(Says.PERSON, "jon", ()))
    with pytest.raises(ValueError, match="labels of ana, jon"):
        formats()[slug].write([Record("", 1, {"ca": Text(tokens=("Hola",), labels=labels)})], tmp_path)
