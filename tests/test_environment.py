"""Settings from the environment: what is malformed is said by the variable's name."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from environs import EnvError

from annotator import environment
from annotator.core import checks

ROOT = Path(__file__).parents[1]
READERS: dict[str, Callable[[str], Any]] = {
    "DEBUG": environment.flag,
    "HTTPS": environment.flag,
    "IMPORT_MAX_BYTES": lambda name: environment.positive(name, 5),
    "ALLOWED_HOSTS": lambda name: environment.hosts(name, ["localhost"]),
    "CSRF_TRUSTED_ORIGINS": environment.origins,
    "DATABASE_URL": lambda name: environment.database(name, Path("db.sqlite3")),
    "CELERY_BROKER_URL": environment.broker,
    "CACHE_URL": lambda name: environment.caches(name, Path("cache")),
    "EMAIL_URL": environment.mail_server,
    "PARSER": environment.parser,
    "STORAGE_URL": lambda name: environment.storage(name, Path("copies")),
    "LOG_LEVEL": lambda name: environment.log_level(name, "INFO"),
    "SCRIPT_NAME": environment.sub_path,
    "TIME_ZONE": lambda name: environment.time_zone(name, "UTC"),
    "SECRET_KEY": lambda name: environment.secret_key(name, Path("nowhere")),
    "DATA_DIR": lambda name: environment.folder(name, Path("nowhere")),
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "maybe"),
        ("HTTPS", "perhaps"),
        ("IMPORT_MAX_BYTES", "x"),
        ("IMPORT_MAX_BYTES", "-5"),
        ("IMPORT_MAX_BYTES", "0"),
        ("ALLOWED_HOSTS", "https://example.org"),
        ("CSRF_TRUSTED_ORIGINS", "example.org"),
        ("DATABASE_URL", "garbage"),
        ("DATABASE_URL", "mysql://ana:pass-word@host/name"),
        ("DATABASE_URL", "postgres://ana:pass-word@host/"),
        ("DATABASE_URL", "sqlite://"),
        ("CELERY_BROKER_URL", "foo"),
        ("CELERY_BROKER_URL", "filesystem:///elsewhere"),
        ("CACHE_URL", "memcached://ana:pass-word@host"),
        ("EMAIL_URL", "mail.example.org"),
        ("EMAIL_URL", "submission://ana:pass-word@"),
        ("EMAIL_URL", "smtp://ana:pass-word@host:many"),
        ("EMAIL_URL", "console://"),
        ("PARSER", "udpipe"),
        ("PARSER", "small:en"),
        ("STORAGE_URL", "https://key:pass-word@bucket"),
        ("STORAGE_URL", "s3://key:pass-word@"),
        ("STORAGE_URL", "s3://key:pass-word/with-slash@bucket"),
        ("STORAGE_URL", "s3://key@bucket"),
        ("STORAGE_URL", "s3://key:pass-word@bucket/folder"),
        ("STORAGE_URL", "s3://key:pass-word@bucket?zone=eu"),
        ("STORAGE_URL", "s3://key:pass-word@bucket?endpoint=minio:9000"),
        ("LOG_LEVEL", "loud"),
        ("SCRIPT_NAME", "translatio"),
        ("SCRIPT_NAME", "/translatio/"),
        ("SCRIPT_NAME", "/"),
        ("SCRIPT_NAME", "https://example.org/translatio"),
        ("TIME_ZONE", "Mars/Base"),
        ("TIME_ZONE", "../etc/passwd"),
        ("SECRET_KEY", "pass-word"),
        ("DATA_DIR", "/dev/null/data"),
        ("DATA_DIR", "/proc"),
    ],
)
def test_malformed_values_are_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(EnvError, match=name) as caught:
        READERS[name](name)
    assert "pass-word" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("DEBUG", "true", True),
        ("HTTPS", "0", False),
        ("IMPORT_MAX_BYTES", "1024", 1024),
        ("ALLOWED_HOSTS", "a.example.org, b.example.org,", ["a.example.org", "b.example.org"]),
        ("CSRF_TRUSTED_ORIGINS", "https://a.example.org , http://b", ["https://a.example.org", "http://b"]),
        ("CELERY_BROKER_URL", "redis://host:6379/0", "redis://host:6379/0"),
        ("PARSER", "spacy:en_core_web_trf", "spacy:en_core_web_trf"),
        ("PARSER", "", "small"),
        ("LOG_LEVEL", "warning", "WARNING"),
        ("SCRIPT_NAME", "/translatio", "/translatio"),
        ("SCRIPT_NAME", "/tools/translatio", "/tools/translatio"),
        ("TIME_ZONE", "Europe/Madrid", "Europe/Madrid"),
        ("SECRET_KEY", "k" * 40, "k" * 40),
    ],
)
def test_values_are_read(monkeypatch: pytest.MonkeyPatch, name: str, value: str, expected: object) -> None:
    monkeypatch.setenv(name, value)
    assert READERS[name](name) == expected


def test_a_folder_is_the_same_one_wherever_a_process_goes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA_DIR", "data")
    assert environment.folder("DATA_DIR", Path("nowhere")) == tmp_path / "data"


@pytest.mark.parametrize("name", sorted(READERS.keys() - {"SECRET_KEY", "DATA_DIR"}))
def test_nothing_is_not_set(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv(name, raising=False)
    default = READERS[name](name)
    monkeypatch.setenv(name, " ")
    assert READERS[name](name) == default


def test_a_bucket_has_what_its_server_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "STORAGE_URL", "s3://key:with%2Fslash@gold?region=eu-west-1&endpoint=https://minio.example.org:9000"
    )
    assert environment.storage("STORAGE_URL", Path("copies"))["OPTIONS"] == {
        "bucket_name": "gold",
        "copies": "copies",
        "access_key": "key",
        "secret_key": "with/slash",
        "region_name": "eu-west-1",
        "endpoint_url": "https://minio.example.org:9000",
        "addressing_style": "path",
    }
    # The rest is looked up where Amazon's own tools look.
    monkeypatch.setenv("STORAGE_URL", "s3://gold")
    assert environment.storage("STORAGE_URL", Path("copies"))["OPTIONS"] == {"bucket_name": "gold", "copies": "copies"}


def test_databases(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    embedded = environment.database("DATABASE_URL", tmp_path / "a database.sqlite3")
    assert embedded["NAME"] == str(tmp_path / "a database.sqlite3")
    assert embedded["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    monkeypatch.setenv("DATABASE_URL", "postgres://ana:p%40ss@host:5433/corpus")
    server = environment.database("DATABASE_URL", tmp_path / "unused")
    assert (server["HOST"], server["PORT"], server["NAME"], server["PASSWORD"]) == ("host", 5433, "corpus", "p@ss")
    # Connections outlive requests, and are looked at before they are used again.
    assert (server["CONN_MAX_AGE"], server["CONN_HEALTH_CHECKS"]) == (60, True)


def test_a_secret_key_is_made_once_and_is_the_owners_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    first = environment.secret_key("SECRET_KEY", tmp_path / "secret_key")
    assert len(first) >= 50
    assert environment.secret_key("SECRET_KEY", tmp_path / "secret_key") == first
    assert [(path.name, path.stat().st_mode & 0o777) for path in tmp_path.iterdir()] == [("secret_key", 0o600)]


def test_commands_say_it_in_one_line(tmp_path: Path) -> None:
    env = {**os.environ, "DATA_DIR": str(tmp_path), "CELERY_BROKER_URL": "foo"}
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert (
        done.stderr
        == "The environment variable CELERY_BROKER_URL must be redis://host:6379/0, amqp://user:password@host//, or filesystem://.\n"
    )


def test_mail_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMAIL_URL", raising=False)
    assert environment.mail_server("EMAIL_URL") == {}
    for given, expected in {
        "submission://ana:p%40ss@host": ("host", 587, "ana", "p@ss", True, False),
        "smtp://ana:pw@host:465/?ssl=true": ("host", 465, "ana", "pw", False, True),
        "smtp://host": ("host", 25, None, None, False, False),
    }.items():
        monkeypatch.setenv("EMAIL_URL", given)
        found = environment.mail_server("EMAIL_URL")
        names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")
        assert tuple(found[f"EMAIL_{name}"] for name in names) == expected


def test_a_wrong_host_takes_one_short_line_of_the_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    answer = client.get("/", headers={"Host": "x" * 2_000 + ".example.org"})

    assert answer.status_code == 400
    [record] = [one for one in caplog.records if one.name == "django.security.DisallowedHost"]
    assert (record.exc_info, record.exc_text) == (None, None)
    assert record.getMessage().startswith("Invalid HTTP_HOST header: 'xxx")
    assert len(record.getMessage()) == environment.LONGEST_LOGGED


@pytest.mark.parametrize(
    ("given", "vendor", "warned"), [("", "postgresql", 1), ("k" * 40, "postgresql", 0), ("", "sqlite", 0)]
)
def test_a_key_of_one_machine_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, given: str, vendor: str, warned: int
) -> None:
    monkeypatch.setenv("SECRET_KEY", given)
    monkeypatch.setattr(checks, "connection", SimpleNamespace(vendor=vendor))

    assert [message.id for message in checks.check_secret_key()] == ["annotator.W001"] * warned
