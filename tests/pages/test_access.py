"""Every page, asked for by everybody. A new URL fails here until its line is in PAGES."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotator.core.permissions import GRANTS, Permission
from annotator.domain.labels.shipped_schemes import conceptual_domains
from annotator.imports.drafts.drafts import preview_draft
from annotator.models import ArchiveUpload, Import, Job, JobKind, JobState, Membership, Project, Role, User
from annotator.page_urls import urlpatterns
from annotator.projects.actions.invitations import invite
from tests.comparisons.making import stored_comparison
from tests.drafts import draft_of
from tests.factories import (
    make_annotation,
    make_archive,
    make_assignment,
    make_gold,
    make_label_layer,
    make_member,
    make_project,
    make_release,
    make_sentence,
    make_study,
    make_user,
    make_webhook,
    span,
    stage_of,
)
from tests.pages.test_cost import fill
from tests.splits.making import stored_split

pytestmark = pytest.mark.django_db

PUBLIC, SIGNED_IN, RESTORER, SITE_ADMIN = "public", "signed in", "restorer", "site admin"
OUTSIDER, ADMIN = "outsider", "admin"
FOLDERS = ("uploads", "releases", "archives")


@dataclass(frozen=True)
class World:
    project: Project
    job: Job
    other: Membership
    upload: ArchiveUpload
    sessions: dict[str, str]

    def kwargs(self, names: set[str]) -> dict[str, Any]:
        known: dict[str, Callable[[], Any]] = {
            "slug": lambda: self.project.slug,
            "stage": lambda: stage_of(self.project, "correct").pk,
            "job": lambda: self.job.pk,
            "number": lambda: 1,
            "member": lambda: self.other.pk,
            "kind": lambda: "detection",
            "tag": lambda: "es",
            "layer": lambda: "domains",
            "imported": lambda: self.project.imports.get().pk,
            "draft": lambda: self.project.import_drafts.get().pk,
            "file": lambda: 1,
            "person": lambda: self.other.user_id,
            "segment": lambda: self.project.slots.order_by("pk").values_list("pk", flat=True)[0],
            "pair": lambda: 1,
            "unit": lambda: self.project.units.order_by("pk").values_list("pk", flat=True)[0],
            "annotation": lambda: self.project.annotations.get().pk,
            "answer": lambda: self.project.annotations.get().pk,
            "invitation": lambda: self.project.invitations.get().pk,
            "study": lambda: self.project.agreement_studies.get().pk,
            "archive": lambda: self.project.archives.get().pk,
            "comparison": lambda: self.project.comparisons.get().pk,
            "split": lambda: self.project.splits.get().pk,
            "hook": lambda: self.project.webhooks.get().pk,
            "api_token": lambda: 1,
            "picture": lambda: f"{0:032x}.png",
            "key": lambda: self.upload.key,
            "name": lambda: "managers",
        }
        return {name: known[name]() for name in names}


@dataclass(frozen=True)
class Page:
    """`needs`: PUBLIC, SIGNED_IN or a permission; `method`; what those who may get: `shows`, or `status`."""

    needs: str
    shows: str = ""
    method: str = "get"
    status: int = 200


VIEW, ANNOTATE, ADJUDICATE, MANAGE = Permission.VIEW, Permission.ANNOTATE, Permission.ADJUDICATE, Permission.MANAGE
PAGES = {
    "projects": Page(SIGNED_IN, "Projects"),
    "new-project": Page(SIGNED_IN, "New project"),
    "help": Page(SIGNED_IN, "For annotators"),
    "help-page": Page(SIGNED_IN, "For managers"),
    "styleguide": Page(SITE_ADMIN, "Style guide"),
    "restore": Page(RESTORER, "Restore a project backup"),
    "restore-upload": Page(RESTORER, "Contents of the backup"),
    "restore-cancel": Page(SIGNED_IN, method="post", status=302),
    "archives": Page(MANAGE, "New project backup"),
    "archive-start": Page(MANAGE, method="post", status=302),
    "archive-download": Page(MANAGE),
    "archive-delete": Page(MANAGE, method="post", status=302),
    "project-delete-again": Page(SIGNED_IN, method="post", status=404),
    "sign-in": Page(PUBLIC, "Sign in"),
    "sign-out": Page(SIGNED_IN, method="post", status=302),
    "password": Page(SIGNED_IN, "Change password"),
    "account_reset_password": Page(PUBLIC),
    "account_reset_password_done": Page(PUBLIC),
    "account_reset_password_from_key": Page(PUBLIC),
    "account_inactive": Page(PUBLIC),
    "account": Page(SIGNED_IN, "Name and email"),
    "tokens": Page(SIGNED_IN, "New token"),
    "token-revoke": Page(SIGNED_IN, method="post", status=404),
    "register": Page(PUBLIC),
    "invitation": Page(PUBLIC),
    "project": Page(VIEW, "Next for you"),
    "source-changed": Page(VIEW, "Items whose source changed"),
    "left-texts": Page(MANAGE, "No texts are waiting from writers who have left"),
    "left-text-hand-over": Page(MANAGE, method="post", status=302),
    "left-text-give-up": Page(MANAGE, method="post", status=302),
    "work": Page(ANNOTATE),
    # Nobody has one to solve in these stages.
    "trial": Page(ANNOTATE, status=302),
    # Nobody is trained in them either; with a batch: tests/work/test_training.py.
    "training": Page(ANNOTATE, "You can work in this stage."),
    "training-work": Page(ANNOTATE, status=302),
    "training-finish": Page(ANNOTATE, method="post", status=302),
    "settings-training": Page(MANAGE, "Items per batch"),
    "settings-training-people": Page(MANAGE, method="post", status=302),
    "items": Page(ANNOTATE, "My work"),
    "hand-back": Page(ANNOTATE, method="post", status=302),
    "assign": Page(MANAGE, "Which items"),
    "assign-start": Page(MANAGE, method="post", status=302),
    "assign-undo": Page(MANAGE, method="post", status=302),
    "assign-move": Page(MANAGE, method="post", status=302),
    "free": Page(MANAGE, method="post", status=302),
    "find": Page(VIEW, "Sentences"),
    "find-csv": Page(VIEW),
    "find-xlsx": Page(VIEW),
    "find-act": Page(ANNOTATE, method="post", status=302),
    # It is nobody's act.
    "find-undo": Page(ANNOTATE, method="post", status=302),
    "sentence": Page(VIEW, "Stages"),
    # This stage does not adjudicate. What happens in one that does: test_gold_open.py.
    "gold-open": Page(ADJUDICATE, method="post", status=404),
    "agreement": Page(ADJUDICATE, "Nothing to compare yet"),
    # Without a choice; what it lists: test_agreement_words.py.
    "agreement-words": Page(ADJUDICATE, status=302),
    "agreement-compute": Page(ADJUDICATE, method="post", status=302),
    "studies": Page(ADJUDICATE, "Agreement of several people"),
    "study-compute": Page(ADJUDICATE, method="post", status=302),
    "study": Page(ADJUDICATE, "For a paper"),
    "study-csv": Page(ADJUDICATE, "coefficient"),
    "study-json": Page(ADJUDICATE, "results"),
    "study-tex": Page(ADJUDICATE, "tabular"),
    "reports": Page(VIEW, "Corrections"),
    "report": Page(VIEW, "Corrections"),
    "report-csv": Page(VIEW),
    "report-json": Page(VIEW, "[]"),
    "report-tex": Page(VIEW, "tabular"),
    # Of a table whose values lead to none; those that do: tests/protocols/mabl/test_concepts.py.
    "report-sentences": Page(VIEW, "This page does not exist", status=404),
    "map": Page(VIEW, "No map yet"),
    "map-points": Page(VIEW, "points"),
    "map-start": Page(MANAGE, "the project has fewer", method="post", status=422),
    "jobs": Page(VIEW, "Pre-label #"),
    "job": Page(VIEW, "Cause of the failure"),
    "job-cancel": Page(MANAGE, method="post", status=302),
    "report-count": Page(MANAGE, method="post", status=302),
    "job-retry": Page(MANAGE, method="post", status=302),
    "releases": Page(VIEW, "Release 1"),
    "release": Page(VIEW, "Manifest"),
    "release-start": Page(MANAGE, method="post", status=302),
    "release-download": Page(VIEW),
    "exports": Page(MANAGE, "Text only"),
    "export-start": Page(MANAGE, method="post", status=302),
    # This job is none.
    "export-download": Page(MANAGE, status=302),
    "comparisons": Page(ADJUDICATE, "Compare versions"),
    "comparison": Page(ADJUDICATE, "Outcome of the review"),
    "comparison-csv": Page(ADJUDICATE, "other_lemma"),
    "comparison-json": Page(ADJUDICATE, "totals"),
    "comparison-xlsx": Page(ADJUDICATE),
    "splits": Page(ADJUDICATE, "Splits"),
    "split-new": Page(MANAGE, "Import a published split"),
    "split-import": Page(MANAGE, method="post", status=302),
    "split": Page(ADJUDICATE, "Leakage"),
    "split-download": Page(ADJUDICATE, "pair_id"),
    "split-json": Page(ADJUDICATE, "labelled_tokens"),
    "split-csv": Page(ADJUDICATE, "labelled_tokens"),
    "split-tex": Page(ADJUDICATE, "Labelled tokens"),
    "split-delete": Page(MANAGE, method="post", status=302),
    "members": Page(VIEW, "Annotators do the work"),
    "member-add": Page(MANAGE, "This field is required", method="post", status=422),
    "member-create": Page(MANAGE, "This field is required", method="post", status=422),
    "member-role": Page(MANAGE, method="post", status=302),
    "member-remove": Page(MANAGE, "Remove from the project"),
    "member-password": Page(MANAGE, "Reset the password"),
    "member-languages": Page(MANAGE, method="post", status=302),
    "member-invite": Page(MANAGE, "This field is required", method="post", status=422),
    "invitation-revoke": Page(MANAGE, method="post", status=302),
    "invitation-renew": Page(MANAGE, "Invitation created", method="post"),
    # For site admins alone, and for placeholders.
    "member-map": Page(MANAGE, method="post", status=404),
    "person": Page(MANAGE, "Doubts and comments"),
    "person-answer": Page(MANAGE, "History"),
    "adjudicate-own": Page(MANAGE, method="post", status=302),
    "settings": Page(MANAGE, "Copy, archive, delete"),
    "settings-language-add": Page(MANAGE, "Another language"),
    "settings-language": Page(MANAGE, "Closed-class words"),
    "settings-stages": Page(MANAGE, "Add a stage"),
    "settings-stage-add": Page(MANAGE, status=302),
    "settings-stage-order": Page(MANAGE, method="post", status=302),
    "settings-stage-remove": Page(MANAGE, "Remove the stage"),
    # None in these stages either.
    "pairs": Page(MANAGE, "Second look by"),
    "pairs-give": Page(MANAGE, method="post", status=302),
    "pairs-undo": Page(MANAGE, method="post", status=302),
    "settings-trial": Page(MANAGE, status=404),
    "unit": Page(VIEW, status=302),
    "set-aside": Page(ANNOTATE, method="post", status=302),
    "restore-sentence": Page(ANNOTATE, method="post", status=302),
    # A pair of the sentence: test_sentence.py.
    "label-pair": Page(MANAGE, method="post", status=404),
    "settings-stage-context": Page(MANAGE, method="post", status=302),
    "settings-labels": Page(MANAGE, "If labels in use would change"),
    "settings-label-merge": Page(MANAGE, status=404),
    "settings-label-split": Page(MANAGE, status=404),
    "settings-label-delete": Page(MANAGE, status=404),
    "settings-attributes": Page(MANAGE, "New attribute"),
    "settings-rules": Page(MANAGE, "Spans can skip words"),
    "settings-layer-add": Page(MANAGE, "New layer"),
    "settings-card": Page(MANAGE, "Data statement"),
    "settings-webhooks": Page(MANAGE, "New webhook"),
    "settings-webhook": Page(MANAGE, "Nothing was sent yet."),
    "settings-lifecycle": Page(MANAGE, "Delete the project"),
    "settings-archive": Page(MANAGE, "To undo this, restore the project here"),
    "settings-restore": Page(MANAGE, method="post", status=302),
    "settings-copy": Page(MANAGE, "Create the copy"),
    "settings-delete": Page(MANAGE, "Data to be deleted"),
    "import": Page(MANAGE, "Choose files, or drop them here"),
    "import-draft": Page(MANAGE, "Nothing is added to the project until you press Import."),
    "import-files": Page(MANAGE, method="post", status=422),
    "import-file-remove": Page(MANAGE, method="post", status=302),
    "import-check": Page(MANAGE, method="post", status=302),
    "import-start": Page(MANAGE, method="post", status=302),
    "import-drop": Page(MANAGE, method="post", status=302),
    "import-problems": Page(MANAGE),
    "import-sentences": Page(MANAGE, "All sentences"),
    "import-lines": Page(MANAGE, "Lines side by side"),
    "import-done": Page(MANAGE, "<dt>Releases</dt>"),
    "import-take-back": Page(MANAGE, method="post", status=302),
    "import-terms": Page(MANAGE, "Releases can contain the text"),
    "guidelines": Page(VIEW, "No guidelines yet"),
    "terms": Page(VIEW, "Vocabulary"),
    "terms-merge": Page(MANAGE, method="post", status=302),
    "guidelines-preview": Page(MANAGE, method="post"),
    # Existing pictures: test_guidelines.py.
    "guidelines-picture": Page(VIEW, status=404),
    "guidelines-edit": Page(MANAGE, "Upload and insert"),
    # What it says where somebody has worked: test_progress.py.
    "progress": Page(MANAGE, "Time is active time, without pauses."),
    "predict": Page(MANAGE, method="post", status=302),
    "train": Page(MANAGE, method="post", status=302),
    "train-every": Page(MANAGE, method="post", status=302),
    "project-labels": Page(MANAGE, method="post", status=302),
    "accept-rules": Page(MANAGE, "At least this many people agree"),
    "accept": Page(MANAGE, method="post", status=302),
    "transfer": Page(MANAGE, method="post", status=302),
    "blind": Page(MANAGE, method="post", status=302),
    "blind-pool": Page(MANAGE, ""),
}
ABOUT = {
    "format": 1, "name": "Letters", "slug": "letters", "languages": ["es"], "sentences": {"es": 1}, "annotations": 0,
    "golds": 0, "rows": 9, "releases": 0, "people": [], "changed_at": "", "archived": False,
    "left_out": {"job": 3},
}  # fmt: skip
IN_PROJECT = [name for name, page in PAGES.items() if isinstance(page.needs, Permission)]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the files of the world lie."""
    root = tmp_path_factory.mktemp("world")
    with override_settings(MEDIA_ROOT=root):
        yield root


@pytest.fixture(autouse=True)
def own_folders(made: World, folders: Path, settings: Settings, tmp_path: Path) -> None:
    """A copy of them for each test."""
    for name in FOLDERS:
        if (folders / name).exists():
            shutil.copytree(folders / name, tmp_path / name)
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture(scope="module")
def made(kept_rows: None, folders: Path) -> World:
    """Made once: four hundred tests ask for it."""
    project = make_project()
    make_member(project, Role.MANAGER)
    job = Job.objects.create(
        project=project, kind=JobKind.PREDICT, state=JobState.FAILED, error="The model is not there."
    )
    make_release(project)
    make_label_layer(project, "domains", conceptual_domains())
    Import.objects.create(project=project, dataset="set", published_at=timezone.now())
    preview_draft(draft=draft_of(project, {"es.txt": "El tiempo vuela .\n"}))
    make_archive(project)
    make_study(project, [make_member(project), make_member(project)])
    upload = ArchiveUpload.objects.create(
        name="letters.zip", size=9, about=ABOUT, created_by=make_user(), expires_at=timezone.now()
    )
    other = make_member(project)
    make_annotation(make_sentence(project), other)
    stored_split(project)
    make_webhook(project)
    stored_comparison(project)
    invite(project=project, role=Role.ANNOTATOR, valid=timedelta(days=1), by=None, now=timezone.now())
    people = {role: make_member(project, role) for role in Role.values}
    people |= {OUTSIDER: make_user(), ADMIN: make_user(superuser=True)}
    sessions = {who: session_of(user) for who, user in people.items()}
    return World(project, job, Membership.objects.get(user=other), upload, sessions)


@pytest.fixture(scope="class")
def in_use(made: World, kept_rows_of_class: None) -> tuple[World, str]:
    """With sentences, gold, and work of a manager, whose session it is."""
    world = copy.deepcopy(made)
    sentences = fill(world.project, 3)
    make_gold(sentences[0], [span(2)])
    manager = make_member(world.project, Role.MANAGER)
    make_assignment(sentences[1], manager, stage_of(world.project, "correct"))
    return world, session_of(manager)


def session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def signed_in(who: str, world: World) -> Client:
    """As a member of this role, OUTSIDER or ADMIN; their sessions are there from the beginning."""
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[who]
    return client


@pytest.fixture
def world(made: World, db: None) -> World:
    return copy.deepcopy(made)


def url_of(name: str, world: World) -> str:
    pattern = next(pattern for pattern in urlpatterns if pattern.name == name)
    return reverse(name, kwargs=world.kwargs(set(pattern.pattern.converters)))


def ask(client: Client, name: str, world: World) -> Any:
    call: Callable[..., Any] = getattr(client, PAGES[name].method)
    return call(url_of(name, world))


def test_every_url_is_in_the_table() -> None:
    named = [str(pattern.name) for pattern in urlpatterns]

    assert sorted(named) == sorted(PAGES)


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if page.needs != PUBLIC])
def test_a_stranger_is_sent_to_sign_in(client: Client, world: World, name: str) -> None:
    response = ask(client, name, world)

    assert response.status_code == 302
    assert response.headers["Location"].startswith(reverse("sign-in"))


@pytest.mark.parametrize("name", IN_PROJECT)
def test_an_outsider_is_told_that_there_is_no_such_page(world: World, name: str) -> None:
    world.project.name = "Secret undertaking"
    world.project.save()

    response = ask(signed_in(OUTSIDER, world), name, world)

    assert response.status_code == 404
    assert "Secret undertaking" not in response.content.decode()


@pytest.mark.parametrize("name", IN_PROJECT)
@pytest.mark.parametrize("role", Role.values)
def test_members_get_what_their_role_grants_and_no_more(world: World, name: str, role: str) -> None:
    page = PAGES[name]

    response = ask(signed_in(role, world), name, world)

    if page.needs not in GRANTS[role]:
        assert response.status_code == 403
        assert "Your role in this project" in response.content.decode()
        return
    assert response.status_code == page.status
    body = b"".join(response) if response.streaming else response.content
    assert page.shows.encode() in body


@pytest.mark.parametrize("name", IN_PROJECT)
def test_a_site_admin_gets_everything(world: World, name: str) -> None:
    assert ask(signed_in(ADMIN, world), name, world).status_code == PAGES[name].status


@pytest.mark.parametrize("who", [OUTSIDER, *Role.values])
def test_the_style_guide_is_for_site_admins(world: World, who: str) -> None:
    assert ask(signed_in(who, world), "styleguide", world).status_code == 404
    assert "Style guide" in ask(signed_in(ADMIN, world), "styleguide", world).content.decode()


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if page.method == "post"])
def test_what_writes_is_not_reached_by_a_link(world: World, name: str) -> None:
    address = url_of(name, world)
    page = signed_in(ADMIN, world).get(address, follow=True)

    # Whoever changes the language on a page that a form answered with comes here: to the page above it.
    assert page.status_code == 200
    assert page.redirect_chain
    above = page.redirect_chain[-1][0]
    assert address.startswith(above)
    # Of the same things: a number in an address is that of one noun, or the page above is somebody else's.
    assert resolve(above).kwargs.items() <= resolve(address).kwargs.items()


@pytest.mark.parametrize(
    "name",
    [
        "archive-delete",
        "archive-download",
        "import-done",
        "import-draft",
        "import-lines",
        "invitation-renew",
        "invitation-revoke",
        "items",
        "job",
        "job-retry",
        "member-remove",
        "person",
        "person-answer",
        "release",
        "release-download",
        "sentence",
        "work",
    ],
)
def test_rows_of_another_project_are_not_there(client: Client, world: World, name: str) -> None:
    """A manager elsewhere, with ids from here in an address of their own project."""
    elsewhere = make_project()
    client.force_login(make_member(elsewhere, Role.MANAGER))
    address = url_of(name, world).replace(f"/{world.project.slug}/", f"/{elsewhere.slug}/")

    response = getattr(client, PAGES[name].method)(address)

    assert response.status_code == 404
    assert Membership.objects.filter(pk=world.other.pk).exists()


class TestLooking:
    @pytest.fixture
    def at_work(self, in_use: tuple[World, str], db: None) -> tuple[World, Client]:
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = in_use[1]
        return copy.deepcopy(in_use[0]), client

    @pytest.mark.parametrize(
        "name", [name for name, page in PAGES.items() if page.method == "get" and page.needs != PUBLIC]
    )
    def test_looking_at_a_page_writes_nothing(self, at_work: tuple[World, Client], name: str) -> None:
        world, client = at_work

        with CaptureQueriesContext(connection) as captured:
            client.get(url_of(name, world))

        assert captured.captured_queries
        written = [
            query["sql"]
            for query in captured
            if query["sql"].lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE"))
        ]
        assert written == []


def test_the_api_answers_strangers_in_its_own_words(client: Client) -> None:
    """The sign-in that pages need by default does not get in its way."""
    response = client.get("/api/v1/projects/")

    assert response.status_code == 401
    assert "error" in response.json()


@pytest.mark.parametrize("model", ["user", "project", "membership", "job", "release", "worker", "event"])
def test_site_administration_reads_and_writes_nothing_but_accounts(world: World, model: str) -> None:
    client = signed_in(ADMIN, world)

    assert client.get(reverse(f"admin:annotator_{model}_changelist")).status_code == 200
    added = client.get(reverse(f"admin:annotator_{model}_add")).status_code
    assert added == (200 if model == "user" else 403)


def test_accounts_are_switched_off_and_not_deleted(client: Client, world: World) -> None:
    client.force_login(make_user(superuser=True))

    response = client.post(reverse("admin:annotator_user_delete", args=[world.other.user.pk]), {"post": "yes"})

    assert response.status_code == 403
    assert Membership.objects.filter(pk=world.other.pk).exists()
