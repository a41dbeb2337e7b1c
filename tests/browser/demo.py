"""What `make demo` starts, for tests that take people through whole projects."""

from __future__ import annotations

import shutil
import socket
import urllib.error
import urllib.request
from pathlib import Path

from tests.site import Site, wait_until


class Demo:
    """`manage.py demo`, as `make demo` starts it: gunicorn, a worker, the sample project."""

    def __init__(self, folder: Path, migrated_file: Path) -> None:
        self.site = Site(folder)
        # From nothing it is started in tests/commands/test_demo.py.
        shutil.copy(migrated_file, folder)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.process = self.site.start("demo", "--port", str(port))
        wait_until(self._serves, seconds=120, what="the demo")

    def _serves(self) -> bool:
        assert self.process.poll() is None, self.site.logs()
        if "Translatio is at" not in self.site.logs():
            return False
        try:
            with urllib.request.urlopen(f"{self.url}/healthz/", timeout=5) as answer:  # noqa: S310 -- a server of our own
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError):
            return False

    def stage(self, kind: str, language: str, slug: str = "sample", layer: str = "") -> str:
        pk = self.site.value(
            "SELECT s.id FROM annotator_stage s JOIN annotator_project p ON p.id = s.project_id "  # noqa: S608 -- values of the tests
            f"JOIN annotator_layer l ON l.id = s.layer_id WHERE p.slug = '{slug}' AND s.kind = '{kind}' "
            f"AND s.language = '{language}' AND l.slug LIKE '{layer or '%'}' ORDER BY s.position"
        )
        return f"/projects/{slug}/stages/{pk}/work/"

    def done_by(self, username: str, language: str, slug: str = "sample", layer: str = "labels") -> int:
        count: int = self.site.value(
            "SELECT COUNT(*) FROM annotator_annotation a JOIN annotator_user u ON u.id = a.user_id "  # noqa: S608 -- values of the tests
            "JOIN annotator_unit t ON t.id = a.unit_id JOIN annotator_layer l ON l.id = a.layer_id "
            f"JOIN annotator_project p ON p.id = a.project_id WHERE u.username = '{username}' "
            f"AND t.language = '{language}' AND p.slug = '{slug}' AND l.slug = '{layer}' AND a.state = 'done'"
        )
        return count
