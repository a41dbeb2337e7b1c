"""Own Spanish–English sentence pairs to train small aligners on."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from annotator.domain.labels.spans import Span

FOLDER = Path(__file__).parent
# Files of sentences with marked targets, and their languages.
TARGETS = {
    "targets": ("en", "es"),
    "targets-domains": ("en", "es"),
    "targets-ca": ("ca", "en"),
    "targets-de": ("de", "en"),
}

TEXT = """
La niña come una manzana roja. | The girl eats a red apple.
El niño bebe un vaso de leche. | The boy drinks a glass of milk.
Mi hermano lee el periódico cada mañana. | My brother reads the newspaper every morning.
La ciudad duerme bajo la lluvia. | The city sleeps under the rain.
Mi hermana come pan cada mañana. | My sister eats bread every morning.
El niño lee un libro en la ciudad. | The boy reads a book in the city.
La lluvia cae sobre la casa. | The rain falls on the house.
El gato duerme en la casa. | The cat sleeps in the house.
La niña bebe un vaso de agua. | The girl drinks a glass of water.
El perro come el pan de mi hermano. | The dog eats my brother's bread.
"""


def pairs() -> list[tuple[list[str], list[str]]]:
    return [
        (left.split(), right.split()) for left, _, right in (line.partition(" | ") for line in TEXT.split("\n")) if left
    ]


def everyday(source: str, target: str) -> list[tuple[list[str], list[str]]]:
    """Own everyday sentences in two languages for which no table is shipped: ca and en, eu and es."""
    text = Path(__file__).with_name(f"everyday-{source}-{target}.txt").read_text(encoding="utf-8")
    sides = [line.split(" | ") for line in text.splitlines() if not line.startswith("#")]
    return [(left.split(), right.split()) for left, right in sides]


class Marked(NamedTuple):
    """A sentence with its opinion targets."""

    tokens: tuple[str, ...]
    spans: tuple[Span, ...]


def targets(name: str = "targets") -> tuple[list[Marked], list[Marked]]:
    """Own sentences about things and their translations, the things marked by hand; `name` is one of TARGETS."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    sides = [line.split(" | ") for line in text.splitlines() if not line.startswith("#")]
    return [_marked(left) for left, _ in sides], [_marked(right) for _, right in sides]


def _marked(text: str) -> Marked:
    tokens, spans, start = [], [], 0
    for index, word in enumerate(text.split()):
        if "[" in word:
            start = index
        if "]" in word:
            spans.append(Span(tuple(range(start, index + 1)), "TARGET"))
        tokens.append(word.replace("[", "").replace("]", ""))
    return Marked(tuple(tokens), tuple(spans))


def links(aligner: object, left: str, right: str) -> set[tuple[str, str]]:
    """The linked words of one pair, as words."""
    source, target = left.split(), right.split()
    found = aligner.align([(source, target)])[0]  # type: ignore[attr-defined]
    return {(source[link.source], target[link.target]) for link in found}
