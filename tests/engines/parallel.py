"""Own Spanish–English sentence pairs to train small aligners on."""

from __future__ import annotations

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


def links(aligner: object, left: str, right: str) -> set[tuple[str, str]]:
    """The linked words of one pair, as words."""
    source, target = left.split(), right.split()
    found = aligner.align([(source, target)])[0]  # type: ignore[attr-defined]
    return {(source[link.source], target[link.target]) for link in found}
