"""The code of the application, parsed once for all tests that read it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)


@cache
def everything() -> dict[Path, ast.Module]:
    """Every module, by where it lies under ROOT."""
    return {
        path.relative_to(ROOT): ast.parse(path.read_text(encoding="utf-8"))
        for part in ("annotator", "api", "mlworkers")
        for path in sorted((ROOT / part).rglob("*.py"))
    }


def modules() -> dict[Path, ast.Module]:
    """Those that are no migrations."""
    return {path: tree for path, tree in everything().items() if "migrations" not in path.parts}
