"""Every page and answer of a project that can be asked for without changing it, as a member and as a site admin."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from django.test import Client
from django.urls import URLPattern, reverse
from rest_framework.test import APIClient

from annotator.core.kind import kinds
from annotator.models import Membership, Project, Role, User
from annotator.page_urls import urlpatterns
from api.v1 import urls as api_urls

# Rows of each sort whose pages are asked for.
SOME = 2


def values_of(project: Project) -> dict[str, list[Any]]:
    """By name in an address, what may stand there for the project."""
    some = {
        "stage": project.stages,
        "job": project.jobs,
        "imported": project.imports,
        "segment": project.slots,
        "unit": project.units,
        "annotation": project.annotations,
        "archive": project.archives,
    }
    found: dict[str, list[Any]] = {name: list(rows.values_list("pk", flat=True)) for name, rows in some.items()}
    found = {name: values[:SOME] for name, values in found.items()}
    # One of each kind.
    found["stage"] = list({kind: pk for pk, kind in project.stages.values_list("pk", "kind")}.values())
    found["tag"] = list(project.languages)
    found["layer"] = list(project.layers.values_list("slug", flat=True))
    found["number"] = list(project.releases.values_list("number", flat=True))
    found["person"] = list(project.memberships.values_list("user", flat=True))[:SOME]
    found["kind"] = ["detection", "projection", "corrections", "interpretation"]
    return found


def addresses(project: Project) -> Iterator[str]:
    """The pages of the project, and of the site where it is named."""
    yield reverse("projects")
    known = values_of(project)
    for pattern in urlpatterns:
        yield from _of(pattern, "", known, project)


def api_addresses(project: Project) -> Iterator[str]:
    """The calls that read."""
    known = values_of(project)
    for pattern in api_urls.project:
        if isinstance(pattern, URLPattern) and hasattr(pattern.callback.view_class, "get"):  # type: ignore[union-attr]
            yield from _of(pattern, "api:", known, project)


def _of(pattern: URLPattern, space: str, known: dict[str, list[Any]], project: Project) -> Iterator[str]:
    names = set(pattern.pattern.converters) - {"slug"}
    if not pattern.name or (space == "" and "slug" not in pattern.pattern.converters) or not names <= known.keys():
        return
    for values in itertools.product(*(known[name] for name in sorted(names))):
        yield reverse(
            f"{space}{pattern.name}", kwargs={"slug": project.slug, **dict(zip(sorted(names), values, strict=True))}
        )


def member_of(project: Project) -> User:
    """Somebody new with all rights, who claims what there is in each stage."""
    user = User.objects.create(username=f"member-{project.pk}", is_superuser=True, is_staff=True)
    Membership.objects.create(project=project, user=user, role=Role.MANAGER)
    return user


def faults(project: Project) -> list[str]:
    """What answers with a fault of the server, in words."""
    user = member_of(project)
    browser, client = Client(raise_request_exception=False), APIClient(raise_request_exception=False)
    client.default_format = "json"
    browser.force_login(user)
    client.force_login(user)
    found = []

    def look(address: str, response: Any) -> None:
        # A page may lead elsewhere, or have nothing; nobody is sent to sign in.
        if response.status_code >= 500 or response.status_code in (401, 403):
            said = getattr(response, "exc_info", None)
            found.append(f"{address}: {said[1]!r}" if said else address)
        elif response.streaming:
            b"".join(response)

    for address in addresses(project):
        look(address, browser.get(address))
    for address in api_addresses(project):
        look(address, client.get(address))
    works = {kind.slug for kind in kinds()}
    for stage in project.stages.all():
        if stage.kind in works:
            address = reverse("api:claim", kwargs={"slug": project.slug, "stage": stage.pk})
            look(address, client.post(address, {"count": 5}))
        look(address, browser.get(reverse("work", args=[project.slug, stage.pk])))
    return found
