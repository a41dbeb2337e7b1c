"""A database of the previous version migrates without anything being run; an older one is refused."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest

from annotator import migrations
from tests.site import Site

schema: Any = import_module("annotator.migrations.0001_schema")
REPLACED = {name for _app, name in schema.Migration.replaces}
OWN = {module.name for module in iter_modules(migrations.__path__) if module.name[0] != "_"}

RECORDED = """
import json
from django.db.migrations.recorder import MigrationRecorder
print(json.dumps(list(MigrationRecorder.Migration.objects.filter(app="annotator").values_list("name", flat=True))))
"""

FORGET = """
from django.db.migrations.recorder import MigrationRecorder
MigrationRecorder.Migration.objects.get(app="annotator", name={name!r}).delete()
"""

TOO_OLD = (
    "CommandError: The database is too old for this version. Run translatio migrate in the previous version first."
)


@pytest.fixture
def previous(any_site: Site) -> Site:
    """A site whose database has the migrations that the previous version recorded."""
    any_site.manage("migrate", "annotator", "0001_schema")
    any_site.python(FORGET.format(name="0001_schema"))
    assert set(any_site.python(RECORDED)) == REPLACED
    return any_site


def test_a_database_of_the_previous_version_is_recorded_as_migrated(previous: Site) -> None:
    done = previous.manage("migrate")

    assert "0001" not in done.stdout
    assert set(previous.python(RECORDED)) == {*REPLACED, *OWN}
    assert previous.manage("migrate", "--check").stdout == ""


@pytest.mark.parametrize("name", ["0001_initial", "0025_source_changed"])
def test_an_older_database_is_refused(previous: Site, name: str) -> None:
    previous.python(FORGET.format(name=name))

    for command in (["migrate"], ["migrate", "--check"], ["worker"]):
        done = previous.manage(*command, check=False)
        assert done.returncode == 1
        assert done.stderr.strip() == TOO_OLD
    assert set(previous.python(RECORDED)) == REPLACED - {name}


def test_no_later_migration_has_a_name_that_was_replaced() -> None:
    assert "0001_schema" in OWN
    assert not OWN & REPLACED
