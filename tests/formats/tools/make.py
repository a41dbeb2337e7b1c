"""Gives other tools the files that are written here, and compares what they write of it again; see README.md."""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotator.formats.common.features import Feature
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import Record
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats
from annotator.formats.text.characters import as_characters, places_of, plain, tokenised
from tests.formats.tools.cases import Case, Returned, cases
from tests.formats.tools.sentences import seen

HERE = Path(__file__).parent
RETURNED = HERE.parent / "files" / "returned"
MADE = RETURNED / "made.json"
SCRIPTS = {
    "doccano": "with_doccano.py",
    "label-studio": "with_label_studio.py",
    "tables": "with_tables.py",
    "uima": "with_uima.py",
}


def write(case: Case, folder: Path) -> Path:
    """Write the records of a case as the tool is given them: one file, under the name of the case."""
    with tempfile.TemporaryDirectory() as name:
        paths = formats()[case.format].write(case.records, Path(name))
        path = next((path for path in paths if case.language in path.name.split(".")), paths[0])
        target = folder / f"{case.name}{path.suffix}"
        shutil.copyfile(path, target)
    return target


def read(case: Case, returned: Returned, path: Path) -> list[Record]:
    """What is recognised and read of a file that a tool wrote. Errors that are read are raised."""
    languages = list(dict.fromkeys(language for record in case.records for language in record.texts))
    name = f"{path.stem}.{case.language}{path.suffix}" if case.language else path.name
    guesses = recognise([SourceFile(name, path, encoding="")], languages=languages)
    if not guesses or guesses[0].format != returned.format:
        raise ValueError(f"{path.name} is taken for {[guess.format for guess in guesses]}, not {returned.format}")
    guess = guesses[0]
    options = replace(guess.options, tokens=returned.tokens or guess.options.tokens)
    found = []
    for one in tokenised(formats()[guess.format].read(guess.files, options), options):
        if isinstance(one, Exception):
            raise one
        if isinstance(one, Record):
            found.append(one)
    return found


def look(records: Sequence[Record], keeps: frozenset[Feature]) -> list[dict[str, Any]]:
    """All that there is to see of records, of what a format keeps: without, ids and tokens are made up in reading."""
    tokens = Feature.TOKENS in keeps
    return [
        {
            "about": (
                record.id if Feature.IDS in keeps else "",
                record.role,
                record.group,
                record.genre,
                record.source,
            ),
            **{
                language: {
                    "text": plain(text),
                    "tokens": text.tokens if tokens else (),
                    "lemmas": (text.lemmas, text.parts_of_speech),
                    "values": dict(text.values),
                    "labels": sorted(
                        (
                            (
                                one.says.value,
                                one.name,
                                sorted(
                                    (span.fragments, span.label, tuple(sorted(span.attributes.items())), span.score)
                                    for span in (as_characters(span, places_of(text)) for span in one.spans)
                                ),
                            )
                            for one in text.labels
                        ),
                        key=repr,
                    ),
                }
                for language, text in record.texts.items()
            },
        }
        for record in records
    ]


def came(case: Case, returned: Returned, path: Path) -> list[dict[str, Any]]:
    """What came back."""
    return look(read(case, returned, path), formats()[case.format].keeps)


def wanted(case: Case, returned: Returned) -> list[dict[str, Any]]:
    """What should come back."""
    return look([returned.without(record) for record in case.records], formats()[case.format].keeps)


def run(tool: str, python: str, given: Sequence[Case], folder: Path) -> tuple[str, dict[str, str]]:
    """Let a tool load and write the files of its cases; what it said of differences, and versions."""
    (folder / "given").mkdir(parents=True)
    for case in given:
        write(case, folder / "given")
    told = {case.name: seen(case.records) for case in given}
    (folder / "expected.json").write_text(json.dumps(told, ensure_ascii=False), "utf-8")
    done = subprocess.run([python, str(HERE / SCRIPTS[tool]), str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr[-3000:])
    lines = done.stdout.splitlines()
    versions = dict(line.split()[1:] for line in lines if line.startswith("VERSION "))
    return "\n".join(line for line in lines if not line.startswith("VERSION ")), versions


def compare(case: Case, folder: Path) -> bool:
    """Whether what came back is what was given. Differences are printed."""
    good = True
    for returned in case.returned:
        path = folder / "returned" / returned.name
        try:
            got, want = came(case, returned, path), wanted(case, returned)
        except Exception as error:  # whatever our reader raises is a difference; the other files go on
            print(f"FAILS {case.tool} {returned.name}: {type(error).__name__}: {str(error)[:500]}")
            good = False
            continue
        if got != want:
            good = False
            print(f"FAILS {case.tool} {returned.name}: {len(got)} of {len(want)}")
            for one, other in [pair for pair in zip(got, want, strict=False) if pair[0] != pair[1]][:3]:
                print(f"  given {str(other)[:900]}\n  back  {str(one)[:900]}")
    return good


def keep(tool: str, folder: Path, versions: dict[str, str]) -> None:
    """Keep what a tool wrote for the tests, with its versions and what it was given."""
    made = json.loads(MADE.read_text("utf-8")) if MADE.exists() else {}
    shutil.rmtree(RETURNED / tool, ignore_errors=True)
    shutil.copytree(folder / "returned", RETURNED / tool)
    given = {path.name: content_sha256(path) for path in sorted((folder / "given").iterdir())}
    made[tool] = {"versions": versions, "given": given}
    MADE.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")


def content_sha256(path: Path) -> str:
    """Of a file; of a zip file, of what is in it, without the dates of its writing."""
    found = hashlib.sha256()
    if not zipfile.is_zipfile(path):
        found.update(path.read_bytes())
        return found.hexdigest()
    with zipfile.ZipFile(path) as archive:
        for name in sorted(set(archive.namelist()) - {"docProps/core.xml"}):
            found.update(name.encode() + b"\0" + archive.read(name))
    return found.hexdigest()


def main() -> None:
    """See README.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    for tool in SCRIPTS:
        parser.add_argument(f"--{tool}", metavar="PYTHON")
    parser.add_argument("--keep", action="store_true", help="replace the files that the tests read")
    options = vars(parser.parse_args())
    good = True
    for tool in SCRIPTS:
        if not (python := options[tool.replace("-", "_")]):
            continue
        for kept in (True, False):
            own = [case for case in cases(kept=kept) if case.tool == tool]
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name) / "work"
                said, versions = run(tool, python, own, folder)
                print(f"{tool}, {'kept' if kept else 'long and random'} sentences: {versions}\n{said}".rstrip())
                same = [compare(case, folder) for case in own]
                good = all(same) and bool(versions) and not said and good
                if kept and options["keep"] and good:
                    keep(tool, folder, versions)
    sys.exit(not good)


if __name__ == "__main__":
    main()
