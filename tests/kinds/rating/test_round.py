"""Ratings and best–worst scaling from sentences to a release."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.access import project_for
from annotator.core.counters import recounted
from annotator.core.presets import StageSpec
from annotator.core.starts import STARTS
from annotator.dashboard.queries.next_step import Step, next_step
from annotator.domain.agreement.best_worst import UNIT_KIND
from annotator.imports.drafts.start_sample import add_sample
from annotator.jobs import running as jobs
from annotator.jobs.actions import start_job
from annotator.kinds.rating import tuples
from annotator.models import Annotation, Assignment, Event, Gold, Import, Item, Project, Role, Stage, Unit, User
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.projects.queries.project_settings import stages_for_language
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.tables import FURTHER
from annotator.revisions.revisions import revise_text
from annotator.templatetags import words
from annotator.work.queue.queries.progress import project_progress, stage_progress
from tests.clients import client_of
from tests.deciding import decide_gold
from tests.drafts import run_all
from tests.factories import enlarge, make_member, make_release, make_sentence

pytestmark = pytest.mark.django_db

TEXTS = ["Doubt moved in", "Prices climb", "The baker sings", "It rains", "He swallowed it", "A bridge is closed"]


class Scene:
    """A project with sentences and three annotators, and calls that people make there."""

    def __init__(self, start: str, count: int = len(TEXTS)) -> None:
        self.project: Project = create_project(slug="scaled", preset=STARTS[start].preset(["en"]), by=None)
        self.sentences = [make_sentence(self.project, text, language="en") for text in TEXTS[:count]]
        self.stage: Stage = self.project.stages.get()
        self.people: list[User] = [make_member(self.project) for _ in range(3)]

    def send(self, user: User, path: str, body: Any) -> Any:
        return client_of(user).post(f"/api/v1/projects/scaled/{path}", body)

    def claim(self, user: User, count: int = 1) -> list[dict[str, Any]]:
        response = self.send(user, f"stages/{self.stage.pk}/claim/", {"count": count})
        assert response.status_code == 200, response.content
        items: list[dict[str, Any]] = response.json()["items"]
        return items

    def save(self, user: User, item: dict[str, Any], content: Any, *, done: bool = True) -> Any:
        body = {"version": item["annotation"]["version"], "content": content, "done": done}
        return self.send(user, f"assignments/{item['id']}/save/", body)

    def answer_all(self, user: User) -> None:
        """All tuples, best–worst."""
        for item in self.claim(user, 20):
            assert self.save(user, item, best_and_worst(item)).status_code == 200

    def counted(self) -> None:
        counted, shown = recounted(self.stage), stage_progress(self.stage)
        assert (shown.total, shown.done, shown.open) == (counted["total"], counted["done"], counted["open"])


def best_and_worst(item: dict[str, Any]) -> dict[str, int]:
    """As somebody answers for whom sentences that stand earlier in TEXTS have more."""
    lines = Unit.objects.get(pk=item["unit"]["id"]).text.split("\n")
    order = sorted(range(4), key=lambda number: TEXTS.index(lines[number]))
    return {"best": order[0], "worst": order[-1]}


class TestTooFewSentences:
    def test_is_said_with_what_is_needed(self, client: Client) -> None:
        scene = Scene("best-worst", 3)
        said = "Tuples of four need at least four sentences, but there are 3."
        manager = make_member(scene.project, Role.MANAGER)
        step = next_step(project_for(manager, "scaled"), project_progress(scene.project, manager), {})
        assert (step.step, step.stage) == (Step.FIRST, scene.stage)
        for person in (manager, scene.people[0]):
            client.force_login(person)
            dashboard = client.get(reverse("project", args=["scaled"])).content.decode()
            assert dashboard.count(said) == 2, "as what is next, and at the stage"
            assert "assigned to other people" not in dashboard
            assert said in client.get(reverse("work", args=["scaled", scene.stage.pk])).content.decode()
        make_sentence(scene.project, TEXTS[3], language="en")
        access = project_for(manager, "scaled")
        assert next_step(access, project_progress(scene.project, manager), {}).step == Step.START
        client.force_login(manager)
        assert "need at least four" not in client.get(reverse("project", args=["scaled"])).content.decode()

    def test_of_another_language_none_count(self) -> None:
        scene = Scene("best-worst", 0)
        for text in TEXTS:
            make_sentence(scene.project, text, language="es")
        assert tuples.too_few(scene.stage) == "Tuples of four need at least four sentences, but there are none."

    def test_three_sentences_are_too_few(self) -> None:
        scene = Scene("best-worst", 3)
        ana, *_ = scene.people
        assert scene.claim(ana) == []
        step = next_step(project_for(ana, "scaled"), project_progress(scene.project, ana), {})
        assert step.step != Step.START


@pytest.fixture(scope="class")
def best_worst(kept_rows_of_class: None) -> Scene:
    return Scene("best-worst")


class TestBestWorst:
    @pytest.fixture
    def scene(self, best_worst: Scene) -> Scene:
        return copy.deepcopy(best_worst)

    def test_tuples_are_made_when_somebody_asks(self, scene: Scene) -> None:
        ana, ben, _cai = scene.people
        assert not Unit.objects.filter(kind=UNIT_KIND).exists()
        step = next_step(project_for(ana, "scaled"), project_progress(scene.project, ana), {})
        assert (step.step, step.stage, step.count) == (Step.START, scene.stage, 12)
        (item,) = scene.claim(ana)
        assert item["annotation"]["content"] == {"best": None, "worst": None}
        made = Unit.objects.filter(kind=UNIT_KIND)
        assert made.count() == Item.objects.filter(stage=scene.stage).count() == 12
        for unit in made:
            parts = {part.segment_id: part.text for part in unit.parents.all()}
            assert unit.text.split("\n") == [parts[segment] for segment in unit.touches[1:]]
            assert len(parts) == 4
        assert len(scene.claim(ben, 20)) == 12, "each answers the same tuples"
        assert made.count() == 12
        scene.counted()

    def test_large_projects_get_them_in_blocks(self, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tuples, "MAX_TEXTS", 4)
        make_sentence(scene.project, "Her smile is a lamp", language="en")
        make_sentence(scene.project, "Time flies", language="en")
        ana, *_ = scene.people
        scene.claim(ana)
        links = Unit.parents.through.objects.filter(from_unit__kind=UNIT_KIND)
        assert links.values("to_unit").distinct().count() == 4
        scene.claim(ana, 20)
        assert links.values("to_unit").distinct().count() == 8

    def test_a_fixed_sentence_gets_no_tuples_of_its_own(self, scene: Scene) -> None:
        ana, *_ = scene.people
        scene.claim(ana)
        old = scene.sentences[0]
        revise_text(
            project=scene.project,
            unit=old.pk,
            text="Doubt moved out",
            by=make_member(scene.project, Role.MANAGER),
            anybodys=True,
        )
        scene.claim(ana, 20)
        assert Unit.objects.filter(kind=UNIT_KIND, is_current=True).count() == 12
        assert Unit.objects.filter(kind=UNIT_KIND, parents=old).count() == 0

    def test_an_answer_is_saved_refused_and_undone(self, scene: Scene) -> None:
        ana, *_ = scene.people
        (item,) = scene.claim(ana)
        for content, why in (
            ({"best": 1, "worst": 1}, "cannot be both"),
            ({"best": 1, "worst": None}, "two of the texts"),
        ):
            refused = scene.save(ana, item, content)
            assert (refused.status_code, why in refused.json()["error"]["message"]) == (400, True)
        assert not Annotation.objects.filter(state="done").exists()
        saved = scene.save(ana, item, {"best": 1, "worst": 3}).json()
        assert saved["annotation"]["content"] == {"best": 1, "worst": 3}
        scene.counted()
        undone = scene.send(ana, f"assignments/{item['id']}/undo/", {"version": saved["annotation"]["version"]})
        assert undone.status_code == 200
        assert Annotation.objects.get().state == "open"
        scene.counted()

    def test_others_answers_stay_hidden_and_outsiders_get_nothing(self, scene: Scene) -> None:
        ana, ben, _cai = scene.people
        (item,) = scene.claim(ana)
        scene.save(ana, item, {"best": 2, "worst": 0})
        (other,) = scene.claim(ben)
        assert other["unit"]["id"] == item["unit"]["id"]
        assert other["annotation"]["content"] == {"best": None, "worst": None}
        assert ana.username not in str(other)
        outsider = scene.send(
            make_member(create_project(slug="o", preset=STARTS["labels"].preset(["en"]), by=None)),
            f"stages/{scene.stage.pk}/claim/",
            {"count": 1},
        )
        assert outsider.status_code == 404

    def test_disagreements_are_adjudicated(self, scene: Scene) -> None:
        add_stages(project=scene.project, specs=[StageSpec("adjudicate", "en", layer="best-worst")], by=None)
        adela = make_member(scene.project, Role.ADJUDICATOR)
        for number, person in enumerate(scene.people):
            (item,) = scene.claim(person)
            scene.save(person, item, {"best": number, "worst": 3})
        judge = scene.project.stages.get(kind="adjudicate")
        response = client_of(adela).get(f"/api/v1/projects/scaled/stages/{judge.pk}/adjudicate/")
        (waiting,) = response.json()["items"]
        assert [one["content"]["best"] for one in waiting["answers"]] == [0, 1, 2]
        decide_gold(unit=waiting["unit"]["id"], layer=scene.stage.layer, content={"best": 0, "worst": 3}, by=adela)
        assert Gold.objects.get().content == {"best": 0, "worst": 3}


@pytest.fixture(scope="class")
def answered(best_worst: Scene, kept_rows_of_class: None) -> Scene:
    """Ana has answered all tuples."""
    scene = copy.deepcopy(best_worst)
    scene.answer_all(scene.people[0])
    return scene


class TestTuplesOfOne:
    @pytest.fixture
    def scene(self, answered: Scene) -> Scene:
        return copy.deepcopy(answered)

    def test_sentences_that_come_later_get_tuples_with_others(self, scene: Scene) -> None:
        ana, *_ = scene.people
        assert scene.claim(ana) == []
        new = make_sentence(scene.project, "Her smile is a lamp", language="en")
        (item,) = scene.claim(ana, 20)
        assert new.text in Unit.objects.get(pk=item["unit"]["id"]).text
        scene.counted()

    def test_a_text_that_may_not_be_published_stays_out(self, scene: Scene) -> None:
        hidden = scene.sentences[1]
        source = Import.objects.create(
            project=scene.project, dataset="d", publishable=False, published_at=hidden.created_at
        )
        Unit.objects.filter(pk=hidden.pk).update(imported=source)
        released = release_files(scene.project, partial=False)
        assert hidden.text not in released.files["best-worst/en.tsv"].decode()
        assert [one["id"] for one in released.left_out] == [hidden.segment.uid]


@pytest.fixture(scope="class")
def answered_twice(answered: Scene, kept_rows_of_class: None) -> Scene:
    """Ben has answered all tuples, too, and as Ana did."""
    scene = copy.deepcopy(answered)
    scene.answer_all(scene.people[1])
    return scene


class TestTuplesOfTwo:
    @pytest.fixture
    def scene(self, answered_twice: Scene) -> Scene:
        return copy.deepcopy(answered_twice)

    def test_tuples_read_as_their_sentences_do_now(self, scene: Scene) -> None:
        """What was answered on the old wording is asked again, of the same people; other tuples stay as they are."""
        _ana, ben, cai = scene.people
        fixed = scene.sentences[1]
        scene.answer_all(cai)
        before = {unit.segment_id: unit for unit in Unit.objects.filter(kind=UNIT_KIND)}
        other = [unit.pk for unit in before.values() if fixed.segment_id not in unit.touches]
        assert 0 < len(other) < 12

        revise_text(project=scene.project, unit=fixed.pk, text="Prices rise", by=None, anybodys=True)

        now = {unit.segment_id: unit for unit in Unit.objects.filter(kind=UNIT_KIND, is_current=True)}
        assert now.keys() == before.keys()
        for segment, unit in now.items():
            old = before[segment]
            assert unit.text.split("\n") == [line.replace("climb", "rise") for line in old.text.split("\n")]
            assert (unit.touches, unit.rule, unit.pk in other) == (old.touches, old.rule, unit.pk == old.pk)
        scene.counted()
        assert stage_progress(scene.stage).done == len(other)
        (again, *_) = open_ones = scene.claim(ben, 12)
        assert len(open_ones) == 12 - len(other)
        earlier = before[Unit.objects.get(pk=again["unit"]["id"]).segment_id]
        assert again["annotation"]["content"] == Annotation.objects.get(unit=earlier, user=ben).content
        assert again["revised"]["again"], "it is to be looked at again"
        assert Annotation.objects.filter(unit__in=before.values()).count() == 36, "what was said stays on record"
        assert scene.claim(cai, 12)[0]["unit"]["revision"] == 2

    def test_scores_and_their_reliability_are_reported_and_released(self, scene: Scene) -> None:
        (row,) = FURTHER["best-worst"].compute(scene.project).rows
        assert (row["sentences"], row["tuples"], row["answers"]) == (6, 12, 24)
        assert (row["pearson"], row["corrected_spearman"]) == ("1.00", "1.00")
        ana, ben, _cai = scene.people
        for dimension in ("best", "worst"):
            found = agreement(scene.project, a=ana, b=ben, layer="best-worst", dimension=dimension)
            assert found.overall.kappa.observed == 1
        released = release_files(scene.project, partial=False)
        lines = [line.split("\t") for line in released.files["best-worst/en.tsv"].decode().splitlines()]
        assert lines[0] == ["id", "score", "best", "worst", "seen", "text"]
        by_text = {line[-1]: line for line in lines[1:]}
        assert (by_text[TEXTS[0]][1], by_text[TEXTS[-1]][1]) == ("1.000", "-1.000")
        assert by_text[TEXTS[0]][0] == scene.sentences[0].segment.uid
        assert "`best-worst/`" in released.files["README.md"].decode()
        assert not any(path.startswith("detection/") for path in released.files)

    def test_the_page_shows_what_a_job_counted_and_scans_no_answer(
        self, scene: Scene, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ana, _ben, _cai = scene.people
        address = reverse("report", args=["scaled", "best-worst"])
        client.force_login(make_member(scene.project, Role.ADJUDICATOR))
        assert "Split-half reliability" in client.get(address).text, "a small project is counted at once"
        enlarge(scene.project)
        assert "Not counted yet. A manager can start the count." in client.get(address).text
        job = start_job(project=scene.project, kind="count", params={}, by=None)
        jobs.run_job(job.pk, worker="here")
        monkeypatch.setattr("annotator.kinds.rating.reports.picked", lambda *_of: pytest.fail("scanned"))
        page = client.get(address).text
        assert "Split-half reliability" in page
        assert "1.00" in page
        (row,) = client.get(reverse("report-json", args=["scaled", "best-worst"])).json()
        assert (row["answers"], row["pearson"]) == (24, "1.00")
        # What others answered is for no annotator, by whatever way.
        of_job = client_of(ana).get(f"/api/v1/projects/scaled/jobs/{job.pk}/").json()
        assert (of_job["state"], of_job["result"]) == ("done", {})
        client.force_login(ana)
        assert client.get(address).status_code == 403
        page = client.get(reverse("reports", args=["scaled"])).text
        assert "Split-half reliability" not in page
        assert "They are for adjudicators." in page


@pytest.fixture(scope="class")
def rating(kept_rows_of_class: None) -> Scene:
    return Scene("rating")


class TestRating:
    @pytest.fixture
    def scene(self, rating: Scene) -> Scene:
        return copy.deepcopy(rating)

    def test_a_sentence_is_rated_refused_and_undone(self, scene: Scene) -> None:
        ana, *_ = scene.people
        (item,) = scene.claim(ana)
        assert item["annotation"]["content"] == {"value": None}
        refused = scene.save(ana, item, {"value": 6})
        assert "from 1 to 5" in refused.json()["error"]["message"]
        saved = scene.save(ana, item, {"value": 4}).json()
        assert saved["annotation"]["content"] == {"value": 4}
        scene.counted()
        assert (
            scene.send(ana, f"assignments/{item['id']}/undo/", {"version": saved["annotation"]["version"]}).status_code
            == 200
        )
        scene.counted()

    def test_ratings_are_reported_and_released(self, scene: Scene) -> None:
        for person, values in zip(scene.people, ([1, 5], [2, 5], [3, 5]), strict=True):
            for item, value in zip(scene.claim(person, 2), values, strict=True):
                assert scene.save(person, item, {"value": value}).status_code == 200
        (row,) = FURTHER["ratings"].compute(scene.project).rows
        # Means 2 and 5; spreads 1 and 0. Within: (2 · (1 + 1 + 4) / 2) / 6 = 1; between all: 190 / 30.
        assert (row["sentences"], row["ratings"], row["mean"], row["spread"]) == (2, 6, "3.50", "0.50")
        assert row["interval_alpha"] == f"{1 - 1 / (190 / 30):.2f}"
        released = release_files(scene.project, partial=False).files["ratings/en.tsv"].decode().splitlines()
        first = scene.sentences[0]
        assert released[0].split("\t") == ["id", "mean", "spread", "ratings", "values", "text"]
        assert released[1].split("\t") == [first.segment.uid, "2.000", "1.000", "3", "1 2 3", first.text]
        assert len(released) == 3

    def test_managers_set_the_scale_until_there_are_answers(self, scene: Scene) -> None:
        ana, *_ = scene.people
        manager = make_member(scene.project, Role.MANAGER)
        path, body = (
            f"stages/{scene.stage.pk}/scale/",
            {"question": "How new?", "high": "New", "low": "Old", "points": 7},
        )
        assert scene.send(ana, path, body).status_code == 403
        assert scene.send(manager, path, {**body, "points": 10}).status_code == 400
        assert scene.send(manager, path, body).json() == body
        assert Event.objects.filter(verb="scheme.change").count() == 1
        (item,) = scene.claim(ana)
        assert scene.save(ana, item, {"value": 7}).status_code == 200
        refused = scene.send(manager, path, {**body, "points": 5})
        assert "already has answers" in refused.json()["error"]["message"]
        scene.stage.layer.refresh_from_db()
        assert scene.stage.layer.scheme_data["points"] == 7

    def test_a_project_has_several_scales(self, scene: Scene) -> None:
        """Each with its own words, answers, table rows and file; a further language gets both."""
        project, manager = scene.project, make_member(scene.project, Role.MANAGER)
        client = Client()
        client.force_login(manager)
        sent = {"what": "rate", "language": "en", "mode": "blind", "answers_wanted": "2", "scale": "novelty"}
        add = reverse("settings-stage-add", args=["scaled"])
        page = client.get(add, sent).content.decode()
        assert "Add the stage Rate: novelty (en)?" in page
        assert client.post(add, sent).status_code == 302
        second = project.stages.exclude(pk=scene.stage.pk).get()
        assert (second.layer.slug, second.layer.content_type) == ("novelty", "rating")
        assert [words.stage_name(stage) for stage in (scene.stage, second)] == ["Rate (en)", "Rate: novelty (en)"]
        body = {"question": "How new is it?", "high": "New", "low": "Old", "points": 7}
        assert scene.send(manager, f"stages/{second.pk}/scale/", body).status_code == 200
        ana, ben, _cai = scene.people
        for stage, values in ((scene.stage, (1, 5)), (second, (7, 6))):
            scene.stage = stage
            for person, value in zip((ana, ben), values, strict=True):
                for item in scene.claim(person, 20):
                    assert scene.save(person, item, {"value": value}).status_code == 200
            scene.counted()
        rows = FURTHER["ratings"].compute(project).rows
        assert [(row["name"], row["ratings"], row["mean"]) for row in rows] == [
            ("ratings", 12, "3.00"), ("novelty", 12, "6.50"),
        ]  # fmt: skip
        files = release_files(project, partial=True).files
        assert {"ratings/en.tsv", "novelty/en.tsv"} <= files.keys()
        assert b"\t6.500\t" in files["novelty/en.tsv"]
        likewise = [(spec.kind, spec.layer) for spec in stages_for_language(project, "es")]
        assert likewise == [("rate", "ratings"), ("rate", "novelty")]

    @pytest.mark.parametrize(
        ("kind", "name", "why"),
        [
            ("rate", "Novelty", "lowercase letters"),
            ("rate", "validity", "a name that no other layer has"),
            ("rate", "tokens", "a name that no other layer has"),
            ("rate", "labels", "contains something else"),
            ("correct", "novelty", "no such layer"),
        ],
    )
    def test_a_name_that_no_scale_can_have_adds_nothing(self, scene: Scene, kind: str, name: str, why: str) -> None:
        manager = make_member(scene.project, Role.MANAGER)
        refused = scene.send(manager, "stages/", {"kind": kind, "language": "en", "layer": name})
        assert refused.status_code == 400
        assert why in refused.json()["error"]["message"]
        assert scene.project.stages.count() == 1
        assert scene.project.layers.count() == 2

    def test_a_stage_of_another_kind_has_no_scale(self, scene: Scene) -> None:
        add_stages(project=scene.project, specs=[StageSpec("correct", "en")], by=None)
        manager = make_member(scene.project, Role.MANAGER)
        other = scene.project.stages.get(kind="correct")
        body = {"question": "", "high": "", "low": ""}
        assert scene.send(manager, f"stages/{other.pk}/scale/", body).status_code == 404


def test_answers_are_released_as_they_are(client: Client, tmp_path: Path, settings: Any) -> None:
    scene = Scene("rating", 2)
    manager = make_member(scene.project, Role.MANAGER)
    access = project_for(manager, "scaled")

    def offered() -> tuple[Step, bool, bool]:
        client.force_login(manager)
        step = next_step(access, project_progress(scene.project, manager), {})
        pages = [client.get(reverse(name, args=["scaled"])).content.decode() for name in ("releases", "project")]
        return step.step, reverse("release-start", args=["scaled"]) in pages[0], "action-accept" in pages[1]

    assert offered() == (Step.START, False, False)
    for person in scene.people:
        for item in scene.claim(person, 2):
            assert scene.save(person, item, {"value": 4}).status_code == 200
    assert offered() == (Step.RELEASE_ANSWERS, True, False)
    settings.MEDIA_ROOT = tmp_path
    make_release(scene.project, manifest={"last_event": Event.objects.latest("pk").pk})
    assert offered() == (Step.NOTHING, True, False)
    ana, *_ = scene.people
    first = Annotation.objects.filter(user=ana).earliest("pk")
    item = {"id": Assignment.objects.get(unit=first.unit, user=ana).pk, "annotation": {"version": first.version}}
    assert scene.save(ana, item, {"value": 5}).status_code == 200
    assert offered() == (Step.RELEASE_ANSWERS, True, False)


@pytest.mark.parametrize("name", ["rating", "rating-marked", "best-worst", "best-worst-marked"])
def test_the_starting_points_bring_guidelines_and_a_sample(name: str) -> None:
    start = STARTS[name]
    project = create_project(slug="sampled", preset=start.preset(["en", "es"]), by=None)
    assert set(project.guidelines) == {"en", "es"}
    run_all(add_sample(project=project, start=start, by=None))
    for language, text in (
        ("en", "Prices have climbed again this month."),
        ("es", "El río tiene aquí dos metros de profundidad."),
    ):
        sentences = Unit.objects.filter(project=project, kind="sentence", language=language)
        assert sentences.count() == 12
        assert text in {unit.text for unit in sentences}
    asking = project.stages.exclude(kind__in=("correct", "adjudicate"))
    assert {(stage.mode, stage.answers_wanted) for stage in asking} == {("blind", 3)}
