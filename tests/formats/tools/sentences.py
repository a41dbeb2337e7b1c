"""The sentences that other tools are given, and how much of them a format has room for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from annotator.domain.labels.bio import BioError, write_bio
from annotator.domain.labels.spans import Attributes, Span
from annotator.formats.common.features import Feature
from annotator.formats.common.records import CharSpan, Labels, Record, Says, Text
from annotator.formats.registry import formats
from annotator.formats.text.characters import as_characters, places_of, plain

METAPHOR = "METAPHOR"
SIMILE = "SÍMIL ñ"


def _gold(*spans: Span | CharSpan) -> tuple[Labels, ...]:
    return (Labels(Says.GOLD, "", spans),)


def _split(string: str, *labels: Labels, **more: Any) -> Text:
    """Tokens that stand between bars: “l'|orgull |.” is three, with a space before the last."""
    pieces = string.split("|")
    tokens = tuple(piece.strip() for piece in pieces)
    spaces = [piece[len(piece.rstrip()) :] for piece in pieces]
    return Text(tokens=tokens, spaces=("", *spaces), labels=labels, **more)


# Emoji of several code points, marks that combine, right-to-left with marks of its own, what formats escape, what
# guessers take for numbers, dates, formulas, markup and missing values.
SENTENCES = [
    Record(
        "",
        0,
        {
            "ca": _split(
                "La |Neus |va |empassar|-se |👩🏽‍🚒 |l'|orgull|.",
                *_gold(
                    Span((3, 4), SIMILE, Attributes({"domini": "menjar, «beguda»\tja\nsí", "tipus": "[1]|\\_*"})),
                    Span((2, 7), METAPHOR),
                    Span((6, 7), SIMILE),
                ),
                lemmas=("el", "Neus", "anar", "empassar", "se", "👩🏽‍🚒", "el", "orgull", "."),
                parts_of_speech=("DET", "PROPN", "AUX", "VERB", "PRON", "SYM", "DET", "NOUN", "PUNCT"),
            ),
            "es": _split("Nieves |se |tragó |el |orgullo|.", *_gold(Span((1, 2), METAPHOR))),
        },
        id="10_a.dev",
        group="carta",
        genre="premsa",
        source="nostra, 1",
    ),
    Record(
        "",
        0,
        {
            "ca": _split('Cafe\u0301 |amb  |"|llet|" |; |\\t |a,b |el\u200f |temps|?', *_gold(Span((9,), METAPHOR))),
            "es": _split("¿|Café |con |«|leche|»|?", *_gold()),
        },
        id="9",
        group="carta",
        genre="premsa",
    ),
    Record(
        "",
        0,
        {
            "ca": _split('עֲצַבִּים |"נמסו" |\u0627\u0644\u0639 |中文 |!', *_gold(Span((1, 2), METAPHOR))),
            "es": _split("NA |null |007 |1e5 |TRUE |=1+1 |12/11 |-", *_gold(Span((2, 3), SIMILE))),
        },
        id="ñ 1",
        group="diari",
        source="nostra, 1",
    ),
    Record(
        "",
        0,
        {
            "ca": _split("<|b|>|&|amp|; |[|'x'|] |#|1 |{|}", *_gold()),
            "es": _split("[|0|] |+|34 |@|a |O |B|-|X |_", *_gold(Span((0, 2), METAPHOR))),
        },
        id="007",
        group="diari",
    ),
    Record(
        "",
        0,
        {"ca": _split("Ningú |no |l'|ha |mirada|."), "es": _split("Nadie |la |miró|.")},
        id="1.0",
        group="diari",
    ),
]
# A sentence of 20,000 words, with a label at its end; tables of Excel have room for shorter ones.
WORDS = 20_000


def long_sentences(words: int = WORDS) -> list[Record]:
    """A very long line among others; too long to be kept."""
    tokens = tuple(f"paraula{number % 97}" for number in range(words))
    labels = _gold(Span((words - 2, words - 1), METAPHOR), Span((0, words - 1), SIMILE))
    text = Text(tokens=tokens, spaces=("", *[" "] * (words - 1), ""), labels=labels)
    last = SENTENCES[-1]
    return [SENTENCES[0], Record("", 0, {"ca": text, "es": text}, id="long", group=last.group), last]


def room_in(slug: str, records: Iterable[Record], *, without: Iterable[Feature] = ()) -> list[Record]:
    """The records with no more than a format keeps. `without`: what the tool has no room for, besides."""
    keeps = formats()[slug].keeps - set(without)
    found = []
    for record in records:
        texts = {language: _fitted(text, keeps) for language, text in record.texts.items()}
        if Feature.LANGUAGES not in keeps:
            texts = dict(list(texts.items())[:1])
        row = replace(record, texts=texts)
        row = row if Feature.IDS in keeps else replace(row, id="")
        row = row if Feature.DOCUMENTS in keeps else replace(row, group="")
        found.append(row if Feature.SOURCES in keeps else replace(row, genre="", source=""))
    return found


def _fitted(text: Text, keeps: frozenset[Feature]) -> Text:
    if Feature.TEXT not in keeps:
        text = replace(text, spaces=("", *[" "] * (len(text.tokens) - 1), ""))
    if Feature.TOKENS not in keeps:
        text = Text(text=plain(text), labels=text.labels, values=text.values)
    if Feature.WORDS not in keeps:
        text = replace(text, lemmas=(), parts_of_speech=())
    if Feature.VALUES not in keeps:
        text = replace(text, values={})
    if Feature.LABELS not in keeps:
        return replace(text, labels=())
    return replace(
        text, labels=tuple(replace(one, spans=_fitting(one.spans, len(text.tokens), keeps)) for one in text.labels)
    )


def _fitting(spans: Iterable[Span | CharSpan], length: int, keeps: frozenset[Feature]) -> tuple[Span | CharSpan, ...]:
    found: list[Span | CharSpan] = []
    for span in spans:
        if isinstance(span, CharSpan):
            if Feature.WHOLE_TEXT in keeps:
                found.append(span)
            continue
        gaps = span.last - span.first >= len(span.tokens)
        if gaps and Feature.DISCONTINUOUS not in keeps:
            continue
        one = span if Feature.ATTRIBUTES in keeps else replace(span, attributes=Attributes())
        if Feature.OVERLAPS not in keeps:
            try:
                write_bio([other for other in (*found, one) if isinstance(other, Span)], length)
            except BioError:
                continue
        found.append(one)
    return tuple(found)


def seen(records: Iterable[Record]) -> list[dict[str, Any]]:
    """What a tool should see of the records, in plain lists: texts, tokens, and labels by the pieces of the text."""
    return [
        {
            "id": record.id,
            "group": record.group,
            "language": language,
            "text": plain(text),
            "tokens": list(text.tokens),
            "answered": bool(text.labels),
            "labels": [label for source in text.labels for label in _shown(text, source)],
            "sources": [{"says": one.says.value, "name": one.name, "labels": _shown(text, one)} for one in text.labels],
            "lemmas": list(text.lemmas),
            "values": {layer: list(values) for layer, values in text.values.items()},
        }
        for record in records
        for language, text in record.texts.items()
    ]


def _shown(text: Text, source: Labels) -> list[dict[str, Any]]:
    spans = (as_characters(span, places_of(text)) for span in source.spans)
    return [
        {"label": one.label, "at": [list(place) for place in one.fragments], "attributes": dict(one.attributes)}
        for one in spans
    ]
