"""What PostgreSQL says of itself."""

from __future__ import annotations

import pytest

from tests.site import Site

pytestmark = pytest.mark.services


def checked(site: Site) -> tuple[int, str]:
    done = site.manage("check_integrity", check=False)
    return done.returncode, done.stdout


def test_postgresql_is_asked_for_its_constraints_triggers_and_indexes(server_site: Site) -> None:
    server_site.value("CREATE EXTENSION amcheck; SELECT 1")
    assert checked(server_site) == (0, "No problems. Warnings: 0.\n")

    server_site.value(
        "ALTER TABLE annotator_job ADD CONSTRAINT later CHECK (total < 5) NOT VALID;"
        "ALTER TABLE annotator_event DISABLE TRIGGER annotator_event_append_only;"
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'item_reading'::regclass; SELECT 1"
    )

    code, said = checked(server_site)
    assert code == 1
    assert "constraint later of annotator_job: was never checked." in said
    assert "The trigger annotator_event_append_only is missing" in said
    assert "index item_reading: is incomplete. REINDEX INDEX item_reading" in said
