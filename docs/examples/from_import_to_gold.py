"""From import to gold in pandas: python from_import_to_gold.py ADDRESS COLLEAGUE

It creates a project, imports two parallel files with the answers of two people, computes their agreement, makes gold,
makes a release, downloads it to `release.zip` and counts what is in it. ADDRESS is that of the site, COLLEAGUE the
username of somebody who has an account there. The environment variable TRANSLATIO_TOKEN has your token. You need
pandas, and the site a worker.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd

FILES = sorted((Path(__file__).parent / "files").glob("news.*.jsonl"))


class Site:
    """The API of a site, as the owner of a token."""

    def __init__(self, address: str, token: str) -> None:
        self.base = f"{address.rstrip('/')}/api/v1/"
        self.token = token

    def call(self, method: str, path: str, body: bytes | None = None, content_type: str = "") -> bytes:
        headers = {"Authorization": f"Token {self.token}", "Content-Type": content_type}
        request = urllib.request.Request(self.base + path, data=body, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}") from None

    def get(self, path: str) -> Any:
        return json.loads(self.call("GET", path))

    def send(self, method: str, path: str, **data: Any) -> Any:
        return json.loads(self.call(method, path, json.dumps(data).encode(), "application/json"))

    def upload(self, path: str, files: list[Path]) -> Any:
        """Send files as a form does."""
        boundary = uuid.uuid4().hex
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="files"; filename="{file.name}"\r\n\r\n'.encode()
            + file.read_bytes()
            for file in files
        ]
        body = b"\r\n".join([*parts, f"--{boundary}--\r\n".encode()])
        return json.loads(self.call("POST", path, body, f"multipart/form-data; boundary={boundary}"))

    def wait(self, project: str, job: dict[str, Any]) -> dict[str, Any]:
        """Follow a job to its end."""
        while job["state"] in ("queued", "running"):
            time.sleep(0.5)
            job = self.get(f"{project}jobs/{job['id']}/")
        if job["state"] != "done":
            raise SystemExit(f"{job['name']}: {job['error'] or job['state']}")
        return job


def create_project(site: Site, colleague: str) -> str:
    """A project for Spanish and English with both people in it. Returns its address."""
    name = f"News {uuid.uuid4().hex[:8]}"
    made = site.send("POST", "projects/", name=name, languages=["es", "en"], start="parallel", labels=["METAPHOR"])
    project = f"projects/{made['slug']}/"
    site.send("POST", f"{project}members/", username=colleague)
    return project


def import_answers(site: Site, project: str, people: dict[str, str]) -> None:
    """Import the files. `people` says who the people named in them are here."""
    draft = f"{project}imports/drafts/{site.send('POST', f'{project}imports/drafts/', dataset='news')['id']}/"
    site.upload(f"{draft}files/", FILES)
    site.send("PATCH", draft, labels_as="file", people=people, licence="CC0-1.0", publishable=True)
    preview = site.get(f"{draft}preview/")
    if not preview["ready"]:
        raise SystemExit(f"The files cannot be imported: {preview['problems']}")
    site.wait(project, site.send("POST", f"{draft}start/"))


def agreement(site: Site, project: str, people: list[str], language: str) -> float:
    """Cohen's kappa over tokens."""
    query = f"?a={people[0]}&b={people[1]}&layer=tokens&language={language}"
    return site.get(f"{project}agreement/{query}")["rows"][-1]["kappa"]


def make_gold(site: Site, project: str, person: int) -> None:
    """Accept what both agree on, in each language. For the rest, take one person's answers, which is a rule that the
    release names; people can decide these items instead."""
    for stage in site.get(project)["stages"]:
        if stage["kind"] == "adjudicate":
            accept = f"{project}stages/{stage['id']}/accept/"
            # Both people saw the same files, so there is no blind sample to wait for.
            agreed = site.send("POST", accept, without_overlap=True)["accepted"]
            rest = site.send("POST", accept, without_overlap=True, rule="person", person=person)["accepted"]
            print(f"{stage['language']}: {agreed} agreed, {rest} by rule")


def release(site: Site, project: str) -> bytes:
    """A release, from its job to its file."""
    job = site.wait(project, site.send("POST", f"{project}jobs/", kind="release"))
    return site.call("GET", f"{project}releases/{job['result']['number']}/file/")


def sentences(packed: zipfile.ZipFile) -> pd.DataFrame:
    """The sentences with gold, one a row."""
    with packed.open("sentences.jsonl") as file:
        return pd.read_json(file, lines=True, dtype=False)


def metaphors(gold: pd.DataFrame) -> pd.DataFrame:
    """By language: sentences, tokens, metaphors, labelled tokens and their share."""
    labelled = gold["spans"].map(lambda spans: len({token for span in spans for token in span["tokens"]}))
    table = (
        gold.assign(sentences=1, tokens=gold["tokens"].str.len(), metaphors=gold["spans"].str.len(), labelled=labelled)
        .groupby("language")[["sentences", "tokens", "metaphors", "labelled"]]
        .sum()
    )
    return table.assign(share=(table["labelled"] / table["tokens"]).round(4))


def main(address: str, colleague: str) -> None:
    site = Site(address, os.environ["TRANSLATIO_TOKEN"])
    project = create_project(site, colleague)
    me = next(row for row in site.get(f"{project}members/")["members"] if row["role"] == "manager")
    import_answers(site, project, {"first": me["username"], "second": colleague})
    for language in ("es", "en"):
        print(f"{language}: kappa {agreement(site, project, [me['username'], colleague], language):.4f}")
    make_gold(site, project, me["id"])
    content = release(site, project)
    Path("release.zip").write_bytes(content)
    print(metaphors(sentences(zipfile.ZipFile(io.BytesIO(content)))).to_string())


if __name__ == "__main__":
    main(*sys.argv[1:])
