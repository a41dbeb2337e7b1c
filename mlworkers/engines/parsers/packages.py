"""How parsers import what they need."""

from __future__ import annotations

import importlib
from typing import Any

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.base import EngineError


def import_parser(name: str) -> Any:
    """The module `name`, which comes with the extra of that name. Raises EngineError that says how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise EngineError(
            _(
                "The parser %(parser)s needs the package %(name)s, which is not installed. Run this where "
                "the web process runs: pip install -c constraints.txt -e '.[%(parser)s]', or set "
                "PARSER=small."
            ),
            parser=name,
            name=error.name or name,
        ) from error
