"""Words for a marked one: written blind, voted on, decided, inapt ones, triples, the files of MUNCH."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotator.core.counters import recounted
from annotator.core.errors import ActionError
from annotator.core.presets import StageSpec
from annotator.core.starts import plain
from annotator.imports.drafts.drafts import change_draft, preview_draft
from annotator.imports.writing.run import run_import
from annotator.kinds.substitution.fitting import KnownWords, known_words
from annotator.models import (
    Annotation,
    BlindMark,
    Event,
    Gold,
    GoldSource,
    Item,
    LemmaPlace,
    Project,
    Role,
    Unit,
    User,
)
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.protocols.munch.corpus import sentences_of
from annotator.protocols.munch.start import START
from annotator.protocols.munch.tables import both, repeated, samples, triples
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.gold_gaps import GoldGap, gold_gaps
from annotator.reports.queries.agreement import agreement
from annotator.work.answering.queries.trials import pending_trial
from annotator.work.blind.actions.blind_items import assign_blind_items
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.gold.queries.left_out import MissingGoldError
from annotator.work.queue.queries.progress import stage_progress
from tests.corpora import MUNCH, needs_munch
from tests.deciding import by_hand, chosen_by_hand, decide_gold, sent
from tests.drafts import draft_of, load
from tests.factories import make_gold, make_member, make_sentence, make_user, span, spans
from tests.found import find
from tests.kinds.munch import NAMES, ONE, Munch, give, only_writes, releases_page, sample_files

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Munch:
    """The project with six people who have solved the trial. Each test has objects of its own."""
    return Munch(6)


@pytest.fixture
def scene(made: Munch, uploads: Path) -> Munch:
    return copy.deepcopy(made)


@pytest.fixture(scope="class")
def with_one(made: Munch, kept_rows_of_class: None) -> Munch:
    """With one marked sentence, in which the word stands twice."""
    scene = copy.deepcopy(made)
    load(scene.project, {"for_generation.csv": ONE})
    return scene


@pytest.fixture
def one(with_one: Munch, uploads: Path) -> Munch:
    """For classes in which all tests begin with that sentence: it is there as long as the class is."""
    return copy.deepcopy(with_one)


class TestMarkedWords:
    def test_a_label_of_one_word_becomes_a_sentence_with_its_word_marked(self, scene: Munch) -> None:
        make_sentence(scene.project, "A “wave, a wave of joy came", language="en")
        content = spans(
            {"tokens": [1], "label": "METAPHOR", "attributes": {}, "score": None},
            {"tokens": [3, 4], "label": "METAPHOR", "attributes": {}, "score": None},
        )
        self_made = scene.people[0]
        scene.answer(self_made, "correct", content)
        (item,) = scene.claim(scene.people[1], "substitute", 20)
        assert item["marked"] == {"before": "A “", "word": "wave", "after": ", a wave of joy came"}
        (own,) = scene.claim(self_made, "substitute", 20)
        assert own["marked"] == item["marked"], "whoever marked the word may write another one, too"

    @pytest.mark.parametrize("stage_first", [True, False])
    @pytest.mark.parametrize("labels_as", ["gold", "person"])
    def test_marked_words_that_come_in_with_files_are_worked_on(
        self, scene: Munch, labels_as: str, stage_first: bool
    ) -> None:
        if not stage_first:
            scene = Munch(0, project=create_project(slug="plain", preset=plain(["en"], ["METAPHOR"]), by=None))
            scene.people = [make_member(scene.project) for _ in range(2)]
        file = "She\tO\nfelt\tO\na\tO\nwave,\tB-METAPHOR\ntoo.\tO\n\nIt\tO\nrained.\tO\n\n"
        name = {"labels_name": scene.people[0].username} if labels_as == "person" else {}
        load(scene.project, {"en.tsv": file}, labels_as=labels_as, **name)
        if not stage_first:
            add_stages(project=scene.project, specs=[StageSpec("substitute", "en", made_from="correct")], by=None)
            scene.solve_trial(*scene.people)
        (item,) = scene.claim(scene.people[1], "substitute", 20)
        assert item["marked"] == {"before": "She felt a ", "word": "wave", "after": ", too."}
        assert stage_progress(scene.stage("substitute")).total == recounted(scene.stage("substitute"))["total"] == 1

    def test_the_words_for_it_go_and_come_back_with_it(self, client: Client, scene: Munch) -> None:
        make_sentence(scene.project, "A wave of joy came", language="en")
        ana, ben, *_ = scene.people
        (item,) = scene.claim(ana, "correct", 20)
        save = {"content": spans(span(1)), "done": True}
        path = f"assignments/{item['id']}/save/"
        scene.call(ana, "post", path, {"version": 0, **save})
        scene.write("surge", "surge", "rush", "rush", "flood")
        scene.answer(ben, "choose-best", {"words": ["surge"], "none": False})
        scene.call(ana, "post", path, {"version": 1, **save, "content": spans()})
        assert not Unit.objects.filter(kind__in=["marked", "words"], is_current=True).exists()
        assert scene.claim(ana, "choose-best", 20) == []
        client.force_login(make_member(scene.project, Role.MANAGER))
        assert "flood / rush / surge" in client.get(reverse("person", args=[scene.project.slug, ben.pk])).text
        scene.call(ana, "post", path, {"version": 2, **save})
        (back,) = scene.claim(ana, "choose-best", 20)
        assert back["marked"]["word"] == "wave"
        assert Annotation.objects.get(user=ben, layer__slug="best").unit_id == back["unit"]["id"]
        stage = scene.stage("choose-best")
        shown, numbers = stage_progress(stage), recounted(stage)
        assert (shown.total, shown.open) == (numbers["total"], numbers["open"]) == (1, 1)

    def test_while_the_best_word_is_decided_no_label_takes_its_sentence_away(self, scene: Munch) -> None:
        make_sentence(scene.project, "A wave of joy came", language="en")
        ana, *_ = scene.people
        (item,) = scene.claim(ana, "correct", 20)
        path = f"assignments/{item['id']}/save/"
        scene.call(ana, "post", path, {"version": 0, "content": spans(span(1)), "done": True})
        scene.write("surge", "surge", "rush", "rush", "flood")
        for person in scene.people[:3]:
            scene.answer(person, "choose-best", {"words": ["surge"], "none": False})
        scene.call(ana, "post", path, {"version": 1, "content": spans(), "done": True})
        assert Unit.objects.filter(kind__in=["marked", "words"], is_current=True).count() == 2

    def test_the_lemma_of_a_word_that_was_marked_here_is_that_of_its_form(self, scene: Munch) -> None:
        sentence = make_sentence(scene.project, "She felt it", language="en")
        LemmaPlace.objects.create(
            project=scene.project, language="en", lemma="feel", form="felt", unit=sentence, index=1
        )
        scene.answer(
            scene.people[0], "correct", spans({"tokens": [1], "label": "METAPHOR", "attributes": {}, "score": None})
        )
        (item,) = scene.claim(scene.people[1], "substitute", 20)
        assert item["lemma"] == "feel"

    def test_a_stage_that_is_added_later_begins_with_what_was_written(self, scene: Munch) -> None:
        project = create_project(slug="later", preset=START.preset(["en"]), by=None)
        late = Munch(5, project=project)
        project.stages.exclude(kind__in=("correct", "substitute")).delete()
        load(project, {"for_generation.csv": ONE})
        late.write("surge", "surge", "rush", "rush", "flood")
        add_stages(project=project, specs=[StageSpec("choose-best", "en", made_from="substitute")], by=None)
        assert [row.unit.tokens for row in Item.objects.filter(stage=late.stage("choose-best"))] == [
            ["flood", "rush", "surge"]
        ]


class TestSubstitutes:
    def test_where_one_answers_two_do_so_in_a_blind_overlap(self, one: Munch) -> None:
        stage = one.stage("substitute")
        stage.answers_wanted, stage.mode = 1, "review"
        stage.save()
        Item.objects.filter(stage=stage).update(answers_wanted=1)
        assign_blind_items(stage=stage, users=one.people[:2], count=1, seed=1, by=None)
        one.write("surge")
        assert not Item.objects.filter(stage=one.stage("choose-best")).exists(), "one more is waited for"
        assert one.claim(one.people[2], "substitute", 20) == []
        (item,) = one.claim(one.people[1], "substitute", 20)
        assert item["mode"] == "blind"
        one.answer(one.people[1], "substitute", {"word": "rush", "reason": ""})
        assert [row.unit.tokens for row in Item.objects.filter(stage=one.stage("choose-best"))] == [["rush", "surge"]]

    def test_five_answer_blind_and_nobody_sees_the_others(self, one: Munch) -> None:
        one.answer(one.people[0], "substitute", {"word": " “Surge.” ", "reason": ""})
        (item,) = one.claim(one.people[1], "substitute", 20)
        assert item["mode"] == "blind"
        assert "urge" not in json.dumps(item)
        assert item["marked"] == {"before": "She felt a ", "word": "wave", "after": ", a wave of joy."}
        assert Annotation.objects.get(user=one.people[0]).content == {"word": "Surge", "reason": ""}

    def test_words_can_be_chosen_from_once_all_have_answered(self, one: Munch) -> None:
        one.write("Surge", "surge", "rush", "Flood")
        assert not Unit.objects.filter(kind="words").exists()
        assert one.claim(one.people[5], "inapt", 20) == [], "words are written first"
        one.answer(one.people[4], "substitute", {"word": "", "reason": "unclear"})
        assert len(one.claim(one.people[5], "inapt", 20)) == 1
        words = Unit.objects.get(kind="words")
        # Once, in the case of the sentence; and whoever votes does not see which one was written most often.
        assert words.tokens == ["flood", "rush", "surge"]
        assert [parent.kind for parent in words.parents.all()] == ["marked"]
        assert one.claim(one.people[5], "substitute", 20) == []
        assert not BlindMark.objects.filter(live=True).exists(), "whoever wrote may decide on what was written"

    def test_a_changed_answer_changes_the_words_and_an_opened_one_withdraws_them(self, one: Munch) -> None:
        one.write("surge", "surge", "rush", "rush", "flood")
        person = one.people[4]
        own = one.stage("substitute").assignments.get(user=person)
        version = one.call(person, "get", f"assignments/{own.pk}/")["annotation"]["version"]
        one.call(
            person, "post", f"assignments/{own.pk}/save/",
            {"version": version, "content": {"word": "tide", "reason": ""}, "done": True},
        )  # fmt: skip
        words = Unit.objects.get(kind="words", is_current=True)
        assert (words.tokens, words.revision) == (["rush", "surge", "tide"], 2)
        one.call(person, "post", f"assignments/{own.pk}/undo/", {"version": version + 1})
        one.call(person, "post", f"assignments/{own.pk}/undo/", {"version": version + 2})
        assert not Unit.objects.filter(kind="words", is_current=True).exists()
        stage = one.stage("choose-best")
        assert stage_progress(stage).total == 0
        counted = recounted(stage)
        assert (counted["total"], counted["done"], counted["open"]) == (0, 0, 0)

    @pytest.mark.parametrize(
        ("word", "says"),
        [
            ("two words", "more than one word"),
            ("", "say why none fits"),
            ("<b>surge</b>", "which are markup"),
            ("1234", "no letter"),
            ("Wave.", "the word in the sentence"),
        ],
    )
    def test_what_is_no_answer_is_refused_and_changes_nothing(self, one: Munch, word: str, says: str) -> None:
        refused = one.answer(one.people[0], "substitute", {"word": word, "reason": ""}, expect=400)
        assert says in refused["error"]["message"]
        assert not Annotation.objects.exists()

    def test_the_page_is_given_the_lemma_of_the_marked_word(self, one: Munch) -> None:
        own = "0,8,They <b>went</b> up.,,,,\r\n"
        load(one.project, {"for_generation.csv": ONE.splitlines()[0] + "\r\n" + own}, dataset="more")
        items = one.claim(one.people[0], "substitute", 20)
        assert [(item["marked"]["word"], item["lemma"]) for item in items] == [("wave", "wave"), ("went", "go")]


class TestTrial:
    @pytest.fixture
    def novice(self, one: Munch) -> User:
        return make_member(one.project)

    def test_nobody_is_given_work_before_it_is_solved(self, one: Munch, novice: User) -> None:
        path = f"stages/{one.stage('substitute').pk}/claim/"
        refused = one.call(novice, "post", path, {"count": 1}, expect=400)
        assert "Solve the trial item" in refused["error"]["message"]
        assert not one.project.items.filter(answers_open__gt=0).exists()
        client = Client()
        client.force_login(novice)
        work, trial = (reverse(name, args=["words", one.stage("substitute").pk]) for name in ("work", "trial"))
        assert client.get(work).url == trial  # type: ignore[attr-defined]  # of a redirect
        page = client.get(trial).content.decode()
        assert '<mark class="ws-marked">attacked</mark>' in page
        assert "criticised" not in page

        assert "Write one word that could replace it with the same meaning, in the same form." in page
        missed = client.post(trial, {"word": "bit"}).content.decode()
        assert "Nobody was hit here" in missed
        assert "criticised" not in missed
        assert 'value="bit"' in missed
        assert 'name="missed" value="1"' in missed
        again = client.post(trial, {"word": "bit", "missed": "1"}).content.decode()
        assert "For example: “criticised”." in again
        assert 'name="missed" value="1"' in again
        empty = client.post(trial, {"word": " "}).content.decode()
        assert "Write one word." in empty
        assert "why none fits" not in empty
        assert "more than one word" in client.post(trial, {"word": "two words"}).content.decode()
        one.call(novice, "post", path, {"count": 1}, expect=400)
        assert client.post(trial, {"word": " Condemned. "}).url == work  # type: ignore[attr-defined]  # of a redirect
        assert len(one.claim(novice, "substitute", 20)) == 1
        assert client.get(trial).status_code == 302
        solved = Event.objects.get(verb="trial.solved", actor=novice)
        assert (solved.subject_id, solved.after) == (
            one.stage("substitute").pk, {"content": {"word": "Condemned", "reason": ""}},
        )  # fmt: skip

    def test_it_is_solved_for_one_stage_and_one_person(self, one: Munch, novice: User) -> None:
        other = create_project(slug="other", preset=START.preset(["en", "eu"]), by=None)
        stage = other.stages.select_related("layer", "project").get(kind="substitute", language="en")
        assert pending_trial(stage, one.people[0]) is not None
        assert pending_trial(one.stage("substitute"), novice) is not None
        assert pending_trial(one.stage("substitute"), one.people[0]) is None
        basque = other.stages.select_related("layer", "project").get(kind="substitute", language="eu")
        assert pending_trial(basque, novice) is None, "there is none in this language"
        assert pending_trial(one.stage("inapt"), novice) is None, "nor in this kind of work"

    def test_managers_write_their_own(self, one: Munch, novice: User) -> None:
        stage = one.stage("substitute")
        manager, client = make_member(one.project, Role.MANAGER), Client()
        client.force_login(manager)
        address = reverse("settings-trial", args=["words", stage.pk])
        assert address in client.get(reverse("settings-stages", args=["words"])).content.decode()
        assert "attacked&lt;/b&gt;" in client.get(address).content.decode()
        own = {"sentence": "He <b>swallowed</b> the  news.", "words": "Accepted, believed accepted", "hint": ""}
        assert client.post(address, own).url == address  # type: ignore[attr-defined]  # of a redirect
        stage.refresh_from_db()
        assert stage.layer.scheme_data["trials"] == {
            "en": {"sentence": "He <b>swallowed</b> the news.", "words": ["Accepted", "believed"], "hint": ""}
        }
        assert stage.layer.scheme_data["reasons"]
        assert one.project.events.get(verb="scheme.change").actor == manager
        solving = Client()
        solving.force_login(novice)
        trial = reverse("trial", args=["words", stage.pk])
        assert '<mark class="ws-marked">swallowed</mark>' in solving.get(trial).content.decode()
        first, again = {"word": "criticised"}, {"word": "criticised", "missed": "1"}
        assert "that has the same meaning here." in solving.post(trial, first).content.decode()
        assert "For example: “Accepted”." in solving.post(trial, again).content.decode()
        client.post(address, {**own, "hint": "100 % wrong; {word}, say."})
        assert "Accepted" not in solving.post(trial, first).content.decode()
        assert "100 % wrong; Accepted, say." in solving.post(trial, again).content.decode()
        client.post(address, {**own, "hint": "Nobody ate."})
        assert "Nobody ate." in solving.post(trial, first).content.decode()
        assert "Nobody ate. For example: “Accepted”." in solving.post(trial, again).content.decode()
        assert solving.post(trial, {"word": "believed"}).status_code == 302
        assert pending_trial(one.stage("substitute"), one.people[0]) is None, "who solved the other one goes on"

        assert client.post(address, {"sentence": "", "words": "", "hint": ""}).status_code == 302
        stage.layer.refresh_from_db()
        assert "trials" not in stage.layer.scheme_data

    @pytest.mark.parametrize(
        ("sentence", "words", "why"),
        [
            ("He swallowed the news.", "accepted", "Sentence: no word is marked"),
            ("He <b>swallowed</b> the <b>news</b>.", "accepted", "there are 2 and 2."),
            ("He <b>swallowed the</b> news.", "accepted", "not one word"),
            ("He <b>swallowed</b> the news.", "", "between 1 and 50 words"),
            ("", "accepted", "no word is marked"),
            ("He <b>swallowed</b> the news.", "accepted swallowed", "the marked word itself"),
            ("He <b>swallowed</b> the news.", "…", "is not a word"),
            ("He <b>swallowed</b> it." + "x" * 500, "accepted", "at most 500"),
        ],
    )
    def test_what_is_no_trial_item_is_refused_and_not_lost(
        self, one: Munch, sentence: str, words: str, why: str
    ) -> None:
        client, stage = Client(), one.stage("substitute")
        client.force_login(make_member(one.project, Role.MANAGER))
        address = reverse("settings-trial", args=["words", stage.pk])
        page = client.post(address, {"sentence": sentence, "words": words, "hint": "Try <again>"}).content.decode()
        assert why in page
        assert "Try &lt;again&gt;" in page
        stage.layer.refresh_from_db()
        assert "trials" not in stage.layer.scheme_data

    def test_nobody_else_writes_one(self, one: Munch, novice: User) -> None:
        client = Client()
        for user, status in ((novice, 403), (make_user(), 404)):
            client.force_login(user)
            address = reverse("settings-trial", args=["words", one.stage("substitute").pk])
            assert client.post(address, {"sentence": "", "words": ""}).status_code == status
        client.force_login(make_member(one.project, Role.MANAGER))
        other = reverse("settings-trial", args=["words", one.stage("inapt").pk])
        assert client.get(other).status_code == 404, "no trial items in that kind of work"


@pytest.fixture(scope="class")
def with_words(with_one: Munch, kept_rows_of_class: None) -> Munch:
    """Five have written a word for that sentence, so that they can be voted on."""
    scene = copy.deepcopy(with_one)
    scene.write("surge", "surge", "rush", "flood", "rush")
    return scene


class TestWhatWasWritten:
    """Votes, triples and releases, from when five have written a word."""

    @pytest.fixture
    def written(self, with_words: Munch, uploads: Path) -> Munch:
        return copy.deepcopy(with_words)

    def vote(self, scene: Munch, *votes: list[str]) -> None:
        for person, words in zip(scene.people, votes, strict=False):
            scene.answer(person, "choose-best", {"words": words, "none": not words})

    def test_the_word_with_the_most_votes_is_gold_without_anybody_deciding(self, written: Munch) -> None:
        self.vote(written, ["surge"], ["rush"])
        assert not Gold.objects.exists()
        written.answer(written.people[2], "choose-best", {"words": ["surge"], "none": False})
        gold = Gold.objects.get()
        assert (gold.content, gold.decided_by, gold.reason) == ({"words": ["surge"], "none": False}, None, "votes")
        assert gold.source == GoldSource.AGREED
        judge = written.stage("adjudicate", "best")
        assert written.call(written.people[5], "get", f"stages/{judge.pk}/adjudicate/")["remaining"] == 0

    def test_a_tie_waits_for_whoever_adjudicates_who_may_let_two_stand(self, written: Munch) -> None:
        self.vote(written, ["surge"], ["rush"], [])
        assert not Gold.objects.exists()
        judge, path = written.people[5], f"stages/{written.stage('adjudicate', 'best').pk}/adjudicate/"
        (waiting,) = written.call(judge, "get", path)["items"]
        assert waiting["marked"]["word"] == "wave"
        assert [answer["content"]["words"] for answer in waiting["answers"]] == [["surge"], ["rush"], []]
        unit = f"units/{waiting['unit']['id']}/gold/"
        chosen = chosen_by_hand(waiting)
        body = {"layer": "best", "version": 0, "content": {"words": ["surge", "tide"], "none": False}, "reason": "x"}
        body["chosen"] = chosen
        refused = written.call(judge, "post", unit, body, expect=400)
        assert "not among the words" in refused["error"]["message"]
        written.call(judge, "post", unit, {**body, "content": {"words": ["surge", "rush"], "none": False}})
        assert Gold.objects.get().content["words"] == ["rush", "surge"]
        assert written.call(judge, "get", path)["remaining"] == 0

    def test_a_word_that_nobody_wrote_cannot_be_voted_for(self, written: Munch) -> None:
        written.answer(written.people[0], "choose-best", {"words": ["tide"], "none": False}, expect=400)
        assert not Annotation.objects.filter(layer__slug="best").exists()

    def test_a_decision_that_was_taken_back_is_not_made_again_by_the_votes(self, written: Munch) -> None:
        self.vote(written, ["surge"], ["rush"], ["surge"])
        gold, judge = Gold.objects.get(), written.people[5]
        written.call(judge, "post", f"units/{gold.unit_id}/gold/reopen/", {"layer": "best", "version": gold.version})
        own = written.stage("choose-best").assignments.get(user=written.people[0])
        version = written.call(written.people[0], "get", f"assignments/{own.pk}/")["annotation"]["version"]
        written.call(
            written.people[0], "post", f"assignments/{own.pk}/save/",
            {"version": version, "content": {"words": ["flood"], "none": False}, "done": True},
        )  # fmt: skip
        assert not Gold.objects.exists()

    def test_votes_in_doubt_decide_nothing(self, written: Munch) -> None:
        ana, ben, cai, *_, judge = written.people
        for person, word, doubt in ((ana, "surge", True), (ben, "rush", False), (cai, "surge", False)):
            (item,) = written.claim(person, "choose-best", 1)
            body = {"version": 0, "content": {"words": [word], "none": False}, "doubt": doubt, "done": True}
            written.call(person, "post", f"assignments/{item['id']}/save/", body)
        assert not Gold.objects.exists()
        path = f"stages/{written.stage('adjudicate', 'best').pk}/adjudicate/"
        (waiting,) = written.call(judge, "get", path)["items"]
        assert [one["doubt"] for one in waiting["answers"]] == [True, False, False]

    def test_who_voted_may_still_change_a_vote_that_decided(self, written: Munch) -> None:
        self.vote(written, ["surge"], ["rush"], ["surge"])
        cai, dan = written.people[2:4]
        assert Gold.objects.get().content["words"] == ["surge"]
        own = written.stage("choose-best").assignments.get(user=cai)
        undone = written.call(cai, "post", f"assignments/{own.pk}/undo/", {"version": 1})
        assert (undone["state"], Gold.objects.exists()) == ("open", False)
        body = {"version": 2, "content": {"words": ["rush"], "none": False}, "done": True}
        written.call(dan, "post", f"assignments/{own.pk}/save/", body, expect=404)
        written.call(cai, "post", f"assignments/{own.pk}/save/", body)
        gold = Gold.objects.get()
        assert (gold.content["words"], gold.version, gold.decided_by) == (["rush"], 2, None)

    def test_agreement_counts_what_was_written_and_what_was_chosen(self, written: Munch) -> None:
        self.vote(written, ["surge"], ["rush"], ["surge"])
        ana, _ben, cai, *_ = written.people
        found = agreement(written.project, a=ana, b=cai, layer="best", language="en")
        assert (found.overall.kappa.n, found.overall.kappa.observed) == (1, 1.0)
        words = agreement(written.project, a=ana, b=cai, layer="substitutes", language="en")
        assert words.overall.kappa.observed == 0.0

    def test_a_sentence_that_came_in_with_a_mark_is_found(self, written: Munch) -> None:
        unit = Unit.objects.get(kind="marked")
        reader = written.people[0]
        for query in (unit.segment.uid, "wave joy"):
            assert list(find(written.project, query, reader=reader, decides=True).units) == [unit]
        assert list(find(written.project, "wave joy", reader=reader).units) == [unit]
        words = Unit.objects.get(kind="words").segment.uid
        assert not find(written.project, words, reader=reader, decides=True).units, "others wrote them"

    def test_a_word_that_was_chosen_as_the_best_is_not_inapt(self, written: Munch) -> None:
        for person, words in zip(written.people, (["surge"], ["rush"]), strict=False):
            written.answer(person, "choose-best", {"words": words, "none": False})
        marked = Unit.objects.get(kind="marked")
        before = KnownWords(("flood", "rush", "surge"))
        assert known_words([marked]) == {marked.pk: before}, "one vote is missing"
        written.answer(written.people[2], "choose-best", {"words": ["rush", "surge"], "none": False})
        assert not Gold.objects.exists()
        refused = give(written, "Surge", expect=400)
        assert "“surge” was chosen as the best word" in refused["error"]["message"], "it shares the most votes"
        layer = written.stage("inapt").layer
        decide_gold(
            unit=Unit.objects.get(kind="words").pk,
            layer=written.stage("choose-best").layer,
            content={"words": ["rush"], "none": False},
            by=None,
        )
        give(written, "surge")
        rows = [{"word": "rush", "sense": "", "synset": ""}]
        for unit in Unit.objects.filter(kind="marked"):
            with pytest.raises(ActionError, match="chosen as the best"):
                decide_gold(unit=unit.pk, layer=layer, content={"words": rows, "none": False}, by=None)
        assert not Gold.objects.filter(layer=layer).exists()

    def test_a_word_that_is_voted_best_after_it_was_found_inapt_is_told_of_until_somebody_decides_anew(
        self, written: Munch
    ) -> None:
        judge, inapt = written.people[5], written.stage("inapt")
        given = give(written, "surge", "ripple")
        accept_agreed(project=written.project, layer=inapt.layer, language="en", by=None, without_overlap=True)
        self.vote(written, ["surge"], ["surge"], ["surge"])
        assert Gold.objects.count() == 2

        # Triples have it as apt, and the release and the table say so.
        released = release_files(written.project, partial=False)
        why = [(row["id"], row["reason"]) for row in released.left_out]
        assert why == [("for_generation:7:3", "best and inapt: surge")]
        (path,) = [path for path in released.files if path.endswith(NAMES[1])]
        assert 'surge</b>, a wave of joy.",inapt' not in released.files[path].decode()
        said = [("en", "She felt a [wave], a wave of joy.", "surge")]
        assert [tuple(map(str, row)) for row in both(written.project).cells] == said
        client = Client()
        behind = reverse("report-sentences", args=["words", "both"])
        for person, shown in ((judge, True), (make_member(written.project), False)):
            client.force_login(person)
            address = reverse("report", args=["words", "both"])
            assert (address in client.get(reverse("reports", args=["words"])).text) is shown
            assert (f'href="{behind}?value=She' in client.get(address).text) is shown
            led = client.get(behind, {"value": said[0][1]})
            assert led.status_code == (200 if shown else 403)
            unit = Unit.objects.get(kind="marked")
            page = reverse("sentence", args=["words", unit.segment_id])
            assert (page in led.text) is shown
            # There both decisions are opened: the one that votes made, and the one that was accepted.
            voted = Item.objects.get(stage__kind="adjudicate", stage__layer__slug="best")
            accepted = written.project.stages.get(kind="adjudicate", layer=inapt.layer)
            opens = [
                f"{reverse('work', args=['words', voted.stage_id])}?item={voted.pk}",
                reverse("gold-open", args=["words", accepted.pk, unit.pk]),
            ]
            answer = client.get(page)
            assert (answer.status_code, [one in answer.text for one in opens]) == (200, [shown, shown])
            assert ("flood rush surge" in answer.text) is shown, "what others wrote is for adjudicators"
        client.force_login(make_user())
        assert client.get(page).status_code == 404

        # Whoever found it is told of the best word, decides anew, and nothing is told any more.
        gold = Gold.objects.get(layer=inapt.layer)
        body = {"layer": "inapt", "version": gold.version}
        written.call(judge, "post", f"units/{gold.unit_id}/gold/reopen/", body)
        item = written.call(judge, "get", f"assignments/{inapt.assignments.get().pk}/")
        assert (item["best"], item["written"]) == (["surge"], ["flood", "rush", "surge"])
        rows = [{"word": "ripple", "sense": "", "synset": ""}]
        body = {"layer": "inapt", "version": 0, "content": {"words": rows, "none": False}, "reason": "x"}
        body["chosen"] = sent(by_hand(gold.unit_id, gold.layer))
        written.call(judge, "post", f"units/{gold.unit_id}/gold/", body)
        assert both(written.project).cells == ()
        assert not release_files(written.project, partial=False).left_out
        assert given["annotation"]["version"] == 1

    def test_a_word_that_somebody_wrote_may_be_inapt_and_whoever_says_so_is_given_it(self, written: Munch) -> None:
        (item,) = written.claim(written.people[5], "inapt", 1)
        assert (item["written"], item["best"]) == (["flood", "rush", "surge"], [])
        give(written, "flood")

    def test_no_triple_has_the_marked_word_or_a_word_twice(self, written: Munch) -> None:
        (sentence,) = sentences_of(written.project)
        pairs = replace(sentence, best=("surge",), inapt=("Wave", "Surge", "ripple")).pairs
        assert [(pair.first.word, pair.second.word) for pair in pairs] == [("surge", "ripple")]

    def test_triples_of_a_whole_round_are_released(self, written: Munch) -> None:
        for person in written.people[:3]:
            written.answer(person, "choose-best", {"words": ["surge"], "none": False})
        words = [{"word": word, "sense": "", "synset": ""} for word in ("ripple", "breaker")]
        written.answer(written.people[0], "inapt", {"words": words, "none": False})
        accept_agreed(
            project=written.project, layer=written.stage("inapt").layer, language="en", by=None, without_overlap=True
        )
        released = release_files(written.project, partial=False)
        (path,) = [path for path in released.files if path.endswith(NAMES[1])]
        header, *rows = released.files[path].decode().splitlines()
        assert header == "i0,s0_idx,s0,s1,s1_label,s2,s2_label"
        assert [row.split(",")[:2] for row in rows] == [["0", "7"], ["1", "7"], ["2", "7"]]
        assert (
            '"She felt a <b>surge</b>, a wave of joy.",apt,"She felt a <b>ripple</b>, a wave of joy.",inapt' in rows[0]
        )
        (sentence,) = sentences_of(written.project)
        assert (sentence.best, sentence.inapt) == (("surge",), ("ripple", "breaker"))

    def test_gold_of_labels_is_released_beside_words(self, written: Munch) -> None:
        make_gold(make_sentence(written.project, "The wave came", language="en"))
        released = release_files(written.project, partial=True)
        assert any(path.startswith("detection/") for path in released.files)
        assert any(path.startswith("munch/") for path in released.files)

    def test_words_can_be_released_before_any_sentence_is_labelled(self, written: Munch) -> None:
        sentence = make_sentence(written.project, "Time flies", language="en")
        with pytest.raises(MissingGoldError, match="1 sentence:"):
            release_files(written.project, partial=False)
        released = release_files(written.project, partial=True)
        assert [row["id"] for row in released.manifest["left_out"]] == [sentence.segment.uid, "for_generation:7:3"]
        assert any(path.startswith("munch/") for path in released.files)
        assert not any(path.startswith(("detection/", "hub/")) for path in released.files)
        assert "is parallel to it" not in releases_page(written)


class TestInapt:
    @pytest.fixture
    def one(self, with_words: Munch, uploads: Path) -> Munch:
        return copy.deepcopy(with_words)

    def test_only_adjudicators_find_them_and_senses_are_kept(self, one: Munch) -> None:
        content = {"words": [{"word": "ripple", "sense": "a small wave", "synset": ""}], "none": False}
        novice = make_member(one.project)
        path = f"stages/{one.stage('inapt').pk}/"
        one.call(novice, "post", f"{path}claim/", {"count": 1}, expect=403)
        one.call(novice, "get", f"{path}senses/?word=wave", expect=403)
        one.call(make_user(), "get", f"{path}senses/?word=wave", expect=404)
        one.answer(one.people[0], "inapt", content)
        accept_agreed(project=one.project, layer=one.stage("inapt").layer, language="en", by=None, without_overlap=True)
        assert Gold.objects.get().content == content

    def test_words_are_put_into_the_case_of_the_sentence(self, one: Munch) -> None:
        give(one, "Ripple", "DRG")
        assert [row["word"] for row in Annotation.objects.get(layer__slug="inapt").content["words"]] == [
            "ripple",
            "DRG",
        ]

    def test_the_marked_word_is_not_inapt_for_itself(self, one: Munch) -> None:
        refused = give(one, "ripple", "Wave", expect=400)
        assert "“wave” is the word in the sentence" in refused["error"]["message"]
        assert not Annotation.objects.filter(layer__slug="inapt").exists()

    def test_without_wordnet_the_call_says_so(self, one: Munch, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "wn", None)
        found = one.call(one.people[0], "get", f"stages/{one.stage('inapt').pk}/senses/?word=wave")
        assert found == {"available": False, "senses": []}


class TestFiles:
    @pytest.mark.parametrize("language", ["en", "es"])
    def test_the_sample_goes_out_byte_for_byte(self, tmp_path: Path, settings: Any, language: str) -> None:
        settings.MEDIA_ROOT = tmp_path
        project = create_project(slug="sample", preset=START.preset([language]), by=None)
        load(project, sample_files(language))
        released = release_files(project, partial=True)
        (folder,) = {path.rpartition("/")[0] for path in released.files if path.startswith("munch/")}
        for name in NAMES:
            assert released.files[f"{folder}/{name}"] == sample_files(language)[name]
        items = json.loads(released.files[f"{folder}/evaluation.json"])["items"]
        assert len(items) == sum(row["total"] for row in triples(project).rows if row["genre"] == "all")

    def test_a_project_is_created_with_the_sample(self, settings: Any, tmp_path: Path) -> None:
        settings.MEDIA_ROOT = tmp_path
        start = {"start": "substitution", "sample": True}
        call_command("create_project", "tried", languages="es,eu", **start, stdout=StringIO())
        tried = Project.objects.get(slug="tried")
        assert [(row.unit.language, row.words_imported) for row in sentences_of(tried)] == [
            *[("es", True)] * 6, *[("es", False)] * 2,
        ]  # fmt: skip
        items = tried.stages.get(kind="substitute", language="es").items
        assert (items.filter(state="decided").count(), items.filter(state="free").count()) == (6, 2)

    def test_text_that_may_not_be_published_stays_out(self, scene: Munch) -> None:
        load(scene.project, sample_files(), publishable=False)
        with pytest.raises(MissingGoldError):
            release_files(scene.project, partial=True)
        load(scene.project, {NAMES[0]: ONE.replace("FICTION,", "FICTION,surge")}, dataset="other")
        released = release_files(scene.project, partial=True)
        assert {path.split("/")[2] for path in released.files if path.startswith("munch/")} == {"other"}
        texts = (content for path, content in released.files.items() if not path.startswith("guidelines/"))
        assert b"buried" not in b"".join(texts)

    @pytest.mark.parametrize(
        ("name", "found", "instead", "says"),
        [
            (NAMES[0], "<b>buried</b>", "buried", "for_generation.csv:2: .*no word is marked"),
            (NAMES[0], "0.21", "high", "for_generation.csv:2: expected a number"),
            (NAMES[1], ",inapt", ",0", "for_judgement.csv:2: .*“0”"),
            (NAMES[1], "report", "rapport", "for_judgement.csv:2: expected the sentence “1” as in for_generation.csv"),
        ],
    )
    def test_a_file_that_is_wrong_brings_nothing(
        self, scene: Munch, name: str, found: str, instead: str, says: str
    ) -> None:
        files = sample_files()
        files[name] = str(files[name], "utf-8").replace(found, instead, 1)
        with pytest.raises(ActionError, match=says):
            load(scene.project, files)
        assert not Unit.objects.exists()

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            (NAMES[0], ONE.replace(",human_ans", "").replace("FICTION,", "FICTION")),
            (NAMES[0], "word,text\r\nwave,A wave of joy.\r\n"),
            ("words.csv", ONE.replace("human_ans", "words")),
            ("triples.csv", "i0,s0_idx,s0,s1,s1_label,s2\r\n0,7,a <b>b</b>,a <b>c</b>,apt,a <b>d</b>\r\n"),
        ],
    )
    def test_a_file_that_is_meant_to_be_one_of_these_is_refused(self, scene: Munch, name: str, content: str) -> None:
        draft = draft_of(scene.project, {name: content})
        assert draft.format == "munch"
        with pytest.raises(ActionError, match=rf"{name}:1: expected a header with each of i0, .* once"):
            run_import(draft=draft, by=None)
        assert not Unit.objects.exists()

    def test_marks_in_a_table_of_sentences_are_warned_of(self, scene: Munch) -> None:
        content = "id,text\n1,A wave of joy.\n2,A <b>wave</b> of joy.\n3,A <b>rush</b> of joy.\n"
        draft = draft_of(scene.project, {"own.csv": content})
        assert draft.format == "csv"
        (warning,) = (row for row in preview_draft(draft=draft)["problems"] if "marks" in row["expected"])
        assert (warning["severity"], warning["file"], warning["line"]) == ("warning", "own.csv", 3)

    def test_whoever_means_plain_csv_says_so(self, scene: Munch) -> None:
        content = ONE.replace("human_ans", "note")
        assert draft_of(scene.project, {"own.csv": content}).format == "munch"
        run_import(draft=draft_of(scene.project, {"own.csv": content}, format="csv"), by=None)
        assert Unit.objects.get().text == "She felt a <b>wave</b>, a wave of joy."

    def test_another_table_is_none_of_these(self, scene: Munch) -> None:
        draft = draft_of(scene.project, {"own.csv": "id,text,genre\n1,A wave of joy.,NEWS\n"})
        assert draft.format == "csv"

    def test_files_in_another_encoding_are_read_in_it(self, scene: Munch) -> None:
        own = ONE.replace("She", "Zoë").replace("FICTION,", "FICTION,surge")
        load(scene.project, {NAMES[0]: own.encode("utf-16")})
        assert Unit.objects.get(kind="marked").text.startswith("Zoë felt")
        draft = draft_of(scene.project, {NAMES[0]: own.encode("latin-1")}, dataset="more", publishable=True)
        change_draft(draft=draft, changes={"files": {draft.files[0]["id"]: {"encoding": "utf-8"}}}, by=None)
        with pytest.raises(ActionError, match=rf"{NAMES[0]}:2: expected UTF-8, got byte 0xEB"):
            run_import(draft=draft, by=None)
        change_draft(draft=draft, changes={"files": {draft.files[0]["id"]: {"encoding": "cp1252"}}}, by=None)
        run_import(draft=draft, by=None)
        assert {unit.text[:3] for unit in Unit.objects.filter(kind="marked")} == {"Zoë"}
        released = release_files(scene.project, partial=True)
        texts = [text.decode() for path, text in released.files.items() if path.endswith(NAMES[0])]
        assert texts == [own, own], "written in UTF-8"


@pytest.fixture(scope="class")
def with_sample(made: Munch, kept_rows_of_class: None) -> Munch:
    """With the sample, which has words and inapt ones for each of its sentences."""
    scene = copy.deepcopy(made)
    load(scene.project, sample_files())
    return scene


class TestSample:
    @pytest.fixture
    def scene(self, with_sample: Munch, uploads: Path) -> Munch:
        return copy.deepcopy(with_sample)

    def test_other_columns_other_order_and_other_gold(self, scene: Munch) -> None:
        judged = str(sample_files()[NAMES[1]], "utf-8")
        gold = Gold.objects.get(layer__slug="inapt", content__words__0__word="interred")
        gold.content = {"words": [{"word": "entombed", "sense": "", "synset": ""}], "none": False}
        gold.save()
        released = release_files(scene.project, partial=True)
        (path,) = [path for path in released.files if path.endswith(NAMES[1])]
        rows = released.files[path].decode().splitlines()
        assert len(rows) == len(judged.splitlines())
        assert rows[-1].startswith("7,1,")
        assert "<b>entombed</b>" in rows[-1]
        assert not any("interred" in row for row in rows)

    def test_tables(self, scene: Munch) -> None:
        assert samples(scene.project).cells == (
            ("en", "FICTION", "4", "12", "2", "3"),
            ("en", "NEWS", "2", "7", "2", "4"),
            ("en", "all", "6", "19", "4", "7"),
        )
        assert triples(scene.project).cells[-1] == ("en", "all", "5", "1", "1", "7")
        assert repeated(scene.project).rows == ()
        client = Client()
        client.force_login(scene.people[0])
        assert "Two inapt" in client.get(reverse("report", args=["words", "triples"])).text


class TestReleaseOfWords:
    def test_what_is_not_answered_yet_makes_a_release_incomplete(self, one: Munch) -> None:
        only_writes(one)
        with pytest.raises(MissingGoldError):
            release_files(one.project, partial=False)
        one.write("surge", "surge", "rush", "flood", "rush")
        released = release_files(one.project, partial=False)
        (path,) = [path for path in released.files if path.endswith(NAMES[0])]
        assert released.files[path].decode() == ONE.replace("FICTION,", "FICTION,rush surge flood")

    def test_a_sentence_for_which_no_word_fits_goes_out_without_words(self, one: Munch) -> None:
        one.write("", "", "", "")
        with pytest.raises(MissingGoldError, match=r"not complete\. 1 text: for_generation:7:3 \[en\]"):
            release_files(one.project, partial=False)
        one.answer(one.people[4], "substitute", {"word": "", "reason": "fixed"})
        released = release_files(one.project, partial=False)
        (path,) = [path for path in released.files if path.endswith(NAMES[0])]
        assert released.files[path].decode() == ONE

    def test_repeated_answers_are_counted(self, one: Munch) -> None:
        one.write("surge", "Surge", "rush", "", "flood")
        (row,) = repeated(one.project).rows
        # Two of four wrote the same, for the one sentence there is.
        assert row == {
            "language": "en",
            "answers": 5,
            "words": 4,
            "none": 1,
            "repeated_sentences": "100.0",
            "repeated_answers": "50.0",
        }

    def test_a_sentence_without_words_is_missing_until_all_have_answered(self, one: Munch) -> None:
        only_writes(one)
        load(one.project, {NAMES[0]: ONE.replace("FICTION,", "FICTION,surge").replace("0,7", "0,8")}, dataset="more")
        make_gold(make_sentence(one.project, "Time flies", language="en"))
        assert gold_gaps(one.project) == [GoldGap("en", sentences=0, pairs=0, has_gold=True, units={"marked": 1})]
        page = releases_page(one)
        assert "English (en): 1 marked sentence" in page
        assert 'name="partial"' in page
        with pytest.raises(MissingGoldError, match="1 text: for_generation:7:3"):
            release_files(one.project, partial=False)
        assert len(release_files(one.project, partial=True).manifest["left_out"]) == 1
        one.write("", "", "", "", "")
        assert gold_gaps(one.project) == []
        release_files(one.project, partial=False)
        assert 'name="partial"' in releases_page(one), "what is decided may be opened again until the job begins"


class TestWhatIsMissing:
    """The releases page and the job that makes a release ask the same."""

    @pytest.mark.parametrize("judged", [True, False], ids=["with", "without"])
    def test_labels_have_gold_with_or_without_a_stage_that_adjudicates_them(self, scene: Munch, judged: bool) -> None:
        if not judged:
            scene.stage("adjudicate", "labels").delete()
        first, second = (make_sentence(scene.project, text, language="en") for text in ("Time flies", "He sleeps"))
        make_gold(first)
        assert gold_gaps(scene.project) == [GoldGap("en", sentences=1, pairs=0, has_gold=True)]
        with pytest.raises(MissingGoldError, match="1 sentence:"):
            release_files(scene.project, partial=False)
        make_gold(second)
        assert gold_gaps(scene.project) == []
        assert "Everything has gold" in releases_page(scene)
        assert release_files(scene.project, partial=False).manifest["counts"]["left_out"] == 0

    def test_text_that_may_not_be_published_is_not_missing(self, scene: Munch) -> None:
        load(scene.project, {NAMES[0]: ONE}, publishable=False)
        assert gold_gaps(scene.project) == []


@needs_munch
class TestPublished:
    @pytest.fixture
    def imported(self, scene: Munch) -> Munch:
        load(scene.project, {name: (MUNCH / name).read_bytes() for name in NAMES}, publishable=True)
        return scene

    def test_both_files_come_in_as_gold_and_go_out_byte_for_byte(self, imported: Munch) -> None:
        released = release_files(imported.project, partial=True)
        for name in NAMES:
            (path,) = [path for path in released.files if path.endswith(name)]
            assert released.files[path] == (MUNCH / name).read_bytes()
        counted = {name: json.loads(released.files[f"statistics/{name}.json"]) for name in ("triples", "samples")}
        (all_,) = [row for row in counted["triples"] if row["genre"] == "all"]
        assert (all_["apt_inapt"], all_["two_inapt"], all_["two_apt"]) == (624, 228, 22)
        by_genre = {row["genre"]: row["sentences"] for row in counted["samples"]}
        assert by_genre == {"NEWS": 922, "FICTION": 593, "all": 1515}
