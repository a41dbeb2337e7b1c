"""Statements that come again are planned once a connection, and do what they did before."""

from __future__ import annotations

import pytest

from tests.site import Site

pytestmark = pytest.mark.services

SCRIPT = """
import json
from datetime import datetime, UTC
from django.db import DatabaseError, connection, transaction
from annotator.models import User
from annotator.core.prepared import execute, fetch

def prepared():
    rows = fetch("SELECT statement FROM pg_prepared_statements", [])
    return [statement for (statement,) in rows if "pg_prepared" not in statement]

found = {}
for number in range(4):
    User.objects.create(username=f"user{number}", first_name="50 %" if number else "ñ'; DROP TABLE x")
before = len(prepared())
found["rows"] = [list(User.objects.filter(username=f"user{n}").values_list("username", flat=True)) for n in range(4)]
found["planned once"] = len(prepared()) - before

# None, truth values, large numbers, times and the percent sign.
for name in (None, 3, 2**40, 4):
    found[f"id {name}"] = User.objects.filter(pk=name).count()
for n in range(3):
    joined = User.objects.filter(is_active=True, date_joined__lt=datetime.now(UTC))
    found["like"] = joined.filter(first_name__contains="0 %").count()
found["named"] = [fetch("SELECT %(a)s::int + %(b)s::int, '100 %%', %(a)s::int", {"b": n, "a": 1}) for n in range(3)]

# A name that the statement does not use, a fraction, and groups without a parameter of their own.
before = len(prepared())
for n in range(3):
    found["unused"] = fetch("SELECT count(*) FROM annotator_user WHERE id > %(a)s", {"b": "text", "a": n * 0})
    found["fraction"] = fetch("SELECT id FROM annotator_user WHERE id < %s", [0.5 + n * 0])
    found["counted"] = fetch("SELECT is_active, count(*) FROM annotator_user WHERE id > %s GROUP BY 1", [n * 0])
found["prepared, too"] = len(prepared()) - before

# What depends on two places being the same expression, and what has no type, is not prepared and works.
for n in range(3):
    found["grouped"] = fetch("SELECT id > %s, count(*) FROM annotator_user GROUP BY id > %s ORDER BY 1", [n * 0, n * 0])
    with transaction.atomic():
        found["untyped"] = fetch("SELECT %s IS NULL", [None])
        found["goes on"] = User.objects.filter(username="user1").count()

# A statement that fails leaves the transaction to its savepoint, and is found again.
for n in range(3):
    try:
        with transaction.atomic():
            execute("UPDATE annotator_user SET username = %s WHERE username = %s", ["user1", "user2"])
    except Exception as error:
        found["refused"] = type(error).__name__
found["unchanged"] = User.objects.filter(username="user2").count()

# A table that changes beneath a prepared statement.
execute("CREATE TEMPORARY TABLE changing (a integer)", [])
execute("INSERT INTO changing VALUES (7)", [])
for n in range(3):
    fetch("SELECT a FROM changing", [])
execute("ALTER TABLE changing ALTER a TYPE text", [])
found["changed"] = []
for n in range(3):
    try:
        found["changed"].append(fetch("SELECT a FROM changing", []))
    except DatabaseError as error:
        found["changed"].append(type(error).__name__)

# No more are remembered than the limit, whatever comes.
for n in range(500):
    for _again in range(2):
        fetch(f"SELECT id FROM annotator_user WHERE id > %s OFFSET {n}", [0])
found["remembered"] = len(prepared())

connection.close()
found["anew"] = [len(fetch("SELECT id FROM annotator_user WHERE id > %s", [0])) for _again in range(3)]

# A server that ended the connection is noticed by the next request, if not within the second.
connection.health_check_enabled = True
backend = fetch("SELECT pg_backend_pid()", [])[0][0]
other = connection.copy()
def asked_anew():
    connection.health_check_done = False
    return len(fetch("SELECT id FROM annotator_user WHERE id > %s", [0]))
asked_anew()

# A request that begins within the second and ends after it commits all the same.
connection.health_check_done = False
with transaction.atomic():
    fetch("SELECT id FROM annotator_user WHERE id > %s", [0])
    connection._answered -= 2
found["over the second"] = connection.get_autocommit()

with other.cursor() as cursor:
    cursor.execute("SELECT pg_terminate_backend(%s)", [backend])
other.close()
connection._answered -= 2
found["alive again"] = asked_anew()

connection.close()
connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"] = True
for n in range(4):
    fetch("SELECT id FROM annotator_user WHERE id > %s", [0])
found["behind a pooler"] = len(prepared())
print(json.dumps(found, default=str))
"""


def test_statements_are_planned_once_and_give_the_same_rows(server_site: Site) -> None:
    found = server_site.python(SCRIPT)

    assert found["rows"] == [["user0"], ["user1"], ["user2"], ["user3"]]
    assert found["planned once"] == 1
    assert [found[f"id {name}"] for name in (None, 3, 2**40, 4)] == [0, 1, 0, 1]
    assert found["like"] == 3
    assert found["named"] == [[[1 + n, "100 %", 1]] for n in range(3)]
    assert (found["unused"], found["fraction"], found["counted"]) == ([[4]], [], [[True, 4]])
    assert found["prepared, too"] == 3
    assert found["grouped"] == [[True, 4]]
    assert (found["untyped"], found["goes on"]) == ([[True]], 1)
    assert (found["refused"], found["unchanged"]) == ("IntegrityError", 1)
    assert found["changed"] == ["NotSupportedError", [["7"]], [["7"]]]
    assert found["remembered"] <= 200
    assert found["anew"] == [4, 4, 4]
    assert found["over the second"] is True
    assert found["alive again"] == 4
    assert found["behind a pooler"] == 0
