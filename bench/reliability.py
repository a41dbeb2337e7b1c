"""How often tokens are labelled that a shipped detector gives a probability, before and after calibration.

    python bench/reliability.py --shared ../shared [--svg docs/research/reliability.svg]

SHARED holds data/meta4xnli; its dev split, which the detectors have not seen, is measured. Prints Markdown.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.formats.text.tagged import read_tagged
from mlworkers.engines.base import DATA
from mlworkers.engines.detectors.crf import WEIGHTS, CrfDetector
from mlworkers.engines.evaluation.calibration import Bools, Floats

LANGUAGES = ("es", "en")
EDGES = [0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0]
# What the error is computed over, as is usual; nearly all tokens are in the first of them.
TENTHS = [tenth / 10 for tenth in range(11)]
# Tokens that are worth a look.
SHOWN = 0.05

SIDE, MARGIN, GAP = 300, 50, 70
BEFORE, AFTER = "#b45309", "#1d4ed8"


@dataclass(frozen=True, slots=True)
class Band:
    """The tokens whose probability lies in one band: how many, what they were given, how many were labelled."""

    low: float
    high: float
    tokens: int
    mean: float
    share: float


def reliability(
    probabilities: Sequence[float] | Floats, labelled: Sequence[bool] | Bools, edges: Sequence[float]
) -> list[Band]:
    """One band between each two neighbouring `edges` that holds a token; the lower edge belongs to it, and 1 to the
    last."""
    values, truth = np.asarray(probabilities, float), np.asarray(labelled, bool)
    inner = np.digitize(values, edges[1:-1])
    bands = []
    for index, (low, high) in enumerate(pairwise(edges)):
        inside = inner == index
        tokens = int(inside.sum())
        if tokens:
            bands.append(Band(low, high, tokens, float(values[inside].mean()), float(truth[inside].mean())))
    return bands


def calibration_error(bands: Sequence[Band]) -> float:
    """Expected calibration error in per cent: how far mean probability and labelled share lie apart, by tokens."""
    tokens = sum(band.tokens for band in bands)
    return 100 * sum(band.tokens * abs(band.mean - band.share) for band in bands) / tokens if tokens else 0.0


class Measured:
    """One language: the probabilities of dev tokens before and after calibration, and which are labelled."""

    def __init__(self, shared: Path, language: str) -> None:
        self.language = language
        path = shared / "data" / "meta4xnli" / "detection" / "splits" / language / "meta4xnli_dev.tsv"
        sentences = read_tagged(path).sentences
        folder = DATA / f"crf-{language}"
        detector = CrfDetector.load(folder)
        plain = CrfDetector(
            (folder / WEIGHTS).read_bytes(), {**detector.settings, "calibration": {"a": 1, "b": 1, "c": 0}}
        )
        tokens = [sentence.tokens for sentence in sentences]
        self.before = np.fromiter(chain.from_iterable(plain.predict(tokens)), float)
        self.after = np.fromiter(chain.from_iterable(detector.predict(tokens)), float)
        self.labelled = np.array([tag != "O" for sentence in sentences for tag in sentence.tags])

    def errors(self, probabilities: np.ndarray) -> tuple[float, float]:
        """The expected calibration error over all tokens, and over those that calibrated are shown."""
        shown = self.after >= SHOWN
        return (
            calibration_error(reliability(probabilities, self.labelled, TENTHS)),
            calibration_error(reliability(probabilities[shown], self.labelled[shown], TENTHS)),
        )


def table(measured: Sequence[Measured]) -> str:
    lines = ["| band | " + " | ".join(f"{one.language}: tokens | probability | labelled" for one in measured) + " |"]
    lines.append("|---" * (1 + 3 * len(measured)) + "|")
    bands = [{band.low: band for band in reliability(one.after, one.labelled, EDGES)} for one in measured]
    for low, high in pairwise(EDGES):
        cells = [
            f"{band.tokens:,} | {band.mean:.3f} | {band.share:.3f}" if (band := found.get(low)) else "0 | – | –"
            for found in bands
        ]
        lines.append(f"| {low:g}–{high:g} | " + " | ".join(cells) + " |")
    lines += ["", "| expected calibration error, % | " + " | ".join(one.language for one in measured) + " |"]
    lines.append("|---" * (1 + len(measured)) + "|")
    for index, which in enumerate(("all tokens", f"tokens of {SHOWN:.0%} or more")):
        for name in ("before", "after"):
            figures = " | ".join(f"{one.errors(getattr(one, name))[index]:.2f}" for one in measured)
            lines.append(f"| {which}, {name} | {figures} |")
    return "\n".join(lines)


def figure(measured: Sequence[Measured]) -> str:
    """The share of labelled tokens over their mean probability, a panel per language."""
    width = 2 * MARGIN + len(measured) * SIDE + (len(measured) - 1) * GAP
    height = SIDE + 3 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'font-family="sans-serif" font-size="12" fill="#111827">',
        "<title>Reliability of the shipped detectors on the dev split</title>",
        "<desc>Share of labelled tokens over their probability. After calibration the points lie near the diagonal; "
        "before, they lie above it for low and below it for high probabilities.</desc>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for index, one in enumerate(measured):
        parts += _panel(one, MARGIN + index * (SIDE + GAP), MARGIN)
    bottom = height - MARGIN / 2
    for x, colour, name in ((MARGIN, BEFORE, "before calibration"), (MARGIN + 180, AFTER, "after calibration")):
        fill = "none" if colour == BEFORE else colour
        parts.append(f'<circle cx="{x + 6}" cy="{bottom - 4:g}" r="5" fill="{fill}" stroke="{colour}"/>')
        parts.append(f'<text x="{x + 18}" y="{bottom:g}">{name}</text>')
    parts.append(f'<text x="{MARGIN + 360}" y="{bottom:g}">bars: two standard errors</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(one: Measured, left: float, top: float) -> list[str]:
    bottom = top + SIDE

    def at(probability: float, share: float) -> tuple[str, str]:
        return f"{left + SIDE * probability:.1f}", f"{bottom - SIDE * share:.1f}"

    parts = [
        f'<text x="{left}" y="{top - 12}" font-weight="bold">crf-{one.language}</text>',
        f'<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#6b7280"/>',
        f'<line x1="{left}" y1="{bottom}" x2="{left + SIDE}" y2="{top}" stroke="#9ca3af" stroke-dasharray="4 4"/>',
        f'<text x="{left + SIDE / 2:g}" y="{bottom + 36}" text-anchor="middle">probability</text>',
    ]
    for fifth in range(6):
        x, y = at(fifth / 5, fifth / 5)
        parts.append(f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{fifth / 5:g}</text>')
        parts.append(f'<text x="{left - 6}" y="{float(y) + 4:.1f}" text-anchor="end">{fifth / 5:g}</text>')
    middle = top + SIDE / 2
    parts.append(
        f'<text x="{left - 34}" y="{middle:g}" text-anchor="middle" '
        f'transform="rotate(-90 {left - 34} {middle:g})">labelled</text>'
    )
    for probabilities, colour in ((one.before, BEFORE), (one.after, AFTER)):
        bands = reliability(probabilities, one.labelled, EDGES)
        points = [at(band.mean, band.share) for band in bands]
        joined = " ".join(",".join(point) for point in points)
        parts.append(f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-opacity="0.5"/>')
        for band, (x, y) in zip(bands, points, strict=True):
            if colour == AFTER:
                _, low = at(0, max(0.0, band.share - _error(band)))
                _, high = at(0, min(1.0, band.share + _error(band)))
                parts.append(f'<line x1="{x}" y1="{low}" x2="{x}" y2="{high}" stroke="{colour}"/>')
            fill = "#ffffff" if colour == BEFORE else colour
            parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{fill}" stroke="{colour}"/>')
    return parts


def _error(band: Band) -> float:
    """Two standard errors of the share."""
    return float(2 * np.sqrt(band.share * (1 - band.share) / band.tokens))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    measured = [Measured(options.shared, language) for language in LANGUAGES]
    print(table(measured))
    if options.svg:
        options.svg.write_text(figure(measured), encoding="utf-8")


if __name__ == "__main__":
    main()
