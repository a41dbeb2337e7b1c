"""Random corpora for formats: every script, emoji, marks that combine, what formats escape; labels anywhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from annotator.domain.labels.spans import Attributes, Span
from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import Format, Options, SourceFile
from annotator.formats.common.records import Labels, Record, Says, Text
from annotator.formats.text.characters import as_characters, places_of, plain, tokenised

# Whole characters only, none that is white space.
_LETTERS = st.one_of(
    st.sampled_from("aàñ·’'\"\\[]|_;*->&<>{},.😀👩🏽\u200d🚒e\u0301עבשלום中文字\u0627\u0644\u0639𝔘\u200f"),
    st.characters(blacklist_categories=("Cs", "Cc", "Cn", "Zs", "Zl", "Zp")),
)
TOKENS = st.text(_LETTERS, min_size=1, max_size=6)
NAMES = st.sampled_from(["METAPHOR", "SIMILE", "ñandú 🎉", "a|b[1]", "x_y;*", "->", "עברית"])
VALUES = st.one_of(st.sampled_from(["sí, «ya»", "a\tb", "línia\nnova", "[1]|\\_*", "😀"]), TOKENS)


@st.composite
def texts(draw: st.DrawFn, *, gaps: tuple[str, ...], attributes: bool, overlaps: bool = True) -> Text:
    """A sentence with gold labels. `gaps`: what may stand between tokens."""
    tokens = draw(st.lists(TOKENS, min_size=1, max_size=7))
    between = draw(st.lists(st.sampled_from(gaps), min_size=len(tokens) - 1, max_size=len(tokens) - 1))
    spans = []
    for _ in range(draw(st.integers(0, 4))):
        chosen = draw(st.sets(st.integers(0, len(tokens) - 1), min_size=1, max_size=4))
        said = draw(st.dictionaries(st.sampled_from(["kind", "ñ"]), VALUES, max_size=2)) if attributes else {}
        spans.append(Span(tuple(sorted(chosen)), draw(NAMES), Attributes(said)))
    unique = {(span.tokens, span.label): span for span in spans}
    return Text(
        tokens=tuple(tokens), spaces=("", *between, ""), labels=(Labels(Says.GOLD, "", tuple(unique.values())),)
    )


def corpora(**shape: Any) -> st.SearchStrategy[list[Record]]:
    """One to four sentences with ids."""
    return st.lists(texts(**shape), min_size=1, max_size=4).map(
        lambda found: [Record("", 0, {"ca": one}, id=f"s{number}") for number, one in enumerate(found)]
    )


def look(corpus: list[Record]) -> list[Any]:
    """All that there is to see of a corpus, whatever way its labels are given."""
    seen: list[Any] = []
    for record in corpus:
        for language, text in record.texts.items():
            places = places_of(text)
            labels = [
                (
                    source.says,
                    source.name,
                    sorted(
                        (one.fragments, one.label, tuple(one.attributes.items()), one.score)
                        for one in (as_characters(span, places) for span in source.spans)
                    ),
                )
                for source in text.labels
            ]
            seen.append((record.id, record.group, language, text.tokens, plain(text), labels, dict(text.values)))
    return seen


def back(one: Format, paths: list[Path], options: Options | None = None) -> list[Record]:
    """What was written, read again, with tokens. Errors that are read are raised."""
    options = options or Options()
    files = [SourceFile(path.name, path, language="ca") for path in paths]
    found = list(tokenised(one.read(files, options), options))
    for read in found:
        if isinstance(read, FormatError):
            raise read
    return [read for read in found if isinstance(read, Record)]


def reads(one: Format, path: Path, name: str = "", **options: Any) -> list[Any]:
    """What a format reads of a file, before tokens."""
    return list(one.read([replace(SourceFile(name or path.name, path), language="ca")], Options(**options)))
