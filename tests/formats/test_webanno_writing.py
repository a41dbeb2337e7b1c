"""What is written as WebAnno TSV 3.3 is laid out as INCEpTION lays it out in its own reference files."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from annotator.domain.labels.spans import Span
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import CharSpan, Labels, Record, Says, Text
from annotator.formats.registry import formats
from annotator.formats.text.characters import places_of, plain
from annotator.formats.webanno.webanno import WebAnno
from tests.domain.strategies import examples
from tests.formats.corpora import NAMES, look, reads, texts


def written(tmp_path: Path, *sentences: Text, ids: tuple[str, ...] = ()) -> str:
    """The document of these sentences; read again, they are the same."""
    ids = ids or ("",) * len(sentences)
    records = [Record("", 0, {"ca": one}, id=id_) for one, id_ in zip(sentences, ids, strict=True)]
    [path] = formats()["webanno"].write(records, tmp_path)
    found = [read for read in reads(WebAnno(), path) if isinstance(read, Record)]
    assert look(found) == look(records)
    return path.read_bytes().decode("utf-8")


def sentence(string: str, *spans: Span | CharSpan, lemmas: str = "", pos: str = "") -> Text:
    words = tuple(string.split(" "))
    return Text(
        tokens=words,
        spaces=("", *(" " for _ in words[1:]), ""),
        lemmas=tuple(lemmas.split()),
        parts_of_speech=tuple(pos.split()),
        labels=(Labels(Says.GOLD, "", spans),),
    )


def test_numbers_only_where_they_are_needed(tmp_path: Path) -> None:
    """Those of several tokens, and several on one token. They count through the document."""
    first = sentence("Va dir que prou .", Span((0,), "x"), Span((1, 2), "y"), Span((3,), "a"), Span((3,), "b"))
    second = sentence("I prou .", Span((0, 1), "x"), Span((1,), "y"), Span((2,), "_"))
    assert written(tmp_path, first, second) == (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Label|value\n\n\n"
        "#Text=Va dir que prou .\n1-1\t0-2\tVa\tx\t\n1-2\t3-6\tdir\ty[1]\t\n1-3\t7-10\tque\ty[1]\t\n"
        "1-4\t11-15\tprou\ta[2]|b[3]\t\n1-5\t16-17\t.\t_\t\n\n"
        "#Text=I prou .\n2-1\t18-19\tI\tx[4]\t\n2-2\t20-24\tprou\tx[4]|y[5]\t\n2-3\t25-26\t.\t\\_\t\n"
    )


def test_the_longer_label_first_and_parts_as_they_are_met(tmp_path: Path) -> None:
    """A part has its number, or what begins a token would be taken for a label on the whole of it."""
    spans = (
        CharSpan(((0, 4),), "v"),
        CharSpan(((0, 7),), "w"),
        CharSpan(((1, 8),), "x"),
        CharSpan(((5, 7),), "y"),
        CharSpan(((5, 6),), "z"),
    )
    assert written(tmp_path, sentence("Prou diu res", *spans)).partition("res\n")[2] == (
        "1-1\t0-4\tProu\tw[1]|v[2]\t\n1-1.1\t1-4\trou\tx[3]\t\n"
        "1-2\t5-8\tdiu\tx[3]\t\n1-2.1\t5-7\tdi\tw[1]|y[4]\t\n1-2.2\t5-6\td\tz[5]\t\n"
        "1-3\t9-12\tres\t_\t\n"
    )


def test_layers_and_features_by_name(tmp_path: Path) -> None:
    one = sentence(
        "Va dir",
        Span((0,), "PER", {"layer": "NamedEntity", "identifier": "Q1"}),
        Span((0, 1), "x", {"certainty": "2", "Kind": "k"}),
        lemmas="anar dir",
        pos="VA VM",
    )
    lines = written(tmp_path, one).splitlines()
    assert lines[1:5] == [
        "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue",
        "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value",
        "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Lemma|value",
        "#T_SP=webanno.custom.Label|Kind|certainty|value",
    ]
    assert lines[8:] == [
        "1-1\t0-2\tVa\tVA\tQ1\tPER\tanar\tk[1]\t2[1]\tx[1]\t",
        "1-2\t3-6\tdir\tVM\t_\t_\tdir\tk[1]\t2[1]\tx[1]\t",
    ]


def test_what_is_escaped_where(tmp_path: Path) -> None:
    """In texts and ids, control characters and the backslash; in values, what is reserved; in tokens, only what would
    break the row."""
    value = "a\\b[1]|_*;->\t\n\rc->d-e"
    one = Text(
        tokens=("C:\\nou", "x_[1]", "f\x01i"),
        spaces=("", "\t", "\r\f\x0b", ""),
        labels=(Labels(Says.GOLD, "", (Span((1,), value),)),),
    )
    assert written(tmp_path, one, ids=("a\\1\n2",)).partition("\n\n\n")[2] == (
        "#Sentence.id=a\\\\1\\n2\n#Text=C:\\\\nou\\tx_[1]\\r\\f\x0bf\\\x01i\n"
        "1-1\t0-6\tC:\\nou\t_\t\n"
        "1-2\t7-12\tx_[1]\ta\\\\b\\[1\\]\\|\\_\\*\\;\\->\\t\\n\rc\\->d-e\t\n"
        "1-3\t15-18\tf\\\x01i\t_\t\n"
    )


def test_a_document_without_labels(tmp_path: Path) -> None:
    assert written(tmp_path, sentence("Va 😊"), sentence("Prou")) == (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Label|value\n\n\n"
        "#Text=Va 😊\n1-1\t0-2\tVa\t_\t\n1-2\t3-5\t😊\t_\t\n\n#Text=Prou\n2-1\t6-10\tProu\t_\t\n"
    )


@st.composite
def on_characters(draw: st.DrawFn) -> Text:
    """A sentence whose labels begin and end anywhere in tokens."""
    text = draw(texts(gaps=(" ", "", "\n"), attributes=False))
    inside = sorted({at for begin, end in places_of(text) for at in range(begin, end)})
    spans = {}
    for _ in range(draw(st.integers(1, 5))):
        begin, last = sorted((draw(st.sampled_from(inside)), draw(st.sampled_from(inside))))
        label = draw(NAMES)
        spans[begin, last, label] = CharSpan(((begin, last + 1),), label)
    return Text(tokens=text.tokens, spaces=text.spaces, labels=(Labels(Says.GOLD, "", tuple(spans.values())),))


@examples(60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(on_characters(), min_size=1, max_size=3))
def test_labels_on_parts_of_tokens_come_back(sentences: list[Text]) -> None:
    records = [Record("", 0, {"ca": one}, id=f"s{number}") for number, one in enumerate(sentences)]
    with tempfile.TemporaryDirectory() as name:
        [path] = WebAnno().write(records, Path(name))
        file = SourceFile(path.name, path, language="ca")
        found = [read for read in reads(WebAnno(), file.path) if isinstance(read, Record)]
    assert look(found) == look(records)
    assert [plain(record.texts["ca"]) for record in found] == [plain(one) for one in sentences]
