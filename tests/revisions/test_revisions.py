"""A text is fixed: what stays, what is lost and told, who goes on with it, and that the books still balance."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError, ConflictError, NotYoursError
from annotator.machines.queries.training import InUse, built_in, detector_in_use
from annotator.models import (
    Annotation,
    Assignment,
    Event,
    Gold,
    Item,
    Job,
    JobKind,
    JobState,
    LemmaPlace,
    Mode,
    Project,
    Stage,
    Suggestion,
    Unit,
    User,
)
from annotator.revisions.revisions import revise_text
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.blind.actions.blind import assign_blind
from annotator.work.blind.queries.blind import is_blind
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.queries.progress import stage_progress
from tests.deciding import decide_gold
from tests.factories import (
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_segment,
    make_sentence,
    make_tag,
    span,
    spans,
    stage_of,
    unit_of,
)
from tests.work.test_counters import check

pytestmark = pytest.mark.django_db

TEXT = "Las promesas ardian en la noche"
FIXED = "Las promesas ardían en la noche"


def claimed(user: User, stage: Stage) -> Assignment:
    [row] = claim(stage=stage, user=user, now=timezone.now())
    return row


def save(row: Assignment, *given: Any, version: int = 0, done: bool = True, **more: Any) -> Annotation:
    return save_annotation(
        project=row.project,
        assignment=row.pk,
        version=version,
        content=spans(*given),
        done=done,
        by=row.user,
        now=timezone.now(),
        **more,
    )


def current(unit: Unit) -> Unit:
    return Unit.objects.get(segment=unit.segment_id, language=unit.language, is_current=True)


def answer(unit: Unit, user: User) -> Annotation:
    return Annotation.objects.get(unit=unit, user=user)


def tokens_of(annotation: Annotation) -> list[list[int]]:
    return [one["tokens"] for one in annotation.content["spans"]]


def test_labels_on_words_that_stayed_stay_and_the_rest_is_decided_anew(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    row = claimed(ana, stage_of(project, "correct"))
    save(row, span(1), span(2), doubt=True, comment="¿tilde?")

    new = revise_text(project=project, unit=old.pk, text=f"Ayer {FIXED}", by=ana).unit

    assert (new.segment_id, new.revision, new.is_current, new.author) == (old.segment_id, 2, True, ana)
    assert new.tokens == ["Ayer", *FIXED.split()]
    old.refresh_from_db()
    assert (old.is_current, old.tokens) == (False, TEXT.split())
    carried = answer(new, ana)
    assert tokens_of(carried) == [[2]]
    assert (carried.state, carried.version, carried.doubt, carried.comment) == ("open", 2, True, "¿tilde?")
    # The answer on the old text stays on record as it was.
    assert tokens_of(answer(old, ana)) == [[1], [2]]
    mine = Assignment.objects.get(unit=new, user=ana)
    assert (mine.state, mine.stage_id, mine.expires_at) == ("open", row.stage_id, None)
    [event] = Event.objects.filter(verb="text.revised")
    assert (event.actor, event.after["lost"]) == (ana, {str(ana.pk): ["ardian (METAPHOR)"]})
    assert event.before["tokens"] == TEXT.split()
    check(project)


def test_an_answer_of_which_nothing_is_lost_and_nothing_is_new_stays_done(project: Project, ana: User) -> None:
    old = make_sentence(project, "Las promesas  ardían ya")
    old.tokens, old.spaces = ["Las", "promesas", "ardían", "ya"], ["", " ", "  ", " ", ""]
    old.save()
    make_sentence(project)
    save(claimed(ana, stage_of(project, "correct")), span(1))
    new = revise_text(project=project, unit=old.pk, text="Las promesas ardían", by=ana).unit
    assert new.text == "Las promesas ardían"
    assert (answer(new, ana).state, tokens_of(answer(new, ana))) == ("done", [[1]])
    assert Assignment.objects.get(unit=new).state == "done"
    # The places of the old text are gone, those of the new one know what was decided.
    assert not LemmaPlace.objects.filter(unit=old).exists()
    assert dict(LemmaPlace.objects.filter(unit=new).values_list("form", "labelled")) == {
        "promesas": True,
        "ardían": False,
    }
    check(project)


def test_an_earlier_text_comes_back_with_what_stood_on_it(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    save(claimed(ana, stage_of(project, "correct")), span(1), span(2))
    fixed = revise_text(project=project, unit=old.pk, text=FIXED, by=ana).unit
    back = revise_text(project=project, unit=fixed.pk, text=TEXT, by=ana).unit
    assert (back.revision, back.tokens) == (3, old.tokens)
    assert (tokens_of(answer(back, ana)), answer(back, ana).state) == ([[1], [2]], "done")
    assert Assignment.objects.get(unit=back).state == "done"
    check(project)


def test_what_was_written_since_is_not_undone_with_the_text(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    save(claimed(ana, stage_of(project, "correct")), span(1), span(2))
    fixed = revise_text(project=project, unit=old.pk, text=FIXED, by=ana).unit
    save(Assignment.objects.get(unit=fixed), span(4), version=2)
    back = revise_text(project=project, unit=fixed.pk, text=TEXT, by=ana).unit
    assert (tokens_of(answer(back, ana)), answer(back, ana).state) == ([[4]], "open")
    check(project)


def test_two_who_fix_at_once_are_shown_both(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    claimed(ana, stage_of(project, "correct"))
    judge = make_member(project, "adjudicator")
    new = revise_text(project=project, unit=old.pk, text=FIXED, by=judge, anybodys=True).unit
    with pytest.raises(ConflictError) as refused:
        revise_text(project=project, unit=old.pk, text="Las promesas arden", by=ana)
    assert refused.value.theirs == {"unit": new.pk, "revision": 2, "text": FIXED}
    assert refused.value.mine == {"unit": old.pk, "revision": 1, "text": "Las promesas arden"}
    # Sent again because the answer was lost, or the same fix twice: nothing happens.
    again = revise_text(project=project, unit=old.pk, text=f" {FIXED} ", by=ana)
    assert (again.unit, again.job) == (new, None)
    assert Unit.objects.filter(segment=old.segment).count() == 2
    check(project)


def test_a_sentence_gets_no_longer_than_files_may_bring_it(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    claimed(ana, stage_of(project, "correct"))
    with pytest.raises(ActionError, match="at most 5000 tokens"):
        revise_text(project=project, unit=old.pk, text="a " * 5001, by=ana)
    assert Unit.objects.filter(segment=old.segment).count() == 1


@pytest.mark.parametrize("text", ["", "  \n "])
def test_a_sentence_has_a_text(project: Project, ana: User, text: str) -> None:
    old = make_sentence(project, TEXT)
    claimed(ana, stage_of(project, "correct"))
    with pytest.raises(ActionError, match="needs a text"):
        revise_text(project=project, unit=old.pk, text=text, by=ana)
    assert current(old) == old
    assert not Job.objects.filter(kind=JobKind.REVISE).exists()


def test_a_sentence_that_one_does_not_work_on_is_not_ones_to_fix(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    with pytest.raises(NotYoursError):
        revise_text(project=project, unit=old.pk, text=FIXED, by=ana)
    pair = unit_of(make_pair(project))
    with pytest.raises(NotYoursError):
        revise_text(project=project, unit=pair.pk, text=FIXED, by=ana, anybodys=True)
    with pytest.raises(NotYoursError):
        revise_text(project=make_project(), unit=old.pk, text=FIXED, by=ana, anybodys=True)
    assert current(old) == old


def test_blind_people_read_the_same_text_and_go_on_blind(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    eva, judge = make_member(project), make_member(project, "adjudicator")
    pair = make_pair(project)
    assign_blind(project=project, language="es", users=[ana, eva], pairs=1, seed=1, by=None)
    blind = Unit.objects.get(segment=pair.premise)
    for person in (ana, eva):
        save(Assignment.objects.get(unit=blind, user=person), span(2))
    with pytest.raises(ActionError, match="blind"):
        revise_text(project=project, unit=blind.pk, text="El tiempo huye", by=ana)
    assert current(old) == old

    new = revise_text(project=project, unit=blind.pk, text="El tiempo huye", by=judge, anybodys=True).unit
    for person in (ana, eva):
        row = Assignment.objects.get(unit=new, user=person)
        assert (row.mode, row.state) == (Mode.BLIND, "open")
        assert (answer(new, person).mode, tokens_of(answer(new, person))) == (Mode.BLIND, [])
        assert is_blind(person, new)
    check(project)


def test_gold_is_reopened_with_its_reason(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    judge = make_member(project, "adjudicator")
    save(claimed(ana, stage_of(project, "correct")), span(2))
    layer = project.label_layer
    decide_gold(unit=old.pk, layer=layer, content=spans(span(1)), reason="MWU", by=judge)
    new = revise_text(project=project, unit=old.pk, text=FIXED, by=judge, anybodys=True).unit
    assert not Gold.objects.filter(unit__segment=old.segment).exists()
    [event] = Event.objects.filter(verb="gold.reopened")
    assert event.after == {"reason": "text revised", "unit": new.pk}
    assert (event.before["reason"], event.before["content"]) == ("MWU", Gold.all_rows.get(unit=old).content)
    assert stage_progress(stage_of(project, "adjudicate")).done == 0
    assert set(Item.objects.filter(unit=old).values_list("state", flat=True)) == {"void"}
    check(project)


def test_pairs_hang_on_the_new_text_and_keep_their_tags(project: Project, ana: User) -> None:
    pair = make_pair(project)
    unit, premise = unit_of(pair), Unit.objects.get(segment=pair.premise)
    unit.parents.add(premise)
    make_tag(pair, "relevant")
    new = revise_text(project=project, unit=premise.pk, text="El tiempo huye", by=ana, anybodys=True).unit
    assert list(unit.parents.all()) == [new]
    assert Gold.objects.get(unit=unit).content == {"value": "relevant"}
    assert current(unit) == unit
    check(project)


def test_who_only_holds_it_ahead_still_gives_it_back_in_time(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    row = claimed(ana, stage_of(project, "correct"))
    judge = make_member(project, "adjudicator")
    new = revise_text(project=project, unit=old.pk, text=FIXED, by=judge, anybodys=True).unit
    assert Assignment.objects.get(unit=new).expires_at == row.expires_at
    with pytest.raises(ActionError, match="text has changed"):
        save(row, span(1))
    assert not Annotation.objects.exists()
    check(project)


def test_a_scheme_without_gaps_loses_a_unit_that_was_torn_apart(project: Project, ana: User) -> None:
    layer = project.label_layer
    layer.scheme_data = {**layer.scheme_data, "discontinuous": False}
    layer.save()
    old = make_sentence(project, TEXT)
    save(claimed(ana, stage_of(project, "correct")), span(1, 2), done=False)
    new = revise_text(project=project, unit=old.pk, text="Las promesas no ardian en la noche", by=ana).unit
    assert tokens_of(answer(new, ana)) == []
    [event] = Event.objects.filter(verb="text.revised")
    assert event.after["lost"] == {str(ana.pk): ["promesas ardian (METAPHOR)"]}


@pytest.mark.slow
def test_the_job_makes_what_machines_had_said(project: Project, ana: User) -> None:
    from annotator.jobs.running import run_job

    segment = make_segment(project)
    source = make_sentence(project, "La inflación devora los ahorros", segment=segment)
    target = make_sentence(project, "Inflation devour the savings", language="en", segment=segment)
    make_sentence(project, "La casa", segment=(other := make_segment(project)))
    make_sentence(project, "The house", language="en", segment=other)
    from annotator.jobs.actions import start_job
    from tests.factories import make_gold

    make_gold(source, [span(2)])
    params = {"source": "es", "target": "en", "labels": "gold"}
    run_job(start_job(project=project, kind=JobKind.PROJECT, params=params, by=None).pk, worker="one")
    make_prediction(target, [], [0.1, 0.2, 0.1, 0.1])
    row = claimed(ana, stage_of(project, "project-review", "en"))
    assert row.suggestion is not None

    revised = revise_text(project=project, unit=target.pk, text="Inflation devours our savings", by=ana)
    new, job = revised.unit, revised.job
    assert job is not None
    assert job.params["projections"] == [{"source": "es", "target": "en", "aligner": "lexical", "labels": "gold"}]
    mine = Assignment.objects.get(unit=new, user=ana)
    assert (mine.stage_id, mine.suggestion) == (row.stage_id, None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.DONE, "")
    made = Suggestion.objects.filter(unit=new, is_current=True)
    assert sorted(made.values_list("kind", flat=True)) == ["prediction", "projection"]
    projection = made.get(kind="projection")
    assert (projection.source, projection.alignment.source) == (source, source)  # type: ignore[union-attr]
    new.refresh_from_db()
    assert new.lemmas == ["inflation", "devour", "our", "savings"]
    mine.refresh_from_db()
    assert mine.suggestion == projection
    check(project)
    # A source that is fixed brings its translation's projection up to date; gold stands no more, so nothing does.
    [job] = [revise_text(project=project, unit=source.pk, text="La inflación devoró los ahorros", by=None).job]
    assert job is not None
    assert job.params["projections"][0]["target"] == "en"
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.DONE
    check(project)


def test_a_text_that_is_fixed_twice_before_the_job_runs_keeps_what_was_promised(project: Project, ana: User) -> None:
    from annotator.jobs.running import run_job

    old = make_sentence(project, TEXT)
    make_prediction(old, [span(2)], [0.1, 0.1, 0.9, 0.1, 0.1, 0.1])
    claimed(ana, stage_of(project, "correct"))
    first = revise_text(project=project, unit=old.pk, text="Las promesas ardieron", by=ana)
    second = revise_text(project=project, unit=first.unit.pk, text=FIXED, by=ana)
    assert first.job is not None
    assert second.job is not None
    assert first.job.params["detector"] == second.job.params["detector"] == built_in("es")
    for job in (first.job, second.job):
        run_job(job.pk, worker="one")
        job.refresh_from_db()
        assert job.state == JobState.DONE, job.error
    assert not Suggestion.objects.filter(unit=first.unit).exists()
    [made] = Suggestion.objects.filter(unit=second.unit)
    assert Assignment.objects.get(unit=second.unit).suggestion == made
    assert len(made.probabilities) == 6


def test_the_detector_in_use_is_known_of_old_jobs_too(project: Project) -> None:
    prediction = make_prediction(make_sentence(project, TEXT), [span(1)], [0.1] * 6)
    assert prediction.job is not None
    Job.objects.filter(pk=prediction.job.pk).update(params={"language": "es"})
    assert detector_in_use(project, "es") == InUse("crf", suggested=True)
