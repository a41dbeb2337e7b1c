"""Reviewing projections: word links that a person edits, sources without a label, how spans were translated."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.response import Response

from annotator.domain.labels.shipped_schemes import HOW_TRANSLATED
from annotator.domain.projection.carry import LabelSource
from annotator.domain.verbs import Verb
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import (
    Alignment,
    Annotation,
    Assignment,
    Event,
    JobKind,
    Layer,
    Mode,
    Project,
    Stage,
    Suggestion,
    Unit,
    User,
)
from annotator.releases.queries.gold_records import sentence_records
from annotator.releases.queries.pseudonyms import people_named
from annotator.reports.queries.core_tables import projection, translations
from annotator.revisions.revisions import revise_text
from tests.clients import client_of
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_projection,
    make_sentence,
    make_user,
    span,
    stage_of,
)
from tests.rows import rows_of

pytestmark = pytest.mark.django_db

WRITTEN = (Alignment, Suggestion, Assignment, Annotation, Event)


class Scene:
    """A sentence whose second source span reached no word, and somebody who reviews it."""

    def __init__(self) -> None:
        self.project: Project = make_project()
        self.stage: Stage = stage_of(self.project, "project-review", "en")
        self.ana: User = make_member(self.project)
        self.source: Unit = make_sentence(self.project, "La tarde devoró la casa")
        self.target: Unit = make_sentence(
            self.project, "Evening ate up our house", language="en", segment=self.source.segment
        )
        self.projection = make_projection(self.source, self.target, [span(1)], [span(2), span(4)])
        Alignment.objects.filter(pk=self.projection.alignment_id).update(links=[[2, 1, 0.8]])
        [self.item] = self.claim()

    def claim(self) -> list[dict[str, Any]]:
        answer = client_of(self.ana).post(self.url(f"stages/{self.stage.pk}/claim/"), {})
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    def shown(self) -> dict[str, Any]:
        """The item as it is opened."""
        item: dict[str, Any] = client_of(self.ana).get(self.url(f"assignments/{self.item['id']}/")).json()
        return item

    def url(self, path: str) -> str:
        return f"/api/v1/projects/{self.project.slug}/{path}"

    def link(self, by: User, source: int, target: int, *, linked: bool = True, suggestion: int = 0) -> Response:
        body = {
            "suggestion": suggestion or self.projection.pk,
            "source_token": source,
            "target_token": target,
            "linked": linked,
        }
        found: Response = client_of(by).post(self.url(f"assignments/{self.item['id']}/links/"), body)
        return found

    def ask(self) -> None:
        """How spans were translated is asked from now on."""
        layer = self.project.label_layer
        attributes = {name: one.to_json() for name, one in HOW_TRANSLATED.items()}
        Layer.objects.filter(pk=layer.pk).update(scheme_data={**layer.scheme_data, "attributes": attributes})
        self.project = Project.objects.get(pk=self.project.pk)


@pytest.fixture
def scene() -> Scene:
    return Scene()


class TestLinks:
    def test_an_edited_link_projects_the_labels_again_at_once(self, scene: Scene) -> None:
        answer = scene.link(scene.ana, 4, 4)

        assert answer.status_code == 200
        [source] = answer.json()["sources"]
        assert [one["outcome"] for one in source["outcomes"]] == ["projected", "projected"]
        assert [one["score"] for one in source["outcomes"]] == [0.8, 1.0]
        assert (source["edited"], source["links"]) == (True, [[2, 1, 0.8], [4, 4, 1.0]])
        assert [one["tokens"] for one in answer.json()["annotation"]["content"]["spans"]] == [[1], [4]]
        # What the machine said stays on record, and who edited what is an event.
        scene.projection.refresh_from_db()
        assert (scene.projection.is_current, scene.projection.content) == (False, {"spans": [span(1)]})
        event = Event.objects.get(verb=Verb.ALIGNMENT_EDITED)
        assert (event.actor, event.after["source_token"], event.after["linked"]) == (scene.ana, 4, True)

    def test_it_is_removed_again_and_what_is_there_already_is_no_edit(self, scene: Scene) -> None:
        [source] = scene.link(scene.ana, 4, 4).json()["sources"]
        before = rows_of(*WRITTEN)
        assert scene.link(scene.ana, 4, 4, suggestion=source["suggestion"]).status_code == 200
        assert rows_of(*WRITTEN) == before

        [again] = scene.link(scene.ana, 4, 4, linked=False, suggestion=source["suggestion"]).json()["sources"]

        assert [one["outcome"] for one in again["outcomes"]] == ["projected", "unaligned"]

    def test_an_answer_that_was_begun_goes_on_from_it(self, scene: Scene) -> None:
        content = {"spans": [span(1)]}
        save = {"version": 0, "content": content, "done": False}
        client_of(scene.ana).post(scene.url(f"assignments/{scene.item['id']}/save/"), save)

        answer = scene.link(scene.ana, 4, 4).json()

        assert [one["tokens"] for one in answer["suggestion"]["content"]["spans"]] == [[1], [4]]
        assert answer["annotation"]["content"] == content
        assert answer["annotation"]["version"] == 1

    def test_it_survives_a_new_alignment(self, scene: Scene) -> None:
        [source] = scene.link(scene.ana, 4, 4).json()["sources"]
        make_gold(scene.source, [span(2), span(4)])
        params = {"source": "es", "target": "en", "labels": LabelSource.GOLD}
        job = start_job(project=scene.project, kind=JobKind.PROJECT, params=params, by=None)

        run_job(job.pk, worker="one")

        current = Suggestion.objects.get(unit=scene.target, is_current=True)
        assert current.pk == source["suggestion"]
        job.refresh_from_db()
        assert job.result["kept_for_people"] == 1

    @pytest.mark.parametrize(("source", "target"), [(9, 1), (4, 9)])
    def test_a_word_that_is_not_there_is_refused(self, scene: Scene, source: int, target: int) -> None:
        before = rows_of(*WRITTEN)
        assert scene.link(scene.ana, source, target).status_code == 400
        assert rows_of(*WRITTEN) == before

    def test_what_was_projected_again_meanwhile_is_a_conflict(self, scene: Scene) -> None:
        assert scene.link(scene.ana, 4, 4).status_code == 200
        before = rows_of(*WRITTEN)
        assert scene.link(scene.ana, 4, 3).status_code == 409
        assert rows_of(*WRITTEN) == before

    def test_others_and_outsiders_are_refused(self, scene: Scene) -> None:
        before = rows_of(*WRITTEN)
        assert scene.link(make_member(scene.project), 4, 4).status_code in (403, 404)
        assert scene.link(make_user("outsider"), 4, 4).status_code == 404
        assert rows_of(*WRITTEN) == before

    def test_blind_people_and_decided_sentences_have_none(self, scene: Scene) -> None:
        Assignment.objects.filter(pk=scene.item["id"]).update(mode=Mode.BLIND, suggestion=None, shown=[])
        before = rows_of(*WRITTEN)
        answer = scene.link(scene.ana, 4, 4)
        assert (answer.status_code, "annotating blind" in answer.content.decode()) == (400, True)
        Assignment.objects.filter(pk=scene.item["id"]).update(mode=Mode.REVIEW)
        make_gold(scene.target, [span(1)])
        assert scene.link(scene.ana, 4, 4).status_code == 400
        assert rows_of(*WRITTEN)[:2] == before[:2]


class TestSources:
    @pytest.fixture
    def catalan(self, scene: Scene) -> Unit:
        scene.project.languages, scene.project.sources = ["es", "en", "ca"], {"en": ["es", "ca"], "ca": []}
        scene.project.save()
        return make_sentence(scene.project, "El vespre", language="ca", segment=scene.source.segment)

    def shown(self, scene: Scene) -> list[tuple[str, str]]:
        answer = client_of(scene.ana).get(scene.url(f"assignments/{scene.item['id']}/")).json()
        return [(one["language"], one["state"]) for one in answer["sources"]]

    def test_all_are_shown_and_unseen_is_not_without_a_label(self, scene: Scene, catalan: Unit) -> None:
        assert self.shown(scene) == [("es", "projected"), ("ca", "open")]
        make_gold(catalan, [])
        assert self.shown(scene) == [("es", "projected"), ("ca", "no label")]

    def test_a_person_who_is_blind_there_is_not_told(self, scene: Scene, catalan: Unit) -> None:
        make_annotation(catalan, make_member(scene.project), [])
        assert ("ca", "no label") in self.shown(scene)
        make_assignment(catalan, scene.ana, stage_of(scene.project, "correct", "es"), mode=Mode.BLIND)
        assert ("ca", "no label") not in self.shown(scene)


class TestOtherAligners:
    def other(self, scene: Scene, name: str, *targets: dict[str, Any] | None, **changed: Any) -> Suggestion:
        """What another run made of the same spans; the projection that is shown took its place, or people kept that."""
        made = Suggestion.objects.get(pk=scene.projection.pk)
        outcomes = [{**one, "target": to} for one, to in zip(made.detail["outcomes"], targets, strict=True)]
        made.detail = {**made.detail, "outcomes": outcomes, **changed}
        made.pk, made.name, made.is_current, made.job, made.alignment = None, name, False, None, None
        made.save()
        return made

    def others(self, scene: Scene) -> list[tuple[str, list[Any]]]:
        answer = client_of(scene.ana).get(scene.url(f"assignments/{scene.item['id']}/")).json()
        [source] = answer["sources"] or [{"others": []}]
        return [
            (one["aligner"], [target and target["tokens"] for target in one["targets"]]) for one in source["others"]
        ]

    def test_the_last_projection_of_each_is_offered_beside_the_one_that_is_shown(self, scene: Scene) -> None:
        assert self.others(scene) == []
        self.other(scene, "simalign", span(0), span(4))
        self.other(scene, "simalign", None, span(4))
        self.other(scene, "lexical", span(0), span(4))
        assert self.others(scene) == [("simalign", [None, [4]])]
        assert rows_of(Annotation) == [[]]

    def test_not_what_was_made_of_other_labels(self, scene: Scene) -> None:
        self.other(scene, "simalign", span(0), span(4))
        self.other(scene, "simalign", span(0), None, source_spans=[span(2)])
        assert self.others(scene) == []

    def test_nor_beside_links_that_a_person_edited_or_in_blind_work(self, scene: Scene) -> None:
        self.other(scene, "simalign", span(0), span(4))
        Assignment.objects.filter(pk=scene.item["id"]).update(mode=Mode.BLIND)
        assert self.others(scene) == []
        Assignment.objects.filter(pk=scene.item["id"]).update(mode=Mode.REVIEW)
        assert len(self.others(scene)) == 1
        scene.link(scene.ana, 4, 4)
        assert self.others(scene) == []


class TestTranslations:
    def saved(self, scene: Scene) -> dict[str, Any]:
        scene.ask()
        one = {"language": "es", "tokens": [4], "label": "METAPHOR", "lost": True}
        said = [{**one, "attributes": {"translation": "omitted"}}]
        content = {"spans": [span(1)], "translations": said}
        body = {"version": 0, "content": content, "done": True}
        answer = client_of(scene.ana).post(scene.url(f"assignments/{scene.item['id']}/save/"), body)
        assert answer.status_code == 200, answer.content
        assert answer.json()["annotation"]["content"]["translations"] == said
        return content

    def test_are_saved_counted_and_undone_like_the_labels(self, scene: Scene) -> None:
        self.saved(scene)

        rows = translations.count(scene.project)["rows"]

        omitted = next(row for row in rows if row["answer"] == "omitted")
        assert (omitted["in_target"], omitted["lost"], omitted["source_spans"]) == (0, 1, 1)
        assert sum(row["source_spans"] for row in rows) == 1
        undone = client_of(scene.ana).post(scene.url(f"assignments/{scene.item['id']}/undo/"), {"version": 1})
        assert "translations" not in undone.json()["annotation"]["content"]
        assert translations.count(scene.project)["rows"] == []

    def test_what_was_called_lost_is_lost_in_the_report_whatever_stands_near(self, scene: Scene) -> None:
        content = self.saved(scene)
        Annotation.objects.update(content={**content, "spans": [span(1), span(3)]})
        [row] = [one for one in projection.count(scene.project)["rows"] if one["role"] == "all"]
        assert (row["kept"], row["lost"], row["gained"], row["shifted"]) == (1, 1, 1, 0)

    def test_are_a_field_of_the_release(self, scene: Scene) -> None:
        content = self.saved(scene)
        make_gold(scene.target, [span(1)])
        assert all("translations" not in row for row in sentence_records(scene.project, people_named(scene.project)))
        gold = scene.target.golds.get()
        gold.content = content
        gold.save()
        [row] = [row for row in sentence_records(scene.project, people_named(scene.project)) if row["language"] == "en"]
        assert row["translations"] == content["translations"]


class TestAfterTheSourceTextWasEdited:
    """The projection stays until labels are projected again; what is shown of its source is the text that stands."""

    def test_spans_links_and_rows_are_on_the_words_that_stand(self) -> None:
        scene = Scene()
        make_annotation(scene.source, make_member(scene.project), [span(2), span(4)])

        now = revise_text(
            project=scene.project, unit=scene.source.pk, text="Hoy la tarde devoró la casa", by=None, anybodys=True
        ).unit

        [source] = scene.shown()["sources"]
        assert (source["unit"], source["tokens"]) == (now.pk, ["Hoy", "la", "tarde", "devoró", "la", "casa"])
        assert [one["tokens"] for one in source["spans"]] == [[3], [5]]
        assert [one["source"]["tokens"] for one in source["outcomes"]] == [[3], [5]]
        assert source["links"] == [[3, 1, 0.8]]
        assert [one["target"] and one["target"]["tokens"] for one in source["outcomes"]] == [[1], None]

    def test_a_span_whose_words_are_gone_has_no_row(self) -> None:
        scene = Scene()

        revise_text(project=scene.project, unit=scene.source.pk, text="La tarde quemó la casa", by=None, anybodys=True)

        [source] = scene.shown()["sources"]
        assert "devoró" not in source["tokens"]
        assert [one["source"]["tokens"] for one in source["outcomes"]] == [[4]]
        assert source["links"] == []

    def test_its_links_are_not_edited(self) -> None:
        scene = Scene()
        revise_text(
            project=scene.project, unit=scene.source.pk, text="Una tarde devoró la casa", by=None, anybodys=True
        )
        before = rows_of(Alignment, Suggestion)

        answer = scene.link(scene.ana, 4, 3)

        assert answer.status_code == 400
        assert "was edited after its labels were projected" in answer.json()["error"]["message"]
        assert rows_of(Alignment, Suggestion) == before

    def test_a_text_that_is_set_aside_is_shown_as_it_was(self) -> None:
        scene = Scene()
        Unit.objects.filter(pk=scene.source.pk).update(is_current=False)

        [source] = scene.shown()["sources"]

        assert source["tokens"] == scene.source.tokens
        assert len(source["outcomes"]) == 2
