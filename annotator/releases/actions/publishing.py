"""Depositing a release in a repository that speaks Zenodo's API, with the token of the person who does it.

The token is sent to the repository and kept nowhere.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from http.client import HTTPException
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.files.storage import site_files
from annotator.domain.verbs import Verb
from annotator.models import Release
from annotator.releases.card import authors_of
from annotator.releases.queries.dataset import CITATION, LICENCE, README

ZENODO = "https://zenodo.org/api"
_TIMEOUT = 120
# Shown beside the zip, so that nobody has to unpack it to know what it is.
_BESIDE = (README, LICENCE, CITATION)
_LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Deposit:
    """A deposit of a release: its page, and its present or future DOI."""

    page: str
    doi: str
    published: bool


def deposit_release(*, release: Release, token: str, address: str = ZENODO, publish: bool = False) -> Deposit:
    """Upload a release with its metadata; a draft, unless `publish`, which cannot be undone.

    Raises ActionError where the card lacks authors, and for what the repository refuses.
    """
    check_authors(release)
    metadata = _metadata(release)
    repository = _Repository(address, token)
    made = repository.json("POST", "/deposit/depositions", {})
    try:
        number, bucket = int(made["id"]), str(made["links"]["bucket"])
    except (KeyError, TypeError, ValueError) as error:
        raise ActionError(_("This address does not answer as Zenodo does. Check it.")) from error
    with site_files().open(release.stored) as file:
        repository.upload(bucket, release.file_name, file, release.size)
        with zipfile.ZipFile(file) as packed:
            for name in _BESIDE:
                if name in packed.namelist():
                    with packed.open(name) as content:
                        repository.upload(bucket, name, content, packed.getinfo(name).file_size)
    stored = repository.json("PUT", f"/deposit/depositions/{number}", {"metadata": metadata})
    if publish:
        stored = repository.json("POST", f"/deposit/depositions/{number}/actions/publish", {})
    doi = stored.get("doi") or stored.get("metadata", {}).get("prereserve_doi", {}).get("doi", "")
    page = str(stored.get("links", {}).get("html", ""))
    log_publishing(release, page, doi=str(doi), published=publish)
    return Deposit(page, str(doi), publish)


def check_authors(release: Release) -> None:
    """Raises ActionError for a release whose card names no authors."""
    if not authors_of(release.manifest.get("project", {}).get("dataset_card", {})):
        raise ActionError(
            _("Release %(number)d names no authors. Fill in the dataset card and create another release.")
            % {"number": release.number}
        )


def check_address(address: str) -> None:
    """Raises ActionError for an address at which others can read the token."""
    url = urlsplit(address)
    if url.scheme != "https" and not (url.scheme == "http" and url.hostname in _LOCAL):
        raise ActionError(_("The address of a repository must begin with https://, or others can read the token."))


@transaction.atomic
def log_publishing(release: Release, page: str, *, published: bool, doi: str = "") -> None:
    """Log where a release is now, whether anybody can see it there yet or not."""
    after = {"number": release.number, "page": page, "published": published, **({"doi": doi} if doi else {})}
    log(project=release.project, actor=None, verb=Verb.RELEASE_PUBLISHED, subject=release, after=after)


def _metadata(release: Release) -> dict[str, Any]:
    """The metadata of the release, in the fields of Zenodo."""
    about = release.manifest.get("project", {})
    card: Mapping[str, Any] = about.get("dataset_card", {})
    creators = [
        {
            "name": ", ".join(filter(None, (author.family, author.given))),
            **({"affiliation": author.affiliation} if author.affiliation else {}),
            **({"orcid": author.orcid} if author.orcid else {}),
        }
        for author in authors_of(card)
    ]
    title = card.get("title") or about.get("name") or release.project.name
    described = release.project.description_in("en") or title
    return {
        "title": title,
        "upload_type": "dataset",
        "description": f"<p>{escape(described)}</p>",
        "creators": creators,
        "version": str(release.number),
        "language": about.get("languages", [""])[0],
        "prereserve_doi": True,
        **({"license": card["licence_labels"].lower()} if card.get("licence_labels") else {}),
        **({"doi": card["doi"]} if card.get("doi") else {}),
    }


class _Repository:
    """Requests to a repository, under a token."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = address.rstrip("/"), token
        check_address(self._address)

    def json(self, method: str, path: str, value: Mapping[str, Any]) -> dict[str, Any]:
        answer = self._ask(method, self._address + path, json.dumps(value).encode(), "application/json")
        try:
            found = json.loads(answer)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise ActionError(_("This address does not answer as Zenodo does. Check it."))
        return found

    def upload(self, bucket: str, name: str, content: IO[bytes], size: int) -> None:
        check_address(bucket)
        if urlsplit(bucket).hostname != urlsplit(self._address).hostname:
            # Nobody else gets the token.
            raise ActionError(_("This address does not answer as Zenodo does. Check it."))
        self._ask("PUT", f"{bucket}/{quote(name)}", content, "application/octet-stream", size)

    def _ask(self, method: str, url: str, data: Any, content_type: str, size: int | None = None) -> bytes:
        request = Request(url, data=data, headers={"Content-Type": content_type}, method=method)  # noqa: S310 -- checked
        # Not sent on where the repository leads to another one.
        request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        if size is not None:
            request.add_header("Content-Length", str(size))
        try:
            with urlopen(request, timeout=_TIMEOUT) as answer:  # noqa: S310 -- checked
                found: bytes = answer.read()
                return found
        except HTTPError as error:
            if error.code in (401, 403):
                raise ActionError(
                    _("The repository refused the token. Create one that may write and publish deposits.")
                ) from error
            said = error.read(500).decode(errors="replace")
            raise ActionError(
                _("The repository answered with error %(code)d: %(said)s") % {"code": error.code, "said": said}
            ) from error
        except (URLError, HTTPException, OSError) as error:
            raise ActionError(_("The repository cannot be reached: %(why)s") % {"why": error}) from error
