"""Fixtures that several folders share: sites of their own, with and without servers. And who runs what, and when."""

from __future__ import annotations

import fcntl
import gc
import hashlib
import multiprocessing
import os
import shutil
import subprocess
import tempfile
import uuid
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django
import hypothesis
import pytest
import redis
import rest_framework
from django.conf import settings
from django.db import connection, transaction
from django.utils import translation

from annotator.core.processes import child_process
from tests.clients import SIGNED_IN
from tests.forks import ROOT
from tests.frames import with_room
from tests.postgresql import fast_server, free_port, run_sql
from tests.site import Site, wait_until

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter
    from pytest_django.fixtures import SettingsWrapper
    from pytest_django.plugin import DjangoDbBlocker
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

    from annotator.models import Project, User
    from tests.storage import ObjectServer

# Before torch is loaded: with models this small, threads that wait for each other cost minutes on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# What `make quick` takes: enough to see that a property does not hold at all, and the same every time.
hypothesis.settings.register_profile("quick", max_examples=10, derandomize=True, database=None, deadline=None)
# What the first example of a process loads, and a busy machine, are no faults: how long things take is for bench/.
hypothesis.settings.register_profile("all", max_examples=50, deadline=None)
# What .ci/run takes.
hypothesis.settings.register_profile("thorough", max_examples=200, deadline=None)
hypothesis.settings.load_profile("all")

# Everything imported and collected lives to the end. Looking through it for garbage took a fifth of all time.
gc.disable()

# Children that compute are forked from a process that has loaded what they need, instead of loading it each time.
CHILDREN_IN_USE = child_process.CONTEXT
child_process.CONTEXT = multiprocessing.get_context("forkserver")
multiprocessing.set_forkserver_preload(["tests.loaded"])

ON_THE_DEMO = ("tests/browser/test_round.py", "tests/browser/test_workflow.py")
# Of what waits and of what computes, which folders begin: nobody waits for a long file alone at the end.
LONGEST_FIRST = ("servers", "browser", "tasks", "commands", "engines", "kinds")
# What waits for browsers, servers and workers more than it computes.
WAITING = ("browser", "servers", "tasks", "commands", "database")


def kind(nodeid: str) -> str:
    """The folder that a test lies in; "servers" where it uses PostgreSQL and Redis, as its parameter or name says."""
    return "servers" if "[server_site" in nodeid or "postgresql" in nodeid else nodeid.split("/")[1]


def scope(nodeid: str) -> str:
    """What one process takes as a whole: a file, all on the servers, all on the demo, or half of the other pages.

    Servers, the demo and each browser with its site start once then, and not in every process; and the code is parsed
    once for all that is said of it.
    """
    file = nodeid.partition("::")[0]
    if kind(nodeid) == "servers":
        return "servers"
    if file in ON_THE_DEMO:
        return "demo"
    if kind(nodeid) == "architecture":
        return "architecture"
    return f"browser {zlib.crc32(file.encode()) % 2}" if kind(nodeid) == "browser" else file


def in_turns(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """What waits spread evenly over what computes, so that processors always have something to do; long ones first."""
    scopes: dict[str, list[pytest.Item]] = {}
    for item in items:
        scopes.setdefault(scope(item.nodeid), []).append(item)
    places: dict[str, float] = {}
    for waits in (True, False):
        names = [name for name, (first, *_) in scopes.items() if (kind(first.nodeid) in WAITING) is waits]
        names.sort(key=lambda name: _rank(kind(scopes[name][0].nodeid)))
        places.update((name, number / len(names)) for number, name in enumerate(names))
    return [item for name in sorted(places, key=places.__getitem__) for item in scopes[name]]


def _rank(folder: str) -> int:
    return LONGEST_FIRST.index(folder) if folder in LONGEST_FIRST else len(LONGEST_FIRST)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--few", type=int, help="of a test with many parameters, take so many, evenly spread")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    # After all others: pytest-django puts what needs no database last.
    yield
    if most := config.getoption("few"):
        taken = set(_spread(items, most))
        config.hook.pytest_deselected(items=[item for item in items if item not in taken])
        items[:] = [item for item in items if item in taken]
    items[:] = in_turns(items)


def _spread(items: list[pytest.Item], most: int) -> Iterator[pytest.Item]:
    """Of each test, at most so many of its parameters: the first, the last, and some between."""
    for _test, found in groupby(items, key=lambda item: item.nodeid.partition("[")[0]):
        same = list(found)
        step = max(1, (len(same) - 1) / max(1, most - 1))
        yield from (same[round(number * step)] for number in range(min(most, len(same))))


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> object:
    """As pytest does, with room for the frames of what a test calls."""
    runner: Any = item.config.pluginmanager.get_plugin("runner")
    return with_room(runner.pytest_runtest_protocol, item, nextitem)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two processes more than there are cores: half of them wait for browsers, servers and workers."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if config.getoption("few") else cores + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Several processes take file after file; one has the servers, and one the demo, so that they start once."""
    if config.getvalue("dist") != "loadscope":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return scope(nodeid)

    return Scheduling(config, log)


def pytest_sessionfinish() -> None:
    """Spare pytest what it does five times at the end: to look through all that was imported for garbage."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Say at the end what was skipped and why, each reason once."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    if reasons:
        terminalreporter.section("skipped")
    for reason, count in reasons.most_common():
        terminalreporter.line(f"{count:4} {reason}")


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """A request leaves its language behind in the process."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def signed_out() -> Iterator[None]:
    """Sessions are rows of the test that signed in."""
    yield
    SIGNED_IN.clear()


@pytest.fixture
def project(db: None) -> Project:
    """A project of plain sentences in Spanish and English."""
    # Processes that tests start import this file without Django's applications.
    from tests.factories import make_project

    return make_project()


@pytest.fixture
def ana(project: Project) -> User:
    """A member of the project."""
    from tests.factories import make_member

    return make_member(project)


@pytest.fixture
def ben(project: Project) -> User:
    """Another member of the project."""
    from tests.factories import make_member

    return make_member(project)


@pytest.fixture
def toy_kinds(settings: SettingsWrapper) -> None:
    """The kinds of work of `tests/toy_kinds` are installed, too."""
    settings.KINDS = [*settings.KINDS, "tests.toy_kinds"]


@pytest.fixture
def stored(tmp_path: Path, settings: SettingsWrapper) -> Path:
    """A folder of the test's own for all files of the site: `uploads`, `releases`, `models` and the like are in it."""
    settings.MEDIA_ROOT = tmp_path / "stored"
    return tmp_path / "stored"


@pytest.fixture
def uploads(stored: Path) -> Path:
    """A folder of the test's own for what is uploaded."""
    return stored / "uploads"


@pytest.fixture(scope="session")
def object_store() -> Iterator[ObjectServer]:
    """A server that speaks S3."""
    # Its client takes a while to load, and most processes need none.
    from tests.storage import object_server

    with object_server() as server:
        yield server


@pytest.fixture
def bucket(object_store: ObjectServer, tmp_path: Path, settings: SettingsWrapper) -> ObjectServer:
    """All files of the site are in a bucket of the test's own."""
    made = object_store.with_bucket()
    settings.STORAGES = {**settings.STORAGES, "default": made.settings(tmp_path / "copies")}
    return made


# What an empty database depends on: what its tables and first rows are made of.
MIGRATED_BY = ("annotator/migrations", "annotator/models", "annotator/core/database/sqlite", "annotator/settings.py")
MIGRATED = ROOT / "build" / "migrated"
# Not those in the path, which Debian makes for root and the user of its service alone.
RABBITMQ = Path("/usr/lib/rabbitmq/bin")


def _state_of_migrations() -> str:
    """A name that changes whenever `migrate` might leave another database."""
    state = hashlib.sha256(f"{django.__version__} {rest_framework.__version__}".encode())
    for place in MIGRATED_BY:
        for file in sorted([ROOT / place, *(ROOT / place).rglob("*.py")]):
            if file.is_file():
                state.update(f"{file.relative_to(ROOT)} ".encode() + file.read_bytes())
    return state.hexdigest()[:20]


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder's database as `migrate` leaves it, to be copied: migrating takes longer than all tests of a folder.

    It is kept from run to run, until a migration, a model or what applies them changes.
    """
    MIGRATED.mkdir(parents=True, exist_ok=True)
    kept = MIGRATED / _state_of_migrations() / "db.sqlite3"
    # Where several processes run the tests, the first makes it for all.
    with (MIGRATED / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            for old in MIGRATED.glob("*/"):
                shutil.rmtree(old)
            made = Site(tmp_path_factory.mktemp("migrating"))
            made.manage("migrate", "--verbosity", "0")
            kept.parent.mkdir()
            # Copied under another name first, so that what is there is whole.
            kept.with_suffix(".new").write_bytes((made.folder / "db.sqlite3").read_bytes())
            kept.with_suffix(".new").rename(kept)
    return kept


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Take the test database as it lies there."""
    return True


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, migrated_file: Path) -> None:
    """Put it there."""
    if connection.vendor == "sqlite":
        shutil.copy(migrated_file, connection.settings_dict["TEST"]["NAME"])


def _keeping_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """For fixtures of a module or class: what they make is there for all its tests; each takes back what it does."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


kept_rows = pytest.fixture(_keeping_rows, scope="module", name="kept_rows")
kept_rows_of_class = pytest.fixture(_keeping_rows, scope="class", name="kept_rows_of_class")


def pytest_unconfigure() -> None:
    """Leave nothing behind: the folder that settings make for every process that runs tests."""
    assert settings.DATA_DIR.name.startswith("translatio-tests-")
    shutil.rmtree(settings.DATA_DIR, ignore_errors=True)


@pytest.fixture(scope="session")
def migrated_database(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same on PostgreSQL: the name of a database that others are made from."""
    name = "migrated"
    run_sql(f"{postgres}/postgres", f"CREATE DATABASE {name}")
    made = Site(tmp_path_factory.mktemp("migrated"), database_url=f"{postgres}/{name}")
    made.manage("migrate", "--verbosity", "0")
    return name


@pytest.fixture
def site(tmp_path: Path, migrated_file: Path) -> Iterator[Site]:
    """An installation as it comes: SQLite and the embedded broker."""
    made = Site(tmp_path / "site")
    shutil.copy(migrated_file, made.folder)
    yield made
    made.stop()


@pytest.fixture
def server_site(tmp_path: Path, postgres: str, migrated_database: str, redis_server: str) -> Iterator[Site]:
    """An installation on PostgreSQL and Redis."""
    name = f"site_{uuid.uuid4().hex[:12]}"
    run_sql(f"{postgres}/postgres", f"CREATE DATABASE {name} TEMPLATE {migrated_database}")
    made = Site(tmp_path / "site", database_url=f"{postgres}/{name}", broker_url=redis_server)
    yield made
    made.stop()
    with redis.Redis.from_url(redis_server) as client:
        client.flushdb()


@pytest.fixture(
    params=[
        pytest.param("site", marks=pytest.mark.processes),
        pytest.param("server_site", marks=pytest.mark.services),
    ]
)
def any_site(request: pytest.FixtureRequest) -> Site:
    """Once on SQLite with the embedded broker, once on PostgreSQL with Redis."""
    found: Site = request.getfixturevalue(request.param)
    return found


# For tests that ask for `any_site` and are about PostgreSQL alone.
on_servers = pytest.mark.parametrize(
    "any_site", [pytest.param("server_site", marks=pytest.mark.services)], indirect=True
)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server of our own, as the beginning of a URL. Skips where its programs are not installed."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(fast_server())
        except FileNotFoundError as error:
            pytest.skip(str(error))
        yield server.url


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """A Redis server of our own. Skips where its program is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed (Debian package: redis-server)")
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
            stdout=subprocess.DEVNULL,
        )
        url = f"redis://127.0.0.1:{port}/0"
        try:
            wait_until(lambda: _answers(url), seconds=20, what="redis-server")
            yield url
        finally:
            process.terminate()
            process.wait()


@dataclass(frozen=True)
class RabbitMQ:
    """A node of our own."""

    url: str
    env: Mapping[str, str]

    def again(self) -> None:
        """Stop it, and start it."""
        for command in ("stop_app", "start_app"):
            self._control(command)

    def process(self) -> int:
        """The id of its process."""
        return int(self._control("eval", "list_to_integer(os:getpid())."))

    def _control(self, *command: str) -> str:
        control = [str(RABBITMQ / "rabbitmqctl"), "-q", "-n", self.env["RABBITMQ_NODENAME"], *command]
        return subprocess.run(control, env=self.env, check=True, timeout=60, capture_output=True, text=True).stdout


@pytest.fixture(scope="session")
def rabbitmq() -> Iterator[RabbitMQ]:
    """A RabbitMQ server of our own. Skips where its program is not installed."""
    if not (RABBITMQ / "rabbitmq-server").exists():
        pytest.skip("rabbitmq-server is not installed (Debian package: rabbitmq-server)")
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        env = {
            **os.environ,
            # Where Erlang keeps the word by which its processes know each other.
            "HOME": folder,
            "RABBITMQ_NODENAME": f"tests-{port}@localhost",
            "RABBITMQ_NODE_PORT": str(port),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": f"{folder}/data",
            "RABBITMQ_LOG_BASE": f"{folder}/log",
            "RABBITMQ_ENABLED_PLUGINS_FILE": f"{folder}/plugins",
            "RABBITMQ_CONFIG_FILE": f"{folder}/none",
        }
        with (Path(folder) / "out").open("w") as out:
            process = subprocess.Popen([RABBITMQ / "rabbitmq-server"], env=env, stdout=out, stderr=out)
        try:
            out_file = Path(folder) / "out"
            wait_until(lambda: "completed with" in out_file.read_text(), seconds=60, what="rabbitmq-server")
            yield RabbitMQ(f"amqp://guest:guest@127.0.0.1:{port}//", env)
        finally:
            process.terminate()
            process.wait()


def _answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url) as client:
            return bool(client.ping())
    except redis.ConnectionError:
        return False
