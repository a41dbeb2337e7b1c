"""What runs without the extras must come with the base package, and not by luck with the tools of the tests."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.corpora import REPOSITORY

# Web server, workers, and the brokers and databases that settings can name; the last two are loaded by their names.
PARTS = ("annotator.wsgi", "annotator.tasks", "mlworkers.tasks", "gunicorn.app.wsgiapp", "celery.bin.celery",
         "kombu.transport.filesystem", "kombu.transport.redis", "psycopg2")  # fmt: skip

# None in sys.modules: importing it fails, as if it were not installed.
IMPORTS = """
import importlib, json, sys
sys.modules.update(dict.fromkeys(json.loads(sys.argv[1])))
for name in sys.argv[2:]:
    importlib.import_module(name)
from annotator.jobs.running import handler_of
from annotator.models import JobKind
for kind in JobKind:
    handler_of(kind)
"""


def base_distributions() -> set[str]:
    """The distributions that installing the package brings, without any of its extras."""
    found: set[tuple[str, str]] = set()
    waiting = [("translatio", "")]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        name, extra = one
        for line in importlib.metadata.requires(name) or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                needed = canonicalize_name(requirement.name)
                waiting += [(needed, ""), *((needed, wanted) for wanted in requirement.extras)]
    return {name for name, _extra in found}


def test_what_runs_without_extras_needs_none_of_what_they_bring(tmp_path: Path) -> None:
    base = base_distributions()
    strangers = {
        module
        for module, owners in importlib.metadata.packages_distributions().items()
        if not any(canonicalize_name(owner) in base for owner in owners)
    }
    assert "pytest" in strangers
    assert "django" not in strangers

    done = subprocess.run(
        [sys.executable, "-c", IMPORTS, json.dumps(sorted(strangers)), *PARTS],
        cwd=REPOSITORY,
        env={**os.environ, "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "annotator.settings"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
