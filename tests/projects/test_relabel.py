"""Labels renamed, split, removed in a project at work: what people and machines said follows, and gold is reopened."""

from __future__ import annotations

import pytest

from annotator.core.errors import ActionError, ConflictError
from annotator.domain.labels.relabel import LabelRow, relabelling
from annotator.jobs import running as jobs
from annotator.models import (
    Annotation,
    Event,
    Gold,
    Item,
    Job,
    JobKind,
    JobState,
    Layer,
    LemmaPlace,
    Project,
    Role,
    Suggestion,
)
from annotator.projects import jobs as project_jobs
from annotator.projects.actions import relabel
from annotator.projects.actions.relabel import change_scheme, labels_plan
from annotator.projects.queries.project_settings import label_consequences
from tests.factories import (
    make_annotation,
    make_gold,
    make_member,
    make_prediction,
    make_project,
    make_sentence,
    make_user,
    span,
)

pytestmark = pytest.mark.django_db


def two_labels(project: Project) -> Layer:
    layer = project.label_layer
    layer.scheme_data = {**layer.scheme_data, "labels": ["METAPHOR", "OTHER"]}
    layer.save()
    return layer


RENAME = [LabelRow("METAPHOR", "MRW"), LabelRow("OTHER", "OTHER")]


def test_a_new_name_is_everywhere_and_the_version_of_the_scheme_is_kept(project: Project) -> None:
    layer = two_labels(project)
    mara = make_member(project, Role.MANAGER)
    one, two, three = (make_sentence(project) for _ in range(3))
    annotation = make_annotation(one, make_member(project), [span(0)])
    make_gold(two, [span(1)])
    prediction = make_prediction(three, [span(2)], [0.1, 0.1, 0.9])
    before = label_consequences(layer, relabelling(layer.scheme_data, RENAME), make_user())

    assert change_scheme(layer=layer, plan=labels_plan(RENAME), version=1, by=mara) is None

    layer.refresh_from_db()
    assert (layer.scheme_data["labels"], layer.scheme_version) == (["MRW", "OTHER"], 2)
    assert (before.annotations, before.gold, before.suggestions) == ({"METAPHOR": 1}, {"METAPHOR": 1}, {"METAPHOR": 1})
    assert (before.answers_changed, before.gold_changed, before.gold_reopened) == (1, 1, 0)
    changed = Annotation.objects.get()
    assert changed.content["spans"] == [span(0, label="MRW")]
    assert (changed.version, changed.scheme_version, changed.undo_event) == (annotation.version + 1, 1, None)
    gold = Gold.objects.get()
    assert gold.content["spans"][0]["label"] == "MRW"
    current = Suggestion.objects.get(is_current=True)
    assert current.content["spans"][0]["label"] == "MRW"
    # What the machine said is still on record.
    prediction.refresh_from_db()
    assert (prediction.is_current, prediction.content["spans"][0]["label"]) == (False, "METAPHOR")
    event = Event.objects.get(verb="scheme.change")
    assert (event.actor, event.before["version"], event.after["version"]) == (mara, 1, 2)
    assert Event.objects.get(verb="annotation.relabelled").before["content"]["spans"] == [span(0)]


def test_gold_that_has_a_removed_label_is_decided_anew(project: Project) -> None:
    layer = two_labels(project)
    kept, lost = make_sentence(project), make_sentence(project)
    make_gold(kept, [span(0)])
    make_gold(lost, [span(0), span(2, label="OTHER")])
    rows = [LabelRow("METAPHOR", "METAPHOR"), LabelRow("OTHER", "")]
    assert label_consequences(layer, relabelling(layer.scheme_data, rows), make_user()).gold_reopened == 1

    change_scheme(layer=layer, plan=labels_plan(rows), version=1, by=None)

    assert list(Gold.objects.values_list("unit", flat=True)) == [kept.pk]
    assert Gold.all_rows.get(unit=lost).content["spans"] == [span(0)]
    assert Item.objects.get(unit=lost, stage__kind="correct").state == "free"
    assert not LemmaPlace.objects.filter(unit=lost, labelled=True).exists()
    assert Event.objects.filter(verb="gold.reopened", subject_id=lost.pk).exists()


def test_who_looked_at_older_labels_overwrites_nothing(project: Project) -> None:
    layer = two_labels(project)
    change_scheme(layer=layer, plan=labels_plan(RENAME), version=1, by=None)
    layer.refresh_from_db()

    with pytest.raises(ConflictError):
        change_scheme(
            layer=layer, plan=labels_plan([LabelRow("MRW", "M"), LabelRow("OTHER", "O2")]), version=1, by=None
        )

    layer.refresh_from_db()
    assert layer.scheme_data["labels"] == ["MRW", "OTHER"]


def test_a_job_that_writes_labels_comes_first(project: Project) -> None:
    layer = two_labels(project)
    Job.objects.create(project=project, kind=JobKind.PREDICT)

    with pytest.raises(ActionError, match="is running"):
        change_scheme(layer=layer, plan=labels_plan(RENAME), version=1, by=None)
    # A further label touches nothing.
    more = [LabelRow("METAPHOR", "METAPHOR"), LabelRow("OTHER", "OTHER"), LabelRow("", "THIRD")]
    change_scheme(layer=layer, plan=labels_plan(more), version=1, by=None)


def test_tags_of_pairs_are_not_changed() -> None:
    with pytest.raises(ActionError, match="cannot be changed"):
        change_scheme(layer=make_project().tag_layer, plan=labels_plan([]), version=1, by=None)


@pytest.mark.django_db(transaction=True)
def test_many_are_changed_by_a_job_and_late_saves_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relabel, "MAX_INLINE", 1)
    monkeypatch.setattr(project_jobs, "CHUNK", 2)
    project = make_project()
    layer = two_labels(project)
    people = make_member(project)
    for _ in range(5):
        make_annotation(make_sentence(project), people, [span(0)])

    job = change_scheme(layer=layer, plan=labels_plan(RENAME), version=1, by=None)

    layer.refresh_from_db()
    assert set(layer.scheme_data["labels"]) == {"MRW", "OTHER", "METAPHOR"}
    assert job is not None
    jobs.run_job(job.pk, worker="test")
    job.refresh_from_db()
    layer.refresh_from_db()
    assert (job.state, job.error, job.result["annotations changed"]) == (JobState.DONE, "", 5)
    assert layer.scheme_data["labels"] == ["MRW", "OTHER"]
    assert {row.content["spans"][0]["label"] for row in Annotation.objects.all()} == {"MRW"}
