"""Reads zip files of XMI with Apache UIMA's own Java, compares what it has read, and lets it write them again.

Runs with any Python, beside a JDK and Debian's libuima-core-java: `python with_uima.py FOLDER`; see with_doccano.py for
what lies there.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1]).absolute()
JARS = "/usr/share/java/uimaj-core.jar"
TOKEN = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"
LEMMA = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Lemma"
LABEL = "webanno.custom.Label"


def plain(hexadecimal: str) -> str:
    return bytes.fromhex(hexadecimal.removeprefix(":")).decode("utf-8")


def main() -> None:
    program = Path(__file__).with_name("WithUima.java")
    done = subprocess.run(
        ["java", "-Dfile.encoding=UTF-8", "-cp", JARS, str(program), str(FOLDER)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stderr[-3000:])
    found: dict[str, list[tuple[str, str, dict[str, str]]]] = {}
    for line in done.stdout.splitlines():
        if line.startswith("VERSION"):
            print(line)
            continue
        _seen, file, kind, text, *features = line.split(" ")
        values = dict(one.split("=", 1) for one in features)
        found.setdefault(file, []).append((kind, plain(text), {name: plain(value) for name, value in values.items()}))
    for case, rows in json.loads((FOLDER / "expected.json").read_text("utf-8")).items():
        marks = found[f"{case}.zip"]
        tokens = [text for kind, text, _values in marks if kind == TOKEN]
        compare(case, "tokens", tokens, [token for row in rows for token in row["tokens"]])
        lemmas = [values["value"] for kind, _text, values in marks if kind == LEMMA]
        compare(case, "lemmas", lemmas, [lemma for row in rows for lemma in row["lemmas"] if lemma])
        labels = [
            (text, values["value"], {name: value for name, value in values.items() if name not in ("value", "part")})
            for kind, text, values in marks
            if kind == LABEL
        ]
        want = [
            (row["text"][begin:end], label["label"], label["attributes"])
            for row in rows
            for label in row["labels"]
            for begin, end in label["at"]
        ]
        compare(case, "labels", sorted(labels, key=repr), sorted(want, key=repr))


def compare(case: str, what: str, got: list[object], want: list[object]) -> None:
    if got != want:
        first = next(((a, b) for a, b in zip(got, want, strict=False) if a != b), None)
        print(f"DIFFERS {case}, {what}: {len(got)} of {len(want)}, first {first!r:.600}")


main()
