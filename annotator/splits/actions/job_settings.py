"""The settings of the job that makes a split: checked, and made exact, when it is started."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.models import Project, Split, SplitMethod
from annotator.splits.queries.stored import STRATA

MAX_PARTS = 20
# Parts and splits are called as files can be.
NAME = re.compile(r"\w[\w.-]*")
_KEY = re.compile(r"[0-9a-f-]{36}")


def exact_split(project: Project, params: Mapping[str, Any]) -> dict[str, Any]:
    """Raises ActionError for what cannot be made."""
    check_name(project, params["name"])
    if not project.layers.filter(pk=params["layer"]).exists():
        raise ActionError(_("There is no such layer in this project."))
    method = params["method"]
    if method not in SplitMethod:
        raise ActionError(
            _("Unknown method “%(name)s”. Available: %(names)s.")
            % {"name": method, "names": ", ".join(SplitMethod.values)}
        )
    if method == SplitMethod.IMPORTED:
        if not _KEY.fullmatch(params["upload"]):
            raise ActionError(_("Choose the files of the split."))
        return {"parts": [], "shares": [], "strata": [], "together": False, "seed": 1}
    strata = [name for name in STRATA if name in params["strata"]]
    if len(strata) != len(params["strata"]):
        raise ActionError(_("A split can be stratified by: %(names)s.") % {"names": ", ".join(STRATA)})
    return {**_parts(params["parts"], params["shares"]), "strata": strata, "upload": "", "partial": False}


def check_name(project: Project, name: str) -> None:
    """Raise ActionError for a name that a split cannot have, or that another one has."""
    if not NAME.fullmatch(name) or len(name) > 100:
        raise ActionError(
            _("A name can have letters, digits, “.”, “_” and “-”: files are called by it. “%(name)s” has others.")
            % {"name": name}
        )
    if Split.objects.published().filter(project=project, name=name).exists():
        raise ActionError(_("There is a split called “%(name)s” already. Choose another name.") % {"name": name})


def check_parts(names: Sequence[Any]) -> None:
    """Raise ActionError for parts that a split cannot have: files of releases are called by them."""
    if not 2 <= len(names) <= MAX_PARTS or len(set(map(str, names))) != len(names):
        raise ActionError(_("A split has 2 to %(most)d parts with different names.") % {"most": MAX_PARTS})
    if not all(isinstance(name, str) and len(name) <= 50 and NAME.fullmatch(name) for name in names):
        raise ActionError(_("The name of a part can have letters, digits, “.”, “_” and “-”."))


def _parts(names: Any, shares: Any) -> dict[str, Any]:
    """Parts and shares that belong together; the shares as they add up to 1."""
    check_parts(names)
    numbers = [share for share in shares if isinstance(share, int | float) and not isinstance(share, bool)]
    if not len(names) == len(numbers) == len(shares) or not all(0 < number < 1e6 for number in numbers):
        raise ActionError(_("Every part needs a share above 0."))
    return {"parts": list(names), "shares": [round(number / sum(numbers), 9) for number in numbers]}
