"""Writes a corpus as brat does: a text and its annotations for each document. The program only reads it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from annotator.formats.common.records import Record
from annotator.formats.text.characters import as_characters, places_of, plain


def write(corpus: Iterable[Any], folder: Path) -> list[Path]:
    """Two files a document. Raises ValueError for what brat has no way to say."""
    paths: list[Path] = []
    records = [record for record in corpus if isinstance(record, Record)]
    for group, together in groupby(records, key=lambda record: record.group):
        text = ""
        said: list[str] = []
        for record in together:
            if len(record.texts) != 1:
                raise ValueError("one language")
            ((_, one),) = record.texts.items()
            if len(one.labels) > 1:
                raise ValueError("one source of labels")
            string = plain(one)
            for span in one.labels[0].spans if one.labels else ():
                there = as_characters(span, places_of(one))
                if not there.fragments:
                    raise ValueError("labels on words")
                places = ";".join(f"{len(text) + begin} {len(text) + end}" for begin, end in there.fragments)
                words = " ".join(string[begin:end] for begin, end in there.fragments)
                name = f"T{len(said) + 1}"
                said.append(f"{name}\t{there.label} {places}\t{words}\n")
                said += [f"A{len(said) + n}\t{key} {name} {v}\n" for n, (key, v) in enumerate(there.attributes.items())]
            text += string + "\n"
        for suffix, content in ((".txt", text), (".ann", "".join(said) or "#1\tAnnotatorNotes T0\tnothing\n")):
            path = folder / f"{group or 'doc'}{suffix}"
            path.write_text(content, encoding="utf-8", newline="")
            paths.append(path)
    return paths
