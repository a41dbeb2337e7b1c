from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.models import Job, JobKind, Membership, Project, Role
from tests.factories import make_gold, make_member, make_project, make_sentence, make_user

pytestmark = pytest.mark.django_db
NEW = {"name": "Metàfora ca–es", "source": "català (ca)", "targets": ["espanyol", ""], "start": "metaphor-parallel"}


def test_people_see_their_own_projects_with_role_and_progress(client: Client) -> None:
    mine, other = make_project("mine"), make_project("other-effort")
    make_gold(make_sentence(mine))
    make_sentence(mine)
    make_member(other)
    client.force_login(make_member(mine, Role.ADJUDICATOR))

    page = client.get(reverse("projects")).content.decode()

    assert "mine" in page
    assert "Adjudicator" in page
    assert "1 / 2" in page
    assert "other-effort" not in page


def test_the_menu_lists_ones_own_projects_at_work_alone(client: Client) -> None:
    old, own, _other = make_project("old-one"), make_project("own"), make_project("of-others")
    Project.objects.filter(pk=old.pk).update(archived_at=timezone.now())
    user = make_member(old)
    Membership.objects.create(project=own, user=user, role=Role.ANNOTATOR)
    client.force_login(user)
    answer = client.get(reverse("projects"), headers={"HX-Request": "true"})
    assert answer.content.decode().count("<a ") == 1
    assert reverse("project", args=["own"]) in answer.content.decode()
    assert "HX-Request" in answer.headers["Vary"]


def test_archived_projects_stand_apart_and_deleted_ones_are_for_managers(client: Client) -> None:
    old, gone = make_project("old-one"), make_project("going")
    Project.objects.filter(pk=old.pk).update(archived_at=timezone.now())
    Project.objects.filter(pk=gone.pk).update(deleting_at=timezone.now())
    Job.objects.create(project=gone, kind=JobKind.DELETE, state="failed", error="The disk is full.")
    user = make_member(old)
    client.force_login(user)
    page = client.get(reverse("projects")).content.decode()
    assert "1 archived project" in page
    assert "old-one" in page
    assert "going" not in page

    client.force_login(make_member(gone, Role.MANAGER))
    page = client.get(reverse("projects")).content.decode()
    assert "The disk is full." in page
    assert client.get(reverse("project", args=["going"])).status_code == 404
    assert client.post(reverse("project-delete-again", args=["going"])).status_code == 302
    assert Job.objects.get().state == "queued"


def test_who_is_in_no_project_reads_what_to_do(client: Client, settings: Any) -> None:
    settings.PROJECT_CREATORS = "chosen"
    client.force_login(make_user("lola"))

    page = client.get(reverse("projects")).content.decode()

    assert "sk the manager of a project to add you" in page
    assert "lola" in page
    assert "New project" not in page


def test_everybody_with_an_account_creates_a_project_and_manages_it(client: Client) -> None:
    ana = make_user()
    client.force_login(ana)

    response = client.post(reverse("new-project"), NEW)

    project = Project.objects.get()
    assert response.headers["Location"] == reverse("project", args=[project.slug])
    assert (project.name, project.slug, project.languages) == ("Metàfora ca–es", "metafora-ca-es", ["ca", "es"])
    assert project.memberships.get().user == ana
    assert project.memberships.get().role == Role.MANAGER
    page = client.get(response.headers["Location"]).content.decode()
    assert "Import your own files" in page
    assert "Spanish and English" not in project.guidelines["en"]


def test_what_is_chosen_differs_from_what_the_start_brings(client: Client) -> None:
    client.force_login(make_user())
    chosen = {"choices_of": "labels", "texts": "pairs", "labels": "IRONY\nHUMOUR", "steps": ["twice", "pair-tag"]}

    client.post(reverse("new-project"), NEW | {"start": "labels", "targets": [], "slug": "irony"} | chosen)

    project = Project.objects.get(slug="irony")
    assert project.scheme.labels == ("IRONY", "HUMOUR")
    assert [(s.kind, s.mode, s.answers_wanted) for s in project.stages.all()] == [
        ("correct", "blind", 2),
        ("pair-tag", "review", 1),
    ]


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"name": ""}, "This field is required"),
        ({"source": "Nolanguage"}, "Unknown language"),
        ({"targets": ["ca"]}, "Each language can be listed only once"),
        ({"start": "unknown"}, "Choose a template or a project to copy"),
        ({"slug": "letters"}, "A project “letters” already exists"),
        ({"slug": "new"}, "A project “new” already exists"),
        ({"choices_of": "metaphor-parallel", "labels": "O"}, "A label must not be O"),
    ],
)
def test_mistakes_are_said_and_what_was_typed_stays(client: Client, sent: dict[str, Any], says: str) -> None:
    make_project("letters")
    client.force_login(make_user())

    response = client.post(reverse("new-project"), NEW | sent)

    assert response.status_code == 422
    assert says in response.content.decode()
    assert Project.objects.count() == 1


def test_the_picture_follows_what_is_chosen(client: Client) -> None:
    client.force_login(make_user())

    def picture(**sent: Any) -> str:
        query = {"source": "ca", "targets": ["es"], "start": "labels", "choices_of": "labels", **sent}
        return client.get(reverse("new-project"), query, headers={"HX-Request": "true"}).content.decode()

    assert "Catalan (ca)" in picture()
    assert "Review projections" not in picture(texts="sentences")
    assert "Review projections →" not in picture(texts="parallel", steps=["adjudicate"])
    assert "Label the rest" in picture(texts="parallel", steps=["project-review"])
    assert "by two people, blind" in picture(steps=["twice"])
    assert "Label the rest" in picture(start="metaphor-parallel")


def test_where_people_are_chosen_others_create_none(client: Client, settings: Any) -> None:
    settings.PROJECT_CREATORS = "chosen"
    user = make_user()
    client.force_login(user)
    assert client.post(reverse("new-project"), NEW).status_code == 403
    assert not Project.objects.exists()

    user.creates_projects = True
    user.save()
    assert client.post(reverse("new-project"), NEW).status_code == 302


def test_site_admins_create_projects_wherever(client: Client, settings: Any) -> None:
    settings.PROJECT_CREATORS = "chosen"
    client.force_login(make_user(superuser=True))

    assert client.post(reverse("new-project"), NEW).status_code == 302


def test_a_project_of_mine_is_copied(client: Client) -> None:
    mine, other = make_project("mine"), make_project("other")
    user = make_member(mine, Role.MANAGER)
    client.force_login(user)

    sent = {"name": "Second", "start": "copy:other"}
    assert client.post(reverse("new-project"), sent).status_code == 422
    assert client.post(reverse("new-project"), sent | {"start": "copy:mine"}).status_code == 302

    made = Project.objects.get(slug="second")
    assert made.languages == mine.languages
    assert made.stages.count() == mine.stages.count() == other.stages.count()


def test_a_new_project_can_be_a_copy_with_the_texts(client: Client) -> None:
    project = make_project("letters")
    client.force_login(make_member(project, Role.MANAGER))

    client.post(reverse("new-project"), {"name": "Again", "start": "copy:letters", "with_texts": "on"})

    job = Project.objects.get(slug="again").jobs.get()
    assert (job.kind, job.params) == (JobKind.COPY, {"from": project.pk})
