"""The starting points of new projects: those that ship with the core, and those that packages of kinds bring."""

from __future__ import annotations

from collections.abc import Mapping

from annotator.core.installed import Brought
from annotator.core.presets import PRESETS, SHIPPED_STARTS, Start

STARTS: Mapping[str, Start] = Brought("starts", key="name", own=SHIPPED_STARTS)


def procedure_of(preset: str) -> str:
    """The steps that the workspaces of a project made from this preset or starting point keep at hand."""
    known = PRESETS.get(preset) or STARTS.get(preset)
    return known.procedure if known else ""
