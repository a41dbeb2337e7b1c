"""The rail: from each page of a project any other one, for those who may open it."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.core.access import project_for
from annotator.domain.states import ItemState
from annotator.models import Item, Project, Role, Stage, User
from annotator.templatetags import rail as rail_module
from annotator.templatetags.rail import rail_of
from annotator.work.queue.queries import progress
from tests.factories import make_assignment, make_item, make_member, make_project, make_sentence, stage_of

pytestmark = pytest.mark.django_db

NAV = re.compile(r'<nav class="rail".*?</nav>', re.DOTALL)
LINK = re.compile(r'href="(/projects/[^"]+)"')


@pytest.fixture
def project() -> Project:
    made = make_project("letters")
    make_sentence(made)
    return made


def rail(client: Client, address: str, *, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, address
    found = NAV.search(answer.content.decode())
    return found[0] if found else ""


def links(text: str) -> list[str]:
    return LINK.findall(text)


def urls(project: Project, *names: str) -> set[str]:
    return {reverse(name, args=[project.slug]) for name in names}


def stages_of(project: Project) -> set[str]:
    return {reverse("work", args=[project.slug, stage.pk]) for stage in project.stages.all()}


EVERYBODY = ("project", "find", "guidelines")
OVERSEEING = ("splits", "releases", "agreement", "reports", "map", "members")
MANAGING = ("import", "settings")


@pytest.mark.parametrize(
    ("role", "pages"),
    [
        (Role.ANNOTATOR, EVERYBODY),
        (Role.ADJUDICATOR, EVERYBODY + OVERSEEING),
        (Role.MANAGER, EVERYBODY + OVERSEEING + MANAGING),
    ],
)
def test_each_page_leads_to_each_other_one(
    client: Client, project: Project, role: Role, pages: tuple[str, ...]
) -> None:
    client.force_login(make_member(project, role))
    work = stages_of(project)
    if role == Role.ANNOTATOR:
        work = {
            reverse("work", args=[project.slug, stage.pk]) for stage in project.stages.exclude(kind=Stage.ADJUDICATE)
        }
    expected = urls(project, *pages) | work

    for address in expected:
        text = rail(client, address)
        assert set(links(text)) == expected, address
        assert text.count('aria-current="page"') == 1
        assert f'href="{address}"' in text[: text.index('aria-current="page"')]


def test_a_stage_of_another_language_is_not_offered(client: Client, project: Project) -> None:
    ana = make_member(project)
    ana.memberships.update(languages=["es"])
    client.force_login(ana)

    text = rail(client, reverse("find", args=[project.slug]))

    english = {reverse("work", args=[project.slug, stage.pk]) for stage in project.stages.filter(language="en")}
    assert english and not english & set(links(text))


def test_pages_about_one_thing_belong_to_their_section(client: Client, project: Project) -> None:
    client.force_login(make_member(project, Role.MANAGER))
    stage = stage_of(project, "correct")
    pages = {
        reverse("items", args=[project.slug, stage.pk]): reverse("work", args=[project.slug, stage.pk]),
        reverse("archives", args=[project.slug]): reverse("settings", args=[project.slug]),
    }
    for address, section in pages.items():
        text = rail(client, address)
        assert links(text[: text.index('aria-current="page"')])[-1] == section


def test_what_is_left_is_what_the_overview_says(client: Client, project: Project) -> None:
    stage, ana = stage_of(project, "correct"), make_member(project)
    for done in (True, False, False):
        make_assignment(make_sentence(project), ana, stage, done=done)
    client.force_login(ana)

    page = client.get(reverse("project", args=[project.slug])).content.decode()

    found = NAV.search(page)
    assert found and "</span>3</span>" in found[0]
    assert "3 left" in page


def test_what_waits_for_a_decision_is_counted_for_those_who_decide(
    client: Client, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = project.stages.get(kind=Stage.ADJUDICATE, language="es", layer=project.label_layer)
    for _waits in range(2):
        make_item(make_sentence(project), stage)
    Item.objects.filter(pk=make_item(make_sentence(project), stage).pk).update(state=ItemState.DECIDED)

    def shown(user: User) -> list[str]:
        client.force_login(user)
        text = rail(client, reverse("find", args=[project.slug]))
        entry = text.partition(reverse("work", args=[project.slug, stage.pk]))[2].partition("</a>")[0]
        return re.findall(r"</span>([\d,+]+)</span>", entry)

    adela = make_member(project, Role.ADJUDICATOR)
    assert shown(adela) == ["2"]
    assert shown(make_member(project)) == []
    # Beyond a limit it is not counted on, so that a page costs the same.
    for module in (progress, rail_module):
        monkeypatch.setattr(module, "MAX_WAITING", 1)
    assert shown(adela) == ["1+"]


@pytest.mark.parametrize(
    ("address", "status"),
    [("/projects/letters/jobs/99999/", 404), ("/projects/letters/nowhere/", 404), ("/projects/letters/settings/", 403)],
)
def test_refusals_inside_a_project_keep_it(client: Client, project: Project, address: str, status: int) -> None:
    client.force_login(make_member(project))

    assert urls(project, *EVERYBODY) <= set(links(rail(client, address, status=status)))


def test_an_outsider_is_told_nothing_of_the_project(client: Client, project: Project) -> None:
    client.force_login(User.objects.create_user("nobody"))
    answer = client.get(reverse("find", args=[project.slug]))

    assert answer.status_code == 404
    assert "breadcrumb" not in answer.content.decode()
    assert not NAV.search(answer.content.decode())


def test_it_costs_three_statements(project: Project) -> None:
    access = project_for(make_member(project, Role.MANAGER), project.slug)
    with CaptureQueriesContext(connection) as asked:
        rail_of(access, "find")
    assert len(asked) == 3
