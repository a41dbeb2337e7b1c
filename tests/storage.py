"""An object store of our own: moto's server, which speaks S3 over HTTP, in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import boto3

from annotator import environment
from annotator.core.files.storage import SiteStorage
from tests.site import wait_until

KEYS = {"aws_access_key_id": "translatio", "aws_secret_access_key": "sows/doubt+more"}


@dataclass(frozen=True)
class ObjectServer:
    """A server, and a bucket of it."""

    endpoint: str
    bucket: str = ""

    @property
    def client(self) -> Any:
        return boto3.client("s3", endpoint_url=self.endpoint, region_name="eu-west-1", **KEYS)

    def with_bucket(self) -> ObjectServer:
        """A fresh bucket."""
        made = replace(self, bucket=f"site-{uuid.uuid4().hex[:12]}")
        made.client.create_bucket(Bucket=made.bucket, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        return made

    @property
    def url(self) -> str:
        """What STORAGE_URL says."""
        secret = KEYS["aws_secret_access_key"].replace("/", "%2F").replace("+", "%2B")
        place = f"{KEYS['aws_access_key_id']}:{secret}@{self.bucket}"
        return f"s3://{place}?region=eu-west-1&endpoint={self.endpoint}"

    def settings(self, folder: Path) -> dict[str, Any]:
        """Django's settings of it, on a machine that keeps its copies in `folder`."""
        before = os.environ.get("STORAGE_URL")
        os.environ["STORAGE_URL"] = self.url
        try:
            return environment.storage("STORAGE_URL", folder)
        finally:
            del os.environ["STORAGE_URL"]
            if before is not None:
                os.environ["STORAGE_URL"] = before

    def storage(self, folder: Path, *, endpoint: str = "") -> SiteStorage:
        """The bucket as a machine sees it that keeps its copies in `folder`."""
        from annotator.core.files.object_storage import ObjectStorage

        options = (replace(self, endpoint=endpoint) if endpoint else self).settings(folder)["OPTIONS"]
        return cast(SiteStorage, ObjectStorage(**options))

    def names(self) -> list[str]:
        """All that it holds."""
        found = self.client.list_objects_v2(Bucket=self.bucket).get("Contents", ())
        return [one["Key"] for one in found]


@contextmanager
def object_server() -> Iterator[ObjectServer]:
    """A server while the block lasts."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryFile() as log:
        command = [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        server = ObjectServer(f"http://127.0.0.1:{port}")
        try:
            wait_until(lambda: _answers(server.endpoint), seconds=60, what="moto")
            yield server
        finally:
            process.terminate()
            process.wait()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/moto-api/", timeout=5) as answer:  # noqa: S310 -- a server of our own
            return bool(answer.status == 200)
    except OSError:
        return False
