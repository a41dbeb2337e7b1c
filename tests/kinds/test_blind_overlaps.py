"""A blind sample in stages of any kind: some items are answered by several people, blind, the others by one."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.counters import recounted
from annotator.core.errors import ActionError
from annotator.core.presets import StageSpec
from annotator.core.starts import STARTS
from annotator.models import (
    Annotation,
    Assignment,
    BlindMark,
    Event,
    Gold,
    Item,
    Membership,
    Project,
    Role,
    Stage,
    Unit,
    User,
)
from annotator.projects.actions.projects import create_project, remove_member
from annotator.projects.actions.stages import add_stages
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.overlaps import overlaps
from annotator.work.blind.actions.blind import BlindSummary
from annotator.work.blind.actions.blind_items import assign_blind_items
from annotator.work.blind.queries.blind import is_blind
from annotator.work.blind.queries.blind_subset import drawable
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.actions.giving_back import free_open
from annotator.work.queue.queries.progress import stage_progress
from tests.clients import client_of
from tests.deciding import decide_gold
from tests.drafts import load
from tests.factories import make_gold, make_member, make_pair, make_project, make_sentence, make_user, stage_of
from tests.kinds.impli.work import DEFINED, Impli
from tests.kinds.munch import ONE, Munch
from tests.protocols.mabl.work import OFFICE, Mabl
from tests.saving import NOW, save

pytestmark = pytest.mark.django_db

ACCEPT = {"verdict": "accept", "reason": "", "texts": [], "second": None}
REJECT = {"verdict": "reject", "reason": "incoherent", "texts": [], "second": None}


def overlap(stage: Stage, *users: User, count: int = 2, seed: int = 3, by: User | None = None) -> list[BlindSummary]:
    return assign_blind_items(stage=stage, users=users, count=count, seed=seed, by=by)


def given(stage: Stage, user: User) -> dict[int, Assignment]:
    """By unit, what somebody has in a stage."""
    return {row.unit_id: row for row in Assignment.objects.filter(stage=stage, user=user).exclude(state="returned")}


def counted(stage: Stage) -> None:
    assert stage_progress(stage).to_json() == {**recounted(stage), "mine": 0, "blind": 0}


class Rated:
    """Eight sentences that one person each rates on a scale, in a stage that is not blind."""

    def __init__(self) -> None:
        self.project: Project = create_project(slug="rated", preset=STARTS["rating"].preset(["en"]), by=None)
        for number in range(8):
            make_sentence(self.project, f"Doubt moved in {number}", language="en")
        specs = [StageSpec("rate", "en", layer="novelty"), StageSpec("adjudicate", "en", layer="novelty")]
        add_stages(project=self.project, specs=specs, by=None)
        self.stage = stage_of(self.project, "rate", "en", "novelty")
        self.people: Sequence[User] = [make_member(self.project) for _ in range(3)]


@pytest.fixture(scope="class")
def rated(kept_rows_of_class: None) -> Rated:
    return Rated()


class TestWhereNothingIsSuggested:
    @pytest.fixture
    def scene(self, rated: Rated) -> Rated:
        return copy.deepcopy(rated)

    def test_sampled_items_want_an_answer_of_each_and_the_others_one(self, scene: Rated) -> None:
        ana, ben, cai = scene.people
        boss = make_member(scene.project, Role.MANAGER)
        summaries = overlap(scene.stage, ana, ben, by=boss)
        assert [(row.user, row.items, row.already) for row in summaries] == [(ana, 2, 0), (ben, 2, 0)]
        mine, yours = given(scene.stage, ana), given(scene.stage, ben)
        assert mine.keys() == yours.keys()
        assert {(row.mode, row.expires_at) for row in (*mine.values(), *yours.values())} == {("blind", None)}
        wanted = dict(Item.objects.filter(stage=scene.stage).values_list("unit", "answers_wanted"))
        assert {unit: number for unit, number in wanted.items() if number != 1} == dict.fromkeys(mine, 2)
        assert stage_progress(scene.stage).total == 8
        assert {row.unit_id for row in claim(stage=scene.stage, user=cai, count=20, now=NOW)} == wanted.keys() - mine
        sample = Event.objects.get(verb="assignment.sample")
        assert (sample.actor, sample.after["seed"], set(sample.after["units"])) == (boss, 3, set(mine))
        counted(scene.stage)

    def test_the_same_seed_draws_the_same_and_again_changes_nothing(self, scene: Rated) -> None:
        ana, ben, _cai = scene.people
        overlap(scene.stage, ana)
        overlap(scene.stage, ben)
        assert given(scene.stage, ana).keys() == given(scene.stage, ben).keys()
        before = list(Item.objects.order_by("pk").values())
        (again,) = overlap(scene.stage, ben)
        assert (again.items, again.already) == (0, 2)
        assert list(Item.objects.order_by("pk").values()) == before

    def test_what_all_say_is_accepted_what_differs_is_adjudicated_and_agreement_counts_both(self, scene: Rated) -> None:
        ana, ben, _cai = scene.people
        overlap(scene.stage, ana, ben)
        layer = scene.stage.layer
        (same, differs) = given(scene.stage, ana)
        for unit in (same, differs):
            save(given(scene.stage, ana)[unit], {"value": 2})
        waiting = Item.objects.filter(stage__kind="adjudicate", stage__layer=layer, state="free")
        assert accept_agreed(project=scene.project, layer=layer, language="en", by=None).waiting == 2
        assert not Gold.objects.exists()
        assert not waiting.exists()
        save(given(scene.stage, ben)[same], {"value": 2})
        save(given(scene.stage, ben)[differs], {"value": 5})

        assert [row.unit_id for row in waiting] == [differs]
        (row,) = [row for row in overlaps(scene.project) if row.layer == "novelty"]
        assert (row.units, row.blind, {row.a, row.b}) == (2, 2, {ana, ben})
        assert agreement(scene.project, a=ana, b=ben, layer="novelty").overall.blind == 2
        assert accept_agreed(project=scene.project, layer=layer, language="en", by=None).accepted == 1
        assert Gold.objects.get().unit_id == same
        counted(scene.stage)
        decide_gold(unit=differs, layer=layer, content={"value": 4}, by=make_member(scene.project, Role.ADJUDICATOR))
        assert not BlindMark.objects.filter(live=True).exists()
        counted(scene.stage)

    def test_nobody_is_told_what_the_others_answered_and_none_of_them_decides(self, scene: Rated) -> None:
        ana, ben, cai = scene.people
        Membership.objects.update(role=Role.ADJUDICATOR)
        overlap(scene.stage, ana, ben, count=1)
        (unit,) = given(scene.stage, ana)
        save(given(scene.stage, ana)[unit], {"value": 5}, doubt=True)
        path = f"/api/v1/projects/rated/stages/{scene.stage.pk}/claim/"
        (item,) = client_of(ben).post(path, {"count": 1}).json()["items"]
        assert (item["unit"]["id"], item["mode"], item["annotation"]["content"]) == (unit, "blind", {"value": None})
        assert ana.username not in str(item)
        save(given(scene.stage, ben)[unit], {"value": 1})
        judge = scene.project.stages.get(kind="adjudicate", layer=scene.stage.layer)
        for reader, shown in ((ana, 0), (ben, 0), (cai, 1)):
            waiting = client_of(reader).get(f"/api/v1/projects/rated/stages/{judge.pk}/adjudicate/").json()["items"]
            assert len(waiting) == shown

    def test_whoever_takes_up_what_was_handed_back_answers_blind(self, scene: Rated) -> None:
        ana, ben, cai = scene.people
        overlap(scene.stage, ana, ben, count=8)
        save(next(iter(given(scene.stage, ana).values())), {"value": 2})
        free_open(stage=scene.stage, user=ben, mode="blind", by=ben)
        counted(scene.stage)
        rows = claim(stage=scene.stage, user=cai, count=20, now=NOW)
        assert len(rows) == 8
        assert {row.mode for row in rows} == {"blind"}
        assert is_blind(cai, rows[0].unit)
        save(rows[0], {"value": 1})
        counted(scene.stage)

    def test_who_is_taken_out_of_it_is_not_waited_for(self, scene: Rated) -> None:
        ana, ben, cai = scene.people
        dan, boss = make_member(scene.project), make_member(scene.project, Role.MANAGER)
        overlap(scene.stage, ana, ben, cai, dan)
        (first, second) = given(scene.stage, ana)
        save(given(scene.stage, ana)[first], {"value": 2})
        remove_member(membership=Membership.objects.get(user=ben, project=scene.project), by=boss)
        wanted = Item.objects.filter(stage=scene.stage, unit__in=[first, second])
        assert list(wanted.values_list("answers_wanted", "state")) == [(3, "taken")] * 2
        counted(scene.stage)
        for person in (cai, dan):
            free_open(stage=scene.stage, user=person, mode="blind", by=boss)
        assert dict(wanted.values_list("unit", "state")) == {first: "done", second: "taken"}
        counted(scene.stage)
        save(given(scene.stage, ana)[second], {"value": 5})
        summary = accept_agreed(project=scene.project, layer=scene.stage.layer, language="en", by=None)
        assert (summary.accepted, summary.waiting) == (2, 0)
        counted(scene.stage)

    def test_what_differs_is_adjudicated_once_the_last_one_is_taken_out(self, scene: Rated) -> None:
        ana, ben, cai = scene.people
        overlap(scene.stage, ana, ben, cai, count=1)
        for person, value in ((ana, 1), (ben, 5)):
            (row,) = given(scene.stage, person).values()
            save(row, {"value": value})
        waiting = Item.objects.filter(stage__kind="adjudicate", stage__layer=scene.stage.layer, state="free")
        assert not waiting.exists()
        free_open(stage=scene.stage, user=cai, mode="blind", by=ana)
        assert waiting.exists()
        counted(scene.stage)

    def test_one_person_is_compared_with_whoever_answers_in_the_stage(self, scene: Rated) -> None:
        ana, ben, _cai = scene.people
        (first,) = claim(stage=scene.stage, user=ana, now=NOW)
        save(first, {"value": 2})
        assert [row.items for row in overlap(scene.stage, ben, count=8)] == [8]
        assert set(Item.objects.filter(stage=scene.stage).values_list("answers_wanted", flat=True)) == {2}
        assert stage_progress(scene.stage, ben).to_json()["open"] == 8
        save(given(scene.stage, ben)[first.unit_id], {"value": 3})
        assert Item.objects.get(stage=scene.stage, unit=first.unit).state == "done"
        counted(scene.stage)

    def test_what_is_decided_is_left_out(self, scene: Rated) -> None:
        ana, *_ = scene.people
        for unit in Unit.objects.filter(kind="sentence")[:3]:
            make_gold(unit, content={"value": 1}, layer=scene.stage.layer)
        (summary,) = overlap(scene.stage, ana, count=8)
        assert (summary.items, summary.decided) == (5, 3)

    def test_it_is_for_members_whose_role_and_languages_fit(self, scene: Rated) -> None:
        ana, ben, off = scene.people
        Membership.objects.filter(user=ben).update(languages=["es"])
        off.is_active = False
        off.save()
        expected = {
            "not a member": (scene.stage, make_user()),
            "not assigned work in “en”": (scene.stage, ben),
            "is deactivated": (scene.stage, off),
            "Several people answer every item": (stage_of(scene.project, "rate", "en", "ratings"), ana),
        }
        for message, (stage, person) in expected.items():
            with pytest.raises(ActionError, match=message):
                overlap(stage, ana, person)
        with pytest.raises(ActionError, match="at least one person"):
            overlap(scene.stage)
        with pytest.raises(ActionError, match="at least 1"):
            overlap(scene.stage, ana, count=0)
        assert not Assignment.objects.exists()
        assert not Event.objects.filter(verb="assignment.sample").exists()

    def test_a_manager_assigns_it_on_the_dashboard_which_says_where_there_is_none(
        self, scene: Rated, client: Client
    ) -> None:
        ana, ben, off = scene.people
        off.is_active = False
        off.save()
        client.force_login(make_member(scene.project, Role.MANAGER))
        page = client.get(reverse("project", args=["rated"])).text
        assert f'<option value="{scene.stage.pk}">Rate: novelty (en)</option>' in page
        listed = page.partition('name="users"')[2].partition("</form>")[0]
        assert [f"{person}" in listed for person in (ana, ben, off)] == [True, True, False]
        members = client.get(reverse("members", args=["rated"])).text
        assert members.count("account deactivated") == 1
        assert "Not in “Rate”: Several people answer every item here" in page
        sent = {"stage": scene.stage.pk, "users": [ana.pk, ben.pk], "count": 3, "seed": 1}
        said = client.post(reverse("blind", args=["rated"]), sent, follow=True).text
        assert f"{ana}: 3 items in the blind sample." in said
        refused = {**sent, "stage": stage_of(scene.project, "rate", "en", "ratings").pk}
        client.post(reverse("blind", args=["rated"]), refused)
        assert Assignment.objects.count() == 6

    def test_tuples_are_made_for_it(self, scene: Rated) -> None:
        add_stages(project=scene.project, specs=[StageSpec("best-worst", "en")], by=None)
        ana, ben, _cai = scene.people
        stage = stage_of(scene.project, "best-worst", "en")
        assert [row.items for row in overlap(stage, ana, ben)] == [2, 2]
        assert set(given(stage, ana)) == set(given(stage, ben))


class TestWhereAnswersDecide:
    """Verdicts: gold follows once all that are wanted of an item are there."""

    @pytest.fixture
    def scene(self) -> Any:
        scene = Mabl()
        Stage.objects.filter(pk=scene.validate.pk).update(answers_wanted=1)
        Stage.objects.filter(pk=scene.categories.pk).update(answers_wanted=1, mode="review")
        scene.validate.refresh_from_db()
        scene.categories.refresh_from_db()
        return scene

    def test_nobody_gets_their_own_and_the_majority_of_all_decides(self, scene: Any) -> None:
        writer, ana, ben, cai = scene.people
        scene.written(writer)
        scene.written(writer, OFFICE)
        stage = scene.validate
        summaries = overlap(stage, writer, ana, ben, cai)
        assert [(row.items, row.own) for row in summaries] == [(0, 2), (2, 0), (2, 0), (2, 0)]
        first, second = given(stage, ana)
        for person, verdict in ((ana, ACCEPT), (ben, REJECT)):
            save(given(stage, person)[first], verdict)
            assert not Gold.objects.exists(), "one more is asked"
        save(given(stage, cai)[first], ACCEPT)
        gold = Gold.objects.get()
        assert (gold.unit_id, gold.content["verdict"], gold.source) == (first, "accept", "agreed")
        assert Item.objects.filter(stage=scene.categories, unit=first).exists(), "it went on"
        for person in (ana, ben, cai):
            save(given(stage, person)[second], REJECT)
        assert Annotation.objects.filter(layer=scene.write.layer, state="open").count() == 1, "it is with its writer"
        counted(stage)

    def test_the_verdicts_that_are_left_decide_once_the_others_are_taken_out(self, scene: Any) -> None:
        writer, ana, ben, cai = scene.people
        scene.written(writer)
        scene.written(writer, OFFICE)
        overlap(scene.validate, ana, ben, cai)
        first, second = given(scene.validate, ana)
        for person in (ana, ben):
            save(given(scene.validate, person)[first], ACCEPT)
            save(given(scene.validate, person)[second], REJECT)
        free_open(stage=scene.validate, user=cai, mode="blind", by=writer)
        assert Gold.objects.get().unit_id == first
        assert Annotation.objects.filter(layer=scene.write.layer, state="open").count() == 1, "it is with its writer"
        for stage in (scene.write, scene.validate):
            counted(stage)

    def test_a_mended_text_stays_in_it(self, scene: Any) -> None:
        writer, ana, ben, cai = scene.people
        scene.written(writer)
        overlap(scene.validate, ana, ben)
        for person in (ana, ben):
            (row,) = given(scene.validate, person).values()
            save(row, REJECT)
        scene.written(writer, OFFICE)
        item = Item.objects.get(stage=scene.validate, unit__is_current=True)
        assert (item.unit.revision, item.answers_wanted, item.state) == (2, 2, "free")
        for person in (ana, cai):
            (row,) = claim(stage=scene.validate, user=person, now=NOW)
            assert row.mode == "blind"
            assert not Gold.objects.exists()
            save(row, ACCEPT)
        assert Gold.objects.get().unit == item.unit
        assert Item.objects.get(stage=scene.categories).answers_wanted == 1
        for stage in (scene.write, scene.validate):
            counted(stage)

    def test_what_one_verdict_decided_is_left_out(self, scene: Any) -> None:
        writer, ana, ben, _cai = scene.people
        scene.written(writer)
        scene.judged(ana, **ACCEPT)
        (summary,) = overlap(scene.validate, ben)
        assert (summary.items, summary.decided) == (0, 1)

    def test_categories_of_what_was_accepted(self, scene: Any) -> None:
        writer, ana, ben, cai = scene.people
        scene.written(writer)
        scene.judged(ana, **ACCEPT)
        overlap(scene.categories, ben, cai)
        (unit,) = given(scene.categories, ben)
        for person in (ben, cai):
            save(given(scene.categories, person)[unit], {"answers": [["object"], []]})
        summary = accept_agreed(project=scene.project, layer=scene.categories.layer, language="en", by=None)
        assert summary.accepted == 1
        (row,) = [row for row in overlaps(scene.project) if row.layer == "categories"]
        assert row.blind == 1

    def test_nothing_is_drawn_where_people_write(self, scene: Any) -> None:
        with pytest.raises(ActionError, match="write freely"):
            overlap(scene.write, scene.people[0])


class TestWhatIsMadeAnew:
    """A new revision wants as many answers as the one before it, whatever made it."""

    @staticmethod
    def drawn(stage: Stage, people: Sequence[User]) -> None:
        Stage.objects.filter(pk=stage.pk).update(answers_wanted=1, mode="review")
        Item.objects.filter(stage=stage).update(answers_wanted=1)
        stage.refresh_from_db()
        assert all(row.items for row in overlap(stage, *people, count=9))

    def test_pairs_of_a_definition_that_was_changed(self) -> None:
        scene = Impli()
        ana, ben, *judges = scene.people
        scene.marked(ana)
        scene.bring("expressions")
        scene.defined(ben)
        scene.bring("pairs")
        stage = scene.stage("validate")
        self.drawn(stage, judges)
        rows = scene.call(ben, "get", f"stages/{scene.stage('define').pk}/items/")["results"]
        item = scene.call(ben, "get", f"assignments/{rows[0]['id']}/")
        scene.save(ben, item, {**DEFINED, "correct": "to be blamed for everything"})
        assert scene.bring("pairs")["made"] > 0
        again = Item.objects.filter(stage=stage, unit__is_current=True, unit__revision=2)
        assert [item.answers_wanted for item in again] == [2, 2]
        counted(stage)

    def test_words_of_an_answer_that_was_changed(self, uploads: Path) -> None:
        scene = Munch(5)
        load(scene.project, {"for_generation.csv": ONE})
        scene.write("surge", "surge", "rush", "rush", "flood")
        stage = scene.stage("choose-best")
        self.drawn(stage, scene.people[:2])
        (row,) = scene.call(scene.people[4], "get", f"stages/{scene.stage('substitute').pk}/items/")["results"]
        item = scene.call(scene.people[4], "get", f"assignments/{row['id']}/")
        sent = {"version": item["annotation"]["version"], "content": {"word": "tide", "reason": ""}, "done": True}
        scene.call(scene.people[4], "post", f"assignments/{item['id']}/save/", sent)
        now = Item.objects.get(stage=stage, unit__is_current=True)
        assert (now.unit.tokens, now.unit.revision, now.answers_wanted) == (["rush", "surge", "tide"], 2, 2)
        counted(stage)


class TestPairs:
    def test_with_their_sentences_where_these_are_labelled(self, project: Project, ana: User) -> None:
        make_pair(project)
        with pytest.raises(ActionError, match="together with their sentences"):
            overlap(stage_of(project, "pair-tag"), ana)
        with pytest.raises(ActionError, match="Projections"):
            overlap(stage_of(project, "project-review", "en"), ana)
        (summary,) = overlap(stage_of(project, "correct"), ana)
        assert (summary.pairs, summary.sentences, summary.items) == (1, 2, 0)

    def test_by_themselves_where_they_are_not(self, project: Project) -> None:
        pair = make_pair(project)
        project.stages.filter(kind="correct").delete()
        ana, ben = make_member(project), make_member(project)
        make_gold(pair.premise.units.get(kind="sentence"))
        stage = stage_of(project, "pair-tag")
        (seen,) = claim(stage=stage, user=ana, now=NOW)
        summaries = overlap(stage, ana, ben)
        assert [(row.items, row.seen) for row in summaries] == [(0, 1), (1, 0)]
        item = Item.objects.get(pk=seen.item_id)
        assert (item.answers_wanted, item.answers_open, item.extra_open) == (1, 1, 1), "beside the review"


def test_of_every_kind_it_is_known_whether_there_is_one() -> None:
    """With one answer an item, a blind sample is refused where people write, and where projections are reviewed."""
    projects = [create_project(slug=start, preset=STARTS[start].preset(["en"]), by=None) for start in STARTS]
    refused, drawn = set(), set()
    for project in (*projects, make_project()):
        stages = list(project.stages.select_related("layer", "project"))
        for stage in stages:
            stage.answers_wanted = 1
        for row in drawable(stages):
            (refused if row.refusal else drawn).add(row.stage.kind)
    assert refused == {"write-pair", "rewrite", "define", "project-review", "pair-tag"}
    assert drawn >= {
        "correct", "validate", "categories", "substitute", "choose-best", "verify-best", "inapt", "rate", "rate-marked",
        "best-worst",
    }  # fmt: skip
