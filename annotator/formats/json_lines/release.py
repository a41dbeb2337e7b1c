"""Releases of ours among the files to import: their JSON Lines with texts are read, and the others named."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import PairRecord

FORMAT = "translatio-release/1"
MANIFEST = "manifest.json"
SENTENCES = "sentences.jsonl"
PAIRS = "pairs.jsonl"
# A manifest has a line for each file.
_MAX_MANIFEST_BYTES = 64_000_000


def with_texts_of_release(files: Sequence[SourceFile]) -> tuple[list[SourceFile], list[str]]:
    """Where a whole release is among the files, the sentences and pairs of it, and the names of its other files.

    Flat tables, published layouts and `hub/` have the same sentences once more.
    """
    roots = [PurePosixPath(file.name).parent for file in files if _is_manifest(file)]
    corpus = {str(root / name) for root in roots for name in (SENTENCES, PAIRS)}
    if not any(file.name in corpus for file in files):
        return list(files), []
    taken = [
        file
        for file in files
        if file.name in corpus or not any(PurePosixPath(file.name).is_relative_to(r) for r in roots)
    ]
    return taken, [file.name for file in files if file not in taken]


def texts_first(files: Sequence[SourceFile]) -> list[SourceFile]:
    """The files, those of pairs last: they name sentences."""
    return sorted(files, key=lambda file: PurePosixPath(file.name).name == PAIRS)


def is_pair(value: Mapping[str, Any]) -> bool:
    """Whether an object is a pair of a release, which has the IDs of its sentences and not their texts."""
    return {"pair_id", "premise", "hypothesis", "inference", "gold", "annotations"} <= value.keys()


def pair_of(file: SourceFile, line: int, value: Mapping[str, Any]) -> PairRecord:
    """The pair, with its gold tags."""
    tags = {language: decided["tag"] for language, decided in value["gold"].items()}
    return PairRecord(
        file.name, line, value["pair_id"], value["premise"], value["hypothesis"], value["inference"], tags
    )


def check_importable(file: SourceFile, value: Mapping[str, Any]) -> None:
    """Raise FormatError for an object of a release that cannot be imported."""
    if is_about_units(value):
        what = _("answers, suggestions, layers or word links of a release, which can't be imported")
        raise file.error(0, _("sentences.jsonl of the release, with or without pairs.jsonl"), what)


def is_about_units(value: Mapping[str, Any]) -> bool:
    """Whether an object of a release says something of a unit that is in another file."""
    if "uid" not in value:
        return False
    content = value.get("content")
    is_content = isinstance(content, dict) or (isinstance(content, str) and content.startswith("{"))
    return is_content or {"aligner", "links"} <= value.keys() or {"parents", "annotations"} <= value.keys()


def _is_manifest(file: SourceFile) -> bool:
    if PurePosixPath(file.name).name != MANIFEST or file.path.stat().st_size > _MAX_MANIFEST_BYTES:
        return False
    try:
        found = json.loads(file.path.read_bytes())
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("format") == FORMAT
