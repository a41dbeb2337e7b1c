from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.core.access import project_for
from annotator.core.events import log
from annotator.core.permissions import Permission
from annotator.core.presets import StageSpec
from annotator.core.starts import STARTS
from annotator.dashboard.queries.next_step import Left, NextStep, Step, next_step, to_decide
from annotator.domain.verbs import Verb
from annotator.models import (
    Assignment,
    AssignmentState,
    Counter,
    Event,
    Item,
    ItemState,
    Job,
    JobKind,
    JobState,
    Mode,
    Project,
    Role,
    Stage,
    Suggestion,
    SuggestionKind,
    User,
    Worker,
)
from annotator.projects.actions.projects import create_project
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.actions.giving_back import give_back
from annotator.work.queue.queries.progress import project_progress
from tests.clients import client_of
from tests.factories import (
    filled_stage,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_prediction,
    make_project,
    make_projection,
    make_release,
    make_sentence,
    make_tag,
    span,
    stage_of,
    unit_of,
)
from tests.pages.test_cost import fill
from tests.saving import save

pytestmark = pytest.mark.django_db
URL = reverse("project", args=["letters"])


def step_of(user: User, project: Project) -> NextStep:
    access = project_for(user, project.slug, needs=Permission.VIEW)
    progress = project_progress(project, user)
    return next_step(access, progress, to_decide(access, progress))


def kept(stage: Stage) -> list[Assignment]:
    """What nobody handed back and nobody took away."""
    return list(stage.assignments.exclude(state=AssignmentState.RETURNED))


def page(client: Client, user: User) -> str:
    client.force_login(user)
    text: str = client.get(URL).content.decode()
    return text


class TestBlindWork:
    @pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.ADJUDICATOR, Role.MANAGER])
    def test_it_comes_before_all_else(self, client: Client, project: Project, role: Role) -> None:
        first, tags, ana = stage_of(project, "correct"), stage_of(project, "pair-tag"), make_member(project, role)
        make_assignment(make_sentence(project), ana, first)
        make_assignment(make_pair(project), ana, tags, mode=Mode.BLIND)
        found = step_of(ana, project)
        assert (found.step, found.stage, found.count, found.blind) == (Step.CONTINUE, tags, 1, True)
        assert "1 item of a blind sample is waiting for you." in page(client, ana)

    def test_it_counts_in_the_progress_of_its_stage(self, client: Client, project: Project) -> None:
        stage, ana, ben = stage_of(project, "correct"), make_member(project), make_member(project)
        for done in (True, True, False):
            make_assignment(make_sentence(project), ana, stage, mode=Mode.BLIND, done=done)
        told = client_of(ana).get(f"/api/v1/projects/{project.slug}/").json()
        (mine,) = [one["progress"] for one in told["stages"] if one["id"] == stage.pk]
        assert mine == {"done": 2, "open": 1, "total": 6, "mine": 2, "blind": 1}
        text = page(client, ben)
        for words in ("4 left", "6 in all", '<td class="n">2</td>', '<td class="n">1</td>'):
            assert words in text

    def test_how_many_there_are_is_said_before_a_sample_is_drawn(self, client: Client, project: Project) -> None:
        stage, boss = stage_of(project, "correct"), make_member(project, Role.MANAGER)
        ana, ben = make_member(project), make_member(project)
        for gold in (True, True, False, False, False):
            sentence = make_sentence(project)
            if gold:
                make_gold(sentence)
        make_assignment(make_sentence(project), ana, stage)
        client.force_login(boss)
        address = reverse("blind-pool", args=[project.slug])
        asked = {"stage": stage.pk, "users": [ana.pk, ben.pk]}
        assert client.get(address, asked).text == (
            "3 of 6 can be drawn. (2 left out, already decided or in the next stage; 1 left out, already "
            "seen with suggestions)"
        )
        assert client.get(address, {"stage": stage.pk}).text.startswith("4 of 6 can be drawn.")
        assert client.get(address, {"stage": "none"}).text == ""
        client.post(reverse("blind", args=[project.slug]), {**asked, "count": 3, "seed": 1})
        assert stage.assignments.filter(mode=Mode.BLIND).count() == 6

    def test_a_sample_has_at_most_what_is_there_unless_somebody_says_otherwise(
        self, client: Client, project: Project
    ) -> None:
        boss = make_member(project, Role.MANAGER)
        for _number in range(3):
            make_sentence(project)
        few = page(client, boss)
        assert re.search(r'name="count"[^>]* value="3"', few)
        assert "Default: all 3 in “Correct labels (es)”." in few
        fill(project, 120)
        many = page(client, boss)
        assert re.search(r'name="count"[^>]* value="100"', many)
        assert "Default: all" not in many


class TestNextStep:
    def test_what_somebody_cannot_claim_is_not_offered_to_them(self, project: Project) -> None:
        """A layer has one answer of a person: what they did in one stage is not free for them in another."""
        first, ana, ben = stage_of(project, "correct"), make_member(project), make_member(project)
        make_sentence(project)
        again = filled_stage(project=project, spec=StageSpec("correct", "es"), position=99)
        (row,) = claim(stage=first, user=ana, now=timezone.now())
        save(row, {"spans": []})

        assert claim(stage=again, user=ana, now=timezone.now()) == []
        assert step_of(ana, project).step == Step.NOTHING
        offered = step_of(ben, project)
        assert (offered.step, offered.stage, offered.count) == (Step.START, again, 1)
        assert len(claim(stage=again, user=ben, now=timezone.now())) == 1

    def test_what_somebody_has_answered_already_is_left_to_others(self, project: Project) -> None:
        stage, ana = stage_of(project, "correct"), make_member(project)
        stage.answers_wanted = 2
        stage.save()
        for _ in range(2):
            make_sentence(project)
        (row,) = claim(stage=stage, user=ana, now=timezone.now())
        save(row, {"spans": []})

        assert step_of(ana, project).count == 1
        assert step_of(make_member(project), project).count == 2

    @pytest.mark.parametrize("mode", Mode)
    def test_whoever_has_answered_all_that_is_there_is_not_sent_there(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, mode: Mode
    ) -> None:
        """Also where it is more than is looked at one by one: counters tell then."""
        monkeypatch.setattr("annotator.dashboard.queries.next_step.LOOKED_AT", 1)
        stage, ana = stage_of(project, "correct"), make_member(project)
        stage.answers_wanted, stage.mode = 2, mode
        stage.save()
        for _ in range(3):
            make_assignment(make_sentence(project), ana, stage, mode=mode, done=True)

        assert step_of(ana, project).step == Step.NOTHING
        assert step_of(make_member(project), project).step == Step.START

    def test_in_other_hands_is_what_somebody_has_open(self, client: Client, project: Project) -> None:
        stage, ana, ben = stage_of(project, "correct"), make_member(project), make_member(project)

        def left() -> Left:
            step = step_of(ana, project)
            assert step.step == Step.NOTHING
            client.force_login(ana)
            page = client.get(reverse("project", args=[project.slug])).content.decode()
            assert ("assigned to other people" in page) == (step.left == Left.OPEN)
            return step.left

        sentence, other = make_sentence(project), make_sentence(project)
        make_assignment(sentence, ana, stage, done=True)
        held = make_assignment(other, ben, stage)
        assert left() == Left.OPEN
        give_back([held.pk], by=None, verb=Verb.ASSIGNMENT_FREED)
        make_assignment(other, ana, stage, done=True)
        assert left() == Left.OTHERS, "it waits for gold"
        make_gold(sentence)
        make_gold(other)
        assert left() == Left.DONE

    def test_an_empty_project_is_for_the_manager_to_fill(self, project: Project) -> None:
        assert step_of(make_member(project, Role.MANAGER), project).step == Step.IMPORT
        assert step_of(make_member(project), project).step == Step.WAIT

    def test_then_the_manager_pre_labels_while_annotators_can_begin(self, project: Project) -> None:
        make_sentence(project)

        assert step_of(make_member(project, Role.MANAGER), project).step == Step.PREDICT
        begin = step_of(make_member(project), project)
        assert (begin.step, begin.stage, begin.count) == (Step.START, stage_of(project, "correct"), 1)

    def test_all_corrected_in_the_source_language_waits_for_projection(self, project: Project) -> None:
        ana, mia = make_member(project), make_member(project, Role.MANAGER)
        sentence = make_sentence(project)
        target = make_sentence(project, "Time flies", language="en", segment=sentence.segment)
        make_assignment(sentence, ana, stage_of(project, "correct"), done=True)
        make_annotation(sentence, ana, [span(2)])

        assert step_of(mia, project) == NextStep(Step.PROJECT, language="en", source="es")
        # Nobody is sent to correct English before projection has said which sentences that is about.
        assert step_of(ana, project).step == Step.NOTHING

        make_projection(sentence, target, [span(1)], [span(2)])
        assert step_of(ana, project).stage == stage_of(project, "project-review", "en")

    def test_disagreement_waits_for_adjudicators(self, project: Project) -> None:
        ana, ben, cam = make_member(project), make_member(project), make_member(project, Role.ADJUDICATOR)
        sentence = make_sentence(project)
        for person, spans, mode in ((ana, [span(2)], Mode.REVIEW), (ben, [], Mode.BLIND)):
            make_assignment(sentence, person, stage_of(project, "correct"), mode=mode, done=True)
            make_annotation(sentence, person, spans, mode=mode)

        assert step_of(cam, project) == NextStep(Step.ADJUDICATE, stage_of(project, "adjudicate"), 1)
        assert step_of(ana, project).step == Step.NOTHING

    def test_agreement_waits_for_the_manager_and_all_gold_for_the_release(self) -> None:
        project = make_project("letters", languages=["es"])
        ana, mia = make_member(project), make_member(project, Role.MANAGER)
        sentence = make_sentence(project)
        make_annotation(sentence, ana)
        make_assignment(sentence, ana, stage_of(project, "correct"), done=True)

        # Not while sentences are still to be corrected, or somebody is at one.
        other = make_sentence(project)
        assert step_of(mia, project).step == Step.START
        item = make_assignment(other, ana, stage_of(project, "correct"))
        assert step_of(mia, project).step == Step.NOTHING
        give_back([item.pk], by=None, verb=Verb.ASSIGNMENT_FREED)
        cam = make_member(project)
        make_assignment(other, cam, stage_of(project, "correct"), done=True)
        make_annotation(other, cam)
        ben = make_assignment(other, make_member(project), stage_of(project, "correct"), mode=Mode.BLIND)
        assert step_of(mia, project).step == Step.NOTHING
        give_back([ben.pk], by=None, verb=Verb.ASSIGNMENT_FREED)

        assert step_of(mia, project).step == Step.ACCEPT
        make_gold(sentence)
        make_gold(other)
        assert step_of(mia, project).step == Step.RELEASE
        make_release(project)
        assert step_of(mia, project).step == Step.NOTHING

    @pytest.mark.parametrize(
        ("start", "offered"),
        [
            ("labels", True),
            ("mipvu", True),  # a mapping says what a metaphor is among its labels
            ("substitution", True),
            ("impli", False),  # no detector knows what is figurative
            ("agreement", False),  # labelled blind, so nobody would see what a detector says
            ("mabl", False),
            ("rating", False),
        ],
    )
    def test_pre_labelling_is_offered_where_its_labels_would_be_seen(self, start: str, offered: bool) -> None:
        project = create_project(slug="started", preset=STARTS[start].preset(["en"]), by=None)
        make_sentence(project, "Time flies", language="en")

        assert (step_of(make_member(project, Role.MANAGER), project).step == Step.PREDICT) == offered

    def test_agreement_waits_for_the_manager_in_every_layer_in_the_words_of_what_it_holds(self, client: Client) -> None:
        project = make_project("letters", languages=["es"])
        mia, ana = make_member(project, Role.MANAGER), make_member(project)
        pair = make_pair(project)
        for sentence in project.sentences.all():
            make_gold(sentence)
        assert step_of(mia, project).step == Step.START
        tag, tagging = stage_of(project, "adjudicate", layer="interpretation"), stage_of(project, "pair-tag")
        make_assignment(pair, ana, tagging, done=True)
        make_tag(pair, "relevant", user=ana)

        assert step_of(mia, project) == NextStep(Step.ACCEPT, tag, 1, "es")
        assert "Finished in Spanish (es) without gold: 1 pair." in page(client, mia)
        # What differs or is doubtful is not accepted: it waits for a decision.
        Item.objects.create(project=project, stage=tag, unit=unit_of(pair), reading=1, state=ItemState.FREE)
        assert step_of(mia, project).step == Step.ADJUDICATE

    def test_what_two_stages_hold_is_not_accepted_twice(self) -> None:
        project = make_project("letters", languages=["es"])
        mia, ana = make_member(project, Role.MANAGER), make_member(project)
        again = filled_stage(project=project, spec=StageSpec("correct", "es"), position=99)
        sentence = make_sentence(project)
        for stage in (stage_of(project, "correct"), again):
            make_assignment(sentence, ana, stage, done=True)
        make_annotation(sentence, ana)
        assert step_of(mia, project).count == 1

        make_gold(sentence)
        assert step_of(mia, project).step == Step.RELEASE

    def test_a_release_waits_for_all_stages_whatever_they_are(self) -> None:
        project = make_project("letters", languages=["es"])
        mia, ana = make_member(project, Role.MANAGER), make_member(project)
        rated = filled_stage(project=project, spec=StageSpec("rate", "es"), position=99)
        sentence = make_sentence(project)
        make_gold(sentence)
        make_assignment(sentence, ana, rated)
        assert step_of(mia, project).step == Step.NOTHING, "one that holds no gold, too"

        rated.assignments.all().delete()
        rated.items.update(state=ItemState.DONE, answers_open=0, answers_done=1)
        Counter.objects.filter(stage=rated).delete()
        Counter.objects.create(project=project, stage=rated, total=1, done=1)
        assert step_of(mia, project).step == Step.RELEASE

    @pytest.mark.parametrize(
        ("counts", "offered"),
        [
            ({}, False),
            ({"sentences es": {"new": 3, "known": 0}, "gold labels es": {"new": 0, "known": 3}}, False),
            ({"gold labels es": {"new": 2, "known": 0}}, True),
            ({"gold categories moods es": {"new": 2, "known": 0}}, True),
        ],
    )
    def test_an_import_asks_for_a_new_release_where_it_brought_gold(self, counts: Any, offered: bool) -> None:
        project = make_project("letters", languages=["es"])
        mia = make_member(project, Role.MANAGER)
        make_gold(make_sentence(project))
        last = Event.objects.order_by("pk").values_list("pk", flat=True).last() or 0
        make_release(project, manifest={"last_event": last})

        log(project=project, actor=mia, verb=Verb.IMPORT, subject=project, after={"counts": counts})

        assert (step_of(mia, project).step == Step.RELEASE) == offered

    @pytest.mark.slow
    def test_after_what_changes_gold_or_texts_a_release_is_made_anew(self) -> None:
        project = make_project("letters", languages=["es"])
        mia = make_member(project, Role.MANAGER)
        make_gold(make_sentence(project))
        release = make_release(project)

        def make_anew() -> None:
            release.manifest = {"last_event": Event.objects.order_by("pk").values_list("pk", flat=True).last() or 0}
            release.save()
            assert step_of(mia, project).step == Step.NOTHING

        make_anew()
        outdated = set()
        for verb in Verb:
            log(project=project, actor=mia, verb=verb, subject=project)
            if step_of(mia, project).step == Step.RELEASE:
                outdated.add(str(verb))
                make_anew()

        decisions = {f"gold.{what}" for what in ("decided", "accepted", "reopened", "relabelled", "terms_merged")}
        set_aside = {"sentence.set_aside", "sentence.restored"}
        assert outdated == {*decisions, *set_aside, "import.taken_back", "import.terms", "pair.labelled"}


class TestPage:
    def test_stages_show_what_is_left_and_who_did_and_holds_what(self, client: Client, project: Project) -> None:
        ana = make_member(project, username="ana")
        stage = stage_of(project, "correct")
        make_assignment(make_sentence(project), ana, stage, done=True)
        make_assignment(make_sentence(project), ana, stage, mode=Mode.BLIND)
        make_sentence(project)

        text = page(client, make_member(project))

        for words in ("3 left", "4 in all", "1 blind answer open", ">ana<", "Blind"):
            assert words in text

    def test_a_stage_that_nobody_adjudicates_says_how_much_has_gold(self, client: Client, project: Project) -> None:
        plain = create_project(slug="plain", preset=STARTS["labels"].preset(["es"], steps=[]), by=None)
        for one in (plain, project):
            make_gold(make_sentence(one))
            make_assignment(make_sentence(one), make_member(one), stage_of(one, "correct"), done=True)
        client.force_login(make_member(plain))
        text = client.get(reverse("project", args=["plain"])).content.decode()

        assert '<td class="n">2</td>' in text and "1 with gold" in text
        assert "with gold" not in page(client, make_member(project)), "there the stage that adjudicates says so"

    def test_what_waits_blind_is_told_beside_what_is_done(self, client: Client, project: Project) -> None:
        ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
        stage = stage_of(project, "correct")
        for _ in range(3):
            sentence = make_sentence(project)
            make_assignment(sentence, ana, stage, done=True)
            make_assignment(sentence, ben, stage, mode=Mode.BLIND)

        assert "3 blind answers open (3 of them yours)" in page(client, ben)
        text = page(client, ana)
        assert "3 blind answers open" in text and "of them yours)" not in text

    def test_what_labels_by_machine_is_offered_where_sentences_are_labelled(
        self, client: Client, project: Project
    ) -> None:
        rated = create_project(slug="rated", preset=STARTS["rating"].preset(["en"]), by=None)
        labelling = ("action-predict", "action-train", "action-project")
        for one, offered in ((project, True), (rated, False)):
            make_sentence(one, language=one.languages[0])
            client.force_login(make_member(one, Role.MANAGER))
            page = client.get(reverse("project", args=[one.slug])).content.decode()
            assert [name in page for name in labelling] == [offered] * 3
            assert ("action-accept" in page) == offered

    def test_what_goes_from_one_language_to_another_is_offered_where_there_are_two(self, client: Client) -> None:
        for slug, languages in (("two", ["es", "en"]), ("one", ["es"])):
            one = make_project(slug, languages=languages)
            make_sentence(one)
            client.force_login(make_member(one, Role.MANAGER))
            page = client.get(reverse("project", args=[slug])).content.decode()
            carried = ("action-project", "action-transfer", 'name="only_unprojected"')
            assert [name in page for name in carried] == [len(languages) > 1] * 3
            assert "action-predict" in page

    def test_to_decide_is_what_differs_and_the_rest_is_without_gold(self, client: Client, project: Project) -> None:
        ana, ben = make_member(project), make_member(project)
        stage = stage_of(project, "correct")
        for spans in ([], [span(2)]):
            sentence = make_sentence(project)
            make_assignment(sentence, ana, stage, done=True)
            make_annotation(sentence, ana, [span(2)])
            make_assignment(sentence, ben, stage, mode=Mode.BLIND, done=True)
            make_annotation(sentence, ben, spans, mode=Mode.BLIND)

        judged = page(client, make_member(project, Role.ADJUDICATOR))
        assert "2 with an answer and without gold" in judged
        assert "1 to decide" in judged
        seen = page(client, make_member(project))
        assert "2 with an answer and without gold" in seen
        assert "to decide" not in seen

    def test_ones_own_agreement_waits_for_the_end_of_ones_blind_work(self, client: Client, project: Project) -> None:
        adela = make_member(project, Role.ADJUDICATOR, "adela")
        ben = make_member(project, username="ben")
        correct = stage_of(project, "correct")
        for done in (True, False):
            sentence = make_sentence(project)
            make_assignment(sentence, ben, correct, done=True)
            make_annotation(sentence, ben, [span(0)])
            if done:
                make_annotation(sentence, adela, mode=Mode.BLIND)
            make_assignment(sentence, adela, correct, mode=Mode.BLIND, done=done)

        client.force_login(adela)
        assert client.get(URL).context["agreements"] == []
        client.force_login(make_member(project, Role.ADJUDICATOR))
        assert [row["a"] for row in client.get(URL).context["agreements"]] == [adela]

    def test_agreement_is_for_adjudicators(self, client: Client, project: Project) -> None:
        ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
        sentence = make_sentence(project)
        for person in (ana, ben):
            make_assignment(sentence, person, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
            make_annotation(sentence, person, [span(2)], mode=Mode.BLIND)

        assert "κ" in page(client, make_member(project, Role.ADJUDICATOR))
        assert "κ" not in page(client, ana)

    def test_managers_read_that_no_worker_listens_until_one_does(self, client: Client, project: Project) -> None:
        mia = make_member(project, Role.MANAGER)

        assert "No worker is running" in page(client, mia)
        now = timezone.now()
        Worker.objects.create(name="one", queues=["default", "ml"], started_at=now, seen_at=now)
        assert "No worker is running" not in page(client, mia)

    def test_the_page_asks_again_only_while_something_runs(self, client: Client, project: Project) -> None:
        job = Job.objects.create(
            project=project, kind=JobKind.PREDICT, state=JobState.RUNNING, total=200, done=50, started_at=timezone.now()
        )
        user = make_member(project)

        client.force_login(user)
        part = client.get(URL, headers={"HX-Request": "true"}).content.decode()
        assert 'hx-trigger="every 2s"' in part
        assert "50 / 200" in part
        assert "<html" not in part

        Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
        assert "hx-trigger" not in client.get(URL, headers={"HX-Request": "true"}).content.decode()


class TestActions:
    @pytest.fixture(autouse=True)
    def manager(self, client: Client, project: Project) -> User:
        user = make_member(project, Role.MANAGER)
        client.force_login(user)
        return user

    def send(self, client: Client, name: str, data: dict[str, Any]) -> str:
        text: str = client.post(reverse(name, args=["letters"]), data, follow=True).content.decode()
        return text

    def test_pre_labelling_starts_a_job(self, client: Client, project: Project, manager: User) -> None:
        self.send(client, "predict", {"detector": "es crf", "only_unprojected": "on"})

        job = project.jobs.get()
        assert (job.kind, job.created_by) == (JobKind.PREDICT, manager)
        assert job.params | {"language": "es", "detector": "crf", "only_unprojected": True} == job.params

    def test_the_same_job_twice_is_refused_in_words(self, client: Client, project: Project) -> None:
        self.send(client, "predict", {"detector": "es crf"})

        assert "already in progress" in self.send(client, "predict", {"detector": "es crf"})
        assert project.jobs.count() == 1

    def test_a_language_that_the_project_has_not_starts_nothing(self, client: Client, project: Project) -> None:
        assert "fr crf is not one of the available choices" in self.send(client, "predict", {"detector": "fr crf"})
        assert not project.jobs.exists()

    @pytest.mark.parametrize("detector", ["es crf:/etc", "es transformers:/models/other", "es trained:1", "es", ""])
    def test_a_detector_that_is_not_listed_starts_nothing(
        self, client: Client, project: Project, detector: str
    ) -> None:
        assert "notice-error" in self.send(client, "predict", {"detector": detector})
        assert not project.jobs.exists()

    def test_projecting_starts_a_job(self, client: Client, project: Project) -> None:
        self.send(client, "project-labels", {"source": "es", "target": "en", "labels": "gold", "aligner": "lexical"})

        assert project.jobs.get().params["labels"] == "gold"

    def test_accepting_makes_gold_of_what_agrees_and_says_what_is_left(self, client: Client, project: Project) -> None:
        ana, ben = make_member(project), make_member(project)
        same, differs, pair = make_sentence(project), make_sentence(project), make_pair(project)
        make_annotation(same, ana, [span(2)])
        make_annotation(differs, ana, [span(2)])
        make_annotation(differs, ben)
        make_tag(pair, "relevant", user=ana)

        said = self.send(client, "accept", {"language": "es", "sure": "1"})

        assert {(gold.unit_id, gold.content.get("value")) for gold in project.golds.all()} == {
            (same.pk, None),
            (unit_of(pair).pk, "relevant"),
        }
        assert "1 sentences and 1 pairs accepted. Left for adjudication (disagreement or doubt): 1" in said

    def test_accepting_before_a_blind_subset_is_drawn_is_asked_for(self, client: Client, project: Project) -> None:
        ana, _ben = make_member(project), make_member(project)
        finished = make_sentence(project)
        make_assignment(finished, ana, stage_of(project, "correct"), done=True)
        make_annotation(finished, ana, [span(2)])
        url = reverse("accept", args=[project.slug])

        page = client.post(url, {"language": "es"}).content.decode()

        assert "1 sentence is done and has no gold yet" in page
        assert f'href="{reverse("project", args=[project.slug])}#action-blind"' in page
        assert not project.golds.exists()
        client.post(url, {"language": "es", "sure": "1"})
        assert project.golds.count() == 1
        # It was decided once.
        assert client.post(url, {"language": "es"}).status_code == 302

    def test_tags_are_transferred_as_silver(self, client: Client, project: Project) -> None:
        pair = make_pair(project)
        make_sentence(project, "Time flies", language="en", segment=pair.premise)
        make_sentence(project, "Nobody looks", language="en", segment=pair.hypothesis)
        make_pair_unit(pair, "en")
        make_tag(pair, "relevant")

        self.send(client, "transfer", {"source": "es", "target": "en"})

        silver = Suggestion.objects.get()
        assert (silver.unit, silver.kind, silver.content) == (
            unit_of(pair, "en"),
            SuggestionKind.TRANSFER,
            {"value": "relevant"},
        )

    def labels(self, project: Project) -> int:
        return stage_of(project, "correct").pk

    def test_a_blind_overlap_goes_to_the_chosen_people(self, client: Client, project: Project) -> None:
        ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
        User.objects.filter(pk=ben.pk).update(first_name="Ben", last_name="Ortiz")
        make_pair(project)

        said = self.send(
            client, "blind", {"stage": self.labels(project), "users": [ana.pk, ben.pk], "count": 1, "seed": 7}
        )

        assert "ana: 1 pair and 2 sentences in the blind sample" in said
        assert "Ben Ortiz: 1 pair and 2 sentences in the blind sample" in said
        for person in (ana, ben):
            given = project.assignments.filter(user=person)
            assert {(row.mode, row.state) for row in given} == {(Mode.BLIND, AssignmentState.OPEN)}
            assert given.count() == 3

    def test_a_blind_overlap_without_people_is_refused(self, client: Client, project: Project) -> None:
        make_pair(project)

        said = self.send(client, "blind", {"stage": self.labels(project), "count": 1, "seed": 7})

        assert "Choose at least one person" in said
        assert not project.assignments.exists()


def test_predictions_count_as_begun(project: Project) -> None:
    sentence = make_sentence(project, "El tiempo vuela")
    make_prediction(sentence, [span(2)], [0.1, 0.1, 0.9])

    assert step_of(make_member(project, Role.MANAGER), project).step == Step.START


class TestFreeing:
    def test_a_manager_frees_what_somebody_keeps_open(self, client: Client, project: Project) -> None:
        stage, ana = stage_of(project, "correct"), make_member(project, username="ana")
        make_assignment(make_sentence(project), ana, stage)
        blind = make_assignment(make_sentence(project), ana, stage, mode=Mode.BLIND)
        done = make_assignment(make_sentence(project), ana, stage, done=True)
        free = reverse("free", args=["letters", stage.pk])

        assert free not in page(client, ana)
        assert page(client, make_member(project, Role.MANAGER)).count(f'action="{free}"') == 2
        said = client.post(free, {"user": ana.pk, "mode": Mode.REVIEW}, follow=True).content.decode()

        assert "1 open item of ana was returned to the queue" in said
        assert set(kept(stage)) == {blind, done}

    def test_of_members_of_other_projects_nothing_is_freed(self, client: Client, project: Project) -> None:
        other = make_project("other")
        stage, ana = stage_of(other, "correct"), make_member(other)
        kept = make_assignment(make_sentence(other), ana, stage)
        client.force_login(make_member(project, Role.MANAGER))

        assert client.post(reverse("free", args=["letters", stage.pk]), {"user": ana.pk}).status_code == 404
        mine = reverse("free", args=["letters", stage_of(project, "correct").pk])
        said = client.post(mine, {"user": ana.pk, "mode": Mode.REVIEW}, follow=True).content.decode()
        assert "Select a valid choice" in said
        assert stage.assignments.get() == kept


class TestHandingBack:
    def test_one_item_or_all_open_ones_but_nobody_elses_and_no_blind_one(
        self, client: Client, project: Project
    ) -> None:
        stage, ana, ben = stage_of(project, "correct"), make_member(project), make_member(project)
        rows = [make_assignment(make_sentence(project), ana, stage) for _ in range(3)]
        bens = make_assignment(make_sentence(project), ben, stage)
        blind = make_assignment(make_sentence(project), ana, stage, mode=Mode.BLIND)
        done = make_assignment(make_sentence(project), ana, stage, done=True)
        url = reverse("hand-back", args=["letters", stage.pk])
        client.force_login(ana)

        assert client.get(reverse("items", args=["letters", stage.pk])).content.decode().count(url) == 4
        for refused in (bens, blind, done):
            said = client.post(url, {"item": refused.pk}, follow=True).content.decode()
            assert "Nothing was returned" in said
        client.post(url, {"item": "all"})
        assert len(kept(stage)) == 6

        assert "1 item returned to the queue" in client.post(url, {"item": rows[0].pk}, follow=True).content.decode()
        assert "2 items returned to the queue" in client.post(url, follow=True).content.decode()
        assert set(kept(stage)) == {bens, blind, done}


class TestWhatCanRun:
    def test_a_language_without_a_detector_leads_to_labelling_and_training(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("annotator.dashboard.views.dashboard.has_torch", lambda: False)
        project = create_project(slug="letters", preset=STARTS["labels"].preset(["ca", "es"]), by=None)
        make_sentence(project, language="ca")
        text = page(client, make_member(project, Role.MANAGER))
        dialog = text.partition('id="action-predict"')[2].partition('id="action-train"')[0]

        assert "No detector can label this language yet." in dialog
        assert "extra “transformers” installed" in dialog
        assert f'href="{reverse("work", args=["letters", stage_of(project, "correct", "ca").pk])}"' in dialog
        assert 'value="ca ' not in dialog and 'value="es crf"' in dialog

    def test_it_says_how_much_there_is_to_do_and_what_cannot_start(self, client: Client, project: Project) -> None:
        stage, ana = stage_of(project, "correct"), make_member(project)
        make_sentence(project)
        make_sentence(project)
        boss = make_member(project, Role.MANAGER)
        text = page(client, boss)
        assert "2 of 2 not started" in text
        for why in ("nothing to learn from yet", "nothing to project yet", "nothing to accept", "nothing to transfer"):
            assert why in text, why

        make_assignment(make_sentence(project), ana, stage, done=True)
        text = page(client, boss)
        assert "2 of 3 not started" in text
        assert "Spanish (es): 1 sentence done<" in text
        assert "Spanish (es): 1 done item without gold<" in text
        for why in ("nothing to learn from yet", "nothing to project yet", "nothing to accept"):
            assert why not in text, why

    def test_no_dialog_has_a_field_for_free_text(self, client: Client, project: Project) -> None:
        make_sentence(project)
        dialogs = page(client, make_member(project, Role.MANAGER)).partition('class="dialog run-dialog"')[2]
        assert '<input type="text"' not in dialogs.partition("<dialog")[0]
