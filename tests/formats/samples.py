"""A small corpus for each feature of formats, and what of it must be the same after writing and reading.

`SHAPES` is for formats that need more than a feature's corpus has; `WRITERS` for formats that we read only: there,
a test writes the corpus as the other tool would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotator.domain.labels.spans import Attributes, Span
from annotator.domain.text.natural import natural_key
from annotator.formats.common.features import Feature
from annotator.formats.common.protocol import Format, SourceFile
from annotator.formats.common.records import CharSpan, Labels, PairRecord, Record, Says, Text
from annotator.formats.recognise import recognise
from annotator.formats.text.characters import as_characters, places_of, plain, tokenised
from tests.formats import brat, vuamc

Corpus = list[Record | PairRecord]

LANGUAGE = "es"


def text(string: str, *spans: Span, **more: Any) -> Text:
    """A text split at spaces, with gold labels; `labels=()` for none at all."""
    more.setdefault("labels", (Labels(Says.GOLD, "", spans),))
    return Text(tokens=tuple(string.split(" ")), **more)


def sentences(*texts: Text | str, **more: Any) -> Corpus:
    """Records in one language, with ids."""
    return [Record("", 0, {LANGUAGE: text(one, labels=()) if isinstance(one, str) else one}, **more) for one in texts]


def _labelled(*spans: Span) -> Corpus:
    return sentences(text("El tiempo vuela alto .", *spans), text("Nadie lo vio ."))


M = "METAPHOR"
CORPORA: dict[Feature, Corpus] = {
    Feature.TEXT: [
        Record("", 0, {LANGUAGE: Text(tokens=("El", "mes", "."), spaces=("", "  ", "", ""))}),
        Record("", 0, {LANGUAGE: Text(tokens=("No\u00a0sé", "«qué»", "…"), spaces=(" ", " ", " ", "  "))}),
        Record("", 0, {LANGUAGE: Text(tokens=("e\u0301l", "😀", "שלום", "\u2028x"))}),
    ],
    Feature.TOKENS: [
        Record("", 0, {LANGUAGE: Text(tokens=("El", "mes", ".", "Nueva York"))}),
        Record("", 0, {LANGUAGE: Text(tokens=("«", "no\u00a0sé", "»", "😀", "\u2028x", '"'))}),
    ],
    Feature.LANGUAGES: [
        Record("", 0, {"es": text("El tiempo vuela .", labels=()), "ca": text("El temps vola .", labels=())}),
        Record("", 0, {"es": text("Nadie lo vio .", labels=()), "ca": text("No ho va veure ningú .", labels=())}),
    ],
    Feature.IDS: [
        replace(record, id=name)
        for name, record in zip(
            ("10_a.dev", "9", "ñ 1"), sentences("El tiempo vuela .", "No .", "Nadie lo vio ."), strict=True
        )
    ],
    Feature.ROLES: [
        *sentences("El tiempo vuela .", "Nadie lo vio .", role="prem"),
        *sentences("No .", role="hyp"),
    ],
    Feature.DOCUMENTS: [
        *sentences("El tiempo vuela .", "Nadie lo vio .", group="carta"),
        *sentences("Hoy no llueve .", group="diario"),
    ],
    Feature.SOURCES: sentences("El tiempo vuela .", "Nadie lo vio .", genre="prensa", source="corpus-1"),
    Feature.LABELS: _labelled(Span((1,), M), Span((2, 3), M)),
    Feature.UNDECIDED: sentences(
        text("El tiempo vuela .", Span((1,), M)), text("Nadie lo vio ."), text("Hoy no llueve .", labels=())
    ),
    Feature.DISCONTINUOUS: _labelled(Span((1, 3), M)),
    Feature.OVERLAPS: _labelled(Span((1, 2), M), Span((2,), "SIMILE"), Span((2, 3), M)),
    Feature.ATTRIBUTES: _labelled(Span((1,), M, Attributes({"type": "direct", "ñ": "sí, «ya»"}))),
    Feature.WHOLE_TEXT: sentences(
        Text("El tiempo vuela .", labels=(Labels(Says.GOLD, "", (CharSpan((), "IMPLICIT"),)),))
    ),
    Feature.ORIGIN: sentences(
        text(
            "El tiempo vuela .",
            labels=(
                Labels(Says.GOLD, "", (Span((1,), M),)),
                Labels(Says.PERSON, "ana", (Span((1, 2), M),)),
                Labels(Says.PERSON, "jon", ()),
                Labels(Says.MODEL, "crf", (Span((2,), M),)),
            ),
        )
    ),
    Feature.SCORES: sentences(
        text("El tiempo vuela .", labels=(Labels(Says.MODEL, "crf", (Span((1,), M, score=0.25),)),))
    ),
    Feature.WORDS: sentences(
        text(
            "Los meses volaron .",
            labels=(),
            lemmas=("el", "mes", "volar", "."),
            parts_of_speech=("DET", "NOUN", "VERB", "PUNCT"),
        )
    ),
    Feature.VALUES: sentences(
        text("El tiempo vuela .", labels=(), values={"tone": ("ironic", "sad")}),
        text("Nadie lo vio .", labels=(), values={"tone": ("plain",)}),
    ),
    Feature.PAIRS: [
        *sentences("El tiempo vuela .", role="prem", id="1", group="1"),
        *sentences("Nadie lo vio .", role="hyp", id="11", group="1"),
        *sentences("No .", role="hyp", id="12", group="1"),
        PairRecord("", 0, "11", "1", "11", "entailment", {LANGUAGE: "relevant"}),
        PairRecord("", 0, "12", "1", "12", "neutral", {LANGUAGE: "no_metaphor"}),
    ],
}


def _records(corpus: Iterable[Any]) -> list[Record]:
    return [record for record in corpus if isinstance(record, Record)]


def _labels(look: Callable[[CharSpan], Any]) -> Callable[[Corpus], Any]:
    """What there is to see of the labels of each text, in order."""

    def of(corpus: Corpus) -> Any:
        found = []
        for record in _records(corpus):
            for one in record.texts.values():
                places = places_of(one)
                found.append(
                    [
                        sorted((look(as_characters(span, places)) for span in source.spans), key=repr)
                        for source in one.labels
                    ]
                )
        return found

    return of


# What is looked at for each feature.
LOOK: dict[Feature, Callable[[Corpus], Any]] = {
    Feature.TEXT: lambda corpus: [[plain(one) for one in record.texts.values()] for record in _records(corpus)],
    Feature.TOKENS: lambda corpus: [[one.tokens for one in record.texts.values()] for record in _records(corpus)],
    Feature.LANGUAGES: lambda corpus: [
        {language: one.tokens for language, one in record.texts.items()} for record in _records(corpus)
    ],
    Feature.IDS: lambda corpus: [record.id for record in _records(corpus)],
    Feature.ROLES: lambda corpus: sorted((record.role, plain(record.texts[LANGUAGE])) for record in _records(corpus)),
    Feature.DOCUMENTS: lambda corpus: [record.group for record in _records(corpus)],
    Feature.SOURCES: lambda corpus: [(record.genre, record.source) for record in _records(corpus)],
    Feature.LABELS: _labels(lambda span: (span.fragments, span.label)),
    Feature.UNDECIDED: lambda corpus: [
        [bool(one.labels), bool(one.labels and one.labels[0].spans)]
        for record in _records(corpus)
        for one in record.texts.values()
    ],
    Feature.DISCONTINUOUS: _labels(lambda span: (span.fragments, span.label)),
    Feature.OVERLAPS: _labels(lambda span: (span.fragments, span.label)),
    Feature.ATTRIBUTES: _labels(lambda span: (span.fragments, dict(span.attributes))),
    Feature.WHOLE_TEXT: _labels(lambda span: (span.fragments, span.label)),
    Feature.ORIGIN: lambda corpus: [
        sorted((source.says, source.name, tuple(span.label for span in source.spans)) for source in one.labels)
        for record in _records(corpus)
        for one in record.texts.values()
    ],
    Feature.SCORES: _labels(lambda span: (span.fragments, span.score)),
    Feature.WORDS: lambda corpus: [
        (one.lemmas, one.parts_of_speech) for record in _records(corpus) for one in record.texts.values()
    ],
    Feature.VALUES: lambda corpus: [dict(one.values) for record in _records(corpus) for one in record.texts.values()],
    Feature.PAIRS: lambda corpus: [
        (pair.id, pair.premise, pair.hypothesis, pair.inference, dict(pair.values))
        for pair in corpus
        if isinstance(pair, PairRecord)
    ],
}


def _paired(corpus: Corpus) -> Corpus:
    """For the layout of pairs: the corpus as premises, each with a hypothesis and a tag, in the order of their ids."""
    if any(isinstance(record, PairRecord) or record.role for record in corpus):
        return corpus
    premises = sorted(_records(corpus), key=lambda record: natural_key(record.id))
    ids = [record.id or str(number) for number, record in enumerate(premises, start=1)]
    tags = {language: "relevant" for record in premises for language in record.texts}
    prem = [replace(r, id=i, role="prem", group=r.group or i) for i, r in zip(ids, premises, strict=True)]
    hyp = [
        Record("", 0, dict(r.texts), id=i, role="hyp", group=r.group, genre=r.genre, source=r.source)
        for i, r in zip(ids, prem, strict=True)
    ]
    pairs = [PairRecord("", 0, i, i, i, "neutral", tags) for i in ids]
    return [*prem, *hyp, *pairs]


# What a format's corpora need besides; by slug.
SHAPES: dict[str, Callable[[Corpus], Corpus]] = {"meta4xnli": _paired, "vuamc": vuamc.shaped}

# For formats without a writer: writes a corpus as the other tool does, and raises ValueError for what that cannot.
WRITERS: dict[str, Callable[[Corpus, Path], Sequence[Path]]] = {
    "vuamc": vuamc.write,
    "brat": brat.write,
}


def write(one: Format, corpus: Corpus, folder: Path) -> list[SourceFile]:
    """The files that a format writes of a corpus, as somebody would bring them."""
    writer = one.write if one.writes else WRITERS[one.slug]
    return [SourceFile(path.relative_to(folder).as_posix(), path, encoding="") for path in writer(corpus, folder)]


def there_and_back(one: Format, corpus: Corpus, folder: Path) -> tuple[Corpus, Corpus]:
    """What was written and what was read of it, through recognising and tokens. Errors that are read are raised."""
    corpus = SHAPES.get(one.slug, lambda same: same)(corpus)
    languages = list(dict.fromkeys(language for record in _records(corpus) for language in record.texts))
    files = write(one, corpus, folder)
    guess = next(guess for guess in recognise(files, languages=languages) if guess.format == one.slug)
    found: Corpus = []
    for read in tokenised(one.read(guess.files, guess.options), guess.options):
        if isinstance(read, Exception):
            raise read
        if isinstance(read, Record | PairRecord):
            found.append(read)
    return corpus, found


def survives(one: Format, feature: Feature, folder: Path) -> bool:
    """Whether a feature's corpus is the same after it was written and read. A format may refuse to write it."""
    corpus = CORPORA[feature]
    try:
        before, after = there_and_back(one, corpus, folder)
    except ValueError:
        return False
    return bool(LOOK[feature](before) == LOOK[feature](after))
