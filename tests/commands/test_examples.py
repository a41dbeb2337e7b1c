"""The examples of the documentation, run as people run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.forks import ROOT
from tests.site import Site

EXAMPLES = ROOT / "docs" / "examples"
NOTEBOOK = EXAMPLES / "gold.ipynb"
PASSWORD = "correct horse battery"
# Metaphors, labelled tokens and tokens of the files, counted by hand.
BY_HAND = {"es": (6, 6, 53), "en": (6, 6, 51)}


@dataclass(frozen=True)
class Run:
    """What the script printed, the release that it downloaded, and what the site has of the project."""

    said: str
    release: Path
    gold: int


def run(arguments: list[object], **env: str) -> str:
    """What a program of Python prints, run in the folder of the examples or the one that `cwd` names."""
    cwd = env.pop("cwd", str(EXAMPLES))
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **env},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def make_people(site: Site) -> None:
    """Two accounts, of which the first can create projects."""
    site.python(
        "from django.contrib.auth.hashers import make_password\nfrom annotator.models import User\n"
        f"password = make_password({PASSWORD!r}, hasher='pbkdf2_sha256')\n"
        "User.objects.create(username='ana', password=password, creates_projects=True)\n"
        "User.objects.create(username='ben', password=password)"
    )


def token_of(address: str, username: str) -> str:
    """A token, as a program gets one."""
    body = json.dumps({"username": username, "password": PASSWORD}).encode()
    request = urllib.request.Request(  # noqa: S310 -- a server of our own
        f"{address}/api/v1/token/", data=body, headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 -- as above
        return str(json.load(answer)["token"])


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("example")
    site = Site(folder / "site")
    (site.folder / migrated_file.name).write_bytes(migrated_file.read_bytes())
    try:
        make_people(site)
        site.worker()
        with site.served() as address:
            script = [EXAMPLES / "from_import_to_gold.py", address, "ben"]
            said = run(script, TRANSLATIO_TOKEN=token_of(address, "ana"), cwd=str(folder))
        yield Run(said, folder / "release.zip", site.value("SELECT COUNT(*) FROM annotator_gold"))
    finally:
        site.stop()


def test_the_script_goes_from_import_to_gold(ran: Run) -> None:
    lines = ran.said.splitlines()

    assert lines[:4] == ["es: kappa 0.8987", "en: kappa 0.8982", "es: 7 agreed, 1 by rule", "en: 7 agreed, 1 by rule"]
    for line in lines[-2:]:
        language, sentences, tokens, metaphors, labelled, share = line.split()
        assert (int(metaphors), int(labelled), int(tokens)) == BY_HAND[language]
        assert (sentences, share) == ("8", f"{int(labelled) / int(tokens):.4f}")
    with zipfile.ZipFile(ran.release) as packed:
        released = packed.read("sentences.jsonl").splitlines()
    assert len(released) == ran.gold == 16


def test_without_a_token_that_is_valid_the_script_says_what_the_site_answers(site: Site, tmp_path: Path) -> None:
    with site.served() as address:
        done = subprocess.run(
            [sys.executable, str(EXAMPLES / "from_import_to_gold.py"), address, "ben"],
            cwd=tmp_path,
            env={**os.environ, "TRANSLATIO_TOKEN": "none"},
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )

    assert done.returncode == 1
    assert "401" in done.stderr
    assert "Traceback" not in done.stderr
    assert site.value("SELECT COUNT(*) FROM annotator_project") == 0


def test_the_notebook_counts_the_same(ran: Run, tmp_path: Path) -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    told = (
        "print(json.dumps([table.reset_index().values.tolist(), agreement['kappa'].round(4).tolist(),"
        " people.shape, words.sum().item(), chart.to_html()]))"
    )
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    with zipfile.ZipFile(ran.release) as packed:
        packed.extractall(tmp_path)

    table, kappa, people, words, chart = json.loads(run(["-c", "\n".join([*code, told])], RELEASE=str(tmp_path)))

    assert {row[0]: (row[3], row[4], row[2]) for row in table} == BY_HAND
    assert sorted(kappa) == [0.8982, 0.8987]
    assert (people, words) == ([2, 4], 12)
    assert "linear-gradient" in chart


def test_the_notebook_is_one_and_stores_no_output() -> None:
    found = json.loads(NOTEBOOK.read_text("utf-8"))

    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    assert found.keys() == {"cells", "metadata", "nbformat", "nbformat_minor"}
    ids = [cell["id"] for cell in found["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in found["cells"]:
        extra = {"outputs", "execution_count"} if cell["cell_type"] == "code" else set()
        assert cell.keys() == {"cell_type", "id", "metadata", "source"} | extra
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
