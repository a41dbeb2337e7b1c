"""Static files: kept by browsers for good under the address of their version, compressed, and found under others."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.templatetags.static import static
from django.test import Client

from annotator.static_version import LENGTH, static_version

SCRIPT = "site/pages/site.js"


def body(answer: object) -> bytes:
    return b"".join(answer)  # type: ignore[call-overload]


def test_browsers_keep_them_for_good(client: Client) -> None:
    address = static(SCRIPT)
    assert re.fullmatch(rf"/static/[0-9a-f]{{{LENGTH}}}/{SCRIPT}", address)
    answer = client.get(address)
    assert answer.status_code == 200
    assert "immutable" in answer.headers["Cache-Control"]
    assert body(answer) == (settings.FILES_DIR / "static" / SCRIPT).read_bytes()


@pytest.mark.parametrize("path", [f"/static/{SCRIPT}", f"/static/{'0' * LENGTH}/{SCRIPT}"])
def test_under_addresses_of_another_version_they_are_asked_for_again(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "max-age=0, public"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["nothing.js", "../settings.py", "0123456789ab/nothing.js"])
def test_what_is_not_there_is_not_found(client: Client, path: str) -> None:
    assert client.get(f"/static/{path}").status_code in (302, 404)


@pytest.mark.parametrize("path", [SCRIPT, "site/css/base.css", "vendor/lucide/sprite.svg"])
def test_text_is_compressed(client: Client, path: str) -> None:
    answer = client.get(static(path), headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body(answer)) == (settings.FILES_DIR / "static" / path).read_bytes()


def test_a_part_of_a_file_is_sent_as_it_is(client: Client) -> None:
    answer = client.get(static(SCRIPT), headers={"Accept-Encoding": "gzip", "Range": "bytes=0-9"})
    assert answer.status_code == 206
    assert "Content-Encoding" not in answer.headers
    assert len(body(answer)) == 10


def test_fonts_are_not_compressed_twice(client: Client) -> None:
    path = "vendor/source-sans-3/source-sans-3-latin-wght-normal.woff2"
    assert "Content-Encoding" not in client.get(static(path), headers={"Accept-Encoding": "gzip"}).headers


def test_the_version_tells_of_contents_and_names_alone(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        (folder / "inside").mkdir(parents=True)
        (folder / "inside" / "a.js").write_text("one")
    assert static_version([first]) == static_version([second])
    (second / "inside" / "a.js").write_text("two")
    changed = static_version([second])
    (second / "inside" / "a.js").rename(second / "inside" / "b.js")
    assert len({static_version([first]), changed, static_version([second])}) == 3
