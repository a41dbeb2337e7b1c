"""Where nobody decides, a release has every finished answer, under names that are nobody's."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.domain.agreement.best_worst import Picked, scores
from annotator.models import Role
from annotator.releases.queries.exports import ReleaseFiles, release_files
from tests.drafts import load
from tests.factories import make_member, make_release
from tests.kinds.munch import NAMES, ONE, Munch
from tests.kinds.rating.scene import CLIMB, MOVED_IN
from tests.kinds.rating.scene import Scene as Marked
from tests.kinds.rating.test_round import Scene

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def lines(release: ReleaseFiles, path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in release.files[path].decode().splitlines()]


def test_scores_can_be_counted_anew_from_tuples() -> None:
    scene = Scene("best-worst")
    for person in scene.people[:2]:
        scene.answer_all(person)
    release = release_files(scene.project, partial=False)
    rows = lines(release, "answers/best-worst.jsonl")
    assert {len(row["parents"]) for row in rows} == {4}
    found = scores(
        Picked(tuple(row["parents"]), *(row["parents"][one["content"][which]] for which in ("best", "worst")))
        for row in rows
        for one in row["annotations"]
    )
    table = [line.split("\t") for line in release.files["best-worst/en.tsv"].decode().splitlines()[1:]]
    assert {uid: f"{one.value:.3f}" for uid, one in found.items()} == {row[0]: row[1] for row in table}
    assert {one["annotator"] for row in rows for one in row["annotations"]} == {"A01", "A02"}


@pytest.mark.parametrize("comments", [False, True])
def test_ratings_are_there_by_person_and_comments_where_they_are_asked_for(comments: bool) -> None:
    scene = Marked()
    scene.label(CLIMB, MOVED_IN)
    ana, ben, _cai = sorted(scene.people, key=lambda person: person.username)
    for person, value in ((ben, 2), (ana, 5)):
        for item in scene.claim(person):
            body = {"version": item["annotation"]["version"], "content": {"value": value}, "done": True}
            sent = scene.send(person, f"assignments/{item['id']}/save/", {**body, "comment": "plain", "doubt": True})
            assert sent.status_code == 200
    release = release_files(scene.project, partial=True, comments=comments)
    rows = lines(release, "answers/expression-ratings.jsonl")
    said = {"mode": "blind", "doubt": True, "commented": True, **({"comment": "plain"} if comments else {})}
    assert [row["annotations"] for row in rows] == [
        [
            {"annotator": "A02", "content": {"value": 5}, **said},
            {"annotator": "A03", "content": {"value": 2}, **said},
        ]
    ] * 2
    readme = release.files["README.md"].decode()
    assert (
        "| `answers/expression-ratings.jsonl` | every finished answer to each unit; no gold is decided there |"
        in readme
    )
    assert "No gold is decided in expression-ratings" not in readme
    assert b"plain" in release.files["answers/expression-ratings.jsonl"] or not comments
    assert not any(ana.username.encode() in content for content in release.files.values())


@pytest.fixture
def words(uploads: None) -> Munch:
    scene = Munch(6)
    load(scene.project, {NAMES[0]: ONE})
    scene.write("surge", "Surge", "rush", "", "flood")
    return scene


def test_what_everybody_wrote_is_there_and_why_no_word_fits(words: Munch, client: Client) -> None:
    release = release_files(words.project, partial=True)
    (row,) = lines(release, "answers/substitutes.jsonl")
    assert (row["uid"], row["kind"], row["tokens"][3]) == ("for_generation:7:3", "marked", "wave")
    written = Counter(one["content"]["word"].lower() or one["content"]["reason"] for one in row["annotations"])
    assert written == {"surge": 2, "rush": 1, "flood": 1, "unclear": 1}
    assert "answers/best.jsonl" not in release.files, "the best is decided"

    # Whoever may not see what others answered may not have it.
    made = make_release(words.project)
    made.manifest = {"files": {"answers/substitutes.jsonl": {}}}
    made.save()
    for role, is_refused in ((Role.ANNOTATOR, True), (Role.ADJUDICATOR, False)):
        client.force_login(make_member(words.project, role))
        page = client.get(reverse("release", args=["words", made.number])).text
        assert ("They are for adjudicators" in page) is is_refused


def test_whoever_rates_blind_is_not_told_to_wait_for_gold(client: Client) -> None:
    scene = Scene("rating")
    ana, *_others = scene.people
    for item in scene.claim(ana, 1):
        assert scene.save(ana, item, {"value": 3}).status_code == 200
    make_release(scene.project)
    client.force_login(ana)
    page = client.get(reverse("releases", args=["scaled"])).text
    assert "You answer blind in this project, so you cannot see what others answered." in page
    assert "until gold is decided" not in page


def test_the_agreement_page_says_which_choice_is_counted(client: Client) -> None:
    scene = Scene("best-worst")
    ana, ben, _cai = scene.people
    for person in (ana, ben):
        scene.answer_all(person)
    client.force_login(make_member(scene.project, Role.MANAGER))
    asked = {"a": ana.username, "b": ben.username, "layer": "best-worst", "language": "en"}
    for dimension, counted in (("", "which is the most"), ("worst", "which is the least")):
        page = client.get(reverse("agreement", args=["scaled"]), {**asked, "dimension": dimension}).text
        assert f'<h2 id="words-title">Confusion table: {counted}</h2>' in page
        assert ">which is the most</option>" in page
        assert "as usual" not in page
