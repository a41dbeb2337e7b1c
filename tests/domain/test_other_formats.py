import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.json_lines.hub import HubRow, write_hub
from annotator.formats.parallel.pharaoh import format_links, parse_links
from annotator.formats.text.plain import read_plain
from tests.domain.strategies import tag_sequences

LINKS = st.sets(st.tuples(st.integers(0, 99), st.integers(0, 99)))


@given(LINKS)
def test_links_are_written_and_read(links):
    assert parse_links(format_links(links)) == tuple(sorted(links))


def test_links_are_written_in_order_and_once():
    assert format_links([(10, 1), (2, 3), (2, 3), (2, 0)]) == "2-0 2-3 10-1"
    assert parse_links(" 1-2  0-0 1-2 ") == ((0, 0), (1, 2))
    assert parse_links("") == ()


@pytest.mark.parametrize("part", ["0", "0-", "-1", "0-1-2", "a-b", "0:1", "0–1", "-1-0", "٣-1", "9999999999-0"])
def test_other_links_are_refused(part):
    with pytest.raises(FormatError, match="links like 0-0 1-2") as caught:
        parse_links(f"0-0 {part}", name="links.txt", number=7)
    assert str(caught.value).startswith("links.txt:7: ")


def test_links_must_lie_within_the_sentences():
    assert parse_links("1-2", source_length=2, target_length=3) == ((1, 2),)
    with pytest.raises(FormatError, match="the source sentence of 1 tokens"):
        parse_links("1-2", source_length=1)
    with pytest.raises(FormatError, match="the target sentence of 2 tokens"):
        parse_links("1-2", target_length=2)


def test_lines_end_at_line_feeds_only(tmp_path):
    path = tmp_path / "text"
    path.write_bytes("\ufeffuna\u2028línea\r\n\notra\u0085\x0b\n".encode())
    read = read_plain(path)
    assert read.lines == ("una\u2028línea", "", "otra\u0085\x0b")
    assert [warning.line for warning in read.warnings] == [1, 1]
    path.write_bytes(b"")
    assert read_plain(path).lines == ()


@given(st.lists(tag_sequences(max_size=5)))
def test_a_hub_row_is_a_line_of_json(tags):
    rows = [HubRow(f"toy:{n}", tuple(f"t\u2028{i}\n" for i in range(len(t))), tuple(t)) for n, t in enumerate(tags)]
    lines = write_hub(rows).split("\n")
    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == [
        {"id": row.id, "tokens": list(row.tokens), "tags": list(row.tags)} for row in rows
    ]


def test_hub_files_have_the_published_keys():
    rows = [HubRow("7", ("árbol",), ("O",)), HubRow("8", ("a",), ("B-M",), revision=2)]
    assert write_hub(rows) == (
        '{"id": "7", "tokens": ["árbol"], "tags": ["O"]}\n'
        '{"id": "8", "revision": 2, "tokens": ["a"], "tags": ["B-M"]}\n'
    )


def test_a_hub_row_needs_a_tag_a_token():
    with pytest.raises(ValueError, match="2 tokens and 1 tags"):
        write_hub([HubRow("7", ("a", "b"), ("O",))])


def test_messages_show_the_invisible_and_stay_short():
    assert quote("a\u2028b\tc ñ") == r"“a\u2028b\tc ñ”"
    assert quote("x" * 400) == "“" + "x" * 300 + "…”"
    assert str(FormatWarning("f.tsv", 3, "a blank line")) == "f.tsv:3: a blank line"
    assert str(FormatError("f.tsv", 0, "this file", "no such file")) == "f.tsv: expected this file, got no such file"
