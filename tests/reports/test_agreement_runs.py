"""Stored agreement: what a run holds, when there is another one, what changed since, and the job that makes it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import (
    AgreementRun,
    Annotation,
    Assignment,
    Event,
    Job,
    JobKind,
    JobState,
    Mode,
    Project,
    Sentence,
    User,
)
from annotator.projects.actions.delete_project import delete_project
from annotator.reports.actions import store_run
from annotator.reports.queries import agreement_runs, overlaps
from annotator.reports.queries.agreement import Question, question
from annotator.reports.queries.agreement_runs import Since, compute, is_small, newest_run, params_of, since, standing
from annotator.reports.queries.overlaps import common_work
from annotator.reports.queries.stored_agreement import agreement_of_run, course_of_run
from tests.api.test_cost import scans
from tests.factories import (
    make_assignment,
    make_label_layer,
    make_member,
    make_pair,
    make_sentence,
    make_tag,
    span,
    spans,
    stage_of,
)
from tests.saving import save

pytestmark = pytest.mark.django_db


def answer(sentence: Sentence, user: User, *tokens: int, mode: str = Mode.BLIND, **more: Any) -> Annotation:
    """An answer to the sentence, saved over the person's earlier one."""
    stage = stage_of(sentence.project, "correct", sentence.language)
    given = Assignment.objects.filter(unit=sentence, user=user).first()
    row = given or make_assignment(sentence, user, stage, mode=mode)
    return save(row, spans(*map(span, tokens)), **more)


@pytest.fixture
def shared(project: Project, ana: User, ben: User) -> list[Sentence]:
    """Three sentences that both have done, of which they agree on two."""
    rows = [make_sentence(project, "Uno dos tres") for _ in range(3)]
    for number, row in enumerate(rows):
        answer(row, ana, number)
        answer(row, ben, 0 if number == 2 else number)
    return rows


@pytest.fixture
def asked(project: Project, ana: User, ben: User) -> Question:
    return question(project, a=ana, b=ben, layer="tokens", language="es")


def stored_now(asked: Question) -> AgreementRun:
    return store_run(computed=compute(asked, now=timezone.now()), by=None)


def changed_since(asked: Question) -> Since | None:
    run = newest_run(asked)
    return since(run, asked) if run else None


class TestStored:
    @pytest.mark.usefixtures("shared")
    @pytest.mark.parametrize("layer", ["tokens", "pairs"])
    def test_the_numbers_are_those_that_were_computed(self, project: Project, ana: User, ben: User, layer: str) -> None:
        pair = make_pair(project)
        make_tag(pair, "relevant", user=ana)
        make_tag(pair, "no_metaphor", user=ben)
        asked = question(project, a=ana, b=ben, layer=layer)
        computed = compute(asked, now=timezone.now())

        store_run(computed=computed, by=ana)

        run = newest_run(asked)
        assert run is not None
        assert agreement_of_run(run, layer) == computed.agreement
        assert course_of_run(run) == computed.course
        assert agreement_of_run(run, layer).overall.kappa.table == computed.agreement.overall.kappa.table
        assert (run.units, run.computed_by, run.computed_at) == (computed.agreement.overall.units, ana, computed.at)
        event = Event.objects.get(verb="agreement.stored")
        assert (event.actor, event.subject_id, event.after) == (ana, run.pk, {"sha256": run.sha256})

    def test_the_same_inputs_are_stored_once_and_others_beside_them(
        self, asked: Question, shared: list[Sentence], ben: User
    ) -> None:
        first = stored_now(asked)
        assert stored_now(asked) == first

        answer(shared[2], ben, 2)
        second = stored_now(asked)

        assert second != first
        assert second.sha256 != first.sha256
        assert [run.results["rows"][-1]["kappa"]["value"] for run in (first, second)] == [0.5, 1]
        with pytest.raises(RuntimeError, match="cannot be changed"):
            first.save()
        # Undone, it is another comparison again: the newest run is what was compared last.
        answer(shared[2], ben, 0)
        assert stored_now(asked).pk > second.pk

    @pytest.mark.usefixtures("shared")
    def test_the_command_names_the_same_inputs(
        self, asked: Question, project: Project, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run = stored_now(asked)
        names = (asked.a.username, asked.b.username)
        call_command("agreement", project.slug, "--annotators", *names, "--layer", "tokens", "--format", "json")
        told = json.loads(capsys.readouterr().out)["inputs"]
        assert (told["units"], told["blind"], told["sha256"]) == (3, 3, run.sha256)

    @pytest.mark.usefixtures("shared")
    def test_other_settings_are_other_inputs(self, project: Project, ana: User, ben: User) -> None:
        choices: list[dict[str, str]] = [{}, {"language": "en"}, {"dimension": "attributes"}]
        told = {
            compute(question(project, a=ana, b=ben, layer="tokens", **more), now=timezone.now()).inputs.sha256
            for more in choices
        }
        assert len(told) == len(choices)

    @pytest.mark.usefixtures("shared")
    def test_a_deleted_project_leaves_none(self, asked: Question, project: Project) -> None:
        stored_now(asked)
        run_job(delete_project(project=project, name=project.name, by=None).pk, worker="one")
        assert not AgreementRun.objects.exists()


class TestSince:
    def test_answers_to_shared_items_are_counted(
        self, asked: Question, project: Project, shared: list[Sentence], ana: User, ben: User
    ) -> None:
        stored_now(asked)
        assert changed_since(asked) == Since(0)

        # Of one person alone; in another language; by somebody else; a draft.
        answer(make_sentence(project), ana, 0)
        english = make_sentence(project, language="en")
        answer(english, ana, 0)
        answer(english, ben, 0)
        answer(shared[0], make_member(project), 0)
        fourth = make_sentence(project)
        answer(fourth, ana, 0)
        answer(fourth, ben, 0, done=False)
        assert changed_since(asked) == Since(0)

        answer(fourth, ben, 0)
        answer(shared[1], ben, 2)
        answer(shared[1], ben, 1)
        # Taken up again and not finished: what both have done is less by one.
        answer(shared[0], ana, 2, done=False)
        # The fourth sentence by both, the second by one, the first that is open again.
        assert changed_since(asked) == Since(4)

    def test_it_looks_at_so_many_saves_and_says_so(
        self, asked: Question, shared: list[Sentence], ben: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stored_now(asked)
        monkeypatch.setattr(agreement_runs, "MAX_SINCE", 1)
        for sentence in shared:
            answer(sentence, ben, 1)
        found = changed_since(asked)
        assert found is not None
        assert (found.answers, found.more) == (1, True)

    @pytest.mark.usefixtures("shared")
    def test_a_changed_scheme_is_told(self, asked: Question, project: Project, ana: User, ben: User) -> None:
        stored_now(asked)
        project.layers.filter(pk=project.label_layer.pk).update(scheme_version=2)
        again = question(Project.objects.get(pk=project.pk), a=ana, b=ben, layer="tokens", language="es")
        assert changed_since(again) == Since(0, scheme=True)


class TestJob:
    @pytest.mark.usefixtures("shared")
    def test_it_stores_the_numbers_and_tells_nothing_itself(self, asked: Question, ana: User) -> None:
        expected = compute(asked, now=timezone.now())

        job = start_job(project=asked.project, kind=JobKind.AGREEMENT, params=params_of(asked), by=ana)
        run_job(job.pk, worker="one")

        job.refresh_from_db()
        assert (job.state, job.error, job.result, job.total) == (JobState.DONE, "", {}, 1)
        run = AgreementRun.objects.get()
        assert (agreement_of_run(run, "tokens"), run.computed_by) == (expected.agreement, ana)
        assert run.sha256 == expected.inputs.sha256

    def test_a_layer_that_is_gone_is_a_sentence(self, asked: Question) -> None:
        params = {**params_of(asked), "layer": 10**6}
        job = Job.objects.create(project=asked.project, kind=JobKind.AGREEMENT, params=params)
        run_job(job.pk, worker="one")
        job.refresh_from_db()
        assert job.state == JobState.FAILED
        assert "Choose again on the Agreement page" in job.error
        assert not AgreementRun.objects.exists()

    @pytest.mark.usefixtures("shared")
    def test_a_read_only_project_can_have_it(self, asked: Question) -> None:
        Project.objects.filter(pk=asked.project.pk).update(archived_at=timezone.now())
        asked.project.refresh_from_db()
        job = start_job(project=asked.project, kind=JobKind.AGREEMENT, params=params_of(asked), by=None)
        run_job(job.pk, worker="one")
        assert newest_run(asked) is not None


class TestSmall:
    def test_of_few_items_the_numbers_are_of_now_and_of_many_of_the_run(
        self, asked: Question, shared: list[Sentence], ben: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = stored_now(asked)
        small = standing(asked, now=timezone.now())
        assert small is not None
        assert (small.run, small.since) == (run, None)
        answer(shared[2], ben, 2)
        fresh = standing(asked, now=timezone.now())
        assert fresh is not None
        assert (fresh.run, fresh.agreement.overall.kappa.value) == (None, 1)

        monkeypatch.setattr(agreement_runs, "MAX_INLINE", 2)
        large = standing(asked, now=timezone.now())

        assert large is not None
        assert (large.run, large.at, large.since) == (run, run.computed_at, Since(1))
        assert large.agreement.overall.kappa.value == 0.5

    @pytest.mark.usefixtures("shared")
    def test_people_with_many_answers_wait_for_a_job_however_few_they_share(
        self, asked: Question, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(agreement_runs, "MAX_READ", 5)
        with CaptureQueriesContext(connection) as captured:
            assert not is_small(asked)
        assert len(captured) == 1
        assert standing(asked, now=timezone.now()) is None

    def test_neither_looking_nor_telling_what_changed_reads_a_table_to_its_end(
        self, asked: Question, shared: list[Sentence], ben: User
    ) -> None:
        if connection.vendor != "sqlite":
            pytest.skip("PostgreSQL plans by what tables hold, and reads those of a test as a whole.")
        run = stored_now(asked)
        answer(shared[0], ben, 1)
        answer(make_sentence(asked.project), ben, 1)
        with CaptureQueriesContext(connection) as captured:
            is_small(asked)
            newest_run(asked)
            since(run, asked)
        assert scans([query["sql"] for query in captured]) == []
        assert len(captured) == 8


class TestCommonWork:
    @pytest.mark.usefixtures("shared")
    def test_where_too_much_is_shared_the_stored_comparisons_are_listed(
        self, asked: Question, project: Project, ana: User, ben: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert common_work(project).whole
        monkeypatch.setattr(overlaps, "MAX_SHARED", 2)
        assert common_work(project) == overlaps.CommonWork([], whole=False)
        run = stored_now(asked)
        stored_now(question(project, a=ana, b=ben, layer="tokens", dimension="attributes"))

        (row,) = common_work(project).rows

        assert (row.a, row.b, row.layer, row.language, row.units, row.blind) == (ana, ben, "tokens", "es", run.units, 3)

    def test_layers_keep_their_names(self, project: Project, ana: User, ben: User) -> None:
        make_label_layer(project, "moods", project.label_layer.scheme)
        asked = question(project, a=ana, b=ben, layer="moods")
        stored_now(asked)
        assert agreement_of_run(AgreementRun.objects.get(), "moods").layer == "moods"
