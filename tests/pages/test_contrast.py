"""The colours of the design keep the contrast that WCAG 2 AA asks for, light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from annotator.domain.labels.schemes import PALETTE

TOKENS = (Path(settings.BASE_DIR) / "static" / "site" / "css" / "tokens.css").read_text()
PAIRS = {
    name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", TOKENS)
}
GROUNDS = ("paper", "surface", "surface-2")
TEXT = [
    *[(ink, ground) for ink in ("ink", "ink-2", "accent") for ground in GROUNDS],
    ("ink", "surface-3"),
    ("accent-ink", "accent"),
    ("accent-ink", "accent-hover"),
    *[(state, f"{state}-soft") for state in ("good", "warn", "bad", "info", "label", "suggest")],
    *[("ink", f"{state}-soft") for state in ("good", "warn", "bad", "info", "label", "suggest", "accent")],
    *[(state, "surface") for state in ("good", "warn", "bad", "info", "label", "suggest", "content-word")],
]
LINES = [
    *[(line, "surface") for line in ("line-strong", "label-line", "suggest-line", "focus")],
    *[(f"series-{number}", "surface") for number in range(1, 5)],
]


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT)
def test_text_can_be_read(ink: str, ground: str, theme: int) -> None:
    assert contrast(PAIRS[ink][theme], PAIRS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("line", "ground"), LINES)
def test_lines_that_mean_something_can_be_seen(line: str, ground: str, theme: int) -> None:
    assert contrast(PAIRS[line][theme], PAIRS[ground][theme]) >= 3


LABELS = (Path(settings.BASE_DIR) / "static" / "work" / "css" / "labels.css").read_text()
COLOURS = dict(re.findall(r'^\[data-colour="(\w+)"\] \{(.+)\}$', LABELS, re.MULTILINE))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", PALETTE)
def test_every_colour_of_labels_can_be_read_on_its_ground_and_on_the_page(name: str, theme: int) -> None:
    pairs = {
        variable: (light, dark)
        for variable, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", COLOURS[name])
    }
    tint = pairs["tint"][theme]
    for ground in (
        pairs["tint-soft"][theme],
        *(PAIRS[one][theme] for one in (*GROUNDS, "added-soft", "kept-soft") if one in PAIRS),
    ):
        assert contrast(tint, ground) >= 4.5, ground
    assert contrast(PAIRS["ink"][theme], pairs["tint-soft"][theme]) >= 4.5


def test_the_palette_is_all_of_the_colours() -> None:
    assert tuple(COLOURS) == PALETTE
