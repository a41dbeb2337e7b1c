"""Lays out the sentences that both tools are measured on.

    python corpus.py META4XNLI OUT

META4XNLI is a folder with the published files of Meta4XNLI; its xnli_dev is read. OUT gets it as four datasets:
work D is the first (3,320 sentences a language), work D4 all four (13,280, the size of the published corpus). The
copies have ids of their own. OUT/m4x is for doccano, OUT/corpus, which has the pairs too, for Translatio.
"""

import argparse
from pathlib import Path

COPIES = 4
# Columns of a pair: four before the ids and the source, and how many there are in all.
BEFORE_IDS = 4
COLUMNS = 8


def renamed(row: str, mark: str) -> str:
    """A row of pairs with the ids and the source of a copy; the sentences are left as they are."""
    cells = row.split("\t")
    if len(cells) != COLUMNS:
        return row
    ids = [cell.replace("xnli.dev", f"xnli.dev{mark}") for cell in cells[BEFORE_IDS:]]
    return "\t".join([*cells[:BEFORE_IDS], *ids])


def lay_out(source: Path, out: Path, mark: str) -> None:
    """Write one copy of the corpus; `mark` is what its names have more than the original's."""
    for language in ("es", "en"):
        for role in ("prem", "hyp"):
            text = next(source.rglob(f"{language}/xnli_dev_{role}.tsv")).read_bytes()
            for folder in (out / "m4x" / language, out / "corpus/detection/source_datasets" / language):
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"xnli_dev{mark}_{role}.tsv").write_bytes(text)
    folder = out / "corpus/interpretation/source_datasets"
    folder.mkdir(parents=True, exist_ok=True)
    for kind in ("met", "nonrelevant", "no_met"):
        rows = next(source.rglob(f"xnli_dev_{kind}.tsv")).read_text(encoding="utf-8").split("\n")
        text = "\n".join(renamed(row, mark) for row in rows)
        (folder / f"xnli_dev{mark}_{kind}.tsv").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("meta4xnli", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    for copy in range(1, COPIES + 1):
        lay_out(arguments.meta4xnli, arguments.out, "" if copy == 1 else str(copy))


if __name__ == "__main__":
    main()
