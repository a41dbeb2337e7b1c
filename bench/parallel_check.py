"""How well `annotator.domain.parallel_check` finds where two files are not parallel.

    python bench/parallel_check.py --shared ../shared [--seeds 200] [--files xnli_dev_prem …]

For each pair of files and each seed: one line is left out of one file or doubled there (as the seed has it), and, in
other trials, two neighbours are swapped. A shift counts as found when a line left out or doubled is reported within
three lines of the place; a swap when just this pair is reported; everything else that is reported is a false alarm,
as is everything in the intact files. `NAME:30` takes 30 lines from a place that the seed chooses.

    python bench/parallel_check.py --shared ../shared --many [--seeds 200] [--files xnli_dev_prem …]

For each pair of files and each seed: 1 to 150 lines are missing, singly or in up to five blocks, in one file or in
both; in half of the trials both files are then cut to the same number of lines. A place counts as found as above. A
file is refused when an import of it would be: it has lines left out or doubled, or a stretch that hardly goes together.

    python bench/parallel_check.py --shared ../shared --small

Two texts of 14 and 16 lines in six languages each (`tests/domain/parallel_lines`), with one fault at each place in each
pair of languages: which line is named, whether the true one is among those that are named together, how many these are.
"""

from __future__ import annotations

import argparse
import csv
import random
import resource
import sys
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.domain.parallel_check import Finding, check
from annotator.formats.text.tagged import read_tagged
from tests.domain.parallel_lines import TEXTS, lines_of

WITHIN = 3
META4XNLI = {
    "xnli_dev_prem": "source_datasets/{}/xnli_dev_prem.tsv",
    "xnli_dev_hyp": "source_datasets/{}/xnli_dev_hyp.tsv",
    "dev": "splits/{}/meta4xnli_dev.tsv",
    "train": "splits/{}/meta4xnli_train.tsv",
}
MABL = {"hi": (0, 548), "id": (0, 1140), "kn": (0, 1198), "sw": (0, 793)}  # lines that are parallel as published

Lines = list[list[str]]


@dataclass(frozen=True)
class Trial:
    """Two files with one fault: where it is, and in which file."""

    a: Lines
    b: Lines
    side: str
    line: int

    def found(self, findings: list[Finding]) -> list[Finding]:
        """The findings that are about this fault."""
        return [
            finding
            for finding in findings
            if finding.kind in {"left_out", "doubled"}
            and abs((finding.line_a if self.side == "a" else finding.line_b) - self.line) <= WITHIN
        ]


def load(shared: Path, name: str) -> tuple[Lines, Lines]:
    """Two parallel files: of Meta4XNLI (es, en), or "mabl-hi-startphrase" (a language, en)."""
    if name in META4XNLI:
        folder = shared / "data/meta4xnli/detection"
        es, en = (_tagged(folder / META4XNLI[name].format(language)) for language in ("es", "en"))
        return es, en
    _, language, column = name.split("-")
    first, last = MABL[language]
    files = (shared / f"data/mabl/{language}.csv", shared / f"data/mabl/translated_{language}.csv")
    a, b = (_column(path, column)[first:last] for path in files)
    return a, b


def shifted(a: Lines, b: Lines, seed: int) -> Trial:
    """One line left out of one of the files, or doubled in it."""
    dice = random.Random(seed)
    side, kind = dice.choice("ab"), dice.choice(["left_out", "doubled"])
    a, b = list(a), list(b)
    lines = a if side == "a" else b
    line = dice.randrange(len(lines))
    lines[line : line + 1] = [] if kind == "left_out" else [lines[line]] * 2
    return Trial(a, b, side, line)


@dataclass(frozen=True)
class ManyMissing:
    """Two files with many lines missing: the places in each file before which something is."""

    a: Lines
    b: Lines
    places: dict[str, list[int]]
    # The longest run of lines that face others than they should.
    out_of_step: int

    def found(self, findings: list[Finding]) -> int:
        """How many of the places are reported. What is missing in both files a line or two apart leaves a few lines
        that face each other wrongly; that they are named will do."""
        return sum(any(self._near(finding, side, place) for finding in findings) for side, place in self._all())

    def _all(self) -> list[tuple[str, int]]:
        return [(side, place) for side, places in self.places.items() for place in places]

    def _near(self, finding: Finding, side: str, place: int) -> bool:
        line = finding.line_a if side == "a" else finding.line_b
        if finding.kind in {"left_out", "doubled"}:
            return abs(line - place) <= WITHIN
        return finding.count <= 2 * WITHIN and line - WITHIN <= place <= line + finding.count + WITHIN


def many_missing(a: Lines, b: Lines, seed: int) -> ManyMissing:
    """1 to 150 lines left out, singly or in blocks; both files as long as the shorter one in half of the trials."""
    dice = random.Random(seed)
    number = dice.randint(1, min(150, len(a) // 4))
    sides = dice.choice(["a", "b", "ab"])
    if dice.random() < 0.5:
        runs = [(line, 1) for line in dice.sample(range(len(a)), number)]
    else:
        ends = [0, *sorted(dice.sample(range(1, number), min(dice.randint(0, 4), number - 1))), number]
        sizes = [after - before for before, after in pairwise(ends)]
        runs = [(dice.randrange(len(a) - size + 1), size) for size in sizes]
    gone: dict[str, set[int]] = {"a": set(), "b": set()}
    for line, size in runs:
        gone[dice.choice(sides)].update(range(line, line + size))
    left = {side: [line for line in range(len(a)) if line not in gone[side]] for side in "ab"}
    if dice.random() < 0.5:
        shorter = min(len(left["a"]), len(left["b"]))
        left = {side: lines[:shorter] for side, lines in left.items()}
    wrong, longest = 0, 0
    for first, second in zip(left["a"], left["b"], strict=False):
        wrong = wrong + 1 if first != second else 0
        longest = max(longest, wrong)
    places = {"a": _places(left["a"], left["b"]), "b": _places(left["b"], left["a"])}
    return ManyMissing([a[line] for line in left["a"]], [b[line] for line in left["b"]], places, longest)


def _places(lines: list[int], others: list[int]) -> list[int]:
    """The places in a file before which lines are missing that the other file has."""
    missing = sorted(set(others) - set(lines))
    return sorted({bisect_left(lines, line) for line in missing})


def swapped(a: Lines, b: Lines, seed: int) -> Trial:
    """Two neighbours of one of the files in each other's place."""
    dice = random.Random(seed)
    side = dice.choice("ab")
    a, b = list(a), list(b)
    lines = a if side == "a" else b
    line = dice.randrange(len(lines) - 1)
    lines[line : line + 2] = lines[line : line + 2][::-1]
    return Trial(a, b, side, line)


def excerpts(a: Lines, b: Lines, size: int | None, seeds: int) -> Iterator[tuple[int, Lines, Lines]]:
    """For each seed the files, or `size` lines of them from one place."""
    for seed in range(seeds):
        start = random.Random(-seed - 1).randrange(len(a) - size) if size else 0
        end = start + size if size else None
        yield seed, a[start:end], b[start:end]


def measure(shared: Path, name: str, seeds: int) -> None:
    """Print a row of the table for one pair of files."""
    name, _, size = name.partition(":")
    a, b = load(shared, name)
    shifts = swaps = alarms = lines = 0
    seconds = 0.0
    for seed, part_a, part_b in excerpts(a, b, int(size) if size else None, seeds):
        trial = shifted(part_a, part_b, seed)
        begin = time.perf_counter()
        findings = check(trial.a, trial.b).findings
        seconds += time.perf_counter() - begin
        found = trial.found(findings)
        shifts += bool(found)
        alarms += len(findings) - len(found)
        trial = swapped(part_a, part_b, seed)
        findings = check(trial.a, trial.b).findings
        hits = [finding for finding in findings if finding.kind == "swapped" and finding.line_a == trial.line]
        swaps += bool(hits)
        alarms += len(findings) - len(hits)
        lines += len(part_a) * 2
        if not found:
            print(f"    seed {seed}: line {trial.line} of {trial.side} not found")
    intact = checked = 0
    for _, part_a, part_b in excerpts(a, b, int(size), seeds) if size else [(0, a, b)]:
        intact += len(check(part_a, part_b).findings)
        checked += len(part_a)
    print(
        f"| {name} | {size or len(a):>5} | {shifts}/{seeds} | {swaps / seeds:.1%} | {intact}/{checked:,} "
        f"| {1000 * alarms / lines:.2f} | {seconds / seeds:.2f} |",
        flush=True,
    )


def measure_many(shared: Path, name: str, seeds: int) -> None:
    """Print a row of the table of many missing lines for one pair of files."""
    a, b = load(shared, name)
    places = found = alarms = stretches = refused = 0
    seconds = 0.0
    for seed in range(seeds):
        trial = many_missing(a, b, seed)
        begin = time.perf_counter()
        report = check(trial.a, trial.b)
        seconds += time.perf_counter() - begin
        number = sum(map(len, trial.places.values()))
        hits = trial.found(report.findings)
        places, found = places + number, found + hits
        alarms += max(0, sum(finding.kind != "swapped" for finding in report.findings) - number)
        if trial.out_of_step >= 10:
            stretches += 1
            refused += not report.in_step
        if hits < number:
            print(f"    seed {seed}: {hits} of {number} places", flush=True)
    print(
        f"| {name} | {len(a):,} | {found:,}/{places:,} | {found / places:.1%} | {refused}/{stretches} "
        f"| {alarms} | {not check(a, b).in_step} | {seconds / seeds:.2f} |",
        flush=True,
    )


def small_faults(b: Lines, stranger: list[str]) -> Iterator[tuple[str, int, int, Lines]]:
    """Each fault at each place of a file: its name, the first and last line that is right for it, the file."""
    for line in range(len(b)):
        yield "dropped", line, line, b[:line] + b[line + 1 :]
        yield "inserted", line, line, [*b[:line], stranger, *b[line:]]
        if line + 1 < len(b):
            yield "merged", line, line + 1, [*b[:line], b[line] + b[line + 1], *b[line + 2 :]]
            yield "swapped", line, line, [*b[:line], b[line + 1], b[line], *b[line + 2 :]]


def measure_small() -> None:
    """Print a row of the table for each fault of small files, and what is said of files without one."""
    texts = [lines_of(name) for name in TEXTS]
    clean = [check(text[a], text[b]).findings for text in texts for a, b in permutations(text, 2)]
    print(f"without a fault: {sum(map(bool, clean))} of {len(clean)} files have findings", flush=True)
    counts: dict[str, Counter[str]] = {}
    for text, other in (texts, texts[::-1]):
        for first, second in combinations(text, 2):
            stranger = next(other[code][3] for code in (second, first, "en") if code in other)
            for kind, low, high, b in small_faults(text[second], stranger):
                count = counts.setdefault(kind, Counter())
                findings = check(text[first], b).findings
                named = [one for one in findings if (one.kind == "swapped") == (kind == "swapped")][:1]
                count["trials"] += 1
                count["others"] += len(findings) - len(named)
                for one in named:
                    count["exact"] += low <= one.line_a <= high
                    count["within"] += one.line_a - one.earlier <= high and low <= one.line_a + one.later
                    count["lines"] += one.earlier + one.later + 1
    for kind, count in counts.items():
        found = count["lines"] / max(count["trials"], 1)
        shares = " | ".join(f"{count[name] / count['trials']:.0%}" for name in ("exact", "within"))
        print(f"| {kind} | {count['trials']:,} | {shares} | {found:.1f} | {count['others']} |", flush=True)


def speed(shared: Path) -> None:
    """Print how long 13,320 and more lines take, and the memory that is needed beside the lines themselves."""
    a, b = load(shared, "train")
    for count in (13_320, 100_000):
        dice = random.Random(count)
        order = [dice.randrange(len(a)) for _ in range(count)]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        begin = time.perf_counter()
        found = check([a[line] for line in order], [b[line] for line in order]).findings
        seconds = time.perf_counter() - begin
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(f"{count:,} lines: {seconds:.1f} s, {memory / 1024:.0f} MB more, {len(found)} findings", flush=True)


def _tagged(path: Path) -> Lines:
    return [list(sentence.tokens) for sentence in read_tagged(path).sentences]


def _column(path: Path, column: str) -> Lines:
    with path.open(encoding="utf-8", newline="") as file:
        return [row[column].split() for row in csv.DictReader(file)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--files", nargs="*", default=["xnli_dev_prem", "xnli_dev_hyp", "xnli_dev_prem:30", "dev:100"])
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--many", action="store_true", help="many lines missing, instead of one")
    parser.add_argument("--small", action="store_true", help="one fault in files of 14 and 16 lines")
    options = parser.parse_args()
    if options.small:
        print("| fault | trials | named line right | among those named | lines named | others |")
        print("|---|---:|---:|---:|---:|---:|", flush=True)
        measure_small()
        return
    if options.many:
        print("| files | lines | places found | | refused | alarms | intact refused | s |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|", flush=True)
        for name in options.files:
            measure_many(options.shared, name, options.seeds)
        return
    print("| files | lines | shift found | swap found | alarms, intact | other alarms per 1,000 | s |")
    print("|---|---:|---:|---:|---:|---:|---:|", flush=True)
    for name in options.files:
        measure(options.shared, name, options.seeds)
    if options.speed:
        speed(options.shared)


if __name__ == "__main__":
    main()
