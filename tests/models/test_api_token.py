"""Tokens of versions that stored them in plain text."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from annotator.models import ApiToken
from tests.factories import make_user


@pytest.mark.django_db
def test_old_tokens_keep_working_and_their_plain_text_goes() -> None:
    user, key = make_user(), "0123456789abcdef0123456789abcdef01234567"
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE authtoken_token (key varchar(40), created timestamp, user_id bigint)")
        cursor.execute("INSERT INTO authtoken_token VALUES (%s, '2020-01-02 03:04:05', %s)", [key, user.pk])
    migration = import_module("annotator.migrations.0012_api")
    migration.take_over(apps, SimpleNamespace(connection=connection))
    token = ApiToken.objects.get()
    assert (token.user, token.scope, token.created_at.year, token.expires_at) == (user, "manage", 2020, None)
    assert "authtoken_token" not in connection.introspection.table_names()
    assert Client().get("/api/v1/projects/", headers={"Authorization": f"Token {key}"}).status_code == 200
