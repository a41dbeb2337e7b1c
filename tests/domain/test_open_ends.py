"""Where an expression ends: inside a phrase, before what its last word needs, or before something of its own."""

from __future__ import annotations

import pytest

from tests.domain.test_verbs_in_place import put


@pytest.mark.parametrize(
    ("text", "definition", "expected"),
    [
        # Marked without its last word.
        ("Los niños [enterraron el hacha de] guerra .", "hacer las paces", "inside-phrase"),
        ("Los niños [enterraron el hacha de] guerra .", "discutir", "inside-phrase"),
        ("Los niños [enterraron el] hacha de guerra .", "reconciliarse", "inside-phrase"),
        ("Los niños [enterraron el hacha y] cantaron .", "hacer las paces", "inside-phrase"),
        # Open for what follows, as its definition is.
        ("Ana [echó mano de] sus ahorros .", "usar", "inside-phrase"),
        ("Ana [echó mano de] sus ahorros .", "hacer uso de", "Ana hizo uso de sus ahorros ."),
        ("Ana [echó mano de] sus ahorros .", "gastar todo", "inside-phrase"),
        ("Ana [echó mano de] sus ahorros .", "arriesgarse", "inside-phrase"),
        # A person would have "a".
        ("Pedro [dejó plantada a] su hermana .", "abandonar", "inside-phrase"),
        ("Pedro [dejó plantada a] su hermana .", "abandonar a", "Pedro abandonó a su hermana ."),
        ("Pedro [hizo caso omiso de] Ana .", "ignorar", "inside-phrase"),
        ("Pedro [hizo caso omiso de] ella .", "ignorar", "inside-phrase"),
        ("Pedro [hizo caso omiso de] la regla .", "ignorar", "inside-phrase"),
        ("Está [a punto de] salir .", "cerca de", "Está cerca de salir ."),
        ("Ana [echó mano de] .", "gastar todo", "Ana gastó todo ."),
    ],
)
def test_a_spanish_expression_that_lacks_what_follows(text: str, definition: str, expected: str) -> None:
    assert put(text, definition, "es") == expected


@pytest.mark.parametrize(
    ("text", "definition", "expected"),
    [
        ("He [made fun of] them .", "laugh loudly", "inside-phrase"),
        ("He [made fun of] them .", "mock", "He mocked them ."),
        ("He [made fun of] them .", "laugh at", "He laughed at them ."),
        ("He [fell short of] the mark .", "fail to reach", "He failed to reach the mark ."),
        ("He [fell short of] the mark .", "not reach", "He did not reach the mark ."),
        ("It is [the tip of the] iceberg .", "a small part", "inside-phrase"),
        ("It is [the calm before] the storm .", "a quiet time", "inside-phrase"),
        ("He [bit the bullet and] she wept .", "to endure it", "inside-phrase"),
        ("Spoons are [few and far between] at sea .", "rare", "Spoons are rare at sea ."),
        ("What he is [fed up with] is work .", "tired of it", "What he is tired of it is work ."),
        ("It is [a cut above] the rest .", "better than", "It is better than the rest ."),
    ],
)
def test_an_english_one(text: str, definition: str, expected: str) -> None:
    assert put(text, definition, "en") == expected


@pytest.mark.parametrize(
    "after",
    ["detrás de la tienda", "debajo del puente", "lejos de casa", "además", "así", "también", "allá", "junto al río"],
)
def test_an_adverb_after_a_whole_expression_is_no_part_of_it_in_spanish(after: str) -> None:
    made = put(f"Los niños [enterraron el hacha de guerra] {after} .", "hacer las paces", "es")
    assert made == f"Los niños hicieron las paces {after} ."


@pytest.mark.parametrize(
    "after", ["outside the tent", "nearby", "downstairs", "at home", "home", "abroad", "ahead of us"]
)
def test_nor_in_english(after: str) -> None:
    assert put(f"The two [buried the hatchet] {after} .", "to make peace", "en") == f"The two made peace {after} ."
