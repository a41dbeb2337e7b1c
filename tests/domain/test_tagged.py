import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.formats.common.errors import FormatError
from annotator.formats.text.tagged import TaggedSentence, parse_tagged, read_tagged, write_tagged
from tests.domain.strategies import tag_sequences

METAPHOR = ("METAPHOR",)


def parse(text, **options):
    data = text if isinstance(text, bytes) else text.encode()
    file = parse_tagged(data, "f.tsv", **options)
    return [(s.tokens, s.tags) for s in file.sentences], [(o.line, str(o.what)) for o in file.warnings]


def test_sentences_have_their_line():
    file = parse_tagged(b"a\tO\nb\tB-X\n\nc\tO\n\n", "f.tsv")
    assert file.sentences == (TaggedSentence(("a", "b"), ("O", "B-X"), 1), TaggedSentence(("c",), ("O",), 4))
    assert file.warnings == ()


def test_a_file_is_read_from_disk(tmp_path):
    (tmp_path / "f.tsv").write_bytes(b"a\tO\n\n")
    assert read_tagged(tmp_path / "f.tsv").sentences[0].tokens == ("a",)
    with pytest.raises(FormatError, match="no such file"):
        read_tagged(tmp_path / "g.tsv")
    with pytest.raises(FormatError, match="a file that can be read"):
        read_tagged(tmp_path)


# Surrogates cannot be in a file; CR at the end of a line is read as part of its end, so tags alone end lines.
TOKENS = st.text(st.characters(exclude_characters="\t\n\0", exclude_categories=["Cs"]), min_size=1)
SENTENCES = (
    tag_sequences(max_size=6)
    .filter(bool)
    .flatmap(lambda tags: st.tuples(st.lists(TOKENS, min_size=len(tags), max_size=len(tags)), st.just(tags)))
)


@given(st.lists(SENTENCES, max_size=5))
def test_what_is_written_is_read_again_and_what_is_read_is_written(sentences):
    sentences = [TaggedSentence(tuple(tokens), tuple(tags)) for tokens, tags in sentences]
    data = write_tagged(sentences).encode()
    if data.startswith(b"\xef\xbb\xbf"):
        return
    file = parse_tagged(data, "f.tsv")
    assert [(s.tokens, s.tags) for s in file.sentences] == [(s.tokens, s.tags) for s in sentences]
    assert write_tagged(file.sentences).encode() == data
    assert all(str(o.what).startswith("I-") for o in file.warnings)


def test_only_line_feeds_and_tabs_separate():
    token = "a\u00a0b\u2028c\u0085d\x0be\x0cf\x1cg\rh i"
    assert parse(f"{token}\tO\n\n") == ([((token,), ("O",))], [])


def test_further_columns_are_ignored():
    sentences, warnings = parse("a\tB-X\nb\tO\tNOUN\t4\nc\tO\tNOUN\n\n")
    assert sentences == [(("a", "b", "c"), ("B-X", "O", "O"))]
    assert warnings == [(2, "more than two columns, of which the first two were read")]


def test_conll_2003_has_the_tag_last():
    text = "-DOCSTART- -X- -X- O\n\nAna NNP B-NP B-PER\nruns VBZ B-VP O\n\na\tDT\tO\n\n"
    sentences, warnings = parse(text, columns="first_last")
    assert sentences == [(("Ana", "runs"), ("B-PER", "O")), (("a",), ("O",))]
    assert warnings == [
        (1, "a document boundary, which is not a sentence"),
        (3, "more than two columns, of which the first and the last were read"),
    ]


@pytest.mark.parametrize(
    ("text", "sentences", "warning"),
    [
        (b"\xef\xbb\xbfa\tO\n\n", 1, (1, "byte order mark")),
        ("a\tO\r\nb\tB-METAPHOR\r\n\r\n", 1, (1, "CR LF")),
        ("a\tO\nb\tO\r\n\n", 1, (2, "CR LF")),
        ("a\tO\n\n\nb\tO\n\n", 2, (3, "more than one blank line")),
        ("\na\tO\n\n", 1, (1, "before the first sentence")),
        ("a\tO\n\n\n", 1, (3, "more than one blank line")),
        ("a\tO\n", 1, (1, "no blank line after the last sentence")),
        ("a\tO", 1, (1, "does not end in a line feed")),
        ("a\tB-METAPHOR\nb\tO\nc\tI-METAPHOR\n\n", 1, (3, "nearest earlier span")),
        ("x\tO\n\na\tI-METAPHOR\n\n", 2, (3, "without an earlier B-")),
        ("\tO\n\n", 1, (1, "an empty token")),
    ],
)
def test_unusual_lines_are_read_past_and_reported(text, sentences, warning):
    found, warnings = parse(text, labels=METAPHOR)
    assert len(found) == sentences
    assert all(tag in ("O", "B-METAPHOR", "I-METAPHOR") for _, tags in found for tag in tags)
    assert any(line == warning[0] and warning[1] in what for line, what in warnings)


@pytest.mark.parametrize("text", ["", "\n", "\n\n\n"])
def test_a_file_without_sentences_has_none(text):
    assert parse(text)[0] == []


@pytest.mark.parametrize(
    ("text", "line", "expected", "got"),
    [
        ("a\tO\nb O\n\n", 2, "a token, a tab and a tag", "“b O” without a tab"),
        ("a\tO\n \n", 2, "a tab", "“ ”"),
        ("a\tO\nb\tB-METAPH", 2, "one of the tags O, B-METAPHOR, I-METAPHOR", "“B-METAPH”"),
        ("a\tO\nb\t", 2, "one of the tags", "“”"),
        ("a\tO\nb", 2, "a tab", "“b”"),
        ("a\tO\n\nb\tMETAPHOR\n\n", 3, "one of the tags", "“METAPHOR”"),
        (b"a\tO\n\nse\xf1or\tO\n\n", 3, "UTF-8", "byte 0xF1 at position 3 of the line"),
        (b"a\tO\n\nb\tO\n\n\xc3", 5, "UTF-8", "byte 0xC3 at position 1"),
        ("a\0\tO\n\n", 1, "text", "NUL"),
        ("a\u2028b\n\n", 1, "a tab", r"“a\u2028b”"),
    ],
)
def test_errors_say_file_line_and_what_was_expected(text, line, expected, got):
    with pytest.raises(FormatError) as caught:
        parse(text, labels=METAPHOR)
    error = caught.value
    assert (error.path, error.line) == ("f.tsv", line)
    assert expected in str(error.expected)
    assert got in str(error.got)
    assert str(error) == f"f.tsv:{line}: expected {error.expected}, got {error.got}"


def test_without_given_labels_any_bio_tag_will_do():
    assert parse("a\tB-X-1\nb\tI-Y\n\n")[0] == [(("a", "b"), ("B-X-1", "I-Y"))]
    with pytest.raises(FormatError, match="B- or I- and a label"):
        parse("a\tNOUN\n\n")


def test_one_column_is_no_conll():
    with pytest.raises(FormatError, match="in the last column"):
        parse("a\n\n", columns="first_last")


@pytest.mark.parametrize("sentence", [(("a\tb",), ("O",)), (("a\nb",), ("O",)), (("a", "b"), ("O",))])
def test_what_would_break_a_line_is_not_written(sentence):
    with pytest.raises(ValueError, match=r"tab|tags"):
        write_tagged([TaggedSentence(*sentence)])


def test_errors_cross_process_boundaries():
    error = FormatError("f.tsv", 3, "a tab", "none")
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert (str(copy), copy.line) == (str(error), 3)
