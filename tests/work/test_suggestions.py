"""What items know of suggestions, and silver: contents that another language already has."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import ProjectionRules
from annotator.domain.projection.carry import project as carry
from annotator.machines.actions.predictions import Found, store_predictions
from annotator.machines.actions.projections import CarriedOver, store_projections
from annotator.machines.actions.transfers import transfer_tags
from annotator.models import (
    Annotation,
    AnnotationState,
    Assignment,
    Event,
    Gold,
    Item,
    ItemState,
    Job,
    JobKind,
    JobState,
    Mode,
    Pair,
    Project,
    Sentence,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.queries.progress import stage_progress
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_member,
    make_pair,
    make_pair_unit,
    make_segment,
    make_sentence,
    make_tag,
    span,
    stage_of,
    unit_of,
)
from tests.rows import Rows, rows_of

pytestmark = pytest.mark.django_db


def predict(project: Project, *answers: tuple[Unit, Sequence[float]]) -> None:
    """A detector's answers: what is likelier than not is labelled."""
    job = Job.objects.create(project=project, kind=JobKind.PREDICT, state=JobState.RUNNING)
    found = [
        Found(unit.pk, [Span((index,), "METAPHOR") for index, p in enumerate(numbers) if p >= 0.5], numbers)
        for unit, numbers in answers
    ]
    store_predictions(job=job, found=found, detector="crf", revision="r", threshold=0.5)


class TestItems:
    def test_predictions_give_items_their_places(self, project: Project) -> None:
        sure, doubtful, nothing = (make_sentence(project) for _ in range(3))
        predict(project, (sure, [0.0, 0.1, 0.95]), (doubtful, [0.0, 0.6, 0.9]), (nothing, [0.0, 0.01, 0.02]))

        places = {row.unit_id: (row.suggested, round(row.uncertainty, 4), row.unlabelled) for row in Item.objects.all()}
        assert places == {
            sure.pk: (True, 0.8, 0),
            doubtful.pk: (True, 0.2, 0),
            nothing.pk: (False, 0.96, 1),
        }

    def test_what_is_suggested_anew_counts(self, project: Project) -> None:
        sentence = make_sentence(project)
        predict(project, (sentence, [0.0, 0.0, 0.9]))
        predict(project, (sentence, [0.0, 0.0, 0.1]))

        item = Item.objects.get()
        assert (item.suggested, item.unlabelled) == (False, 1)

    def test_most_uncertain_first_is_what_is_claimed_first(self, project: Project, ana: User) -> None:
        stage = stage_of(project, "correct")
        stage.order = stage.Order.UNCERTAIN
        stage.save()
        sure, doubtful = make_sentence(project), make_sentence(project)
        predict(project, (sure, [0.0, 0.0, 0.9]), (doubtful, [0.0, 0.4, 0.0]))

        assert [row.unit_id for row in claim(stage=stage, user=ana, now=timezone.now())] == [doubtful.pk]


def parallel(project: Project) -> tuple[Sentence, Sentence]:
    segment = make_segment(project)
    source = make_sentence(project, "El tiempo vuela", segment=segment)
    return source, make_sentence(project, "Time flies", language="en", segment=segment)


def project_labels(project: Project, source: Unit, target: Unit, source_spans: list[Span]) -> dict[str, object]:
    job = Job.objects.create(project=project, kind=JobKind.PROJECT, state=JobState.RUNNING)
    links = [(1, 0, 0.9), (2, 1, 0.8)]
    result = carry(source_spans, [(a, b) for a, b, _ in links], target.tokens)
    one = CarriedOver(source.pk, target.pk, [row.to_json() for row in source_spans], links, result)
    return store_projections(
        job=job, carried=[one], aligner="lexical", revision="r", rules=ProjectionRules(), labels="annotations"
    )


class TestProjectionsMoveItems:
    def test_reached_sentences_are_reviewed_and_others_corrected(self, project: Project) -> None:
        source, target = parallel(project)
        correct, review = stage_of(project, "correct", "en"), stage_of(project, "project-review", "en")
        assert [row.stage for row in Item.objects.filter(unit=target)] == [correct]

        project_labels(project, source, target, [Span((2,), "METAPHOR")])

        item = Item.objects.get(unit=target)
        assert (item.stage, item.suggested, item.unlabelled) == (review, True, 0)
        assert (stage_progress(correct).total, stage_progress(review).total) == (0, 1)

        counts = project_labels(project, source, target, [])

        assert counts["withdrawn"] == 1
        item = Item.objects.get(unit=target)
        assert (item.stage, item.suggested, item.unlabelled) == (correct, False, 1)
        assert (stage_progress(correct).total, stage_progress(review).total) == (1, 0)

    def test_a_sentence_that_somebody_has_begun_stays_where_it_is(self, project: Project) -> None:
        source, target = parallel(project)
        correct = stage_of(project, "correct", "en")
        make_assignment(target, make_member(project), correct)

        project_labels(project, source, target, [Span((2,), "METAPHOR")])

        assert Item.objects.get(unit=target).stage == correct
        assert Suggestion.objects.get().is_current

    def test_a_prediction_shows_again_where_a_projection_was_withdrawn(self, project: Project) -> None:
        source, target = parallel(project)
        predict(project, (target, [0.1, 0.7]))
        project_labels(project, source, target, [Span((2,), "METAPHOR")])
        assert Item.objects.get(unit=target).uncertainty == 0.8

        project_labels(project, source, target, [])

        item = Item.objects.get(unit=target)
        assert (item.suggested, round(item.uncertainty, 4), item.unlabelled) == (True, 0.4, 0)

    def test_what_was_shown_beside_the_main_suggestion_stays_current(self, project: Project) -> None:
        source, target = parallel(project)
        project_labels(project, source, target, [Span((2,), "METAPHOR")])
        shown = Suggestion.objects.get()
        make_annotation(target, make_member(project), [span(1)], shown=[shown.pk])

        counts = project_labels(project, source, target, [])

        shown.refresh_from_db()
        assert shown.is_current
        assert (counts["kept_for_people"], counts["withdrawn"]) == (1, 0)


def everything() -> list[Rows]:
    return rows_of(Suggestion, Annotation, Gold, Assignment, Item, Event)


def in_english(pair: Pair) -> Pair:
    make_sentence(pair.project, "Time flies", language="en", segment=pair.premise)
    make_sentence(pair.project, "Nobody looks", language="en", segment=pair.hypothesis)
    make_pair_unit(pair, "en")
    return pair


class TestTransfer:
    def test_it_carries_gold_before_the_reviewers_tag(self, project: Project) -> None:
        ana, ben = make_member(project), make_member(project)
        gold, person, blind_only, untagged = (in_english(make_pair(project)) for _ in range(4))
        spanish_only = make_pair(project)
        make_tag(gold, "discarded", user=ana)
        make_tag(gold, "relevant")
        make_tag(person, "non_relevant", user=ana)
        make_tag(blind_only, "relevant", user=ben, mode=Mode.BLIND)
        make_tag(spanish_only, "relevant")

        summary = transfer_tags(project=project, source="es", target="en", by=ana)

        assert (summary.created, summary.untagged, summary.without_text, summary.reviewed) == (2, 2, 1, 0)
        found = {row.unit: row for row in Suggestion.objects.filter(kind=SuggestionKind.TRANSFER)}
        assert {unit: row.content["value"] for unit, row in found.items()} == {
            unit_of(gold, "en"): "relevant",
            unit_of(person, "en"): "non_relevant",
        }
        assert {(row.source_language, row.is_current) for row in found.values()} == {("es", True)}
        assert {row.source for row in found.values()} == {unit_of(gold), unit_of(person)}
        assert Item.objects.get(unit=unit_of(gold, "en")).suggested
        assert not Item.objects.get(unit=unit_of(untagged, "en")).suggested
        events = Event.objects.filter(verb="suggestion.transferred")
        assert {event.actor for event in events} == {ana}
        assert len({event.operation for event in events}) == 1

        before = everything()
        again = transfer_tags(project=project, source="es", target="en", by=ana)
        assert (again.created, again.updated, again.unchanged) == (0, 0, 2)
        assert everything() == before

    def test_it_follows_changes_but_keeps_what_was_reviewed(self, project: Project, ana: User) -> None:
        changed, reviewed = in_english(make_pair(project)), in_english(make_pair(project))
        for pair in (changed, reviewed):
            make_tag(pair, "relevant", user=ana)
        transfer_tags(project=project, source="es", target="en", by=None)
        make_tag(reviewed, "discarded", user=ana, language="en")
        Annotation.objects.filter(unit__language="es").update(content=choice("non_relevant"))

        summary = transfer_tags(project=project, source="es", target="en", by=None)

        assert (summary.updated, summary.reviewed) == (1, 1)
        silver = Suggestion.objects.filter(kind=SuggestionKind.TRANSFER)
        assert silver.get(unit=unit_of(changed, "en"), is_current=True).content == choice("non_relevant")
        assert silver.get(unit=unit_of(changed, "en"), is_current=False).content == choice("relevant")
        assert silver.get(unit=unit_of(reviewed, "en")).content == choice("relevant")

    def test_an_answer_that_was_only_begun_is_not_a_review(self, project: Project, ana: User) -> None:
        pair = in_english(make_pair(project))
        make_tag(pair, "relevant", user=ana)
        make_annotation(unit_of(pair, "en"), ana, content=choice(None), state=AnnotationState.OPEN)

        assert transfer_tags(project=project, source="es", target="en", by=None).created == 1

    @pytest.mark.parametrize(("source", "target"), [("es", "es"), ("es", "fr"), ("fr", "en")])
    def test_it_refuses_odd_languages(self, project: Project, source: str, target: str) -> None:
        with pytest.raises(ActionError):
            transfer_tags(project=project, source=source, target=target, by=None)

    def test_a_project_without_pairs_has_nothing_to_transfer(self, project: Project) -> None:
        project.stages.filter(layer=project.tag_layer).delete()
        project.layers.filter(unit_kind="pair").delete()
        del project.tag_layer

        assert transfer_tags(project=project, source="es", target="en", by=None).created == 0


def test_a_void_item_is_left_as_it_is(project: Project) -> None:
    sentence = make_sentence(project)
    Item.objects.update(state=ItemState.VOID)

    predict(project, (sentence, [0.0, 0.0, 0.9]))

    assert not Item.objects.get().suggested
