from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.core.starts import STARTS
from annotator.models import Import, JobKind, Mode, Project, Role, Unit
from annotator.projects.actions.projects import create_project
from annotator.releases.queries.exports import STATISTICS
from tests.drafts import load
from tests.factories import (
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_release,
    make_sentence,
    stage_of,
)

pytestmark = pytest.mark.django_db
LIST = reverse("releases", args=["letters"])
DOWNLOAD = reverse("release-download", args=["letters", 1])


MABL: dict[str, str | bytes] = {
    "en.csv": "startphrase,ending1,ending2,labels\nHer voice is silk,It is soft.,It is rough.,0\n"
    "Her voice is gravel,It is soft.,It is rough.,1\n"
}
MUNCH: dict[str, str | bytes] = {
    "for_generation.csv": "i0,idx,s0,novelty,sid,genre,human_ans\r\n"
    "0,7,She felt a <b>wave</b> of joy.,0.1,a-1,FICTION,surge rush\r\n"
}


def test_a_release_is_downloaded_as_it_was_written(client: Client, project: Project) -> None:
    make_release(project, content=b"PK\x03\x04 gold")
    client.force_login(make_member(project))

    response = client.get(DOWNLOAD)

    assert b"".join(response) == b"PK\x03\x04 gold"
    assert response.headers["Content-Disposition"] == 'attachment; filename="letters-1.zip"'


def test_releases_are_not_reached_around_the_view(client: Client, project: Project) -> None:
    make_release(project)
    client.force_login(make_member(project))

    assert (Path(settings.MEDIA_ROOT) / "releases" / "letters" / "letters-1.zip").is_file()
    for address in ("/releases/letters/letters-1.zip", "/static/letters-1.zip", "/media/letters/letters-1.zip"):
        assert client.get(address).status_code == 404


def test_who_works_blind_does_not_get_the_work_of_others(client: Client, project: Project) -> None:
    make_release(project)
    ana = make_member(project)
    sentence = make_sentence(project)
    make_assignment(sentence, ana, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
    client.force_login(ana)

    assert client.get(DOWNLOAD).status_code == 403
    page = client.get(LIST).content.decode()
    assert DOWNLOAD not in page
    assert "You have blind items in this project" in page
    make_gold(sentence)
    assert client.get(DOWNLOAD).status_code == 200
    page = client.get(LIST).content.decode()
    assert DOWNLOAD in page
    assert "You have blind items in this project" not in page


def test_tables_that_are_not_for_annotators_are_not_in_what_they_download(client: Client, project: Project) -> None:
    """Also before the first blind item is theirs, and of releases that were made already."""
    ratings = STATISTICS.format(kind="ratings")
    make_release(project, manifest={"files": {ratings: {"bytes": 2}}})
    page = reverse("release", args=["letters", 1])
    for role, status in ((Role.ANNOTATOR, 403), (Role.ADJUDICATOR, 200), (Role.MANAGER, 200)):
        client.force_login(make_member(project, role))
        assert client.get(DOWNLOAD).status_code == status
        assert (DOWNLOAD in client.get(page).content.decode()) == (status == 200)
    client.force_login(make_member(project))
    assert "ask one of them for the file" in client.get(DOWNLOAD).content.decode()


def test_what_lacks_gold_is_counted_before_a_partial_release(client: Client, project: Project) -> None:
    make_gold(make_sentence(project))
    make_sentence(project)
    make_sentence(project)
    client.force_login(make_member(project, Role.MANAGER))

    page = client.get(LIST).content.decode()

    assert "2 sentences" in page
    assert "0 pairs" not in page
    assert 'name="partial"' in page
    assert "has gold yet" not in page


def test_a_language_without_any_gold_is_said_before_a_release_fails(client: Client, project: Project) -> None:
    sentence = make_sentence(project)
    make_gold(sentence)
    english = make_sentence(project, "Time flies", language="en", segment=sentence.segment)
    client.force_login(make_member(project, Role.MANAGER))
    said = "No sentence in English (en) has gold yet, so sentences that are parallel to it cannot be released."

    assert said in client.get(LIST).content.decode()
    make_gold(english)
    assert said not in client.get(LIST).content.decode()


@pytest.mark.parametrize(("sent", "said"), [({"partial": "on", "comments": "on"}, True), ({}, False)])
def test_a_release_is_partial_and_has_comments_only_when_that_is_said(
    client: Client, project: Project, sent: dict[str, str], said: bool
) -> None:
    client.force_login(make_member(project, Role.MANAGER))

    response = client.post(reverse("release-start", args=["letters"]), sent)

    job = project.jobs.get()
    assert (job.kind, job.params["partial"], job.params["comments"]) == (JobKind.RELEASE, said, said)
    assert response.headers["Location"] == reverse("job", args=["letters", job.pk])


def test_a_sample_is_asked_for_with_its_seed(client: Client, project: Project) -> None:
    make_gold(make_sentence(project))
    client.force_login(make_member(project, Role.MANAGER))
    assert 'name="sample"' in client.get(LIST).content.decode()

    client.post(reverse("release-start", args=["letters"]), {"sample": "on", "seed": "12"})

    job = project.jobs.get()
    assert (job.params["sample"], job.params["seed"]) == (True, 12)


def test_what_each_label_marks_is_chosen_and_only_proposed_where_the_scheme_says_it(client: Client) -> None:
    project = make_project("uses", labels_named=["FIGURATIVE", "LITERAL"])
    make_gold(make_sentence(project))
    client.force_login(make_member(project, Role.MANAGER))
    start = reverse("release-start", args=["uses"])
    page = client.get(reverse("releases", args=["uses"])).content.decode()
    assert re.findall(r'<option value="([^"]*)" selected>', page) == ["", ""]

    refused = client.post(start, {"sample": "on", "use_FIGURATIVE": "metaphor"})
    assert "Not chosen yet: LITERAL." in refused.content.decode()
    assert not project.jobs.exists()

    client.post(start, {"sample": "on", "use_FIGURATIVE": "metaphor", "use_LITERAL": "literal"})
    assert project.jobs.get().params["uses"] == {"FIGURATIVE": "metaphor", "LITERAL": "literal"}


def test_what_was_filled_in_stays_after_a_refusal_and_the_part_that_was_opened_is_open(client: Client) -> None:
    project = make_project("kept", labels_named=["FIGURATIVE", "LITERAL"])
    make_gold(make_sentence(project))
    client.force_login(make_member(project, Role.MANAGER))
    assert "<details open>" not in client.get(reverse("releases", args=["kept"])).text

    sent = {"partial": "on", "comments": "on", "sample": "on", "seed": "7", "use_FIGURATIVE": "metaphor"}
    refused = client.post(reverse("release-start", args=["kept"]), sent)

    assert refused.status_code == 422
    for name in ("partial", "comments", "sample"):
        assert re.search(rf'<input type="checkbox" name="{name}"[^>]* checked', refused.text), name
    assert re.search(r'name="seed" value="7"', refused.text)
    assert '<option value="metaphor" selected>' in refused.text
    assert "<details open>" in refused.text


@pytest.mark.parametrize("seed", ["0", "-3", "many", "2147483648"])
def test_a_seed_that_is_none_is_refused(client: Client, project: Project, seed: str) -> None:
    client.force_login(make_member(project, Role.MANAGER))

    response = client.post(reverse("release-start", args=["letters"]), {"sample": "on", "seed": seed}, follow=True)

    assert "The seed must be a whole number from 1 to 2147483647." in response.content.decode()
    assert not project.jobs.exists()


def test_the_manifest_can_be_read(client: Client, project: Project) -> None:
    release = make_release(project)
    type(release).objects.filter(pk=release.pk).update(
        manifest={
            "partial": True,
            "files": {"detection/es.tsv": {"bytes": 2048}},
            "left_out": [{"kind": "sentence", "id": "letters:hyp:9", "language": "es", "reason": "no gold"}],
        }
    )
    client.force_login(make_member(project))

    page = client.get(reverse("release", args=["letters", 1])).content.decode()

    for words in ("partial", "detection/es.tsv", "letters:hyp:9", "no gold"):
        assert words in page


@pytest.mark.parametrize(
    ("start", "files", "said"),
    [
        ("substitution", MUNCH, "There are 1 marked sentence and 1 list of answers. Release when all have gold"),
        ("impli", {"manual_ne.tsv": "He spilt the beans.\tHe told it.\n"}, "There is 1 pair. Release when it has gold"),
        ("mabl", MABL, "There is 1 pair. Release when it has gold"),
        ("labels", {"en.txt": "Time flies.\nTime crawls.\n"}, "There are 2 sentences. Release when all have gold"),
        ("rating", {"en.txt": "Time flies.\nTime crawls.\n"}, "There are 2 sentences. A release contains"),
    ],
)
def test_an_empty_page_speaks_of_what_the_project_holds(
    client: Client, uploads: Path, start: str, files: dict[str, str | bytes], said: str
) -> None:
    project = create_project(slug="letters", preset=STARTS[start].preset(["en"]), by=None)
    client.force_login(make_member(project))
    empty = words(client)
    assert "No releases yet" in empty
    assert "sentence" not in empty and "pair" not in empty

    load(project, files, dataset="own", labels_as="none")

    assert said in words(client)


def words(client: Client) -> str:
    page = client.get(LIST).content.decode()
    found = re.search(r'<div class="empty">(.*?)</div>', page, re.S)
    assert found is not None
    return " ".join(re.sub("<[^>]+>", " ", found[1]).split())


def test_imports_of_one_dataset_are_told_apart_by_their_files(client: Client, project: Project) -> None:
    for name in ("more-en.txt", "more-es.txt"):
        imported = Import.objects.create(
            project=project, dataset="more", publishable=False, published_at=timezone.now(), files=[{"name": name}]
        )
        Unit.objects.filter(pk=make_sentence(project).pk).update(imported=imported)
    client.force_login(make_member(project, Role.MANAGER))

    for page in ("releases", "import"):
        shown = client.get(reverse(page, args=["letters"])).text
        found = set(re.findall(r'aria-label="(?:Change the l|L)icence of ([^":]*)', shown))
        assert found == {"more (more-en.txt)", "more (more-es.txt)"}, page


def test_a_page_lists_some_of_what_is_left_out(client: Client, project: Project) -> None:
    left_out = [
        {"kind": "sentence", "id": f"letters:hyp:{number}", "language": "es", "reason": "no gold"}
        for number in range(1001)
    ]
    make_release(project, manifest={"left_out": left_out})
    client.force_login(make_member(project))

    page = client.get(reverse("release", args=["letters", 1])).content.decode()

    assert "1,001 sentences" in page
    assert "1,001 rows, by language" in page
    assert "The first 1,000 are listed here" in page
    assert "letters:hyp:999" in page
    assert "letters:hyp:1000" not in page
