"""Every operation of the schema, as it is served, with calls that schemathesis draws from it, valid ones and others:
none is a fault, and all answers are as the schema says.

They are made as the manager of a project. Some name things that exist (`tests/api/calls.py`). Each runs in a
transaction that is undone, also where it deletes the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from tests.api.calls import Scene, calls
from tests.factories import make_token

EXAMPLES = 5
# Who is let in is tested in test_access.py and test_tokens.py. What the schema allows can be refused with 400, such as
# a label that the project does not have.
OTHER_CHECKS = [ignored_auth, positive_data_acceptance]


@pytest.fixture
def _connection_stays() -> Iterator[None]:
    """Requests do not close the database connection, which has the test's transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("_connection_stays")
def test_no_call_of_the_schema_is_a_fault_or_answered_otherwise() -> None:
    scene = Scene()
    scene.user.restores_projects = scene.user.creates_projects = True
    scene.user.save()
    headers = {"Authorization": f"Token {make_token(scene.user)[1]}", "Accept-Encoding": "identity"}
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", get_wsgi_application())
    operations = [result.ok() for result in schema.get_all_operations()]
    known = known_places(scene, operations)
    assert len(known) > 90
    wrong: list[str] = []
    for operation in operations:
        for place in (None, *known.get(operation.label, [])[:1]):
            for mode in GenerationMode:
                try:
                    call(operation, place, mode, headers)
                except Unsatisfiable:
                    # Nothing in this call can be invalid.
                    assert mode == GenerationMode.NEGATIVE, operation.label
                except (Exception, FailureGroup) as error:  # all that is wrong is told at once
                    found = getattr(error, "exceptions", [error])
                    wrong += [f"{operation.label} {place} {mode}: {one}" for one in found]
    assert not wrong, "\n".join(wrong)


def known_places(scene: Scene, operations: Sequence[APIOperation]) -> dict[str, list[dict[str, str]]]:
    """By operation, the parts of addresses that name things of the scene."""
    found: dict[str, list[dict[str, str]]] = {}
    by_gaps = sorted(operations, key=lambda one: one.path.count("{"))
    for made in calls(scene):
        address = made.address(scene.project.slug).partition("?")[0]
        fitting = [
            (operation, match.groupdict())
            for operation in by_gaps
            if operation.method == made.method
            and (match := re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", operation.path), address))
        ]
        operation, place = fitting[0]
        found.setdefault(operation.label, []).append(place)
    return found


def call(operation: APIOperation, place: dict[str, str] | None, mode: GenerationMode, headers: dict[str, Any]) -> None:
    """Make some calls of an operation. Raises what schemathesis finds."""

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode, path_parameters=place))
    def made(case: Case) -> None:
        # It would be refused before all else (test_conditions.py).
        case.headers.pop("If-Match", None)
        # Tries are counted there.
        cache.clear()
        with transaction.atomic():
            response = case.call(headers=headers)
            transaction.set_rollback(True)
        case.validate_response(response, excluded_checks=OTHER_CHECKS)

    made()
