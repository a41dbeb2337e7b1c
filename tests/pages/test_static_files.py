"""Static files: kept by browsers for good under the address of their version, short, and found under others."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import brotli
import pytest
from django.conf import settings
from django.templatetags.static import static
from django.test import Client

from annotator.static_version import LENGTH, static_version

SCRIPT = "site/pages/site.js"
TYPESCRIPT = settings.BASE_DIR / "node_modules" / "typescript"


def body(answer: object) -> bytes:
    return b"".join(answer)  # type: ignore[call-overload]


def test_browsers_keep_them_for_good(client: Client) -> None:
    address = static(SCRIPT)
    assert re.fullmatch(rf"/static/[0-9a-f]{{{LENGTH}}}/{SCRIPT}", address)
    answer = client.get(address)
    assert answer.status_code == 200
    assert "immutable" in answer.headers["Cache-Control"]
    assert b"data-nav-toggle" in body(answer)


@pytest.mark.parametrize("path", [f"/static/{SCRIPT}", f"/static/{'0' * LENGTH}/{SCRIPT}"])
def test_under_addresses_of_another_version_they_are_asked_for_again(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "max-age=0, public"
    since = {"If-Modified-Since": answer.headers["Last-Modified"]}
    assert client.get(path, headers=since).status_code == 304


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["nothing.js", "../settings.py", "0123456789ab/nothing.js"])
def test_what_is_not_there_is_not_found(client: Client, path: str) -> None:
    assert client.get(f"/static/{path}").status_code in (302, 404)


@pytest.mark.parametrize("path", [SCRIPT, "site/css/base.css", "vendor/lucide/sprite.svg"])
def test_text_is_sent_in_the_shortest_spelling_that_a_browser_reads(client: Client, path: str) -> None:
    address = static(path)
    plain = client.get(address)
    assert "Content-Encoding" not in plain.headers
    unpacked = {"br": brotli.decompress, "gzip": gzip.decompress}
    sizes = [len(body(plain))]
    for encodings, chosen in (("gzip", "gzip"), ("gzip, deflate, br, zstd", "br")):
        answer = client.get(address, headers={"Accept-Encoding": encodings})
        assert (answer.headers["Content-Encoding"], answer.headers["Vary"]) == (chosen, "Accept-Encoding")
        assert int(answer.headers["Content-Length"]) == len(body(answer))
        assert unpacked[chosen](body(answer)) == body(plain)
        sizes.append(len(body(answer)))
    assert sizes == sorted(sizes, reverse=True)


def test_scripts_and_styles_come_without_comments_unless_somebody_writes_them(client: Client) -> None:
    for path in (SCRIPT, "site/css/base.css"):
        assert len(body(client.get(static(path)))) < 0.9 * (settings.FILES_DIR / "static" / path).stat().st_size
    # What is minified already is left alone.
    htmx = "vendor/htmx/htmx.min.js"
    assert body(client.get(static(htmx))) == (settings.FILES_DIR / "static" / htmx).read_bytes()


# What a script says: its syntax tree, with the text of what has no parts.
SAYS = """
const ts = require("typescript");
const said = (source) => {
  const file = ts.createSourceFile("a.js", source, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const parts = (node) => {
    const inside = [];
    ts.forEachChild(node, (child) => void inside.push(parts(child)));
    return [node.kind, inside.length ? inside : node.getText(file)];
  };
  return JSON.stringify([parts(file), file.parseDiagnostics.length]);
};
const scripts = JSON.parse(require("fs").readFileSync(0, "utf8"));
const changed = Object.entries(scripts).filter(([, [written, sent]]) => said(written) !== said(sent));
console.log(JSON.stringify(changed.map(([name]) => name)));
"""


@pytest.mark.skipif(shutil.which("node") is None or not TYPESCRIPT.is_dir(), reason="Not installed: typescript")
def test_scripts_say_the_same_as_they_are_sent(client: Client) -> None:
    written = {
        str(path.relative_to(folder)): path.read_text()
        for folder in settings.STATICFILES_DIRS
        for path in folder.rglob("*.js")
    }
    assert len(written) > 100
    scripts = {name: [text, body(client.get(static(name))).decode()] for name, text in written.items()}
    # A space that counts, and one that does not.
    scripts["broken"], scripts["sound"] = ["a = `b c`", "a = `bc`"], ["a = `b c`", "a=`b c`"]
    asked = subprocess.run(
        ["node", "-e", SAYS],
        input=json.dumps(scripts),
        capture_output=True,
        text=True,
        check=True,
        cwd=settings.BASE_DIR,
    )
    assert json.loads(asked.stdout) == ["broken"]


def test_a_packed_file_is_sent_whole_and_carries_no_headers_of_pages(client: Client) -> None:
    answer = client.get(static(SCRIPT), headers={"Accept-Encoding": "br", "Range": "bytes=0-9"})
    assert (answer.status_code, len(body(answer))) == (200, int(answer.headers["Content-Length"]))
    kept = {"Content-Type", "Cache-Control", "Content-Length", "Content-Encoding", "Vary", "X-Content-Type-Options"}
    assert set(answer.headers) == kept
    documents = client.get(static("drf_spectacular_sidecar/swagger-ui-dist/oauth2-redirect.html"))
    assert "default-src 'self'" in documents.headers["Content-Security-Policy"]


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
