"""A sentence is fixed: what was made from it reads as it does now, or is closed; what was answered stays on record."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import pytest

from annotator.core.counters import recounted
from annotator.core.errors import ActionError, NotYoursError
from annotator.domain.verbs import Verb
from annotator.kinds.impli.units import FOCUS_CHANGED, focus_of
from annotator.kinds.substitution.units import SENTENCE_CHANGED, WORD_CHANGED
from annotator.models import Annotation, Assignment, Event, Gold, Item, Unit
from annotator.revisions.revisions import TEXT_REVISED, revise_text
from annotator.work.queue.queries.progress import stage_progress
from tests.factories import make_gold, make_sentence, span, spans
from tests.kinds.impli.work import FIGURATIVE, LITERAL, REWRITTEN, Impli
from tests.kinds.munch import Munch
from tests.work.test_counters import check

pytestmark = pytest.mark.django_db

# "holding the baby" is two tokens further on.
LONGER = "Last year " + FIGURATIVE
OTHER_WORD = FIGURATIVE.replace("baby", "bag")


def fix(scene: Any, text: str, old: str = FIGURATIVE) -> Unit:
    """The sentence that reads `old` reads `text` from now on."""
    unit = next(row for row in scene.project.units.filter(kind="sentence", is_current=True) if row.text == old)
    return revise_text(project=scene.project, unit=unit.pk, text=text, by=None, anybodys=True).unit


def focus() -> Unit:
    return Unit.objects.select_related("segment").get(kind="focus", is_current=True)


def other_foci(than: Unit) -> set[int]:
    return set(Unit.objects.filter(kind="focus", is_current=True).exclude(pk=than.pk).values_list("pk", flat=True))


@pytest.fixture(scope="class")
def marked(kept_rows_of_class: None) -> Impli:
    """Two sentences that came with their labels, and one more with two expressions that touch each other."""
    scene = Impli()
    make_sentence(scene.project, "He kicked buckets yesterday", language="en")
    labels = {
        FIGURATIVE: [span(4, 5, 6, label="FIGURATIVE")],
        LITERAL: [span(3, 4, 5, label="LITERAL")],
        "He kicked buckets yesterday": [span(1, label="FIGURATIVE"), span(2, label="FIGURATIVE")],
    }
    for unit in scene.project.units.filter(kind="sentence"):
        make_gold(unit, labels[unit.text])
    scene.bring("expressions")
    return scene


class TestFocusOfImportedLabels:
    @pytest.fixture
    def scene(self, marked: Impli) -> Impli:
        return copy.deepcopy(marked)

    def test_one_may_stand_where_another_one_stood(self, scene: Impli) -> None:
        fix(scene, "And he kicked buckets yesterday", old="He kicked buckets yesterday")
        foci = Unit.objects.filter(kind="focus", is_current=True, parents__revision=2).select_related("segment")
        assert sorted(focus_of(unit.segment.uid) for unit in foci) == [[2], [3]]
        assert {unit.text for unit in foci} == {"And he kicked buckets yesterday"}
        scene.bring("expressions")
        assert Unit.objects.filter(kind="focus", is_current=True, parents__revision=2).count() == 2
        check(scene.project)

    def test_it_is_closed_where_one_of_its_words_is_another(self, scene: Impli) -> None:
        ben, cai = scene.people[1:3]
        (held,) = [one for one in scene.claim(cai, "rewrite", 5) if "baby" in one["unit"]["tokens"]]
        old = Unit.objects.get(pk=held["unit"]["id"])

        fix(scene, OTHER_WORD)

        old.refresh_from_db()
        assert not old.is_current
        assert not Unit.objects.filter(segment=old.segment_id, is_current=True).exists()
        assert set(Item.objects.filter(unit=old).values_list("state", flat=True)) == {"void"}
        assert Event.objects.get(verb=Verb.UNIT_CLOSED, subject_id=old.pk).after == {"reason": FOCUS_CHANGED}
        sentence = Unit.objects.get(kind="sentence", is_current=True, revision=2)
        assert Event.objects.filter(verb=Verb.GOLD_REOPENED, after__unit=sentence.pk).exists(), "it is decided anew"
        body = {"version": 0, "content": REWRITTEN, "done": True}
        refused = scene.send(cai, "post", f"assignments/{held['id']}/save/", body)
        assert refused.status_code == 400
        assert "is closed" in refused.json()["error"]["message"]
        assert not Annotation.objects.filter(unit=old).exists()
        assert all("baby" not in one["unit"]["tokens"] for one in scene.claim(ben, "rewrite", 5))
        check(scene.project)


@dataclass
class Rewritten:
    """Ben has rewritten the sentence with the baby: its focus, and what he wrote."""

    scene: Impli
    focus: Unit
    answer: Annotation


@pytest.fixture(scope="class")
def begun(marked: Impli, kept_rows_of_class: None) -> Rewritten:
    scene = copy.deepcopy(marked)
    ben = scene.people[1]
    (item,) = [one for one in scene.claim(ben, "rewrite", 5) if "baby" in one["unit"]["tokens"]]
    scene.save(ben, item, REWRITTEN)
    return Rewritten(scene, Unit.objects.get(pk=item["unit"]["id"]), Annotation.objects.get(user=ben))


class TestFocusThatWasRewritten:
    @pytest.fixture
    def rewritten(self, begun: Rewritten) -> Rewritten:
        return copy.deepcopy(begun)

    @pytest.fixture
    def scene(self, rewritten: Rewritten) -> Impli:
        return rewritten.scene

    def test_it_goes_on_to_the_new_wording_at_its_new_place(self, scene: Impli, rewritten: Rewritten) -> None:
        ben = scene.people[1]
        old, answer = rewritten.focus, rewritten.answer
        others = other_foci(old)

        sentence = fix(scene, LONGER)

        (item,) = [one for one in scene.claim(ben, "rewrite", 5) if "baby" in one["unit"]["tokens"]]
        assert (" ".join(item["unit"]["tokens"]), item["focus"]) == (LONGER, [6, 7, 8])
        assert item["unit"]["revision"] == 2
        assert (item["annotation"]["content"], item["revised"]["again"]) == (REWRITTEN, True)
        new = Unit.objects.get(pk=item["unit"]["id"])
        assert list(new.parents.all()) == [sentence]
        assert new.touches == [new.segment_id, sentence.segment_id]
        assert other_foci(new) == others, "foci of other sentences stay as they are"
        kept = Annotation.objects.get(pk=answer.pk)
        assert (kept.unit_id, kept.unit.revision, kept.state, kept.content) == (old.pk, 1, "done", REWRITTEN)
        assert kept.unit.text == FIGURATIVE, "what was said stays where it was said"
        assert not Unit.objects.filter(kind="inference-pair", is_current=True).exists(), "pairs are decided anew"
        event = Event.objects.filter(verb=Verb.UNIT_REWORDED, subject_id=new.pk)
        assert event.values_list("before__unit", "after__unit").get() == (old.pk, new.pk)
        check(scene.project)
        scene.save(ben, item, REWRITTEN)
        pairs = Unit.objects.filter(kind="inference-pair", is_current=True)
        assert {row.text.split("\n")[0] for row in pairs} == {LONGER}
        check(scene.project)

    def test_a_text_that_comes_back_has_what_was_answered_on_it(self, scene: Impli, rewritten: Rewritten) -> None:
        old, answer = rewritten.focus, rewritten.answer
        fix(scene, LONGER)
        fix(scene, FIGURATIVE, old=LONGER)
        back = Unit.objects.get(segment=old.segment_id, is_current=True)
        assert (back.text, back.revision, focus_of(back.segment.uid)) == (FIGURATIVE, 3, [4, 5, 6])
        again = Annotation.objects.get(unit=back)
        assert (again.state, again.content, again.user_id) == ("done", REWRITTEN, answer.user_id)
        assert Unit.objects.filter(kind="inference-pair", is_current=True).count() == 2
        check(scene.project)

    def test_a_fix_that_is_refused_changes_nothing(self, scene: Impli, rewritten: Rewritten) -> None:
        old = rewritten.focus
        sentence = Unit.objects.get(kind="sentence", tokens=FIGURATIVE.split(" "))
        before = list(Unit.objects.order_by("pk").values()), Event.objects.count()
        with pytest.raises(NotYoursError):
            revise_text(project=scene.project, unit=sentence.pk, text=LONGER, by=scene.people[3])
        with pytest.raises(NotYoursError):
            revise_text(project=scene.project, unit=old.pk, text=LONGER, by=None, anybodys=True)
        with pytest.raises(ActionError):
            revise_text(project=scene.project, unit=sentence.pk, text=" ", by=None, anybodys=True)
        assert (list(Unit.objects.order_by("pk").values()), Event.objects.count()) == before


@pytest.fixture(scope="class")
def answered(kept_rows_of_class: None) -> Impli:
    """Ana has marked two sentences."""
    scene = Impli()
    scene.marked(scene.people[0])
    return scene


class TestFocusOfAnAnswer:
    @pytest.fixture
    def scene(self, answered: Impli) -> Impli:
        return copy.deepcopy(answered)

    def test_it_stays_while_its_labels_are_decided_anew(self, scene: Impli) -> None:
        ana, ben, *_ = scene.people
        first = focus()
        fix(scene, LONGER)
        carried = focus()
        assert carried.pk != first.pk
        (item,) = scene.claim(ana, "correct", 2)
        assert item["annotation"]["content"]["spans"][0]["tokens"] == [6, 7, 8]
        scene.save(ana, item, item["annotation"]["content"], done=False)
        assert focus() == carried, "a draft takes nothing away"
        (given,) = scene.claim(ben, "rewrite", 5)
        assert given["focus"] == [6, 7, 8]
        item = scene.call(ana, "get", f"assignments/{item['id']}/")
        scene.save(ana, item, item["annotation"]["content"])
        assert focus() == carried, "the same label makes no other one"
        check(scene.project)

    def test_a_label_that_went_takes_it_away(self, scene: Impli) -> None:
        ana, ben, *_ = scene.people
        fix(scene, LONGER)
        (item,) = scene.claim(ana, "correct", 2)
        scene.save(ana, item, {"spans": []})
        assert not Unit.objects.filter(kind="focus", is_current=True).exists()
        assert scene.claim(ben, "rewrite", 5) == []
        check(scene.project)

    def test_another_word_is_marked_anew(self, scene: Impli) -> None:
        ana = scene.people[0]
        fix(scene, OTHER_WORD)
        assert not Unit.objects.filter(kind="focus", is_current=True).exists()
        (item,) = scene.claim(ana, "correct", 2)
        scene.save(ana, item, spans(span(4, 5, 6, label="FIGURATIVE")))
        assert focus().text == OTHER_WORD
        check(scene.project)

    def test_white_space_alone_leaves_answers_done(self, scene: Impli) -> None:
        ben = scene.people[1]
        (item,) = scene.claim(ben, "rewrite")
        scene.save(ben, item, REWRITTEN)
        fix(scene, FIGURATIVE.replace("baby .", "baby  ."))
        assert Annotation.objects.get(unit=focus()).state == "done"
        pairs = Unit.objects.filter(kind="inference-pair", is_current=True)
        assert {row.text.split("\n")[0] for row in pairs} == {FIGURATIVE.replace("baby .", "baby  .")}
        check(scene.project)


def counted(scene: Munch) -> None:
    """Counters are right. Blind work on words ends without gold, which `check` does not know."""
    for stage in scene.project.stages.exclude(kind="adjudicate"):
        assert stage_progress(stage).to_json() == {**recounted(stage), "mine": 0, "blind": 0}


WAVE = "A “wave, a wave of joy came"


@pytest.fixture(scope="class")
def word(kept_rows_of_class: None) -> Munch:
    """The last person has marked the first *wave*; the others write words for it."""
    scene = Munch(7)
    make_sentence(scene.project, WAVE, language="en")
    scene.answer(scene.people[6], "correct", spans(span(1)))
    return scene


class TestMarkedSentences:
    @pytest.fixture
    def scene(self, word: Munch) -> Munch:
        return copy.deepcopy(word)

    def shown(self, scene: Munch) -> Any:
        (item,) = scene.claim(scene.people[5], "substitute")
        return item["marked"], item["unit"]["revision"]

    def test_inapt_words_and_what_is_no_word_go_on_to_it(self, scene: Munch) -> None:
        scene.write("surge", "", "rush", "rush", "surge")
        ana, ben = scene.people[:2]
        inapt = {"words": [{"word": "tie", "sense": "a piece of cloth", "synset": ""}], "none": False}
        scene.answer(ana, "inapt", inapt)
        # A word less: labels that stay are done, and what is said of the sentence is not.
        fix(scene, WAVE.removesuffix(" came"), old=WAVE)
        (found,) = scene.claim(ana, "inapt")
        assert (found["annotation"]["state"], found["annotation"]["content"]) == ("open", inapt)
        (reason,) = scene.claim(ben, "substitute")
        assert reason["annotation"]["content"] == {"word": "", "reason": "unclear"}
        marked = Unit.objects.get(kind="marked", is_current=True)
        assert Item.objects.get(unit=marked, stage=scene.stage("substitute")).answers_done == 0
        counted(scene)
        scene.write("surge", "", "rush", "rush", "surge")
        assert Unit.objects.get(kind="words", is_current=True).tokens == ["rush", "surge"]
        fix(scene, WAVE, old=WAVE.removesuffix(" came"))
        states = Annotation.objects.filter(unit__kind="marked", unit__is_current=True, layer__slug="inapt")
        assert list(states.values_list("state", flat=True)) == ["done"], "nobody has touched it since"
        counted(scene)

    def test_gold_on_it_is_reopened_with_its_reason(self, scene: Munch) -> None:
        (marked,) = Unit.objects.filter(kind="marked")
        layer = scene.stage("inapt").layer
        make_gold(marked, content={"words": [{"word": "tie", "sense": "", "synset": ""}], "none": False}, layer=layer)
        fix(scene, WAVE + " in", old=WAVE)
        assert not Gold.objects.filter(layer=layer).exists()
        event = Event.objects.filter(verb=Verb.GOLD_REOPENED)
        assert event.values_list("subject_id", "after__reason").get() == (marked.pk, TEXT_REVISED)
        check(scene.project)


@pytest.fixture(scope="class")
def words(word: Munch, kept_rows_of_class: None) -> Munch:
    """Five have written a word for it."""
    scene = copy.deepcopy(word)
    scene.write("surge", "surge", "rush", "rush", "surge")
    return scene


class TestMarkedSentencesWithWords:
    @pytest.fixture
    def scene(self, words: Munch) -> Munch:
        return copy.deepcopy(words)

    def test_the_same_word_is_marked_in_the_new_wording(self, scene: Munch) -> None:
        scene.answer(scene.people[0], "choose-best", {"words": ["surge"], "none": False})
        words = Unit.objects.get(kind="words")
        before = list(Annotation.objects.exclude(layer__slug="labels").order_by("pk").values())

        fix(scene, "So, " + WAVE.lower(), old=WAVE)

        assert list(Annotation.objects.filter(pk__in=[row["id"] for row in before]).order_by("pk").values()) == before
        ana = scene.people[0]
        (item,) = scene.claim(ana, "substitute")
        assert item["marked"] == {"before": "So, a “", "word": "wave", "after": ", a wave of joy came"}
        assert item["unit"]["revision"] == 2
        told = item["annotation"]["state"], item["annotation"]["content"]["word"], item["revised"]["again"]
        assert told == ("open", "surge", True), "what was written stays, to be looked at again"
        assert not Unit.objects.filter(kind="words", is_current=True).exists()
        assert Event.objects.get(verb=Verb.UNIT_CLOSED).after == {"reason": SENTENCE_CHANGED}
        assert not Item.objects.filter(unit=words).exclude(state="void").exists()
        check(scene.project)
        scene.write("surge", "flood", "rush", "rush", "surge")
        assert Unit.objects.get(kind="words", is_current=True).tokens == ["flood", "rush", "surge"]
        counted(scene)

    def test_words_are_withdrawn_where_it_keeps_its_place(self, scene: Munch) -> None:
        scene.answer(scene.people[0], "choose-best", {"words": ["surge"], "none": False})
        fix(scene, WAVE + " in", old=WAVE)
        assert not Unit.objects.filter(kind="words", is_current=True).exists()
        scene.write("surge", "surge", "rush", "rush", "surge")
        assert Unit.objects.get(kind="words", is_current=True).revision == 2
        counted(scene)

    def test_white_space_alone_leaves_words_votes_and_gold(self, scene: Munch) -> None:
        for person in scene.people[:3]:
            scene.answer(person, "choose-best", {"words": ["surge"], "none": False})
        words, gold = Unit.objects.get(kind="words"), Gold.objects.get(layer__slug="best")
        fix(scene, WAVE.replace("joy came", "joy  came"), old=WAVE)
        assert Unit.objects.get(kind="words", is_current=True) == words
        assert [parent.text for parent in words.parents.all()] == ["A “wave, a wave of joy  came"]
        assert Gold.objects.get(layer__slug="best") == gold
        assert set(Annotation.objects.filter(layer__slug="substitutes").values_list("state", flat=True)) == {"done"}
        counted(scene)

    def test_it_is_closed_where_the_word_is_another(self, scene: Munch) -> None:
        (marked,) = Unit.objects.filter(kind="marked")
        (words,) = Unit.objects.filter(kind="words")
        fix(scene, WAVE.replace("“wave", "“tide"), old=WAVE)
        reasons = {event.subject_id: event.after for event in Event.objects.filter(verb=Verb.UNIT_CLOSED)}
        closed = {unit.pk: {"reason": WORD_CHANGED} for unit in (marked, words)}
        assert reasons == closed, "and what was written for it"
        assert not Unit.objects.filter(kind__in=("marked", "words"), is_current=True).exists()
        assert scene.claim(scene.people[5], "choose-best") == [], "there is no sentence left to choose for"
        assert Assignment.objects.filter(unit=marked, state="done").count() == 5, "what was written stays"
        assert scene.claim(scene.people[5], "substitute") == []
        check(scene.project)
