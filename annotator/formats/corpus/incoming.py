"""The ids that imported sentences and pairs have in a project."""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotator.formats.corpus.corpus import segment_uid


def record_uid(dataset: str, role: str, external_id: str) -> str:
    """The uid of a sentence under its id in the files, which may begin with its role, as exports write it.

    >>> record_uid("news", "", "17"), record_uid("xnli_dev", "prem", "13"), record_uid("xnli_dev", "prem", "prem:13")
    ('news:17', 'xnli_dev:prem:13', 'xnli_dev:prem:13')
    """
    if not role:
        return f"{dataset}:{external_id}"
    return segment_uid(dataset, role, external_id.removeprefix(f"{role}:"))


def file_key(name: str, languages: Sequence[str]) -> str:
    """What parallel files share: the name without ending and without languages.

    >>> file_key("corpus.zip/ca/chapter1.txt", ["ca", "es"]), file_key("novel.es.txt", ["ca", "es"])
    ('chapter1', 'novel')
    """
    path = re.sub(r"^.*\.zip/", "", name, flags=re.IGNORECASE)
    path = re.sub(r"\.[A-Za-z0-9]{1,10}$", "", path)
    codes = {language.lower() for language in languages}
    parts = [
        "_".join(part for part in re.split(r"[._\s]", folder) if part and part.lower() not in codes)
        for folder in path.split("/")
    ]
    return "/".join(part for part in parts if part)
