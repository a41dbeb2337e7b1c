"""Writes a corpus as the VU Amsterdam Metaphor Corpus is: TEI with <w>, <c> and <seg>. The program only reads it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from annotator.domain.text.tokens import is_punctuation
from annotator.formats.common.records import Record

_TYPES = {"INDIRECT": "met", "DIRECT": "lit", "IMPLICIT": "impl"}
_LABELS = {"METAPHOR": "INDIRECT", "SIMILE": "DIRECT"}
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:vici="http://www.tei-c.org/ns/VICI">
<teiHeader><fileDesc><titleStmt><title>Una mostra</title></titleStmt></fileDesc></teiHeader>
<text><group>
"""


def shaped(corpus: Iterable[Any]) -> list[Any]:
    """The corpus with labels that the other one has."""
    found = []
    for record in corpus:
        if isinstance(record, Record):
            texts = {
                language: replace(
                    text,
                    labels=tuple(
                        replace(
                            source, spans=tuple(replace(s, label=_LABELS.get(s.label, s.label)) for s in source.spans)
                        )
                        for source in text.labels
                    ),
                )
                for language, text in record.texts.items()
            }
            record = replace(record, texts=texts)
        found.append(record)
    return found


def write(corpus: Iterable[Any], folder: Path) -> list[Path]:
    """One file. Raises ValueError for what the other corpus has no way to say."""
    path = folder / "VUAMC.xml"
    parts = [HEAD]
    records = [record for record in corpus if isinstance(record, Record)]
    for group, together in groupby(records, key=lambda record: record.group):
        first, *others = together
        name = f" xml:id={quoteattr(group)}" if group else ""
        parts.append(f"<text{name} xml:lang={quoteattr(next(iter(first.texts)))}><body><div1><p>\n")
        parts += [sentence(record, str(number)) for number, record in enumerate([first, *others], start=1)]
        parts.append("</p></div1></body></text>\n")
    path.write_text("".join([*parts, "</group></text></TEI>\n"]), encoding="utf-8")
    return [path]


def sentence(record: Record, number: str) -> str:
    """A sentence, each word in a line of its own."""
    if len(record.texts) != 1:
        raise ValueError("one language")
    ((_, text),) = record.texts.items()
    if len(text.labels) > 1 or not text.tokens:
        raise ValueError("one source of labels, on tokens")
    segs: list[list[str]] = [[] for _ in text.tokens]
    for index, span in enumerate(text.labels[0].spans if text.labels else ()):
        for part, token in enumerate(span.tokens):
            said = {"function": "mrw", "type": _TYPES[span.label], "vici:morph": "n"}
            if len(span.tokens) > 1:
                unit = f"u{number}x{index}"
                said |= {"corresp": f"#{unit}"} if part else {"xml:id": unit}
            segs[token].append("".join(f" {key}={quoteattr(value)}" for key, value in said.items()))
    lines = [f"<s n={quoteattr(number)}>"]
    for index, token in enumerate(text.tokens):
        tag = "c" if is_punctuation(token) else "w"
        lemma = f" lemma={quoteattr(text.lemmas[index])}" if text.lemmas else ""
        kind = f" type={quoteattr(text.parts_of_speech[index])}" if text.parts_of_speech else ""
        inside = "".join(f"<seg{seg}>" for seg in segs[index]) + escape(token) + "</seg>" * len(segs[index])
        lines.append(f"<{tag}{lemma}{kind}>{inside} </{tag}>")
    return "\n".join([*lines, "</s>\n"])
