"""A PostgreSQL server of our own; and a command beside one: `python -m tests.postgresql COMMAND…`.

The command finds the server in DATABASE_URL. If PostgreSQL is not installed, it says so and runs nothing.
"""

from __future__ import annotations

import glob
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg2

# It loses what power cuts lose. Nor does it look through tables by itself: what it knows of them then depends on how
# fast a test is, and so do plans.
FAST = "-c fsync=off -c full_page_writes=off -c autovacuum=off"
NOT_INSTALLED = "PostgreSQL's initdb and pg_ctl are not installed (Debian package: postgresql)"


def run_sql(url: str, statement: str) -> None:
    """Run a statement outside of a transaction."""
    with closing(psycopg2.connect(url)) as server:
        server.autocommit = True
        server.cursor().execute(statement)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class PostgreSQL:
    """A server with its data in a folder whose path is short, as that of its socket must be; `start` starts it.

    `options` are the server's own. Raises FileNotFoundError where its programs are not installed.
    """

    def __init__(self, folder: Path, options: str = "") -> None:
        folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)
        search = os.pathsep.join([*folders, os.environ["PATH"]])
        initdb, pg_ctl = shutil.which("initdb", path=search), shutil.which("pg_ctl", path=search)
        if initdb is None or pg_ctl is None:
            raise FileNotFoundError(NOT_INSTALLED)
        self._pg_ctl, self._folder, self._port = pg_ctl, folder, free_port()
        self._options = f"-p {self._port} -k {folder} -c listen_addresses=127.0.0.1 {options}"
        self._as_user: list[str] = []
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            shutil.chown(folder, user="postgres")
            self._as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self._run(initdb, "-U", "translatio", "--auth=trust", "--encoding=UTF8", "--locale=C")

    @property
    def url(self) -> str:
        """The beginning of a database's URL."""
        return f"postgres://translatio@127.0.0.1:{self._port}"

    def start(self) -> None:
        self._run(self._pg_ctl, "-w", "-l", f"{self._folder}/log", "-o", self._options, "start")

    def stop(self) -> None:
        """At once, as a power cut would: no connection is ended, nothing more is written."""
        self._run(self._pg_ctl, "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_user, program, "-D", f"{self._folder}/data", *arguments]
        # Output into a file and not a pipe, which the server would inherit and keep open.
        with tempfile.TemporaryFile("w+") as output:
            done = subprocess.run(
                command,
                check=False,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=120,
            )
            output.seek(0)
            assert done.returncode == 0, output.read()


@contextmanager
def fast_server() -> Iterator[PostgreSQL]:
    """One whose data need not outlive anything, while the block lasts."""
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        server = PostgreSQL(Path(folder), FAST)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def main() -> int:
    # Ended, as well, the server goes with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with fast_server() as server:
            env = {**os.environ, "DATABASE_URL": f"{server.url}/postgres"}
            return subprocess.run(sys.argv[1:], env=env, check=False).returncode
    except FileNotFoundError as error:
        print(f"{error}. Skipped therefore: {' '.join(sys.argv[1:])}")
        return 0


if __name__ == "__main__":
    sys.exit(main())
