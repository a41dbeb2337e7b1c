"""Texts in which characters are escaped come in as they stand, whatever their format, and are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.domain.text.tokens import text_of
from annotator.formats.common.errors import FormatWarning
from annotator.formats.common.escapes import noting_escapes
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import Record
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats


@pytest.mark.parametrize(
    ("name", "content", "line", "shown"),
    [
        ("a.csv", "id,text\n1,We slept well.\n2,He &amp; she left.\n3,It&#39;s late.\n", 3, "&amp;"),
        ("a.tsv", "id\ttext\n1\tWe slept well.\n2\tHe &lt;b&gt; left.\n3\tIt&#x27;s late.\n", 3, "&lt;"),
        ("a.jsonl", '{"text": "It&quot;s late."}\n{"text": "&nbsp;So it is."}\n', 1, "&quot;"),
        ("a.txt", "We slept well.\nIt &apos;s late .\nOr &#124; so .\n", 2, "&apos;"),
        ("a.conll", "He O\n&amp; O\nshe O\n\nIt O\n&apos;s O\n\n", 1, "&amp;"),
    ],
)
def test_escaped_characters_are_counted_for_each_file(
    tmp_path: Path, name: str, content: str, line: int, shown: str
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    guess = recognise([SourceFile(name, path, encoding="")], languages=["en"])[0]
    reads = list(noting_escapes(formats()[guess.format].read(guess.files, guess.options)))
    texts = [text for read in reads if isinstance(read, Record) for text in read.texts.values()]
    assert any(shown in (text.text or text_of(text.tokens, text.spaces)) for text in texts)
    last = reads[-1]
    assert isinstance(last, FormatWarning)
    assert (last.line, str(last.what)) == (
        line,
        f"2 texts have escaped characters, such as “{shown}”, and are read as they are",
    )


@pytest.mark.parametrize("content", ["R&D is late.\n", "Fish & chips; peas.\n", "AT&T; it rains.\n"])
def test_an_ampersand_is_one(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(content, encoding="utf-8")
    reads = noting_escapes(formats()["lines"].read([SourceFile("a.txt", path, language="en")], Options()))
    assert not [read for read in reads if isinstance(read, FormatWarning)]
