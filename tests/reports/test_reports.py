"""The tables of a project, and what they count from."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.management.tables import report_text
from annotator.models import Alignment, Annotation, Mode, Pair, Project, Segment, Sentence, Suggestion, User
from annotator.reports.queries.reports import Report
from annotator.reports.queries.tables import report_named
from tests import factories
from tests.factories import (
    make_annotation,
    make_gold,
    make_pair,
    make_pair_unit,
    make_prediction,
    make_project,
    make_segment,
    make_sentence,
    make_silver,
    make_tag,
    span,
    spans,
)

pytestmark = pytest.mark.django_db


def gold(sentence: Sentence, *tokens: int) -> None:
    make_gold(sentence, [span(t) for t in tokens])


def annotate(user: User, sentence: Sentence, suggested: list[int], found: list[int], **fields: Any) -> Annotation:
    return make_annotation(
        sentence,
        user,
        [span(t) for t in found],
        suggested=spans(*(span(t) for t in suggested)),
        **({"mode": Mode.REVIEW, "state": "done"} | fields),
    )


def counted(name: str, project: Project) -> Report:
    return report_named(name).compute(project)


def row_of(rows: tuple[dict[str, Any], ...], **key: str) -> dict[str, Any]:
    (found,) = [row for row in rows if key.items() <= row.items()]
    return found


def test_detection_counts_gold_only(project: Project, ana: User) -> None:
    gold(make_sentence(project, "El tiempo vuela"), 2)
    gold(make_sentence(project, "Llueve mucho"))
    gold(make_sentence(project, "Cae la noche", segment=make_segment(project, role="hyp")), 0, 2)
    unseen = make_sentence(project, "Nadie lo ha visto")
    annotate(ana, unseen, [], [0, 1])
    old = make_sentence(project, "Texto antiguo")
    gold(old, 0)
    Sentence.objects.filter(pk=old.pk).update(is_current=False)
    gold(make_sentence(make_project(), "De otro proyecto"), 0)

    report = counted("detection", project)

    assert report.rows == (
        {
            "language": "es",
            "dataset": "set",
            "role": "prem",
            "labelled_tokens": 1,
            "tokens": 5,
            "labelled_sentences": 1,
            "sentences": 2,
        },
        {
            "language": "es",
            "dataset": "set",
            "role": "hyp",
            "labelled_tokens": 2,
            "tokens": 3,
            "labelled_sentences": 1,
            "sentences": 1,
        },
        {
            "language": "es",
            "dataset": "set",
            "role": "all",
            "labelled_tokens": 3,
            "tokens": 8,
            "labelled_sentences": 2,
            "sentences": 3,
        },
    )
    assert report.notes == ("Sentences without gold, not counted: 1.",)
    assert report_text(report).splitlines()[0].split()[:3] == ["language", "dataset", "role"]
    assert "37.50" in report_text(report)


def test_detection_follows_the_projects_languages_not_the_order_of_rows(project: Project) -> None:
    gold(make_sentence(project, "Time flies", language="en"))
    gold(make_sentence(project, "El tiempo vuela"))

    assert [row["language"] for row in counted("detection", project).rows] == ["es"] * 3 + ["en"] * 3


def test_interpretation_counts_gold_tags_of_the_source_language(project: Project, ana: User) -> None:
    tags = ["relevant", "no_metaphor", "no_metaphor", "discarded"]
    for value in tags:
        pair = make_pair(project)
        make_pair_unit(pair, "en")
        make_tag(pair, value)
        make_tag(pair, "relevant", language="en")
    undecided = make_pair(project)
    make_tag(undecided, "relevant", user=ana)
    make_silver(undecided, "relevant", language="es", source="en")

    report = counted("interpretation", project)

    assert row_of(report.rows, inference="all") == {
        "dataset": "set",
        "inference": "all",
        "relevant": 1,
        "non_relevant": 0,
        "no_metaphor": 2,
        "total": 3,
        "discarded": 1,
    }
    assert [row["inference"] for row in report.rows] == ["entailment", "neutral", "contradiction", "all"]
    assert report.notes == ("Discarded pairs, not counted: 1.", "Pairs without gold, not counted: 1.")


def test_correction_counts_done_reviews_that_began_from_no_projection(project: Project, ana: User) -> None:
    annotate(ana, make_sentence(project, "a b c d"), [0, 1], [1, 2, 3])
    annotate(ana, make_sentence(project, "a b"), [], [0], mode=Mode.BLIND)
    annotate(ana, make_sentence(project, "a b"), [], [0], state="open")

    (prem, _hyp, every) = counted("correction", project).rows

    assert prem == {
        "language": "es",
        "dataset": "set",
        "role": "prem",
        "predicted": 2,
        "removed": 1,
        "added": 2,
        "revised": 3,
    }
    assert every == prem | {"role": "all"}


def make_projection(
    project: Project, segment: Segment, source: list[int], target: list[int], words: str = "a b c d"
) -> Suggestion:
    first = make_sentence(project, "w x y z", segment=segment)
    second = make_sentence(project, words, language="en", segment=segment)
    return factories.make_projection(first, second, [span(t) for t in target], [span(t) for t in source])


def test_projection_counts_what_review_lost_and_gained(project: Project, ana: User) -> None:
    reviewed = make_projection(project, make_segment(project), [0, 1, 2], [0, 1])
    annotate(ana, reviewed.unit, [0, 1], [1, 3], suggestion=reviewed)
    decided = make_projection(project, make_segment(project, role="hyp"), [0], [0])
    gold(decided.unit)
    unprojected = make_sentence(project, "a b c", language="en")
    prediction = make_prediction(unprojected, [span(0)], [0.9, 0.1, 0.1])
    annotate(ana, unprojected, [0], [0, 2], suggestion=prediction)
    make_projection(project, make_segment(project), [0], [0])  # waits for review

    report = counted("projection", project)

    assert row_of(report.rows, role="prem") == {
        "language": "en",
        "dataset": "set",
        "role": "prem",
        "source": 3,
        "projected": 2,
        "unaligned": 1,
        "dropped": 0,
        "kept": 1,
        "shifted": 1,
        "lost": 1,
        "lost_not_projected": 1,
        "gained": 2,
        "target": 4,
        "labelled_tokens": 4,
        "predicted": 1,
        "revised": 2,
    }
    assert report.columns == ("language", *list(row_of(report.rows, role="prem"))[1:])
    hypotheses = row_of(report.rows, role="hyp")
    assert (hypotheses["source"], hypotheses["lost"], hypotheses["target"]) == (1, 1, 0)
    assert row_of(report.rows, role="all")["target"] == 4
    assert report.notes == ("Sentences not yet reviewed, not counted: 1.",)


def test_projection_starts_from_what_the_reviewer_saw(project: Project, ana: User) -> None:
    seen = make_projection(project, make_segment(project), [0, 1], [0, 1])
    annotate(ana, seen.unit, [0, 1], [0], suggestion=seen)
    Suggestion.objects.filter(pk=seen.pk).update(is_current=False)
    Alignment.objects.update(is_current=False)
    factories.make_projection(seen.source, seen.unit, [], [])

    row = row_of(counted("projection", project).rows, role="all")

    assert (row["source"], row["lost"], row["gained"], row["target"]) == (2, 1, 0, 1)


def test_total_is_what_the_detection_table_says_once_all_is_gold(project: Project, ana: User) -> None:
    first = make_projection(project, make_segment(project), [0], [0])
    annotate(ana, first.unit, [0], [0, 1], suggestion=first)
    gold(first.unit, 0, 1, 2)
    gold(make_sentence(project, "a b", language="en"), 1)

    assert (
        row_of(counted("projection", project).rows, role="all")["labelled_tokens"]
        == row_of(counted("detection", project).rows, language="en", role="all")["labelled_tokens"]
        == 4
    )


def test_a_blind_answer_alone_is_no_review(project: Project, ana: User, ben: User) -> None:
    reached = make_projection(project, make_segment(project), [0], [0])
    annotate(ana, reached.unit, [], [1, 2], mode=Mode.BLIND)

    assert counted("projection", project).notes == ("Sentences not yet reviewed, not counted: 1.",)

    annotate(ben, reached.unit, [0], [0], suggestion=reached)
    row = row_of(counted("projection", project).rows, role="all")
    assert (row["kept"], row["lost"], row["gained"], row["target"]) == (1, 0, 0, 1)


def test_they_fought_is_shifted_to_fought_and_nothing_is_lost(project: Project, ana: User) -> None:
    segment = make_segment(project)
    source = make_sentence(project, "Lucharon", segment=segment)
    target = make_sentence(project, "They fought", language="en", segment=segment)
    seen = factories.make_projection(source, target, [span(0, 1)], [span(0)])
    make_annotation(
        target, ana, [span(1)], suggested=spans(span(0, 1)), mode=Mode.REVIEW, state="done", suggestion=seen
    )

    row = row_of(counted("projection", project).rows, role="all")

    assert (row["source"], row["shifted"], row["lost"], row["gained"], row["target"]) == (1, 1, 0, 0, 1)


def test_a_label_that_moved_to_the_right_word_is_shifted(project: Project, ana: User) -> None:
    seen = make_projection(project, make_segment(project), [0], [0])
    annotate(ana, seen.unit, [0], [3], suggestion=seen)

    row = row_of(counted("projection", project).rows, role="all")

    assert (row["kept"], row["shifted"], row["lost"], row["gained"]) == (0, 1, 0, 0)


def test_labels_that_were_never_projected_are_said(project: Project, ana: User) -> None:
    segment = make_segment(project)
    gold(make_sentence(project, "w x y z", segment=segment), 1)
    gold(make_sentence(project, "a b c d", language="en", segment=segment), 2)

    report = counted("projection", project)

    assert row_of(report.rows, role="all")["gained"] == 1
    assert report.notes == (
        "Sentences whose source has labels that were not projected: 1. Their spans count as gained.",
    )


def test_a_text_that_was_fixed_counts_by_its_new_projection(project: Project, ana: User) -> None:
    """The review began from gold on the earlier text."""
    seen = make_projection(project, make_segment(project), [0, 1], [0, 1])
    earlier = Suggestion.objects.create(
        project=project, unit=seen.unit, layer=project.label_layer, kind="earlier-gold", content=spans(span(0))
    )
    annotate(ana, seen.unit, [0], [0], suggestion=earlier)

    row = row_of(counted("projection", project).rows, role="all")

    assert (row["source"], row["kept"], row["lost"], row["gained"], row["revised"]) == (2, 1, 1, 0, 0)


def test_several_datasets_are_added_up(project: Project) -> None:
    for number, dataset in enumerate(("one", "two", "two")):
        sentence = make_sentence(project, "El tiempo vuela")
        Segment.objects.filter(pk=sentence.segment_id).update(dataset=dataset)
        gold(sentence, number)

    rows = counted("detection", project).rows

    assert [(row["dataset"], row["role"]) for row in rows[-3:]] == [("all", "prem"), ("all", "hyp"), ("all", "all")]
    assert (rows[-1]["labelled_tokens"], rows[-1]["tokens"], rows[-1]["sentences"]) == (3, 9, 3)


def test_discarded_pairs_are_counted_once_in_several_datasets(project: Project) -> None:
    for dataset in ("one", "two"):
        pair = make_pair(project)
        Pair.objects.filter(pk=pair.pk).update(dataset=dataset)
        make_tag(pair, "discarded")

    report = counted("interpretation", project)

    assert report.notes == ("Discarded pairs, not counted: 2.",)
    assert row_of(report.rows, dataset="all", inference="all")["discarded"] == 2


def test_rows_follow_the_roles_and_inference_labels_of_the_project(project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(roles=["hyp", "prem"], inferences=["neutral", "entailment"])
    project = Project.objects.get(pk=project.pk)
    pair = make_pair(project)
    make_tag(pair, "relevant")
    gold(make_sentence(project), 0)

    assert [row["role"] for row in counted("detection", project).rows] == ["hyp", "prem", "all"]
    assert [row["inference"] for row in counted("interpretation", project).rows] == ["neutral", "entailment", "all"]
