"""Sentences that should not be in the corpus: out of everything, listed, and back as they were by one act."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.utils import timezone

from annotator.backup.actions.restoring import restore_archive
from annotator.backup.actions.writing import write_archive
from annotator.core.errors import ActionError, NotYoursError
from annotator.core.presets import StageSpec
from annotator.domain.agreement.best_worst import UNIT_KIND
from annotator.models import (
    Assignment,
    BlindMark,
    Counter,
    Event,
    Gold,
    Item,
    ItemState,
    LemmaPlace,
    Mode,
    Pair,
    Project,
    Role,
    Segment,
    Stage,
    Unit,
    User,
)
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.stages import add_stages
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.gold_gaps import gold_gaps
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.core_tables.interpretation import count as pair_tags
from annotator.reports.queries.overlaps import overlaps
from annotator.revisions.revisions import revise_text
from annotator.revisions.set_aside import restore_sentence, set_aside
from annotator.work.blind.actions.blind import assign_blind
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.gold.queries.adjudication import waits
from annotator.work.queue.actions.assignments import claim
from tests.clients import client_of
from tests.drafts import load, make_plain, run_all
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_sentence,
    make_tag,
    span,
    stage_of,
    unit_of,
)
from tests.kinds.rating.test_round import Scene
from tests.saving import save
from tests.work.test_counters import check

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project("letters", languages=["es", "en"])


@pytest.fixture
def pair(project: Project) -> Pair:
    """A pair in Spanish, and its premise in English, too."""
    found = make_pair(project)
    make_sentence(project, "Time flies", language="en", segment=found.premise)
    return found


def text(segment: Segment, language: str = "es") -> Unit:
    found: Unit = segment.units.select_related("segment", "project").get(language=language)
    return found


def aside(unit: Unit, reason: str = "garbled", by: User | None = None) -> None:
    set_aside(project=unit.project, unit=unit.pk, reason=reason, by=by, anybodys=True)


def back(unit: Unit, by: User | None = None) -> None:
    restore_sentence(project=unit.project, unit=unit.pk, by=by, anybodys=True)


def state_of(project: Project) -> dict[str, Any]:
    """All that may change, but for times and the log."""
    items = Item.objects.filter(project=project).exclude(stage__kind=Stage.ADJUDICATE, state=ItemState.VOID)
    return {
        "units": sorted(Unit.objects.filter(project=project).values_list("pk", "is_current", "set_aside_with")),
        "items": sorted(items.values_list("stage", "unit", "state", "answers_open", "answers_done", "unlabelled")),
        "places": sorted(
            LemmaPlace.objects.filter(project=project).values_list("unit", "index", "lemma", "labelled"), key=str
        ),
        "counters": sorted(
            Counter.objects.filter(project=project, user__isnull=False).values_list(
                "stage", "user", "own_open", "own_done"
            )
        ),
        "gold": sorted(Gold.objects.filter(project=project).values_list("unit", "version")),
    }


class TestOut:
    def test_it_leaves_the_queue_in_all_its_languages(self, project: Project, pair: Pair) -> None:
        ana = make_member(project)
        aside(text(pair.premise, "en"))
        for kind, language in (("correct", "es"), ("correct", "en"), ("pair-tag", "es")):
            stage = stage_of(project, kind, language)
            handed = [row.unit for row in claim(stage=stage, user=ana, count=9, now=timezone.now())]
            assert handed == ([text(pair.hypothesis)] if (kind, language) == ("correct", "es") else [])
        check(project)

    def test_what_somebody_has_open_goes_and_is_refused_in_words(self, project: Project, pair: Pair) -> None:
        ana = make_member(project)
        row = make_assignment(text(pair.premise), ana, stage_of(project, "correct"))
        aside(text(pair.premise))
        with pytest.raises(ActionError, match="set aside"):
            save(row, {"spans": []})
        with pytest.raises(ActionError, match="Restore it first"):
            revise_text(project=project, unit=row.unit_id, text="El tiempo pasa", by=None, anybodys=True)
        check(project)

    def test_an_earlier_wording_is_not_edited_meanwhile(self, project: Project, pair: Pair) -> None:
        ana = make_member(project)
        make_assignment(text(pair.premise), ana, stage_of(project, "correct"))
        before = text(pair.premise)
        aside(revise_text(project=project, unit=before.pk, text="El tiempo pasa", by=ana).unit)
        with pytest.raises(ActionError, match="Restore it first"):
            revise_text(project=project, unit=before.pk, text="Pasa el tiempo", by=ana)
        check(project)

    def test_its_gold_is_not_taken_back_meanwhile(self, project: Project, pair: Pair) -> None:
        ana = make_member(project)
        make_assignment(text(pair.premise), ana, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
        make_annotation(text(pair.premise), ana, [span(0)], mode=Mode.BLIND)
        gold = make_gold(text(pair.premise), [span(0)])
        BlindMark.objects.update(live=False)
        aside(text(pair.premise))
        with pytest.raises(ActionError, match="set aside"):
            reopen_gold(project=project, unit=gold.unit_id, layer=gold.layer, version=1, by=None)
        check(project)

    def test_it_is_in_no_agreement(self, project: Project, pair: Pair) -> None:
        people = [make_member(project) for _ in range(2)]
        for segment in (pair.premise, pair.hypothesis):
            for user in people:
                make_assignment(text(segment), user, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
                make_annotation(text(segment), user, [span(0)], mode=Mode.BLIND)
        for user in people:
            make_tag(pair, "relevant", user=user, mode=Mode.BLIND)

        def units(layer: str) -> int:
            return agreement(project, a=people[0], b=people[1], layer=layer).overall.units

        assert (units("tokens"), units("pairs"), [row.units for row in overlaps(project)]) == (2, 1, [2])
        aside(text(pair.premise))
        assert (units("tokens"), units("pairs"), [row.units for row in overlaps(project)]) == (1, 0, [1])

    def test_it_is_not_drawn_for_blind_work(self, project: Project, pair: Pair) -> None:
        ana = make_member(project)
        other = make_pair(project)
        aside(text(pair.premise))
        assign_blind(project=project, language="es", users=[ana], pairs=2, seed=1, by=None)
        drawn = set(Assignment.objects.values_list("unit__segment", flat=True))
        assert drawn == {other.premise_id, other.hypothesis_id, other.segment_id}

    def test_it_waits_for_nobodys_decision(self, project: Project, pair: Pair) -> None:
        ada = make_member(project, Role.ADJUDICATOR)
        for spans in ([span(0)], []):
            make_annotation(text(pair.premise), make_member(project), spans)
        judging = stage_of(project, Stage.ADJUDICATE)
        assert waits(judging, ada).mine == 1
        aside(text(pair.premise))
        assert waits(judging, ada).mine == 0
        back(text(pair.premise))
        assert waits(judging, ada).mine == 1

    def test_tables_do_not_count_its_pairs(self, project: Project, pair: Pair) -> None:
        make_pair(project)
        assert pair_tags(project)["undecided"] == 2
        aside(text(pair.hypothesis))
        assert pair_tags(project)["undecided"] == 1

    def test_of_what_is_made_from_several_the_whole_goes(self) -> None:
        """Best–worst tuples of four sentences."""
        scene = Scene("best-worst")
        scene.answer_all(scene.people[0])
        tuples = Unit.objects.filter(kind=UNIT_KIND, is_current=True)
        with_it = tuples.filter(parents=scene.sentences[0]).count()
        before = tuples.count()
        assert 0 < with_it < before
        aside(scene.sentences[0])
        assert tuples.count() == before - with_it
        check(scene.project)
        back(scene.sentences[0])
        assert tuples.count() == before
        check(scene.project)


class TestBack:
    def test_all_is_as_it_was(self, project: Project, pair: Pair) -> None:
        ana, ben = make_member(project), make_member(project)
        correct, tagging = stage_of(project, "correct"), stage_of(project, "pair-tag")
        premise, hypothesis = text(pair.premise), text(pair.hypothesis)
        make_prediction(premise, [span(1)], [0, 0.9, 0])
        make_assignment(premise, ana, correct, done=True)
        make_annotation(premise, ana, [span(1)])
        make_assignment(hypothesis, ben, correct, mode=Mode.BLIND)
        make_assignment(pair, ben, tagging)
        make_gold(text(pair.premise, "en"), [span(0)])
        before = state_of(project)

        aside(premise)
        check(project)
        assert state_of(project) != before
        back(text(pair.premise, "en"))

        assert state_of(project) == before
        check(project)
        assert [event.verb for event in Event.objects.filter(verb__startswith="sentence.").order_by("pk")] == [
            "sentence.set_aside",
            "sentence.restored",
        ]

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    def test_a_pair_comes_back_with_the_last_of_its_sides(
        self, project: Project, pair: Pair, order: tuple[int, int]
    ) -> None:
        sides = [text(pair.premise), text(pair.hypothesis)]
        for side in sides:
            aside(side)
        back(sides[order[0]])
        assert not unit_of_pair(pair).is_current
        check(project)
        back(sides[order[1]])
        assert unit_of_pair(pair).is_current
        check(project)

    def test_a_stage_that_was_added_meanwhile_holds_it(self, project: Project, pair: Pair) -> None:
        aside(text(pair.premise))
        add_stages(project=project, specs=[StageSpec("rate", "es")], by=None)
        stage = stage_of(project, "rate")
        assert not Item.objects.filter(stage=stage, unit=text(pair.premise)).exists()
        back(text(pair.premise))
        assert Item.objects.filter(stage=stage, unit=text(pair.premise), state=ItemState.FREE).exists()
        check(project)

    def test_both_acts_may_be_repeated(self, project: Project, pair: Pair) -> None:
        for _time in range(2):
            aside(text(pair.premise), "first")
        assert Segment.objects.get(pk=pair.premise_id).set_aside_reason == "first"
        for _time in range(2):
            back(text(pair.premise))
        assert Event.objects.filter(verb__startswith="sentence.").count() == 2


def unit_of_pair(pair: Pair) -> Unit:
    return Unit.objects.get(segment=pair.segment_id, language="es")


class TestRelease:
    @pytest.fixture
    def project(self) -> Project:
        return make_project("letters", languages=["es"])

    def test_it_is_listed_and_lacks_nothing(self, project: Project) -> None:
        pair, other = make_pair(project), make_pair(project)
        for one in (pair, other):
            for segment in (one.premise, one.hypothesis):
                if segment != pair.premise:
                    make_gold(text(segment), [span(0)])
        make_gold(unit_of(other), content=choice("relevant"))
        assert gold_gaps(project)
        aside(text(pair.premise), "wrong language")

        assert gold_gaps(project) == []
        files = release_files(project, partial=False).files
        rows = [line.split("\t") for line in files["left_out.tsv"].decode().splitlines()[1:]]
        assert rows == [
            ["sentence", "set", pair.premise.uid, "es", "set aside: wrong language"],
            ["pair", "set", pair.pair_id, "es", "its premise is set aside: wrong language"],
        ]
        told = {json.loads(line)["uid"] for line in files["sentences.jsonl"].splitlines()}
        assert told == {pair.hypothesis.uid, other.premise.uid, other.hypothesis.uid}
        assert [json.loads(line)["pair_id"] for line in files["pairs.jsonl"].splitlines()] == [other.pair_id]
        manifest = json.loads(files["manifest.json"])
        assert manifest["counts"]["left_out"] == 2

    def test_decided_ones_stay_out_with_their_gold(self, project: Project) -> None:
        sentence, other = make_sentence(project), make_sentence(project, "Nadie mira")
        for one in (sentence, other):
            make_gold(one, [span(0)])
        aside(sentence)
        assert sentence.segment.uid not in release_files(project, partial=False).files["sentences.jsonl"].decode()
        back(sentence)
        assert sentence.segment.uid in release_files(project, partial=False).files["sentences.jsonl"].decode()

    def test_where_nothing_is_labelled_it_is_listed_too(self) -> None:
        scene = Scene("best-worst")
        scene.answer_all(scene.people[0])
        aside(scene.sentences[0], "garbled")
        files = release_files(scene.project, partial=True).files
        assert f"{scene.sentences[0].segment.uid}\ten\tset aside: garbled" in files["left_out.tsv"].decode()


class TestWho:
    def call(self, user: User, project: Project, unit: Unit, method: str = "post") -> Any:
        address = f"/api/v1/projects/{project.slug}/units/{unit.pk}/set-aside/"
        body = {"reason": "garbled"} if method == "post" else None
        return getattr(client_of(user), method)(address, body, format="json")

    @pytest.mark.parametrize(
        ("role", "status"), [(Role.MANAGER, 200), (Role.ADJUDICATOR, 200), (Role.ANNOTATOR, 404), (None, 404)]
    )
    def test_by_the_api(self, project: Project, pair: Pair, role: str | None, status: int) -> None:
        user = make_member(project, role) if role else make_member(make_project())
        answer = self.call(user, project, text(pair.premise))
        assert answer.status_code == status
        assert text(pair.premise).is_current is (status != 200)
        if status == 200:
            assert answer.json() == {"uid": pair.premise.uid, "set_aside": "garbled", "set_aside_by": str(user)}
            assert self.call(user, project, text(pair.premise), "delete").json()["set_aside"] == ""
            assert text(pair.premise).is_current

    @pytest.mark.parametrize("mode", list(Mode))
    def test_annotators_where_they_answer_and_undo_their_own(self, project: Project, pair: Pair, mode: str) -> None:
        ana, ben = make_member(project), make_member(project)
        for user in (ana, ben):
            stage, own = stage_of(project, "correct"), mode if user == ana else Mode.BLIND
            make_assignment(text(pair.premise), user, stage, mode=own)
        assert self.call(ana, project, text(pair.premise)).status_code == 200
        assert self.call(ben, project, text(pair.premise), "delete").status_code == 404
        assert self.call(ana, project, text(pair.premise), "delete").status_code == 200

    def test_not_where_gold_is_decided(self, project: Project, pair: Pair) -> None:
        ana = make_member(project)
        make_assignment(text(pair.premise), ana, stage_of(project, "correct"), done=True)
        make_gold(text(pair.premise), [])
        with pytest.raises(NotYoursError, match="Gold is decided"):
            set_aside(project=project, unit=text(pair.premise).pk, reason="garbled", by=ana)

    @pytest.mark.parametrize("reason", ["", " \n", "x" * 201])
    def test_a_reason_is_needed(self, project: Project, pair: Pair, reason: str) -> None:
        with pytest.raises(ActionError, match="Say why"):
            aside(text(pair.premise), reason)
        assert text(pair.premise).is_current

    def test_pairs_are_discarded_instead(self, project: Project, pair: Pair) -> None:
        with pytest.raises(ActionError, match="Discard the pair"):
            aside(unit_of_pair(pair))

    def test_on_the_page(self, project: Project, pair: Pair) -> None:
        client = client_of(make_member(project, Role.ADJUDICATOR, "ada"))
        page = f"/projects/letters/sentences/{pair.premise_id}/"
        assert 'name="reason"' in client.get(page).content.decode()
        client.post(f"{page}set-aside/", {"reason": "garbled"}, format="multipart")
        shown = client.get(page).content.decode()
        assert "Set aside by ada: garbled" in shown
        assert "El tiempo vuela" in shown
        assert 'name="reason"' not in shown
        assert "Sentences set aside" in client.get("/projects/letters/find/").content.decode()
        assert "El tiempo vuela" in client.get(f"/projects/letters/find/?q={pair.premise.uid}").content.decode()
        client.post(f"{page}restore/", {}, format="multipart")
        assert text(pair.premise).is_current
        assert "Set aside by" not in client.get(page).content.decode()

    def test_annotators_are_offered_it_on_their_own_work(self, project: Project, pair: Pair) -> None:
        ana = make_member(project)
        page = f"/projects/letters/sentences/{pair.premise_id}/"
        assert 'name="reason"' not in client_of(ana).get(page).content.decode()
        make_assignment(text(pair.premise), ana, stage_of(project, "correct"))
        assert 'name="reason"' in client_of(ana).get(page).content.decode()


@pytest.mark.usefixtures("uploads")
class TestFiles:
    TEXTS = "id,text:es\n1,El sol brilla .\n2,Xq zzk .\n"

    def test_an_import_leaves_it_as_it_is(self) -> None:
        project = make_plain(languages=("es", "ca"))
        load(project, {"sol.csv": self.TEXTS}, dataset="sol")
        aside(Unit.objects.get(segment__uid="sol:2"))
        more = "id,text:es,text:ca\n1,El sol brilla .,El sol brilla .\n2,Xq zzk .,Xq zzk .\n3,Llueve .,Plou .\n"
        load(project, {"sol.csv": more}, dataset="sol")
        assert Unit.objects.filter(segment__uid="sol:2").values_list("language", "is_current").get() == ("es", False)
        assert Unit.objects.filter(segment__uid="sol:3", is_current=True).count() == 2
        check(project)

    def test_a_copy_with_texts_is_without_it(self) -> None:
        project = make_plain(languages=("es",))
        load(project, {"sol.csv": self.TEXTS}, dataset="sol")
        aside(Unit.objects.get(segment__uid="sol:2"))
        made = copy_project(project=project, slug="copy", name="copy", texts=True, by=None)
        run_all(made.jobs.all())
        assert list(made.slots.values_list("uid", flat=True)) == ["sol:1"]


@pytest.mark.django_db(transaction=True)
def test_an_archive_has_it_set_aside() -> None:
    project = make_project("letters", languages=["es"])
    pair = make_pair(project)
    aside(text(pair.premise), "garbled", make_member(project, username="ada"))
    file = io.BytesIO()
    write_archive(project=project, file=file)
    file.seek(0)
    found = restore_archive(file=file, slug="second", by=None)
    there = Unit.objects.get(project=found, segment__uid=pair.premise.uid)
    assert (there.is_current, there.segment.set_aside_reason) == (False, "garbled")
    back(there)
    assert Unit.objects.filter(project=found, is_current=True).count() == 3
    check(found)
