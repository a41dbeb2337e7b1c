"""The pages of splits: making, importing, looking into, downloading and deleting one; for whom."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.core.errors import ActionError
from annotator.core.files.storage import site_files
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Event, Gold, Job, JobKind, JobState, Mode, Project, Role, Split, User
from annotator.models.split import splits_of
from tests.factories import (
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_sentence,
    make_user,
    span,
    stage_of,
)
from tests.splits.making import fill, make_split, stored_split

pytestmark = pytest.mark.django_db

CHOICE: dict[str, Any] = {
    "name": "ours",
    "method": "ratio",
    "train": 50,
    "dev": 0,
    "test": 50,
    "folds": 5,
    "strata": ["role"],
    "together": "on",
    "seed": 3,
}


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, username="mara")


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, Role.ADJUDICATOR, username="ana")


@pytest.fixture
def split(project: Project, mara: User) -> Split:
    fill(project, 5)
    return stored_split(project)


def get(client: Client, user: User, page: str, *args: Any, status: int = 200, **query: Any) -> str:
    client.force_login(user)
    response: Any = client.get(reverse(page, args=["letters", *args]), query)
    assert response.status_code == status
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return " ".join(content.decode().split())


def post(client: Client, user: User, page: str, *args: Any, **data: Any) -> Any:
    client.force_login(user)
    return client.post(reverse(page, args=["letters", *args]), data, follow=True)


def text_of(response: HttpResponse) -> str:
    return " ".join(response.content.decode().split())


class TestMaking:
    def test_the_form_tells_the_numbers_first(self, client: Client, project: Project, mara: User) -> None:
        fill(project, 5)
        make_sentence(project)
        text = get(client, mara, "split-new")
        assert "21 sentences, in 6 groups: train 13, dev 4, test 4" in text
        assert "1 has no gold yet" in text

    def test_the_numbers_follow_the_choice(self, client: Client, project: Project, mara: User) -> None:
        fill(project, 5)
        choice = {**CHOICE, "layer": project.label_layer.pk}
        assert "train 10, test 10" in get(client, mara, "split-new", **choice)
        folds = get(client, mara, "split-new", **{**choice, "method": "folds", "folds": 4})
        assert "fold-1 5, fold-2 5, fold-3 5, fold-4 5" in folds
        assert "Complete the form" in get(client, mara, "split-new", **{**choice, "test": 60})

    def test_it_starts_the_job(self, client: Client, project: Project, mara: User) -> None:
        fill(project, 5)
        post(client, mara, "split-new", **CHOICE, layer=project.label_layer.pk)
        job = Job.objects.get(kind=JobKind.SPLIT)
        assert job.params == {
            "name": "ours",
            "layer": project.label_layer.pk,
            "method": "ratio",
            "parts": ["train", "test"],
            "shares": [0.5, 0.5],
            "strata": ["role"],
            "together": True,
            "seed": 3,
            "upload": "",
            "partial": False,
        }
        run_job(job.pk, worker="one")
        assert Split.objects.published().get().name == "ours"
        assert "The split is ready" in get(client, mara, "job", job.pk)

    def test_shares_must_add_up(self, client: Client, project: Project, mara: User) -> None:
        response = post(client, mara, "split-new", **{**CHOICE, "dev": 10}, layer=project.label_layer.pk)
        assert response.status_code == 422
        assert "The shares add up to 110%, not to 100%." in text_of(response)
        assert not Job.objects.filter(kind=JobKind.SPLIT).exists()

    def test_a_refusal_is_on_the_form_with_what_was_chosen(self, client: Client, split: Split, mara: User) -> None:
        response = post(client, mara, "split-new", **{**CHOICE, "name": "stored"}, layer=split.layer_id)
        assert response.status_code == 422
        assert "There is a split called “stored” already." in text_of(response)
        assert 'value="stored"' in text_of(response)


class TestImporting:
    def test_files_start_the_job(self, client: Client, project: Project, mara: User) -> None:
        for text in ("Uno dos", "Tres cuatro"):
            make_sentence(project, text)
        files = [
            SimpleUploadedFile("es_train.tsv", b"Uno\tO\ndos\tO\n\n"),
            SimpleUploadedFile("es_test.tsv", b"Tres\tO\ncuatro\tO\n\n"),
        ]
        post(client, mara, "split-import", name="theirs", layer=project.label_layer.pk, files=files)
        job = Job.objects.get(kind=JobKind.SPLIT)
        run_job(job.pk, worker="one")
        job.refresh_from_db()
        assert job.state == JobState.DONE, job.error
        assert Split.objects.published().get().parts == ["train", "test"]

    def test_a_name_that_is_taken_leaves_no_files(self, client: Client, split: Split, mara: User) -> None:
        files = [SimpleUploadedFile("train.txt", b"x\n")]
        response = post(client, mara, "split-import", name="stored", layer=split.layer_id, files=files)
        assert "already" in text_of(response)
        assert list(site_files().files(splits_of(split.project_id))) == []

    def test_no_file_is_told(self, client: Client, project: Project, mara: User) -> None:
        response = post(client, mara, "split-import", name="x", layer=project.label_layer.pk)
        assert "No file was chosen." in text_of(response)


class TestLooking:
    def test_parts_shares_and_leaks_are_shown(self, client: Client, split: Split, mara: User) -> None:
        text = get(client, mara, "split", split.pk)
        assert "train 10 · test 10" in text
        assert "Same premise or document" in text
        assert "Nearly the same text · Spanish (es)" in text
        assert "Delete the split" in text

    def test_parts_without_a_label_are_named(self, client: Client, project: Project, mara: User) -> None:
        fill(project, 20)
        Gold.objects.filter(unit__language="en").delete()
        told = get(client, mara, "split", stored_split(project).pk)
        assert "No item has a label in train (en), test (en)." in told

    def test_examples_lead_to_their_sentences(self, client: Client, project: Project, mara: User) -> None:
        first, second = make_sentence(project, "La luz cae ."), make_sentence(project, "la luz cae")
        split = make_split(project, parts=["a", "b"], shares=[1, 1], strata=[], together=False)
        text = get(client, mara, "split", split.pk)
        for sentence in (first, second):
            assert reverse("sentence", args=["letters", sentence.segment_id]) in text

    def test_adjudicators_see_it_and_may_not_delete_it(self, client: Client, split: Split, ana: User) -> None:
        assert "Delete the split" not in get(client, ana, "split", split.pk)
        assert "stored" in get(client, ana, "splits")
        assert post(client, ana, "split-delete", split.pk).status_code == 403
        assert Split.objects.exists()

    def test_annotators_do_not_see_it(self, client: Client, project: Project, split: Split) -> None:
        """They may be given blind what is not decided yet, and what is in which part may tell of it."""
        ben = make_member(project)
        for name in ("split", "split-download"):
            get(client, ben, name, split.pk, status=403)
        get(client, ben, "splits", status=403)

    def test_outsiders_find_nothing(self, client: Client, split: Split) -> None:
        stranger = make_user()
        for name in ("split", "split-download"):
            get(client, stranger, name, split.pk, status=404)
        get(client, stranger, "splits", status=404)

    def test_a_split_of_another_project_is_not_found(self, client: Client, split: Split, mara: User) -> None:
        other = make_project("others")
        fill(other, 2)
        get(client, mara, "split", stored_split(other).pk, status=404)

    def test_who_works_blind_sees_no_numbers(self, client: Client, project: Project, split: Split, ana: User) -> None:
        waiting = make_sentence(project, "Sin oro aún")
        make_assignment(waiting, ana, stage_of(project, "correct"), mode=Mode.BLIND)

        listed = get(client, ana, "splits")

        assert "stored" in listed
        assert "you cannot see its splits until gold is decided there" in listed
        assert reverse("split", args=["letters", split.pk]) not in listed
        for name in ("split", "split-download"):
            assert "blind items" in get(client, ana, name, split.pk, status=403)

        make_gold(waiting, [span(0)])
        assert "Leakage" in get(client, ana, "split", split.pk)

    def test_a_blind_manager_is_told_no_gold_before_splitting(
        self, client: Client, project: Project, mara: User
    ) -> None:
        make_assignment(make_sentence(project), mara, stage_of(project, "correct"), mode=Mode.BLIND)
        assert "no gold yet" not in get(client, mara, "split-new")

    def test_the_table_is_downloaded(self, client: Client, split: Split, ana: User) -> None:
        text = get(client, ana, "split-download", split.pk)
        assert text.startswith("id pair_id dataset split set:")
        assert text.count(" train") == text.count(" test") == 10

    def test_deleting_is_confirmed_and_told(self, client: Client, split: Split, mara: User) -> None:
        assert "Delete this split? Releases that have it will keep their files." in get(client, mara, "split", split.pk)
        assert "The split “stored” was deleted." in text_of(post(client, mara, "split-delete", split.pk))
        assert not Split.objects.exists()
        assert Event.objects.filter(verb="split.delete", actor=mara).exists()

    def test_a_page_costs_the_same_for_more_sentences(self, client: Client, project: Project, mara: User) -> None:
        counts = []
        for name in ("small", "large"):
            fill(project, 5) if name == "small" else fill_more(project)
            split = make_split(project, name)
            get(client, mara, "split", split.pk)
            with CaptureQueriesContext(connection) as captured:
                get(client, mara, "split", split.pk)
            counts.append(len(captured))
        assert counts[0] == counts[1]


def fill_more(project: Project) -> None:
    for number in range(40):
        make_gold(make_sentence(project, f"Otra frase {number}"), [])


class TestReleases:
    def test_a_release_has_the_splits_that_are_chosen(self, client: Client, split: Split, mara: User) -> None:
        assert "stored" in get(client, mara, "releases")
        post(client, mara, "release-start", splits=[split.pk])
        job = Job.objects.get(kind=JobKind.RELEASE)
        assert job.params["splits"] == [split.pk]
        run_job(job.pk, worker="one")
        files = split.project.releases.get().manifest["files"]
        assert {path for path in files if "splits/" in path} == {
            "splits/stored.tsv",
            "splits/stored.json",
            *(
                f"detection/splits/{language}/stored_{part}.tsv"
                for language in ("es", "en")
                for part in ("train", "test")
            ),
        }

    def test_a_split_of_another_project_is_refused(self, split: Split, mara: User) -> None:
        other = make_project("others")
        with pytest.raises(ActionError, match="no such split"):
            start_job(project=other, kind=JobKind.RELEASE, params={"splits": [split.pk]}, by=mara)
