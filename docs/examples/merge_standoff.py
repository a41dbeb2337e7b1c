"""Merge a stand-off release with the texts that you have: python merge_standoff.py RELEASE TEXTS... --out FOLDER

It needs Python and nothing else. RELEASE is the release's folder or zip. TEXTS are files with a text per line:

  .jsonl  objects with "text", and "uid" or "id" if you know it
  .tsv    the ID, a tab, the text
  others  the text alone

A text is found by its SHA-256, or, if it has other white space than the original, by that of its characters. IDs only
say which texts are there but differ. FOLDER gets each file of the release with its tokens, as a release with texts has
it, and `not_merged.tsv` with the rows that lack a text and are in none of them: `missing`, or `differs` where a text
with this ID is another one. The script prints the numbers, and ends with 1 if a row lacks its text.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import zipfile
from collections import Counter
from pathlib import Path

STANDS_FOR_TEXT = ("sha256", "characters_sha256", "positions")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Texts:
    """Texts by the SHA-256 of all of them and of their characters, and the IDs that came with them."""

    def __init__(self) -> None:
        self.exact: dict[str, str] = {}
        self.by_characters: dict[str, str] = {}
        self.ids: set[str] = set()

    def read(self, path: Path) -> None:
        # Not splitlines, which takes other characters for ends of lines, too.
        for line in path.read_text(encoding="utf-8-sig").split("\n"):
            if path.suffix == ".jsonl" and line.strip():
                row = json.loads(line)
                self.add(row["text"], row.get("uid", row.get("id", "")))
            elif path.suffix == ".tsv" and line:
                uid, _tab, text = line.partition("\t")
                self.add(text.rstrip("\r"), uid)
            elif path.suffix not in (".jsonl", ".tsv") and line:
                self.add(line.rstrip("\r"))

    def add(self, text: str, uid: str = "") -> None:
        self.exact[sha256(text)] = text
        self.by_characters.setdefault(sha256("".join(text.split())), text)
        self.ids.add(str(uid))

    def tokens(self, row: dict) -> list[str] | None:
        """The tokens of a row; None where its text is not there."""
        places = row["positions"]
        if (text := self.exact.get(row["sha256"])) is not None:
            return [text[begin:end] for begin, end in places]
        if (text := self.by_characters.get(row["characters_sha256"])) is None:
            return None
        characters, tokens = "".join(text.split()), []
        for begin, end in places:
            tokens.append(characters[: end - begin])
            characters = characters[end - begin :]
        # A token with white space inside cannot be told from two.
        fits = not characters and [len(token) for token in tokens] == [end - begin for begin, end in places]
        return tokens if fits else None


def files_of(place: Path) -> dict[str, bytes]:
    """The files of a release, by their paths."""
    if place.is_dir():
        found = ((path.relative_to(place).as_posix(), path) for path in place.rglob("*") if path.is_file())
        return {name: path.read_bytes() for name, path in found}
    with zipfile.ZipFile(place) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def merge(row: dict, tokens: list[str]) -> dict:
    """The row with its tokens where its text was described."""
    found = {}
    for name, value in row.items():
        if name == "sha256":
            found["tokens"] = tokens
        elif name not in STANDS_FOR_TEXT:
            found[name] = value
    return found


def merge_release(files: dict[str, bytes], texts: Texts) -> tuple[dict[str, bytes], list[tuple[str, str, str, str]]]:
    """The files whose rows have texts, merged, and the rows that lack theirs: file, ID, language, and why."""
    merged: dict[str, bytes] = {}
    lacking = []
    for path, content in sorted(files.items()):
        rows = [json.loads(line) for line in content.split(b"\n") if line] if path.endswith(".jsonl") else []
        if not rows or "sha256" not in rows[0]:
            continue
        lines = []
        for row in rows:
            tokens = texts.tokens(row)
            if tokens is None:
                why = "differs" if row["uid"] in texts.ids else "missing"
                lacking.append((path, row["uid"], row["language"], why))
            else:
                lines.append(json.dumps(merge(row, tokens), ensure_ascii=False).encode() + b"\n")
        merged[path] = b"".join(lines)
    return merged, lacking


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", type=Path)
    parser.add_argument("texts", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    texts = Texts()
    for path in given.texts:
        texts.read(path)
    merged, lacking = merge_release(files_of(given.release), texts)
    for path, content in merged.items():
        target = given.out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        numbers = Counter(why for file, _uid, _language, why in lacking if file == path)
        found = content.count(b"\n")
        print(f"{path}: {found} merged, {numbers['missing']} missing, {numbers['differs']} differ")
    if lacking:
        rows = [("file", "uid", "language", "reason"), *lacking]
        (given.out / "not_merged.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
