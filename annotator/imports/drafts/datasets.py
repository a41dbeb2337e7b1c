"""What a dataset is called: part of ids and of the names of files."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import takewhile

from django.utils.translation import gettext as _

from annotator.core.errors import ActionError, quoted
from annotator.core.kind import names_a_dataset
from annotator.domain.labels.tags import ROLES

MAX_NAME = 100
_NAME = re.compile(r"\w[\w.-]*")


def check_dataset(name: str) -> str:
    """The name of a dataset, which becomes part of ids and of file names. Raises ActionError."""
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME:
        raise ActionError(
            _("%(name)s is not a valid name for a dataset. Use letters, digits, _, - and dots.")
            % {"name": quoted(name)}
        )
    if names_a_dataset(name):
        raise ActionError(
            _("The dataset %(name)s is reserved for texts written in the project. Choose another name for these files.")
            % {"name": quoted(name)}
        )
    return name


def dataset_from(names: Sequence[str], languages: Sequence[str], own: Collection[str]) -> str:
    """A name for a dataset from those of its files: what they begin with, without endings, languages and roles, or from
    the folder or archive that they lie in; "" where none of them says more than these, or what every dataset of the
    format calls its files (`own`)."""
    paths = [[_parts(place, languages) for place in reversed(name.split("/"))] for name in names]
    for places in zip(*paths, strict=False):
        if any("_".join(words) in own for words in places):
            continue
        begins = takewhile(lambda words: len(set(words)) == 1, zip(*places, strict=False))
        found = "_".join(word for word, *_others in begins)[:MAX_NAME]
        if found:
            return found
    return ""


def _parts(place: str, languages: Sequence[str]) -> list[str]:
    """The words of a file's or folder's name but languages and roles."""
    words = re.split(r"[._-]", place.split(".", maxsplit=1)[0])
    parts = [re.sub(r"\W", "", word) for word in words if word.lower() not in (*languages, *ROLES)]
    return [word for word in parts if word]
