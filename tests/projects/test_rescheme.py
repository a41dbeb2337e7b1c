"""Attributes and rules of a scheme changed in a project at work: contents, gold and vocabulary follow."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.core.errors import ActionError, ConflictError
from annotator.domain.labels.rescheme import AttributeRow, ValueRow
from annotator.domain.labels.schemes import Attribute, Scheme
from annotator.jobs import running as jobs
from annotator.models import Annotation, Event, Gold, JobState, Layer, LemmaPlace, Project, Role, Suggestion, Term, User
from annotator.projects import jobs as project_jobs
from annotator.projects.actions import relabel
from annotator.projects.actions.relabel import attributes_plan, change_scheme, planned, rules_plan
from annotator.projects.queries.project_settings import ValueUses, label_consequences
from annotator.work.lexicon.actions.terms import count_terms
from tests.deciding import decide_gold
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

SCHEME = Scheme(
    ("METAPHOR",), attributes={"sure": Attribute(values=("yes", "no")), "source": Attribute(vocabulary=True)}
)


def layer_of(project: Project, scheme: Scheme = SCHEME) -> Layer:
    layer = project.label_layer
    layer.scheme_data = scheme.to_json()
    layer.save()
    return layer


def said(token: int, **attributes: str) -> dict[str, Any]:
    return {**span(token), "attributes": attributes}


RENAMED = [
    AttributeRow("sure", "certain", values=(ValueRow("yes", "sure"), ValueRow("no", ""))),
    AttributeRow("source", "domain", vocabulary=True),
]


def test_contents_gold_suggestions_and_vocabulary_follow(project: Project) -> None:
    layer = layer_of(project)
    mara, ana = make_member(project, Role.MANAGER), make_member(project)
    one, two, three = (make_sentence(project) for _ in range(3))
    make_annotation(one, ana, [said(0, sure="yes", source="WAR")])
    count_terms(layer, None, {"spans": [said(0, sure="yes", source="WAR")]})
    Term.objects.create(layer=layer, attribute="source", text="MONEY")
    make_gold(two, [said(1, sure="no")])
    make_prediction(three, [said(2, sure="yes")], [0.1, 0.1, 0.9])
    numbers = label_consequences(layer, planned(layer, attributes_plan(RENAMED)), make_user())
    assert numbers.values == [
        ValueUses("source", "", 1, 0, 0),
        ValueUses("sure", "no", 0, 1, 0),
        ValueUses("sure", "yes", 1, 0, 1),
    ]
    assert (numbers.answers_changed, numbers.gold_changed, numbers.gold_reopened) == (1, 1, 1)

    assert change_scheme(layer=layer, plan=attributes_plan(RENAMED), version=1, by=mara) is None

    layer.refresh_from_db()
    assert (list(layer.scheme.attributes), layer.scheme_version) == (["certain", "domain"], 2)
    assert Annotation.objects.get().content["spans"][0]["attributes"] == {"certain": "sure", "domain": "WAR"}
    # What stood there is to be said anew, so the decision is open again.
    assert not Gold.objects.exists()
    assert Gold.all_rows.get().content["spans"][0]["attributes"] == {}
    current = Suggestion.objects.get(is_current=True)
    assert current.content["spans"][0]["attributes"] == {"certain": "sure"}
    assert list(Term.objects.values_list("attribute", "text", "uses")) == [("domain", "WAR", 1), ("domain", "MONEY", 0)]
    event = Event.objects.get(verb="scheme.change")
    assert event.actor == mara
    assert event.after["attributes"]["sure"] == {"name": "certain", "values": {"yes": "sure", "no": ""}}


def test_units_that_no_longer_fit_are_cut_and_their_gold_is_decided_anew(project: Project) -> None:
    layer = layer_of(project)
    apart, together = make_sentence(project), make_sentence(project)
    make_gold(apart, [span(0, 2)])
    make_gold(together, [span(0, 1)])
    make_annotation(make_sentence(project), make_member(project), [span(0, 2)])
    plan = rules_plan(discontinuous=False, overlaps=False, several=False)
    numbers = label_consequences(layer, planned(layer, plan), make_user())
    assert (numbers.units, numbers.answers_changed, numbers.gold_reopened) == (1, 1, 1)

    change_scheme(layer=layer, plan=plan, version=1, by=None)

    assert Annotation.objects.get().content["spans"] == [span(0), span(2)]
    assert list(Gold.objects.values_list("unit", flat=True)) == [together.pk]
    assert not LemmaPlace.objects.filter(unit=apart, labelled=True).exists()


def test_what_becomes_obligatory_is_counted_and_asked_for_from_then_on(project: Project, ana: User) -> None:
    layer = layer_of(project)
    make_annotation(make_sentence(project), ana, [span(0)])
    make_gold(make_sentence(project), [said(0, sure="yes")])
    plan = attributes_plan(
        [
            AttributeRow("sure", "sure", values=(ValueRow("yes", "yes"), ValueRow("no", "no")), obligatory=True),
            AttributeRow("source", "source", vocabulary=True),
        ]
    )
    numbers = label_consequences(layer, planned(layer, plan), make_user())
    assert (numbers.lacking, numbers.answers_changed, numbers.gold_reopened) == (1, 0, 0)
    change_scheme(layer=layer, plan=plan, version=1, by=None)
    layer.refresh_from_db()
    assert Gold.objects.count() == 1
    judge = make_member(project, Role.MANAGER)
    unit = make_sentence(project)
    with pytest.raises(ActionError, match="has no value for sure"):
        decide_gold(unit=unit.pk, layer=layer, content={"spans": [span(0)]}, by=judge)
    decide_gold(unit=unit.pk, layer=layer, content={"spans": [said(0, sure="no")]}, by=judge)


def test_who_looked_at_an_older_scheme_overwrites_nothing(project: Project) -> None:
    layer = layer_of(project)
    plan = rules_plan(discontinuous=True, overlaps=True, several=False)
    change_scheme(layer=layer, plan=plan, version=1, by=None)
    with pytest.raises(ConflictError):
        change_scheme(layer=layer, plan=attributes_plan(RENAMED), version=1, by=None)
    layer.refresh_from_db()
    assert layer.scheme.overlaps
    assert list(layer.scheme.attributes) == ["sure", "source"]


@pytest.mark.django_db(transaction=True)
def test_many_are_changed_by_a_job_and_nobody_is_refused_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relabel, "MAX_INLINE", 1)
    monkeypatch.setattr(project_jobs, "CHUNK", 2)
    project = make_project()
    layer = layer_of(project)
    ana = make_member(project)
    for _ in range(5):
        make_annotation(make_sentence(project), ana, [said(0, sure="yes", source="WAR")])
    for _ in range(5):
        count_terms(layer, None, {"spans": [said(0, source="WAR")]})

    job = change_scheme(layer=layer, plan=attributes_plan(RENAMED), version=1, by=None)

    layer.refresh_from_db()
    # Whoever saves under the old scheme, or under the new one, can.
    assert layer.scheme.attributes["sure"].values == ("yes", "no")
    assert layer.scheme.attributes["certain"].values == ("sure",)
    assert job is not None
    jobs.run_job(job.pk, worker="test")
    job.refresh_from_db()
    layer.refresh_from_db()
    assert (job.state, job.error, job.result["annotations changed"]) == (JobState.DONE, "", 5)
    assert list(layer.scheme.attributes) == ["certain", "domain"]
    assert {str(row.content["spans"][0]["attributes"]) for row in Annotation.objects.all()} == {
        "{'certain': 'sure', 'domain': 'WAR'}"
    }
    assert list(Term.objects.values_list("attribute", "text", "uses")) == [("domain", "WAR", 5)]
