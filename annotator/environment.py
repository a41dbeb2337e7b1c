"""Reads settings from environment variables.

What is malformed stops the start: every function raises EnvError, whose message names the variable and says
what was expected. A variable that is set to nothing counts as not set.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo

from environs import Env, EnvError

FILES_BROKER = "filesystem://"
_BROKERS = ("redis://", "rediss://", "redis+socket://", "sentinel://", "amqp://", "amqps://", "pyamqp://")
# Longer than any step may take: an unanswered message is given to another worker after it, and a message of a worker
# that died before that is sent again by the sweep.
_VISIBILITY_SECONDS = 13 * 60 * 60
_DJANGO_SQLITE = "django.db.backends.sqlite3"
SQLITE = "annotator.core.database.sqlite"
_DJANGO_POSTGRESQL = "django.db.backends.postgresql"
POSTGRESQL = "annotator.core.database.postgresql"
SMALL_PARSER = "small"
_PARSERS = (SMALL_PARSER, "spacy", "stanza")
_S3_OPTIONS = {"endpoint", "region"}
_MAIL = ("submission://", "smtp://")
_SUB_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)+")
# Fewer characters can be guessed, and whoever guesses the key signs in as anybody.
_SHORTEST_KEY = 32
# Characters of a line in the log that somebody outside can cause.
LONGEST_LOGGED = 300

_env = Env()


def text(name: str, default: str) -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str) -> bool:
    """True or false (also 1 and 0, yes and no, on and off); false when not set."""
    return bool(_env.bool(name)) if text(name, "") else False


def positive(name: str, default: int) -> int:
    """A whole number above 0."""
    given = text(name, str(default))
    if not given.isdecimal() or int(given) == 0:
        raise _invalid(name, "a whole number above 0", given)
    return int(given)


def choice(name: str, known: Sequence[str]) -> str:
    """One of the `known` words; the first one when not set."""
    found = text(name, known[0])
    if found not in known:
        raise _invalid(name, f"one of {', '.join(known)}", found)
    return found


def parser(name: str) -> str:
    """A parser for pairs that are made by rule, with what stands after a colon; the embedded one when not set."""
    found = text(name, SMALL_PARSER)
    if found.partition(":")[0] not in _PARSERS or found.startswith(f"{SMALL_PARSER}:"):
        raise _invalid(name, "small, spacy, spacy:PACKAGE,…, stanza or stanza:FOLDER", found)
    return found


def hosts(name: str, default: list[str]) -> list[str]:
    """Host names, separated by commas."""
    found = _parts(name) or default
    for host in found:
        if "/" in host:
            raise _invalid(name, "host names such as translatio.example.org, separated by commas", host)
    return found


def origins(name: str) -> list[str]:
    """Schemes with hosts, separated by commas; none when not set."""
    found = _parts(name)
    for origin in found:
        if not origin.startswith(("https://", "http://")):
            raise _invalid(name, "addresses such as https://translatio.example.org, separated by commas", origin)
    return found


def names(name: str) -> list[str]:
    """Names, separated by commas; none when not set."""
    return _parts(name)


def sub_path(name: str) -> str:
    """Below which path the site is, such as /translatio; empty when not set."""
    found = text(name, "")
    if found and not _SUB_PATH.fullmatch(found):
        raise _invalid(name, "a path such as /translatio, without a slash at its end", found)
    return found


def folder(name: str, default: Path) -> Path:
    """A folder that can be written to, as an absolute path; it is made if it is not there."""
    found = Path(text(name, str(default))).absolute()
    try:
        found.mkdir(parents=True, exist_ok=True)
        # Made and written are two rights, and the first write would come late and in the middle of something.
        tempfile.TemporaryFile(dir=found).close()
    except OSError as error:
        raise _invalid(name, f"a folder that can be made and written ({error.strerror})", str(found)) from error
    return found


def database(name: str, default: Path) -> dict[str, Any]:
    """Django's settings of a database: PostgreSQL, or a file of SQLite."""
    expected = "postgres://user:password@host/name, or sqlite:///file"
    try:
        found = _env.dj_db_url(name) if text(name, "") else {"ENGINE": SQLITE, "NAME": str(default)}
    except EnvError as error:
        # The value is not repeated: it may hold a password.
        raise _invalid(name, expected) from error
    if found["ENGINE"] == _DJANGO_SQLITE:
        found["ENGINE"] = SQLITE
    if found["ENGINE"] == _DJANGO_POSTGRESQL:
        found["ENGINE"] = POSTGRESQL
    # Workers are processes of their own, so a database in memory would be another one for each of them.
    if found["ENGINE"] not in (SQLITE, POSTGRESQL) or found["NAME"] in ("", ":memory:"):
        raise _invalid(name, expected)
    if found["ENGINE"] == SQLITE:
        found["OPTIONS"] = {
            # Writers queue up at BEGIN instead of failing half-way when two readers both turn writer.
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            # FULL: a save that was acknowledged outlives a power cut. A long log, since workers keep it short
            # (`core/database/sqlite/base.py`): only where there is none does a save bring it into the database.
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; "
                "PRAGMA wal_autocheckpoint=8000;"
            ),
        }
        # A connection a thread, kept: opening one and setting it up costs as much as a save.
        found["CONN_MAX_AGE"] = 60
    else:
        found |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
        # So that people are told when the database hangs.
        given: Any = found.get("OPTIONS", {})
        found["OPTIONS"] = {"connect_timeout": 2, **given}
    return dict(found)


def caches(name: str, folder: Path) -> dict[str, Any]:
    """Django's settings of the caches: in Redis, or in files in `folder`."""
    url = text(name, "")
    if url and not url.startswith(("redis://", "rediss://", "unix://")):
        raise _invalid(name, "redis://host:6379/1, rediss://host:6379/1 or unix:///socket?db=1")
    if url:
        redis = "annotator.core.redis_cache"
        return {
            "default": {"BACKEND": f"{redis}.SharedRedisCache", "LOCATION": url, "KEY_PREFIX": "translatio"},
            "sessions": {"BACKEND": f"{redis}.SessionRedisCache", "LOCATION": url, "KEY_PREFIX": "translatio"},
        }
    # Beyond so many entries some are thrown away at random, counts of failed sign-ins among them.
    options = {"LOCATION": folder, "OPTIONS": {"MAX_ENTRIES": 20_000}}
    files = {"BACKEND": "annotator.core.cache.SharedFileCache", **options}
    return {"default": files, "sessions": files}


def broker(name: str) -> str:
    """The address of the message broker; files when not set."""
    found = text(name, FILES_BROKER)
    if found != FILES_BROKER and not found.startswith(_BROKERS):
        raise _invalid(name, f"redis://host:6379/0, amqp://user:password@host//, or {FILES_BROKER}")
    return found


def broker_options(url: str, folder: Path) -> dict[str, Any]:
    """Kombu's options for a broker. `folder`: for messages that are files; it is created."""
    if url == FILES_BROKER:
        parts = {part: folder / part for part in ("messages", "control", "processed")}
        for part in parts.values():
            part.mkdir(parents=True, exist_ok=True)
        return {
            # One folder in and out: sender and worker are on this machine.
            "data_folder_in": str(parts["messages"]),
            "data_folder_out": str(parts["messages"]),
            "control_folder": str(parts["control"]),
            "processed_folder": str(parts["processed"]),
            "store_processed": False,
            "polling_interval": 0.25,
        }
    # A page waits while a message is sent. It stops after a second or two, and the sweep sends the message.
    patience: dict[str, Any] = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.2}
    if url.startswith(("amqp", "pyamqp")):
        return {**patience, "confirm_publish": True}
    redis = {"socket_timeout": 1, "socket_connect_timeout": 1, "queue_order_strategy": "priority"}
    sentinel = {"master_name": text("SENTINEL_MASTER", "mymaster")} if url.startswith("sentinel") else {}
    return {**patience, **redis, **sentinel, "visibility_timeout": _VISIBILITY_SECONDS}


def storage(name: str, copies: Path) -> dict[str, Any]:
    """Django's settings of the storage of files: a bucket of S3, or the data folder when not set.

    `copies`: the folder in which this machine keeps copies of what a bucket holds.
    """
    given = text(name, "")
    if not given:
        return {"BACKEND": "annotator.core.files.storage.LocalStorage"}
    found = urlsplit(given)
    more = dict(parse_qsl(found.query))
    # The value is not repeated: it may hold a key.
    is_known = found.scheme == "s3" and found.hostname and found.path in ("", "/") and not more.keys() - _S3_OPTIONS
    is_web = more.get("endpoint", "https://").startswith(("http://", "https://"))
    if not is_known or not is_web or bool(found.username) != bool(found.password):
        raise _invalid(name, "s3://bucket, s3://key:secret@bucket?region=…, or one with &endpoint=https://host")
    if find_spec("storages") is None or find_spec("boto3") is None:
        raise EnvError(f"{name} needs the extra s3, which is not installed: pip install 'translatio[s3]'")
    options: dict[str, Any] = {"bucket_name": found.hostname, "copies": str(copies)}
    if found.username and found.password:
        # Without them, boto3 looks where Amazon's own tools do: variables, files, the role of the machine.
        options |= {"access_key": unquote(found.username), "secret_key": unquote(found.password)}
    if "region" in more:
        options["region_name"] = more["region"]
    if "endpoint" in more:
        # Servers other than Amazon's have no name of a host for each bucket.
        options |= {"endpoint_url": more["endpoint"], "addressing_style": "path"}
    return {"BACKEND": "annotator.core.files.object_storage.ObjectStorage", "OPTIONS": options}


def mail_server(name: str) -> dict[str, Any]:
    """Django's settings of the mail server; empty when there is none."""
    given = text(name, "")
    try:
        found = dict(_env.dj_email_url(name)) if given.startswith(_MAIL) else {}
    except (EnvError, ValueError):
        found = {}
    if given and not found.get("EMAIL_HOST"):
        # The value is not repeated: it may hold a password.
        raise _invalid(name, "submission://user:password@host, smtp://user:password@host:465/?ssl=true, or smtp://host")
    return found


def one_line(record: logging.LogRecord) -> bool:
    """Log a record without its traceback, and no more of it than a line: anybody can send a wrong host."""
    record.msg, record.args = record.getMessage()[:LONGEST_LOGGED], ()
    record.exc_info = record.exc_text = None
    return True


def log_level(name: str, default: str) -> str:
    """A level of Python's logging, in capitals or not."""
    found = text(name, default).upper()
    known = logging.getLevelNamesMapping()
    if found not in known:
        raise _invalid(name, f"one of {', '.join(known)}", found)
    return found


def time_zone(name: str, default: str) -> str:
    """A time zone of the IANA database."""
    found = text(name, default)
    try:
        ZoneInfo(found)
    except (OSError, LookupError, ValueError) as error:
        raise _invalid(name, "a time zone such as Europe/Madrid", found) from error
    return found


def secret_key(name: str, kept: Path) -> str:
    """The secret key; when not set, the one in the file `kept`, which is made on the first start."""
    given = text(name, "")
    if given:
        if len(given) < _SHORTEST_KEY:
            raise _invalid(name, f"at least {_SHORTEST_KEY} characters that nobody can guess")
        return given
    if not kept.exists():
        # Web server and worker may start at the same moment: the first whole file stays.
        made = kept.with_name(f"{kept.name}.{os.getpid()}")
        made.touch(mode=0o600)
        made.write_text(secrets.token_urlsafe(50))
        try:
            os.link(made, kept)
        except FileExistsError:
            pass
        finally:
            made.unlink()
    return kept.read_text().strip()


def _parts(name: str) -> list[str]:
    return [part.strip() for part in text(name, "").split(",") if part.strip()]


def _invalid(name: str, expected: str, got: str = "") -> EnvError:
    return EnvError(f"The environment variable {name} must be {expected}" + (f", not {got!r}." if got else "."))
