"""An answer is opened and finished again: what was made from it stays with all that others said of it, except for what
really changed."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass
from typing import Any

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.models import Annotation, Assignment, BlindMark, Gold, Item, LemmaPlace, Membership, Mode, Role, Unit
from annotator.projects.actions.projects import remove_member
from annotator.revisions.revisions import revise_text
from annotator.work.answering.actions.annotations import save_annotation, undo_annotation
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.actions.giving_back import free_open
from annotator.work.queue.actions.orphaned_answers import hand_over
from annotator.work.queue.queries.orphaned_answers import orphaned_answers
from tests.deciding import decide_gold
from tests.factories import make_member, make_sentence, spans
from tests.kinds.impli.work import DEFINED, REWRITTEN, YES, Impli
from tests.kinds.munch import Munch
from tests.protocols.mabl.work import BLANKET, OFFICE, Mabl
from tests.work.test_counters import check

pytestmark = pytest.mark.django_db

ACCEPT = {"verdict": "accept"}
REJECT = {"verdict": "reject", "reason": "incoherent"}


def saved(scene: Any, user: Any, item: Any, content: Any, *, done: bool = True, **more: Any) -> Any:
    """Save over whatever version stands."""
    now = scene.call(user, "get", f"assignments/{item['id']}/")
    body = {"version": now["annotation"]["version"], "content": content, "done": done, **more}
    return scene.call(user, "post", f"assignments/{item['id']}/save/", body)


def undone(scene: Any, user: Any, item: Any) -> Any:
    now = scene.call(user, "get", f"assignments/{item['id']}/")
    return scene.call(user, "post", f"assignments/{item['id']}/undo/", {"version": now["annotation"]["version"]})


def pairs(kind: str = "figurative-pair") -> list[Unit]:
    return list(Unit.objects.filter(kind=kind, is_current=True).order_by("segment", "revision"))


@dataclass
class Written:
    """A scene in which somebody has written something, and their item."""

    scene: Any
    item: dict[str, Any]


@pytest.fixture(scope="class")
def written(kept_rows_of_class: None) -> Written:
    """Ana has written a pair."""
    scene = Mabl()
    return Written(scene, scene.written(scene.people[0]))


class TestAPair:
    @pytest.fixture
    def scene(self, written: Written) -> Mabl:
        return copy.deepcopy(written.scene)

    @pytest.fixture
    def item(self, written: Written) -> dict[str, Any]:
        return copy.deepcopy(written.item)

    def test_finished_again_unchanged_it_keeps_its_verdict_and_whose_work_it_is(
        self, scene: Mabl, item: dict[str, Any]
    ) -> None:
        ana, ben, cai, dan = scene.people
        (pair,) = pairs()
        places = LemmaPlace.objects.filter(unit=pair).count()
        scene.judged(ben, **ACCEPT)
        (held,) = scene.claim(cai, scene.validate)
        scene.save(cai, held, {"verdict": None}, done=False)
        saved(scene, ana, item, BLANKET, done=False)
        assert pairs() == [], "nobody judges what its writer is at"
        assert scene.claim(dan, scene.validate) == []
        check(scene.project)

        saved(scene, ana, item, BLANKET)

        assert pairs() == [pair]
        assert LemmaPlace.objects.filter(unit=pair).count() == places > 0
        row = Item.objects.get(unit=pair, stage=scene.validate)
        assert (row.state, row.answers_done, row.answers_open) == ("taken", 1, 1)
        check(scene.project)
        (same,) = scene.claim(cai, scene.validate)
        assert same["id"] == held["id"]
        saved(scene, cai, held, ACCEPT)
        assert Gold.objects.get().unit == pair, "two verdicts are all that are wanted"
        check(scene.project)

    def test_another_text_is_judged_anew_and_undo_brings_the_first_one_back(
        self, scene: Mabl, item: dict[str, Any]
    ) -> None:
        ana, ben, *_ = scene.people
        (first,) = pairs()
        scene.judged(ben, **ACCEPT)
        saved(scene, ana, item, OFFICE)
        (second,) = pairs()
        assert (second.segment, second.revision) == (first.segment, 2)
        assert Item.objects.get(unit=second, stage=scene.validate).answers_done == 0
        check(scene.project)

        undone(scene, ana, item)

        assert pairs() == [first]
        assert Item.objects.get(unit=first, stage=scene.validate).answers_done == 1
        second.refresh_from_db()
        assert (second.is_current, second.revision) == (False, 2), "what was withdrawn stays on record"
        check(scene.project)
        undone(scene, ana, item)
        assert pairs() == [], "undone to what it began from"
        check(scene.project)

    def test_where_verdicts_differ_it_waits_for_an_adjudicator_as_before(
        self, scene: Mabl, item: dict[str, Any]
    ) -> None:
        ana, ben, cai, _dan = scene.people
        scene.judged(ben, **ACCEPT)
        scene.judged(cai, **REJECT)
        judge = scene.project.stages.get(kind="adjudicate", layer=scene.validate.layer)
        saved(scene, ana, item, BLANKET, done=False)
        assert not Item.objects.filter(stage=judge, state="free").exists()
        check(scene.project)
        saved(scene, ana, item, BLANKET)
        assert Item.objects.filter(stage=judge, state="free").count() == 1
        check(scene.project)

    def test_gold_that_another_text_replaced_holds_again_with_the_first_one(
        self, scene: Mabl, item: dict[str, Any]
    ) -> None:
        ana, ben, cai, _dan = scene.people
        adela = make_member(scene.project, Role.ADJUDICATOR)
        scene.judged(ben, **ACCEPT)
        scene.judged(cai, **REJECT)
        (pair,) = pairs()
        decide_gold(unit=pair.pk, layer=scene.validate.layer, content=ACCEPT, by=adela)
        assert Item.objects.filter(stage=scene.categories, unit=pair).exists()
        saved(scene, ana, item, OFFICE)
        check(scene.project)
        saved(scene, ana, item, BLANKET)
        assert pairs() == [pair]
        assert set(Item.objects.filter(unit=pair).values_list("stage__kind", "state")) == {
            ("validate", "decided"), ("adjudicate", "decided"), ("categories", "free"),
        }  # fmt: skip
        check(scene.project)

    def test_what_was_sent_back_and_is_defended_is_judged_anew(self, scene: Mabl, item: dict[str, Any]) -> None:
        ana, ben, cai, dan = scene.people
        scene.judged(ben, **REJECT)
        scene.judged(cai, **REJECT)
        with pytest.raises(AssertionError, match="Nothing has changed since it was sent back"):
            saved(scene, ana, item, BLANKET)
        saved(scene, ana, item, BLANKET, comment="Both are idioms here.")
        (again,) = pairs()
        assert again.revision == 2
        scene.judged(dan, **ACCEPT)
        saved(scene, ana, item, BLANKET, done=False, comment="Both are idioms here.")
        saved(scene, ana, item, BLANKET, comment="Both are idioms here.")
        assert pairs() == [again], "the one that was not sent back"
        assert Item.objects.get(unit=again, stage=scene.validate).answers_done == 1
        check(scene.project)

    def test_a_writer_is_told_nothing_of_a_text_that_stands(self, scene: Mabl, item: dict[str, Any]) -> None:
        ana, ben, *_ = scene.people
        saved(scene, ana, item, OFFICE)
        scene.judged(ben, **REJECT)
        undone(scene, ana, item)
        (pair,) = pairs()
        Gold.objects.create(
            project=scene.project, unit=pair, layer=scene.validate.layer, content={**ACCEPT, "reason": "", "texts": []},
            source="agreed", version=1,
        )  # fmt: skip
        saved(scene, ana, item, BLANKET, done=False)
        assert pairs() == [pair], "gold is not withdrawn"
        assert scene.call(ana, "get", f"assignments/{item['id']}/")["remarks"] == []

    def test_blind_judges_are_blind_again(self, scene: Mabl, item: dict[str, Any]) -> None:
        ana, ben, *_ = scene.people
        scene.validate.mode = Mode.BLIND
        scene.validate.save()
        scene.judged(ben, **ACCEPT)
        (pair,) = pairs()
        saved(scene, ana, item, BLANKET, done=False)
        assert not BlindMark.objects.filter(live=True).exists()
        saved(scene, ana, item, BLANKET)
        assert set(BlindMark.objects.filter(live=True).values_list("user", "segment")) == {
            (ben.pk, segment) for segment in pair.touches
        }
        check(scene.project)


@pytest.fixture(scope="class")
def rewritten(kept_rows_of_class: None) -> Written:
    """Ben has rewritten a sentence that Ana marked."""
    scene = Impli()
    ana, ben, *_ = scene.people
    scene.marked(ana)
    (item,) = scene.claim(ben, "rewrite")
    scene.save(ben, item, REWRITTEN)
    return Written(scene, item)


class TestSeveralPairsOfOneAnswer:
    @pytest.fixture
    def scene(self, rewritten: Written) -> Impli:
        return copy.deepcopy(rewritten.scene)

    @pytest.fixture
    def item(self, rewritten: Written) -> dict[str, Any]:
        return copy.deepcopy(rewritten.item)

    def held(self, user: Any, unit: Unit) -> dict[str, Any]:
        return {"id": Assignment.objects.get(user=user, unit=unit).pk}

    def test_only_the_text_that_changed_is_judged_anew(self, scene: Impli, item: dict[str, Any]) -> None:
        _ana, ben, cai, _dan = scene.people
        kept, other = pairs("inference-pair")
        for pair in (kept, other):
            scene.judged(cai, pair.text.split("\n")[1], YES)
        changed = {**REWRITTEN, "changed": "Our branch was left holding the ladder."}
        saved(scene, ben, item, REWRITTEN, done=False)
        assert pairs("inference-pair") == []

        saved(scene, ben, item, changed)

        # Which of the two comes first goes by their ids.
        now = pairs("inference-pair")
        [same] = [unit for unit in now if unit in (kept, other)]
        [new] = [unit for unit in now if unit != same]
        changed_one = other if same == kept else kept
        assert (new.segment, new.revision) == (changed_one.segment, 2)
        done = dict(Item.objects.filter(stage__kind="validate").values_list("unit", "answers_done"))
        assert (done[same.pk], done[new.pk]) == (1, 0)
        assert Annotation.objects.filter(unit=other, layer__content_type="verdict").exists(), "it stays on record"
        check(scene.project)

    def test_labels_that_are_opened_and_finished_keep_the_rewriting_and_its_pairs(self, scene: Impli) -> None:
        ana, _ben, cai, _dan = scene.people
        before = pairs("inference-pair")
        scene.judged(cai, before[0].text.split("\n")[1], YES)
        (focus,) = pairs("focus")
        labels = Annotation.objects.get(user=ana, unit__in=focus.parents.all())
        held = {"id": Assignment.objects.get(user=ana, unit=labels.unit).pk}
        saved(scene, ana, held, labels.content, done=False)
        assert pairs("focus") == []
        saved(scene, ana, held, labels.content)
        assert (pairs("focus"), pairs("inference-pair")) == ([focus], before)
        assert Item.objects.get(unit=focus).state == "done"
        check(scene.project)

    def test_a_revision_that_a_fix_replaced_does_not_come_back(self, scene: Impli) -> None:
        """Its answers went on to the next one."""
        ana, _ben, *_ = scene.people
        (first,) = pairs("focus")
        sentence = first.parents.get()
        text = sentence.text
        fixed = revise_text(project=scene.project, unit=sentence.pk, text=f"{text} So", by=None, anybodys=True).unit
        saved(scene, ana, self.held(ana, fixed), {"spans": []})
        assert pairs("focus") == []
        back = revise_text(project=scene.project, unit=fixed.pk, text=text, by=None, anybodys=True).unit
        marked = {"tokens": [4, 5, 6], "label": "FIGURATIVE", "attributes": {}, "score": None}
        saved(scene, ana, self.held(ana, back), spans(marked))
        (again,) = pairs("focus")
        assert again.pk != first.pk
        check(scene.project)

    def sent_back(self, scene: Impli) -> list[dict[str, Any]]:
        """The second of two judges rejects both; their items."""
        ana, _ben, cai, _dan = scene.people
        items = []
        for person in (ana, cai):
            items = scene.claim(person, "validate", 20)
            for held in items:
                scene.save(person, held, {**REJECT, "second": "no"})
        assert (len(items), pairs("inference-pair")) == (2, [])
        return items

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    def test_both_verdicts_undone_finish_the_rewriting_again(
        self, scene: Impli, item: dict[str, Any], order: tuple[int, int]
    ) -> None:
        _ana, ben, cai, _dan = scene.people
        items = self.sent_back(scene)
        for at in order:
            assert scene.call(ben, "get", f"assignments/{item['id']}/")["state"] == "open"
            undone(scene, cai, items[at])
        assert scene.call(ben, "get", f"assignments/{item['id']}/")["state"] == "done"
        assert len(pairs("inference-pair")) == 2
        check(scene.project)

    def test_no_verdict_on_what_somebody_else_mends_is_undone(self, scene: Impli) -> None:
        _ana, ben, cai, dan = scene.people
        items = self.sent_back(scene)
        remove_member(membership=Membership.objects.get(user=ben, project=scene.project), by=scene.manager)
        stage = scene.stage("rewrite")
        (left,) = orphaned_answers([stage])[stage.pk]
        hand_over(stage=stage, answer=left.answer.pk, to=dan, by=scene.manager)
        for held in items:
            with pytest.raises(AssertionError, match="someone else is revising it"):
                undone(scene, cai, held)
        assert pairs("inference-pair") == []
        check(scene.project)

    def test_nor_on_what_somebody_else_writes_anew(self, scene: Impli) -> None:
        _ana, ben, cai, dan = scene.people
        items = self.sent_back(scene)
        remove_member(membership=Membership.objects.get(user=ben, project=scene.project), by=scene.manager)
        assert len(scene.claim(dan, "rewrite")) == 1
        for held in items:
            with pytest.raises(AssertionError, match="This text was sent back"):
                undone(scene, cai, held)
        assert pairs("inference-pair") == []
        check(scene.project)


class TestPairsByRule:
    def test_they_keep_their_verdicts_where_a_definition_comes_back(self) -> None:
        scene = Impli()
        ana, ben, cai, _dan = scene.people
        scene.marked(ana)
        (item,) = scene.claim(ben, "define")
        scene.save(ben, item, DEFINED)
        scene.bring("pairs")
        before = pairs("inference-pair")
        judged = next(pair for pair in before if "responsible" in pair.text)
        scene.judged(cai, judged.text.split("\n")[1], YES)
        saved(scene, ben, item, {**DEFINED, "correct": "to be left with the work"})
        scene.bring("pairs")
        changed = pairs("inference-pair")
        assert len(changed) == len(before)
        assert {pair.pk for pair in changed} != {pair.pk for pair in before}
        saved(scene, ben, item, DEFINED)
        scene.bring("pairs")
        assert pairs("inference-pair") == before
        assert Item.objects.get(unit=judged).answers_done == 1
        check(scene.project)


@pytest.fixture(scope="class")
def voted(kept_rows_of_class: None) -> Munch:
    """Five have written words for the one that the last person marked, and another one has voted."""
    scene = Munch(8)
    make_sentence(scene.project, "A wave of joy came", language="en")
    scene.answer(scene.people[7], "correct", spans({"tokens": [1], "label": "METAPHOR", "attributes": {}}))
    scene.write("surge", "surge", "rush", "rush", "surge")
    scene.answer(scene.people[5], "choose-best", {"words": ["surge"], "none": False})
    return scene


class TestWordsToVoteOn:
    @pytest.fixture
    def scene(self, voted: Munch) -> Munch:
        return copy.deepcopy(voted)

    def held(self, scene: Munch, person: int, kind: str) -> dict[str, Any]:
        return {"id": Assignment.objects.get(user=scene.people[person], stage=scene.stage(kind)).pk}

    def test_they_keep_their_votes_where_somebodys_word_is_the_same_again(self, scene: Munch) -> None:
        (words,) = pairs("words")
        item = self.held(scene, 0, "substitute")
        saved(scene, scene.people[0], item, {"word": "surge", "reason": ""}, done=False)
        assert pairs("words") == [], "not all have written"
        saved(scene, scene.people[0], item, {"word": "surge", "reason": ""})
        assert pairs("words") == [words]
        assert Item.objects.get(unit=words, stage=scene.stage("choose-best")).answers_done == 1

    def test_they_keep_their_votes_where_another_of_them_is_written_more_often(self, scene: Munch) -> None:
        (words,) = pairs("words")
        saved(scene, scene.people[0], self.held(scene, 0, "substitute"), {"word": "rush", "reason": ""})
        assert pairs("words") == [words], "rush is the more frequent one now, and nobody is to see that"
        assert Item.objects.get(unit=words, stage=scene.stage("choose-best")).answers_done == 1

    def test_other_words_are_voted_on_anew_until_they_are_the_same_again(self, scene: Munch) -> None:
        (words,) = pairs("words")
        item = self.held(scene, 0, "substitute")
        saved(scene, scene.people[0], item, {"word": "flood", "reason": ""})
        (other,) = pairs("words")
        assert other.tokens == ["flood", "rush", "surge"]
        assert Item.objects.get(unit=other, stage=scene.stage("choose-best")).answers_done == 0
        undone(scene, scene.people[0], item)
        assert pairs("words") == [words]
        assert Item.objects.get(unit=words, stage=scene.stage("choose-best")).answers_done == 1

    def test_a_marked_word_keeps_what_was_written_for_it(self, scene: Munch) -> None:
        (marked,), (words,) = pairs("marked"), pairs("words")
        item = self.held(scene, 7, "correct")
        content = Annotation.objects.get(layer__slug="labels").content
        saved(scene, scene.people[7], item, content, done=False)
        assert pairs("marked") == []
        saved(scene, scene.people[7], item, content)
        assert (pairs("marked"), pairs("words")) == ([marked], [words])
        row = Item.objects.get(unit=marked, stage=scene.stage("substitute"))
        assert (row.state, row.answers_done) == ("done", 5)
        assert not BlindMark.objects.filter(live=True, layer__slug="substitutes").exists(), "all have written"


class Writers:
    """People who write, change, undo and judge pairs in any order."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.scene = Mabl()
        self.people = self.scene.people
        for stage in (self.scene.write, self.scene.validate):
            stage.project = self.scene.project

    def act(self) -> None:
        stage = self.random.choice([self.scene.write, self.scene.validate])
        user = self.random.choice(self.people)
        do = self.random.choice([self.take, *[self.save] * 6, *[self.undo] * 3, self.give_up])
        do(stage, user)

    def take(self, stage: Any, user: Any) -> None:
        claim(stage=stage, user=user, now=timezone.now())

    def give_up(self, stage: Any, user: Any) -> None:
        free_open(stage=stage, user=user, mode=Mode.REVIEW, by=user)

    def _row(self) -> tuple[Assignment, int] | None:
        rows = list(Assignment.objects.filter(project=self.scene.project).order_by("pk"))
        if not rows:
            return None
        row = self.random.choice(rows)
        found = Annotation.objects.filter(unit=row.unit, layer=row.stage.layer, user=row.user)
        return row, found.values_list("version", flat=True).first() or 0

    def save(self, _stage: Any, _user: Any) -> None:
        if (found := self._row()) is None:
            return
        row, version = found
        content = self.random.choice([BLANKET, OFFICE] if row.stage == self.scene.write else [ACCEPT, ACCEPT, REJECT])
        save_annotation(
            project=self.scene.project, assignment=row.pk, version=version, content=content,
            comment=self.random.choice(["", "?"]), done=self.random.random() < 0.7, by=row.user, now=timezone.now(),
        )  # fmt: skip

    def undo(self, _stage: Any, _user: Any) -> None:
        if (found := self._row()) is not None:
            row, version = found
            undo_annotation(
                project=self.scene.project, assignment=row.pk, version=version, by=row.user, now=timezone.now()
            )


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_whatever_writers_and_judges_do_counters_are_right(seed: int) -> None:
    writers = Writers(seed)
    for at in range(80):
        try:
            writers.act()
        except ActionError:
            continue
        if at % 4 == 0:
            check(writers.scene.project)
    check(writers.scene.project)
    texts = Unit.objects.filter(kind="figurative-pair")
    # The sequence is worth something: texts were changed, and earlier ones came back.
    assert texts.filter(revision__gt=1).exists()
