"""Pairs from nothing to a release: written, judged by others, mended, categorised."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import Http404
from django.test import Client
from django.urls import reverse

from annotator.core.access import project_for
from annotator.core.errors import ActionError
from annotator.core.kind import own_texts
from annotator.core.permissions import Permission
from annotator.core.presets import StageSpec
from annotator.dashboard.queries.next_step import Step, next_step
from annotator.kinds.validate.texts import second_answers
from annotator.kinds.write_pair.similar import similar_pairs
from annotator.models import (
    Annotation,
    Assignment,
    Event,
    Gold,
    Import,
    Item,
    Layer,
    Membership,
    Release,
    Role,
    Unit,
    User,
)
from annotator.projects.actions.projects import change_role, remove_member
from annotator.projects.actions.stages import add_stages
from annotator.protocols.mabl.release import undecided
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.release_parts import PARTS
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.tables import FURTHER
from annotator.search.queries.find import whole
from annotator.templatetags.tables import report_rows
from annotator.work.gold.actions.agreed import AcceptSummary, accept_agreed
from annotator.work.gold.queries.adjudication import opened, waits
from annotator.work.gold.queries.left_out import MissingGoldError
from annotator.work.queue.actions.assignments import assign_review
from annotator.work.queue.queries.progress import project_progress, stage_progress
from annotator.work.queue.queries.returned import returned_units
from tests.deciding import by_hand, decide_gold, sent, taking
from tests.drafts import draft_of, everything, load
from tests.factories import make_member, make_release, make_sentence, make_user
from tests.found import find
from tests.protocols.mabl.work import ACCEPT, BLANKET, OFFICE, REJECT, WARM, Mabl

pytestmark = pytest.mark.django_db

CAR = {"figurative": ["The car is a rocket.", "The car is a snail."], "literal": ["It is fast.", "It is slow."]}


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Mabl:
    """The project with its stages and people. Classes go on from here, and each test has objects of its own."""
    return Mabl()


@pytest.fixture
def scene(made: Mabl) -> Mabl:
    return copy.deepcopy(made)


class TestWriting:
    def test_an_empty_pair_is_there_for_whoever_asks(self, scene: Mabl) -> None:
        ana, ben, *_ = scene.people
        (first,) = scene.claim(ana, scene.write)
        (second,) = scene.claim(ben, scene.write)
        assert first["unit"]["uid"] != second["unit"]["uid"]
        assert first["annotation"]["content"] == {"figurative": ["", ""], "literal": ["", ""]}
        (again,) = scene.claim(ana, scene.write)
        assert again["id"] == first["id"], "one that is open comes first"
        scene.check_counters()

    def test_a_target_ends_the_work_of_each_person(self, scene: Mabl) -> None:
        ana, ben, *_ = scene.people
        manager = make_member(scene.project, Role.MANAGER)
        refused = scene.send(ana, "post", f"stages/{scene.write.pk}/target/", {"target": 1})
        assert refused.status_code == 403
        scene.call(manager, "post", f"stages/{scene.write.pk}/target/", {"target": 1})
        scene.written(ana)
        assert scene.claim(ana, scene.write) == []
        assert len(scene.claim(ben, scene.write, count=5)) == 1
        scene.call(manager, "post", f"stages/{scene.write.pk}/target/", {"target": 0})
        assert len(scene.claim(ana, scene.write)) == 1

    def test_a_target_that_is_set_later_takes_empty_pairs_back(self, scene: Mabl) -> None:
        ana, ben, *_ = scene.people
        manager = make_member(scene.project, Role.MANAGER)
        first, begun, *empty = scene.claim(ana, scene.write, count=4)
        scene.save(ana, first, BLANKET)
        scene.save(ana, begun, {**OFFICE, "literal": ["", ""]}, done=False)
        scene.call(manager, "post", f"stages/{scene.write.pk}/target/", {"target": 2})
        assert [item["id"] for item in scene.claim(ana, scene.write, count=5)] == [begun["id"]]
        body = {"version": 0, "content": WARM, "done": True}
        for item in empty:
            refused = scene.send(ana, "post", f"assignments/{item['id']}/save/", body)
            assert (refused.status_code, "you were asked for" in refused.json()["error"]["message"]) == (400, True)
        scene.save(ana, {**begun, "annotation": {"version": 1}}, OFFICE)
        assert scene.claim(ana, scene.write, count=5) == []
        assert len(scene.claim(ben, scene.write, count=5)) == 2, "the empty ones are for whoever comes next"
        scene.check_counters()

    def test_a_pair_whose_place_was_filled_in_another_window_gets_one_of_its_own(self, scene: Mabl) -> None:
        ana, ben, *_ = scene.people
        (here,), (there,) = scene.claim(ana, scene.write), scene.claim(ana, scene.write)
        assert here["id"] == there["id"]
        scene.save(ana, here, BLANKET)
        body = {"version": 0, "content": OFFICE, "done": True}
        assert scene.send(ana, "post", f"assignments/{there['id']}/save/", body).status_code == 409
        path = f"stages/{scene.write.pk}/another/"
        another = scene.call(ana, "post", path)
        assert another["id"] not in [item["id"] for item in (here, *scene.claim(ben, scene.write, count=3))]
        scene.save(ana, another, OFFICE)
        texts = [unit.text.split("\n")[0] for unit in Unit.objects.filter(kind="figurative-pair").order_by("pk")]
        assert texts == [BLANKET["figurative"][0], OFFICE["figurative"][0]]
        scene.check_counters()

    def test_it_is_one_of_those_that_were_asked_for(self, scene: Mabl) -> None:
        ana, *_ = scene.people
        Layer.objects.filter(pk=scene.write.layer_id).update(scheme_data={"target": 2})
        first, second = scene.claim(ana, scene.write, count=2)
        scene.save(ana, first, BLANKET)
        path = f"stages/{scene.write.pk}/another/"
        assert scene.call(ana, "post", path)["id"] == second["id"]
        scene.save(ana, second, OFFICE)
        refused = scene.send(ana, "post", path)
        assert "as many pairs as you were asked for" in refused.json()["error"]["message"]
        assert scene.send(ana, "post", f"stages/{scene.validate.pk}/another/").status_code == 404
        outsider = make_user()
        assert scene.send(outsider, "post", path).status_code == 404
        assert Assignment.objects.filter(stage=scene.write).count() == 2

    def test_what_was_handed_out_and_not_used_is_no_part_of_the_whole(self, scene: Mabl) -> None:
        ana, ben, *_ = scene.people
        client = Client()
        client.force_login(ana)

        def numbers() -> str:
            page = client.get(reverse("project", args=[scene.project.slug])).text
            rows = [part.split("</tr>")[0] for part in page.split('<tr class="stage-row">')[1:]]
            shown = next((row for row in rows if "Write pairs (" in row), "")
            return " ".join(re.sub("<[^>]*>", " ", shown.partition(">")[2]).split()).partition(") ")[2]

        assert numbers() == ""
        scene.claim(ben, scene.write, count=3)
        assert numbers() == ""
        scene.written(ana)
        assert numbers() == "· 1 of them yours 1 0"
        (item,) = scene.claim(ana, scene.write)
        scene.save(ana, item, {**BLANKET, "literal": ["", ""]}, done=False)
        assert numbers() == "· 1 of them yours 1 1"

    def test_lists_of_own_work_name_a_pair_by_how_it_begins(self, scene: Mabl) -> None:
        ana, ben, *_ = scene.people
        scene.written(ana)
        (begun,) = scene.claim(ana, scene.write)
        empty = {"figurative": ["", ""], "literal": ["", ""]}
        scene.save(ana, begun, empty, comment="later", done=False)
        names = [" / ".join(BLANKET["figurative"]), "Nothing is written here yet."]
        client = Client()
        client.force_login(ana)
        page = client.get(reverse("items", args=[scene.project.slug, scene.write.pk])).text
        assert [name in page for name in names] == [True, True]
        listed = scene.call(ana, "get", f"stages/{scene.write.pk}/items/")["results"]
        assert [item["text"] for item in listed] == names
        # Another writer of the same place, after her, has nothing of hers.
        assert own_texts(scene.write, list(Unit.objects.filter(kind="pair-slot")), ben) == {
            unit.pk: names[1] for unit in Unit.objects.filter(kind="pair-slot")
        }

    def test_what_was_written_has_the_lemmas_of_a_dictionary(self, scene: Mabl) -> None:
        plural = {"figurative": ["Cars were rockets.", "Cars were snails."], "literal": ["They rush.", "They crawl."]}
        scene.written(scene.people[0], plural)
        unit = Unit.objects.get(kind="figurative-pair")
        assert unit.lemmas[1:3] == ["be", "rocket"]
        assert set(unit.lemma_places.values_list("lemma", flat=True)) >= {"rocket", "snail", "rush", "crawl"}

    def test_the_same_pair_is_told_of_once_and_ones_own_as_such(self, scene: Mabl) -> None:
        ana, ben, *_ = scene.people
        first, second = scene.written(ana), scene.written(ana)
        lines = [*BLANKET["figurative"], *BLANKET["literal"]]
        path = f"stages/{scene.write.pk}/similar/"
        body = {"first": "her voice is a rusty saw", "second": "Her voice is a warm blanket"}
        assert scene.call(ana, "post", path, body) == {"similar": [], "own": [lines]}
        assert scene.call(ben, "post", path, body) == {"similar": [lines], "own": []}
        # What was made from the item that is looked at again is not written before it.
        again = {**body, "unit": first["unit"]["id"]}
        assert scene.call(ana, "post", path, again)["own"] == [lines]
        Unit.objects.filter(parents=second["unit"]["id"]).update(is_current=False)
        assert scene.call(ana, "post", path, again)["own"] == []
        assert scene.call(ana, "post", path, body)["own"] == [lines]

    def test_what_others_wrote_from_a_prompt_is_hidden_from_whoever_writes_blind(self, scene: Mabl) -> None:
        ana, ben, *_ = scene.people
        make_sentence(scene.project, "Her voice soothes everybody", language="en")
        specs = [
            StageSpec("write-pair-prompted", "en", mode="blind", answers_wanted=2),
            StageSpec("validate", "en", made_from="write-pair-prompted"),
        ]
        add_stages(project=scene.project, specs=specs, by=None)
        write = scene.project.stages.get(kind="write-pair-prompted")
        (hers,), (_his,) = scene.claim(ana, write), scene.claim(ben, write)
        scene.save(ana, hers, BLANKET)
        scene.written(ana, OFFICE)
        for stage in (write, scene.write):
            body = {"first": "her voice is a warm blanket", "second": "the office was a beehive"}
            assert scene.call(ben, "post", f"stages/{stage.pk}/similar/", body)["similar"] == [
                [*OFFICE["figurative"], *OFFICE["literal"]]
            ]
        # The search page holds to the same.
        (blanket,) = find(scene.project, "blanket", reader=ana).units
        assert find(scene.project, "blanket", reader=ben).units == []
        assert len(find(scene.project, "beehive", reader=ben).units) == 1
        whole(project_for(ana, scene.project.slug, needs=Permission.VIEW), blanket.segment_id)
        with pytest.raises(Http404):
            whole(project_for(ben, scene.project.slug, needs=Permission.VIEW), blanket.segment_id)

    def test_only_those_who_write_find_them(self, scene: Mabl) -> None:
        _ana, ben, *_ = scene.people
        for stage in (scene.validate, scene.categories):
            body = {"first": "blanket"}
            assert scene.send(ben, "post", f"stages/{stage.pk}/similar/", body).status_code == 404

    def test_finding_them_takes_a_fixed_number_of_queries(
        self, scene: Mabl, django_assert_max_num_queries: object
    ) -> None:
        ana, ben, *_ = scene.people
        for meaning in ("soft", "warm", "gentle"):
            scene.written(ana, {**BLANKET, "literal": [f"Her voice is {meaning}.", "It is harsh."]})
        with django_assert_max_num_queries(4):  # type: ignore[operator]  # the fixture's type is pytest-django's own
            found = similar_pairs(stage=scene.write, texts=["Her voice is a warm blanket"], user=ben, unit=1)
        assert len(found.others) == 3


@pytest.fixture(scope="class")
def several(made: Mabl, kept_rows_of_class: None) -> Mabl:
    """Ana has written several pairs."""
    scene = copy.deepcopy(made)
    for content in (BLANKET, OFFICE, CAR):
        scene.written(scene.people[0], content)
    return scene


class TestSimilarPairs:
    @pytest.fixture
    def scene(self, several: Mabl) -> Mabl:
        return copy.deepcopy(several)

    def test_what_others_wrote_is_found_by_its_words(self, scene: Mabl) -> None:
        ana, ben, *_ = scene.people
        path, body = f"stages/{scene.write.pk}/similar/", {"first": "his voice is a WARM blanket"}
        assert scene.call(ben, "post", path, body)["similar"] == [[*BLANKET["figurative"], *BLANKET["literal"]]]
        assert scene.call(ana, "post", path, body) == {"similar": [], "own": []}, "one's own are known"
        assert scene.call(ben, "post", path, {"first": "the"})["similar"] == []

    @pytest.mark.parametrize(
        ("first", "second"),
        [("The cars are rockets.", "The cars were snails."), ("A car was a rocket.", "x"), ("x", "My car is a snail")],
    )
    def test_other_forms_of_its_words_find_it_too(self, scene: Mabl, first: str, second: str) -> None:
        _ana, ben, *_ = scene.people
        body = {"first": first, "second": second}
        found = scene.call(ben, "post", f"stages/{scene.write.pk}/similar/", body)["similar"]
        assert found == [[*CAR["figurative"], *CAR["literal"]]]

    @pytest.mark.parametrize("first", ["Her mind is lakes", "Minds are lakes", "The mind was one railway lake"])
    def test_function_words_say_nothing_of_what_is_like_it(self, scene: Mabl, first: str) -> None:
        ana, ben, *_ = scene.people
        mind = {
            "figurative": ["His mind is a lake.", "His mind is a storm."],
            "literal": ["He is calm.", "He is agitated."],
        }
        scene.written(ana, mind)
        path = f"stages/{scene.write.pk}/similar/"
        assert scene.call(ben, "post", path, {"first": first})["similar"] == [[*mind["figurative"], *mind["literal"]]]
        assert scene.call(ben, "post", path, {"first": "His road is a station"})["similar"] == []


def test_the_dashboard_says_to_write_until_the_target_is_reached(scene: Mabl) -> None:
    ana, *_ = scene.people
    manager = make_member(scene.project, Role.MANAGER)
    for person in (ana, manager):
        step = next_step(project_for(person, "figures"), project_progress(scene.project, person), {})
        assert (step.step, step.stage) == (Step.START, scene.write)
    scene.call(manager, "post", f"stages/{scene.write.pk}/target/", {"target": 1})
    scene.written(ana)
    step = next_step(project_for(ana, "figures"), project_progress(scene.project, ana), {})
    assert step.step == Step.OWN, "what she wrote is for others to judge"


def _step(scene: Mabl, user: User) -> tuple[Step, int]:
    step = next_step(project_for(user, "figures"), project_progress(scene.project, user), {})
    return step.step, step.count


def test_the_dashboard_says_first_that_a_pair_came_back(scene: Mabl) -> None:
    ana, ben, cai, _dan = scene.people
    scene.written(ana)
    for person in (ben, cai):
        scene.judged(person, **REJECT)
    scene.claim(ana, scene.write, 3)
    assert _step(scene, ana) == (Step.MEND, 1)
    client = Client()
    client.force_login(ana)
    assert "1 text was sent back to you, with reasons." in client.get(reverse("project", args=["figures"])).text


def test_empty_pairs_that_a_page_holds_are_nothing_that_waits_though_they_are_asked_for(scene: Mabl) -> None:
    ana, *_ = scene.people
    scene.claim(ana, scene.write, 3)
    assert _step(scene, ana) == (Step.START, 1)
    (first, *_others) = scene.claim(ana, scene.write, 3)
    scene.save(ana, first, {**BLANKET, "literal": ["", ""]}, done=False)
    assert _step(scene, ana) == (Step.CONTINUE, 1)
    manager = make_member(scene.project, Role.MANAGER)
    scene.call(manager, "post", f"stages/{scene.write.pk}/target/", {"target": 3})
    assert _step(scene, ana) == (Step.CONTINUE, 1)


def test_empty_pairs_of_somebody_who_left_are_nobodys_debt(scene: Mabl) -> None:
    ana, ben, *_ = scene.people
    manager = make_member(scene.project, Role.MANAGER)
    scene.claim(ben, scene.write, 3)
    remove_member(membership=Membership.objects.get(user=ben, project=scene.project), by=manager)
    assert _step(scene, ana) == (Step.START, 1)


def test_an_empty_stage_of_categories_says_what_comes_first(scene: Mabl) -> None:
    ana, ben, carla, mia = scene.people
    ana.memberships.update(role=Role.MANAGER)
    said = "Write and accept pairs first"
    pages = [reverse("project", args=["figures"]), reverse("work", args=["figures", scene.categories.pk])]

    def page(address: str) -> str:
        client = Client()
        client.force_login(ana)
        return client.get(address).content.decode()

    assert [said in page(address) for address in pages] == [True, True]
    scene.written(ben)
    scene.judged(carla, **ACCEPT)
    scene.judged(mia, **ACCEPT)
    assert said not in page(pages[0]), "it has a pair now"


def test_the_dashboard_has_no_kappa_of_what_people_wrote_as_they_liked(scene: Mabl) -> None:
    ana, ben, cai, dan = scene.people
    make_sentence(scene.project, "A voice that everybody likes", language="en")
    add_stages(project=scene.project, specs=[StageSpec("write-pair-prompted", "en", answers_wanted=2)], by=None)
    prompted = scene.project.stages.get(kind="write-pair-prompted")
    for person, content in ((ana, BLANKET), (ben, OFFICE)):
        (item,) = scene.claim(person, prompted)
        scene.save(person, item, content)
    client = Client()
    client.force_login(make_member(scene.project, Role.ADJUDICATOR))
    url = reverse("project", args=[scene.project.slug])
    assert client.get(url).context["agreements"] == []
    page = client.get(reverse("agreement", args=[scene.project.slug]))
    assert (page.context["result"], len(page.context["common"].rows)) == (None, 1)
    scene.written(ana)
    for person in (cai, dan):
        scene.judged(person, **ACCEPT)
    assert [row["result"].layer for row in client.get(url).context["agreements"]] == ["validity"]


def test_a_release_says_of_how_many_pairs_categories_are_decided(scene: Mabl) -> None:
    ana, ben, cai, dan = scene.people
    for content in (BLANKET, OFFICE):
        scene.written(ana, content)
        scene.judged(ben, **ACCEPT)
        scene.judged(cai, **ACCEPT)
    client = Client()
    client.force_login(dan)
    url = reverse("releases", args=[scene.project.slug])
    assert "Categories are decided for 0 of 2 accepted pairs" in client.get(url).text
    layer = scene.categories.layer
    first, second = Unit.objects.filter(kind="figurative-pair").order_by("pk")
    content = {"answers": [["object"], []]}
    decide_gold(unit=first.pk, layer=layer, content=content, by=None)
    assert "Categories are decided for 1 of 2 accepted pairs" in client.get(url).text
    release = release_files(scene.project, partial=False)
    assert "where they are decided: 1 of 2 pairs that were written here" in release.files["README.md"].decode()
    decide_gold(unit=second.pk, layer=layer, content=content, by=None)
    assert "Categories are decided" not in client.get(url).text


@dataclass
class Written:
    """A scene in which Ana has written a pair, and her item."""

    scene: Mabl
    item: dict[str, Any]


@pytest.fixture(scope="class")
def written(made: Mabl, kept_rows_of_class: None) -> Written:
    scene = copy.deepcopy(made)
    return Written(scene, scene.written(scene.people[0]))


class TestJudging:
    @pytest.fixture
    def scene(self, written: Written) -> Mabl:
        return copy.deepcopy(written.scene)

    @pytest.fixture
    def item(self, written: Written) -> dict[str, Any]:
        return copy.deepcopy(written.item)

    def test_what_is_done_becomes_a_pair_to_be_judged(self, scene: Mabl) -> None:
        unit = Unit.objects.get(kind="figurative-pair")
        assert unit.text.split("\n") == [*BLANKET["figurative"], *BLANKET["literal"]]
        assert unit.author == scene.people[0]
        assert unit.lemma_places.exists()
        scene.check_counters()

    def test_nobody_gets_a_pair_of_their_own(self, scene: Mabl) -> None:
        ana, ben, *_ = scene.people
        assert scene.claim(ana, scene.validate) == []
        assert (
            assign_review(stage=scene.validate, units=Unit.objects.values_list("pk", flat=True), user=ana, by=None) == 0
        )
        (item,) = scene.claim(ben, scene.validate)
        # As if it had been handed over by some other way.
        Assignment.objects.filter(pk=item["id"]).update(user=ana)
        body = {"version": 0, "content": ACCEPT, "done": True}
        refused = scene.send(ana, "post", f"assignments/{item['id']}/save/", body)
        assert refused.status_code == 400
        assert "You wrote this yourself" in refused.json()["error"]["message"]
        assert not Annotation.objects.filter(layer=scene.validate.layer).exists()

    def test_who_wrote_the_same_judges_neither(self, scene: Mabl) -> None:
        ana, ben, cai, _dan = scene.people
        # Capitals and stops make no other text.
        scene.written(ben, {key: [text.lower().rstrip(".") for text in BLANKET[key]] for key in BLANKET})
        scene.written(cai, OFFICE)
        handed = {
            person: {item["unit"]["id"] for item in scene.claim(person, scene.validate, 3)}
            for person in (ana, ben, cai)
        }
        pairs = {unit.author_id: unit.pk for unit in Unit.objects.filter(kind="figurative-pair")}
        assert handed[ana] == handed[ben] == {pairs[cai.pk]}
        assert handed[cai] == {pairs[ana.pk], pairs[ben.pk]}
        with pytest.raises(ActionError, match="someone else"):
            decide_gold(unit=pairs[ben.pk], layer=scene.validate.layer, content=ACCEPT, by=ana)

    def test_nor_decides_on_it_after_becoming_an_adjudicator_or_manager(self, scene: Mabl) -> None:
        ana, ben, cai, _dan = scene.people
        for role in (Role.ADJUDICATOR, Role.MANAGER):
            change_role(membership=Membership.objects.get(user=ana), role=role, by=None)
            assert scene.claim(ana, scene.validate) == []
            unit = Unit.objects.get(kind="figurative-pair")
            chosen = sent(by_hand(unit.pk, scene.validate.layer))
            body = {"layer": "validity", "version": 0, "content": ACCEPT, "chosen": chosen}
            refused = scene.send(ana, "post", f"units/{unit.pk}/gold/", body)
            assert refused.status_code == 400
            assert "You wrote this yourself" in refused.json()["error"]["message"]
            with pytest.raises(ActionError, match="someone else"):
                decide_gold(unit=unit.pk, layer=scene.validate.layer, content=ACCEPT, by=ana)
        assert not Gold.objects.exists()
        scene.judged(ben, **ACCEPT)
        scene.judged(cai, **ACCEPT)
        assert Gold.objects.get().source == "agreed"

    def test_the_majority_accepts_and_the_pair_goes_on(self, scene: Mabl) -> None:
        _ana, ben, cai, _dan = scene.people
        scene.judged(ben, **ACCEPT)
        assert not Gold.objects.exists()
        assert not Item.objects.filter(stage=scene.categories).exists()
        scene.judged(cai, **ACCEPT)
        gold = Gold.objects.get()
        assert (gold.content["verdict"], gold.layer) == ("accept", scene.validate.layer)
        assert Item.objects.get(stage=scene.categories).unit == gold.unit
        scene.check_counters()

    def test_a_rejection_brings_it_back_to_its_writer_with_the_reasons(self, scene: Mabl, item: dict[str, Any]) -> None:
        ana, ben, cai, _dan = scene.people
        corrected = [*BLANKET["figurative"], "It soothes.", "It grates."]
        scene.judged(ben, **REJECT)
        (other,) = scene.claim(cai, scene.validate)
        scene.save(cai, other, {"verdict": "correct", "texts": corrected}, comment="Shorter")
        assert not Gold.objects.exists()
        old = Unit.objects.get(kind="figurative-pair")
        assert not old.is_current
        (back,) = scene.claim(ana, scene.write)
        assert back["id"] == item["id"]
        assert back["annotation"]["content"] == BLANKET
        assert [(one["reason"], one["texts"], one["comment"]) for one in back["remarks"]] == [
            ("Incoherent", [], ""),
            ("", corrected, "Shorter"),
        ]
        assert cai.username not in str(back), "who judges stays unknown"
        assert Event.objects.filter(verb="annotation.returned").count() == 1
        scene.check_counters()

        scene.save(ana, back, {"figurative": BLANKET["figurative"], "literal": corrected[2:]})
        new = Unit.objects.get(kind="figurative-pair", is_current=True)
        assert (new.segment, new.revision) == (old.segment, 2)
        assert scene.judged(ben, **ACCEPT)["unit"]["id"] == new.pk
        scene.judged(cai, **ACCEPT)
        assert Gold.objects.get().unit == new
        scene.check_counters()

    def test_what_is_written_is_no_gold_so_a_rejected_pair_comes_back(self, scene: Mabl, item: dict[str, Any]) -> None:
        ana, ben, cai, _dan = scene.people
        layer = scene.write.layer
        assert accept_agreed(project=scene.project, layer=layer, language="en", by=None) == AcceptSummary()
        with pytest.raises(ActionError, match="where others judge them"):
            decide_gold(unit=item["unit"]["id"], layer=layer, content=BLANKET, by=None)
        assert not Gold.objects.exists()
        scene.judged(ben, **REJECT)
        scene.judged(cai, **REJECT)
        (back,) = scene.claim(ana, scene.write)
        assert back["id"] == item["id"]
        scene.check_counters()

    def test_an_answer_that_is_gold_stays_as_it_is(self, scene: Mabl, item: dict[str, Any]) -> None:
        _ana, ben, cai, _dan = scene.people
        layer = scene.write.layer
        # As an import, or an earlier version, may have left it.
        Gold.objects.create(
            project=scene.project, unit_id=item["unit"]["id"], layer=layer, content=BLANKET, source="agreed", version=1
        )
        Item.objects.filter(unit=item["unit"]["id"], stage=scene.write).update(state="decided")
        scene.judged(ben, **REJECT)
        scene.judged(cai, **REJECT)
        assert Annotation.objects.get(layer=layer).state == "done"
        assert Assignment.objects.get(pk=item["id"]).state == "done"
        unit = Unit.objects.get(kind="figurative-pair")
        assert unit.is_current
        assert Gold.objects.get(unit=unit).content["verdict"] == "reject"

    def test_what_comes_back_is_free_where_its_writer_has_left(self, scene: Mabl, item: dict[str, Any]) -> None:
        ana, ben, cai, dan = scene.people
        make_member(scene.project, Role.MANAGER)
        remove_member(membership=Membership.objects.get(user=ana), by=None)
        scene.judged(ben, **REJECT)
        scene.judged(cai, **REJECT)
        (again,) = scene.claim(dan, scene.write)
        assert again["unit"]["uid"] == item["unit"]["uid"]
        assert again["annotation"]["content"]["figurative"] == ["", ""]
        scene.check_counters()

    def test_what_came_back_is_still_to_be_mended_once_mending_it_is_undone(self, scene: Mabl) -> None:
        ana, ben, cai, _dan = scene.people
        scene.judged(ben, **REJECT)
        scene.judged(cai, verdict="reject", reason="format")
        (back,) = scene.claim(ana, scene.write)
        mended = scene.save(ana, back, OFFICE)
        (unjudged,) = scene.claim(ben, scene.validate)
        scene.save(ben, unjudged, REJECT, comment="A hive is no office.")
        assert returned_units(scene.project) == []

        path = f"assignments/{back['id']}/undo/"
        undone = scene.call(ana, "post", path, {"version": mended["annotation"]["version"]})
        again = scene.call(ana, "get", f"assignments/{back['id']}/")["remarks"]
        assert again[: len(back["remarks"])] == back["remarks"]
        assert [one["comment"] for one in again] == ["", "", "A hive is no office."], "what was said since is told, too"
        (missing,) = returned_units(scene.project)
        assert missing.text.split("\n")[:2] == BLANKET["figurative"]
        scene.check_counters()

        path = f"assignments/{back['id']}/save/"
        body = {"version": undone["annotation"]["version"], "content": BLANKET, "done": True}
        refused = scene.send(ana, "post", path, body)
        assert "Nothing has changed since it was sent back" in refused.json()["error"]["message"]
        scene.call(ana, "post", path, {**body, "content": OFFICE})
        assert returned_units(scene.project) == []


@pytest.fixture(scope="class")
def rejected(written: Written, kept_rows_of_class: None) -> Mabl:
    """Two people have rejected the pair that Ana wrote, so that it is with her again."""
    scene = copy.deepcopy(written.scene)
    for person in scene.people[1:3]:
        scene.judged(person, **REJECT)
    return scene


class TestWhatCameBack:
    @pytest.fixture
    def scene(self, rejected: Mabl) -> Mabl:
        return copy.deepcopy(rejected)

    @pytest.fixture
    def item(self, written: Written) -> dict[str, Any]:
        return copy.deepcopy(written.item)

    def test_what_came_back_is_changed_or_defended_before_it_is_sent_again(
        self, scene: Mabl, item: dict[str, Any]
    ) -> None:
        ana, ben, cai, _dan = scene.people
        (back,) = scene.claim(ana, scene.write)
        path = f"assignments/{item['id']}/save/"
        body = {"version": back["annotation"]["version"], "content": BLANKET, "done": True}
        refused = scene.send(ana, "post", path, body)
        assert refused.status_code == 400
        assert "Nothing has changed since it was sent back" in refused.json()["error"]["message"]
        assert not Unit.objects.filter(kind="figurative-pair", is_current=True).exists()
        scene.check_counters()

        scene.call(ana, "post", path, {**body, "comment": "Both are idioms here."})
        again = Unit.objects.get(kind="figurative-pair", is_current=True)
        assert again.text.split("\n") == [*BLANKET["figurative"], *BLANKET["literal"]]
        # The comment that did not help the first time is no reason the second time.
        scene.judged(ben, **REJECT)
        scene.judged(cai, **REJECT)
        (back,) = scene.claim(ana, scene.write)
        body = {**body, "version": back["annotation"]["version"], "comment": "Both are idioms here. "}
        assert scene.send(ana, "post", path, body).status_code == 400
        scene.call(ana, "post", path, {**body, "content": OFFICE})
        assert scene.claim(ben, scene.validate)[0]["unit"]["id"] == Unit.objects.get(author=ana, is_current=True).pk
        scene.check_counters()

    def test_a_writer_cannot_undo_what_was_sent_back(self, scene: Mabl, item: dict[str, Any]) -> None:
        ana, _ben, _cai, _dan = scene.people
        refused = scene.send(ana, "post", f"assignments/{item['id']}/undo/", {"version": 2})
        assert refused.status_code == 400

    def test_a_rejected_text_is_refused_whatever_stood_there_meanwhile(self, scene: Mabl, item: dict[str, Any]) -> None:
        ana, _ben, _cai, _dan = scene.people
        (back,) = scene.claim(ana, scene.write)
        mended = scene.save(ana, back, OFFICE)
        body = {"version": mended["annotation"]["version"], "content": BLANKET, "done": True}
        assert scene.send(ana, "post", f"assignments/{item['id']}/save/", body).status_code == 400
        assert Unit.objects.get(kind="figurative-pair", is_current=True).text.startswith(OFFICE["figurative"][0])


@pytest.fixture(scope="class")
def divided(written: Written, kept_rows_of_class: None) -> Mabl:
    """Of the pair that Ana wrote, one person has accepted what another one rejected."""
    scene = copy.deepcopy(written.scene)
    _ana, ben, cai, _dan = scene.people
    scene.judged(ben, **ACCEPT)
    scene.judged(cai, **REJECT)
    return scene


class TestDividedOpinions:
    @pytest.fixture
    def scene(self, divided: Mabl) -> Mabl:
        return copy.deepcopy(divided)

    def test_a_tie_waits_for_an_adjudicator_who_lets_it_go_on(self, scene: Mabl) -> None:
        adela = make_member(scene.project, Role.ADJUDICATOR)
        judge = scene.project.stages.get(kind="adjudicate", layer=scene.validate.layer)
        (waiting,) = scene.call(adela, "get", f"stages/{judge.pk}/adjudicate/")["items"]
        accepted = next(n for n, one in enumerate(waiting["answers"]) if one["content"]["verdict"] == "accept")
        body = {"layer": "validity", "version": 0, "content": ACCEPT, "chosen": taking(waiting, accepted)}
        scene.call(adela, "post", f"units/{waiting['unit']['id']}/gold/", body)
        assert Item.objects.filter(stage=scene.categories, unit=waiting["unit"]["id"]).exists()
        scene.check_counters()

    def test_who_wrote_it_sees_nothing_of_how_others_differ_on_it(self, scene: Mabl) -> None:
        ana, _ben, _cai, dan = scene.people
        scene.project.memberships.filter(user__in=(ana, dan)).update(role=Role.ADJUDICATOR)
        stage = scene.project.stages.get(kind="adjudicate", layer=scene.validate.layer)
        seen = {person: scene.call(person, "get", f"stages/{stage.pk}/adjudicate/")["items"] for person in (ana, dan)}
        assert (len(seen[ana]), len(seen[dan])) == (0, 1)
        assert (waits(stage, ana).mine, waits(stage, dan).mine) == (0, 1)
        item = seen[dan][0]["id"]
        assert (opened(stage, ana, item), opened(stage, dan, item) is not None) == (None, True)

    def test_texts_on_which_opinions_are_divided_are_in_no_share(self, scene: Mabl) -> None:
        (row,) = FURTHER["validation"].compute(scene.project).rows
        assert (row["texts"], row["accepted"], row["undecided"]) == (1, 0, 1)
        assert (row["%"], row["interval"]) == ("–", "–")


def test_a_second_question_is_counted_by_itself(scene: Mabl) -> None:
    ana, ben, cai, _dan = scene.people
    manager = make_member(scene.project, Role.MANAGER)
    path = f"stages/{scene.validate.pk}/question/"
    asked = {"question": "Does it follow?", "values": ["yes", "no"]}
    assert scene.send(ana, "post", path, asked).status_code == 403
    assert scene.send(manager, "post", path, {"question": "Does it?", "values": []}).status_code == 400
    scene.call(manager, "post", path, asked)
    scene.written(ana)
    (item,) = scene.claim(ben, scene.validate)
    body = {"version": 0, "content": ACCEPT, "done": True}
    refused = scene.send(ben, "post", f"assignments/{item['id']}/save/", body)
    assert "second question" in refused.json()["error"]["message"]
    scene.save(ben, item, {**ACCEPT, "second": "yes"})
    assert scene.send(manager, "post", path, asked).status_code == 400, "verdicts were given"
    scene.judged(cai, **ACCEPT, second="no")
    assert not Gold.objects.exists()
    judge = scene.project.stages.get(kind="adjudicate", layer=scene.validate.layer)
    assert stage_progress(judge).total == 1
    by = {
        dimension: agreement(scene.project, a=ben, b=cai, layer="validity", dimension=dimension)
        for dimension in ("verdicts", "second")
    }
    assert [by[name].overall.kappa.observed for name in ("verdicts", "second")] == [1.0, 0.0]


@pytest.fixture(scope="class")
def accepted(written: Written, kept_rows_of_class: None) -> Mabl:
    """Two people have accepted the pair."""
    scene = copy.deepcopy(written.scene)
    for person in scene.people[1:3]:
        scene.judged(person, **ACCEPT)
    return scene

    def test_answers_of_ones_own_stand_as_they_were_written(self, scene: Mabl) -> None:
        manager = make_member(scene.project, Role.MANAGER)
        path = f"stages/{scene.validate.pk}/question/"
        refused = scene.send(manager, "post", path, {"question": "follows", "values": ["yes", "no"]})
        assert "is the name of a fixed question" in refused.json()["error"]["message"]

        scene.call(manager, "post", path, {"question": "¿Se sigue?", "values": ["sí", "no", "depende"]})

        scene.validate.layer.refresh_from_db()
        shown = second_answers(scene.validate.layer.scheme_data)
        assert [one["label"] for one in shown] == ["sí", "no", "depende"]


class TestCategories:
    @pytest.fixture
    def scene(self, accepted: Mabl) -> Mabl:
        return copy.deepcopy(accepted)

    def test_none_of_these_is_an_answer_and_not_seen_is_none(self, scene: Mabl) -> None:
        _ana, ben, *_ = scene.people
        (item,) = scene.claim(ben, scene.categories)
        body = {"version": 0, "content": {"answers": [["object"], None]}, "done": True}
        refused = scene.send(ben, "post", f"assignments/{item['id']}/save/", body)
        assert "for each part" in refused.json()["error"]["message"]
        saved = scene.save(ben, item, {"answers": [["visual", "object"], []]})
        assert saved["annotation"]["content"] == {"answers": [["object", "visual"], []]}

    def test_agreement_and_shares_are_counted(self, scene: Mabl) -> None:
        _ana, ben, cai, _dan = scene.people
        for person, answers in ((ben, [["object"], []]), (cai, [["object", "visual"], []])):
            (item,) = scene.claim(person, scene.categories)
            scene.save(person, item, {"answers": answers})
        rows = {row["name"]: row for row in FURTHER["category-agreement"].compute(scene.project).rows}
        assert (rows["object"]["kappa"], rows["object"]["alpha"]) == ("1.00", "1.00")
        assert rows["all"]["jaccard"] == "0.75"
        unit = Unit.objects.get(kind="figurative-pair")
        layer = scene.categories.layer
        decide_gold(unit=unit.pk, layer=layer, content={"answers": [["object"], []]}, by=None)
        (row,) = FURTHER["categories"].compute(scene.project).rows
        assert (row["sentences"], row["object"], row["visual"], row["none"]) == (2, "50.0", "0.0", "50.0")

    def test_accepting_in_bulk_leaves_out_what_one_wrote_oneself(self, scene: Mabl) -> None:
        ana, ben, cai, _dan = scene.people
        for person in (ben, cai):
            (item,) = scene.claim(person, scene.categories)
            scene.save(person, item, {"answers": [["object"], []]})
        asked = {"project": scene.project, "layer": scene.categories.layer, "language": "en"}
        assert accept_agreed(**asked, by=ana) == AcceptSummary(own=1)
        assert not Gold.objects.filter(layer=scene.categories.layer).exists()
        assert accept_agreed(**asked, by=ben) == AcceptSummary(accepted=1)

    def test_all_of_it_is_released_in_the_published_layout(self, scene: Mabl) -> None:
        ana, ben, cai, _dan = scene.people
        for person in (ben, cai):
            (item,) = scene.claim(person, scene.categories)
            scene.save(person, item, {"answers": [["object"], ["visual", "cultural"]]})
        accept_agreed(project=scene.project, layer=scene.categories.layer, language="en", by=None)
        files = release_files(scene.project, partial=False).files
        assert files["mabl/en.csv"].decode() == (
            "startphrase,ending1,ending2,labels\n"
            "Her voice is a warm blanket.,Her voice is soothing.,Her voice is unpleasant.,0\n"
            "Her voice is a rusty saw.,Her voice is soothing.,Her voice is unpleasant.,1\n"
        )
        assert files["mabl/categories/en.csv"].decode().splitlines()[1:] == [
            "Her voice is a warm blanket.,Her voice is soothing.,Her voice is unpleasant.,0,1,1,0,0,0",
            "Her voice is a rusty saw.,Her voice is soothing.,Her voice is unpleasant.,1,1,0,1,0,1",
        ]
        scene.written(ana, OFFICE)
        with pytest.raises(MissingGoldError, match="1 pair"):
            release_files(scene.project, partial=False)
        assert "mabl/en.csv" in release_files(scene.project, partial=True).files

    def test_verdicts_are_reported_with_an_interval(self, scene: Mabl) -> None:
        (row,) = FURTHER["validation"].compute(scene.project).rows
        # Two verdicts on one text are one trial.
        assert (row["texts"], row["accepted"], row["%"], row["interval"]) == (1, 1, "100.0", "20.7–100.0")
        assert (row["verdicts"], row["undecided"]) == (2, 0)
        (samples,) = FURTHER["mabl-samples"].compute(scene.project).rows
        assert (samples["pairs"], samples["samples"], samples["accepted"]) == (1, 2, 1)

    def test_what_is_written_here_has_a_name_on_pages_and_its_own_in_files(self, scene: Mabl) -> None:
        report = FURTHER["mabl-samples"].compute(scene.project)
        (row,) = report_rows(report)
        assert [cell["text"] for cell in row["cells"]][:2] == ["en", "written here"]
        assert [row["dataset"] for row in report.rows] == ["written"]

    @pytest.mark.usefixtures("uploads")
    def test_no_file_comes_in_under_that_name(self, scene: Mabl) -> None:
        file: dict[str, str | bytes] = {"written.csv": "startphrase,ending1,ending2,labels\na,b,c,0\nd,b,c,1\n"}
        assert draft_of(scene.project, file).dataset == "written_2"
        before = everything()
        with pytest.raises(ActionError, match="written in the project"):
            load(scene.project, file, dataset="written")
        assert everything() == before


def test_agreement_of_three_people_does_not_depend_on_their_order(scene: Mabl) -> None:
    ana, *others = scene.people
    scene.categories.answers_wanted = 3
    scene.categories.save(update_fields=["answers_wanted"])
    for content in (BLANKET, OFFICE):
        scene.written(ana, content)
        for judge in others[:2]:
            scene.judged(judge, **ACCEPT)
    # Of each of the four sentences, whether it has the category.
    for person, said in zip(others, ("1100", "1000", "1110"), strict=True):
        for number in (0, 2):
            (item,) = scene.claim(person, scene.categories)
            answers = [["object"] if one == "1" else [] for one in said[number : number + 2]]
            scene.save(person, item, {"answers": answers})
    rows = {row["name"]: row for row in FURTHER["category-agreement"].compute(scene.project).rows}
    # p_o = 2/3, p_e = (1/2 + 1/2 + 3/8) / 3. Pooled with the people in one order, Cohen's was 0.35.
    assert (rows["object"]["compared"], rows["object"]["kappa"]) == (12, "0.38")


def test_pairs_written_from_prompts_that_may_not_be_published_stay_out(client: Client, scene: Mabl) -> None:
    ana, ben, cai, _dan = scene.people
    prompt = make_sentence(scene.project, "Her voice soothes everybody", language="en")
    specs = [StageSpec("write-pair-prompted", "en"), StageSpec("validate", "en", made_from="write-pair-prompted")]
    add_stages(project=scene.project, specs=specs, by=None)
    write = scene.project.stages.get(kind="write-pair-prompted")
    validate = scene.project.stages.get(made_from=write)
    (item,) = scene.claim(ana, write)
    scene.save(ana, item, BLANKET)
    scene.written(ana, OFFICE)
    for person, stage in ((ben, validate), (ben, scene.validate), (cai, scene.validate)):
        (item,) = scene.claim(person, stage)
        scene.save(person, item, ACCEPT)
    assert "warm blanket" in PARTS["mabl"].compute(scene.project).files["mabl/en.csv"].decode()

    prompt.imported = Import.objects.create(
        project=scene.project, dataset="prompts", publishable=False, published_at=prompt.created_at
    )
    prompt.save()
    found = PARTS["mabl"].compute(scene.project)
    assert "blanket" not in str(found.files)
    assert "beehive" in found.files["mabl/en.csv"].decode()
    assert [str(one.reason) for one in found.left_out] == ["its prompt has text that may not be published in en"]

    # Whoever releases is told how many there are, and where to change it.
    client.force_login(make_member(scene.project, Role.MANAGER))
    page = client.get(reverse("releases", args=[scene.project.slug])).text
    assert "1 pair was written from a text of these imports, so it is left out, too." in page
    assert reverse("import-terms", args=[scene.project.slug, prompt.imported.pk]) in page
    make_release(scene.project)
    Release.objects.update(manifest=release_files(scene.project, partial=False).manifest)
    page = client.get(reverse("release", args=[scene.project.slug, 1])).text
    assert "1 pair is left out because it was written from a prompt that cannot be published." in page
    assert "written from a prompt that cannot be published in en" in page

    Unit.objects.filter(kind="figurative-pair").exclude(parents=prompt).update(is_current=False)
    with pytest.raises(MissingGoldError, match="1 pair is left out because it was written from a prompt"):
        release_files(scene.project, partial=True)
    assert Gold.objects.filter(unit__parents=prompt).delete()
    assert undecided(scene.project) == {}, "nobody has to decide on it for a release"


def test_settings_say_where_nobody_judges_what_is_written(client: Client, scene: Mabl) -> None:
    client.force_login(make_member(scene.project, Role.MANAGER))
    page = reverse("settings-stages", args=[scene.project.slug])
    said = "Nobody validates what is written here."
    assert said not in client.get(page).content.decode()

    add_stages(project=scene.project, specs=[StageSpec("write-pair-prompted", "en")], by=None)
    assert client.get(page).content.decode().count(said) == 1
    specs = [StageSpec("validate", "en", made_from="write-pair-prompted")]
    add_stages(project=scene.project, specs=specs, by=None)
    assert said not in client.get(page).content.decode()
