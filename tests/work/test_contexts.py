"""What stands around a sentence, how much of it a stage shows, and that blind work shows no more anywhere."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.core.starts import STARTS
from annotator.domain.labels.tags import Role as SegmentRole
from annotator.models import Annotation, Assignment, Event, Mode, Pair, Project, Role, Segment, Stage, User
from annotator.projects.actions.project_settings import add_language
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import change_context
from annotator.releases.queries.exports import release_files
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.answering.queries.workspace import workspace_items
from annotator.work.blind.actions.blind import assign_blind
from annotator.work.queue.actions.assignments import claim
from api.v1.sending import items_shown
from tests.clients import client_of
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_segment,
    make_sentence,
    span,
    spans,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db

PREMISE, HYPOTHESIS, SIBLING = "El río duerme tranquilo", "El río tranquilo miente", "El río calla hoy"


@pytest.fixture
def pair(project: Project) -> Pair:
    """A pair, and beside it another hypothesis of its premise."""
    found = make_pair(project, premise=PREMISE, hypothesis=HYPOTHESIS, inference="contradiction")
    sibling = make_segment(project, role=SegmentRole.HYPOTHESIS, group=found.premise.group)
    make_sentence(project, SIBLING, segment=sibling)
    Pair.objects.create(
        project=project,
        segment=Segment.objects.create(
            project=project, kind=Segment.PAIR, uid="set:pair:s", dataset="set", position=900
        ),
        pair_id="s",
        dataset="set",
        premise=found.premise,
        hypothesis=sibling,
        inference="entailment",
        position=900,
    )
    return found


def unit(segment: Segment) -> Any:
    return segment.units.select_related("segment", "project").get(language="es", is_current=True)


def set_context(stage: Stage, level: str) -> Stage:
    return change_context(stage=stage, context=level, by=None)


def told(assignment: Assignment, user: User) -> dict[str, Any]:
    rows = Assignment.objects.select_related("item", "unit__segment", "stage__layer", "stage__project")
    [shown] = items_shown(workspace_items(assignment.project, [rows.get(pk=assignment.pk)], user))
    return dict(shown)


def texts(context: dict[str, Any]) -> tuple[set[str], list[tuple[str, str]]]:
    near = {row["text"] for row in [*context["before"], *context["after"]]}
    return near, [(row["text"], row["inference"]) for row in context["pair"]]


LEVELS = [
    ("nothing", (set(), [])),
    ("neighbours", ({SIBLING}, [])),
    ("other-side", ({PREMISE, SIBLING}, [(PREMISE, "")])),
    ("inference", ({PREMISE, SIBLING}, [(PREMISE, "contradiction")])),
]


class TestLevels:
    @pytest.mark.parametrize("mode", list(Mode))
    @pytest.mark.parametrize(("level", "shown"), LEVELS)
    def test_a_stage_shows_what_it_says_and_no_more(
        self, project: Project, pair: Pair, mode: str, level: str, shown: Any, ana: User
    ) -> None:
        stage = set_context(stage_of(project, "correct"), level)
        row = make_assignment(unit(pair.hypothesis), ana, stage, mode=mode)
        assert texts(told(row, ana)["context"]) == shown

    @pytest.mark.parametrize(("level", "shown"), LEVELS)
    def test_so_does_the_stage_that_decides(self, project: Project, pair: Pair, level: str, shown: Any) -> None:
        ada = make_member(project, Role.ADJUDICATOR)
        judging = set_context(stage_of(project, Stage.ADJUDICATE), level)
        make_annotation(unit(pair.hypothesis), make_member(project), [span(1)])
        make_annotation(unit(pair.hypothesis), make_member(project))
        answer = client_of(ada).get(f"/api/v1/projects/{project.slug}/stages/{judging.pk}/adjudicate/")
        [item] = answer.json()["items"]
        assert texts(item["context"]) == shown

    def test_projections_are_reviewed_by_the_same_rule(self, project: Project, ana: User) -> None:
        pair = make_pair(project, language="en", premise="It sleeps", hypothesis="It lies")
        stage = set_context(stage_of(project, "project-review", "en"), "nothing")
        english = pair.hypothesis.units.get(language="en")
        row = make_assignment(english, ana, stage)
        assert texts(told(row, ana)["context"]) == (set(), [])

    def test_documents_have_neighbours_and_nothing_else(self, project: Project, ana: User) -> None:
        first, second = (make_segment(project, role="", group="letter") for _ in range(2))
        make_sentence(project, "uno", segment=first)
        row = make_assignment(make_sentence(project, "dos", segment=second), ana, stage_of(project, "correct"))
        assert texts(told(row, ana)["context"]) == ({"uno"}, [])


class TestTemplates:
    def test_the_reference_template_shows_nothing_and_the_others_neighbours(self) -> None:
        reference = create_project(slug="reference", preset="meta4xnli-es-en", by=None)
        assert set(reference.stages.values_list("context", flat=True)) == {"nothing"}
        for start in STARTS.values():
            assert {spec.context for spec in start.preset(["es", "en"]).stages} == {"neighbours"}

    def test_a_further_language_shows_what_the_others_do(self) -> None:
        reference = create_project(slug="reference", preset="meta4xnli-es-en", by=None)
        add_language(project=reference, language="ca", by=None)
        assert set(reference.stages.values_list("context", flat=True)) == {"nothing"}


class TestSetting:
    @pytest.mark.parametrize(
        ("role", "status"), [(Role.MANAGER, 200), (Role.ADJUDICATOR, 403), (Role.ANNOTATOR, 403), (None, 404)]
    )
    def test_managers_set_it_by_the_api(self, project: Project, role: str | None, status: int) -> None:
        stage = stage_of(project, "correct")
        user = make_member(project, role) if role else make_member(make_project())
        address = f"/api/v1/projects/{project.slug}/stages/{stage.pk}/"
        answer = client_of(user).patch(address, {"context": "nothing"}, format="json")
        stage.refresh_from_db()
        assert (answer.status_code, stage.context) == (status, "nothing" if status == 200 else "neighbours")
        assert Event.objects.filter(verb="stage.context").count() == (status == 200)

    def test_and_on_the_page_of_settings(self, project: Project) -> None:
        stage = stage_of(project, "correct")
        client = client_of(make_member(project, Role.MANAGER))
        assert 'name="context"' in client.get(f"/projects/{project.slug}/settings/stages/").content.decode()
        address = f"/projects/{project.slug}/settings/stages/{stage.pk}/context/"
        client.post(address, {"context": "inference"}, format="multipart")
        stage.refresh_from_db()
        assert stage.context == "inference"

    @pytest.mark.parametrize(("kind", "level"), [("correct", "everything"), ("pair-tag", "nothing")])
    def test_what_cannot_be_set_is_refused(self, project: Project, kind: str, level: str) -> None:
        stage = stage_of(project, kind)
        with pytest.raises(ActionError):
            change_context(stage=stage, context=level, by=None)
        stage.refresh_from_db()
        assert stage.context == "neighbours"

    def test_what_is_open_follows(self, project: Project, pair: Pair, ana: User) -> None:
        stage = set_context(stage_of(project, "correct"), "nothing")
        [row] = claim(stage=stage, user=ana, now=timezone.now())
        assert texts(told(row, ana)["context"])[1] == []
        set_context(stage, "inference")
        assert texts(told(row, ana)["context"])[1]
        set_context(stage, "nothing")
        assert texts(told(row, ana)["context"]) == (set(), [])


def save(row: Assignment, by: User, version: int = 0) -> Annotation:
    return save_annotation(
        project=row.project,
        assignment=row.pk,
        version=version,
        content=spans(*[span(1)][: version + 1]),
        done=True,
        by=by,
        now=timezone.now(),
    )


class TestRecord:
    @pytest.mark.parametrize(
        ("before", "after", "recorded"),
        [
            ("inference", "inference", "inference"),
            ("nothing", "nothing", "nothing"),
            ("inference", "nothing", "inference"),  # it had been shown
            ("nothing", "neighbours", "neighbours"),
        ],
    )
    def test_an_answer_keeps_what_was_shown(
        self, project: Project, pair: Pair, before: str, after: str, recorded: str, ana: User
    ) -> None:
        stage = set_context(stage_of(project, "correct"), before)
        [row] = claim(stage=stage, user=ana, now=timezone.now())
        set_context(stage, after)
        assert save(row, ana).context == recorded
        set_context(stage, "inference")
        assert Annotation.objects.get().context == recorded

    def test_blind_work_that_was_handed_out_too(self, project: Project, pair: Pair, ana: User) -> None:
        set_context(stage_of(project, "correct"), "nothing")
        assign_blind(project=project, language="es", users=[ana], pairs=1, seed=1, by=None)
        row = Assignment.objects.get(user=ana, unit=unit(pair.hypothesis))
        assert save(row, ana).context == "nothing"

    def test_tags_of_pairs_have_none(self, project: Project, pair: Pair, ana: User) -> None:
        [row] = claim(stage=stage_of(project, "pair-tag"), user=ana, now=timezone.now())
        saved = save_annotation(
            project=project, assignment=row.pk, version=0, content={"value": "relevant"}, done=True, by=ana,
            now=timezone.now(),
        )  # fmt: skip
        assert saved.context == ""

    def test_a_release_says_it_of_every_answer_of_which_it_is_known(self) -> None:
        project = make_project(languages=["es"])
        sentence = make_sentence(project)
        make_annotation(sentence, make_member(project, username="ana"), [span(1)], context="nothing")
        make_annotation(sentence, make_member(project, username="ben"), [span(1)])
        make_gold(sentence, [span(1)])
        files = release_files(project, partial=True).files
        [row] = [json.loads(line) for line in files["sentences.jsonl"].splitlines()]
        assert [(one["annotator"], one.get("context")) for one in row["annotations"]] == [
            ("A01", "nothing"),
            ("A02", None),
        ]


class TestBlind:
    """Nothing that a person can open shows more around a segment than the stage of their open blind work on it."""

    @pytest.fixture
    def ana(self, project: Project) -> User:
        return make_member(project, Role.MANAGER, "ana")

    @pytest.fixture
    def blind(self, project: Project, pair: Pair, ana: User) -> Assignment:
        stage = set_context(stage_of(project, "correct"), "nothing")
        return make_assignment(unit(pair.hypothesis), ana, stage, mode=Mode.BLIND)

    def page(self, user: User, project: Project, path: str) -> str:
        answer = client_of(user).get(f"/projects/{project.slug}/{path}")
        assert answer.status_code == 200
        return str(answer.content.decode())

    @pytest.mark.parametrize(
        ("level", "shows_pair", "shows_label"),
        [
            ("nothing", False, False),
            ("neighbours", False, False),
            ("other-side", True, False),
            ("inference", True, True),
        ],
    )
    @pytest.mark.parametrize("side", ["premise", "hypothesis"])
    def test_pages_of_both_sentences(
        self, project: Project, pair: Pair, ana: User, blind: Assignment, side: str, level: str, shows_pair: bool,
        shows_label: bool,
    ) -> None:  # fmt: skip
        set_context(blind.stage, level)
        shown = self.page(ana, project, f"sentences/{getattr(pair, side).pk}/")
        assert (f">{pair.pair_id}<" in shown) is shows_pair
        assert ("Contradiction" in shown) is shows_label

    def test_the_group_is_not_told_either(self, project: Project, pair: Pair, ana: User, blind: Assignment) -> None:
        shown = self.page(ana, project, f"sentences/{pair.hypothesis_id}/")
        assert pair.premise.group not in shown

    @pytest.mark.parametrize("side", ["premise", "hypothesis"])
    def test_sentences_that_are_like_one(
        self, project: Project, pair: Pair, ana: User, blind: Assignment, side: str
    ) -> None:
        other = pair.hypothesis if side == "premise" else pair.premise
        assert unit(other).text not in self.page(ana, project, f"sentences/{getattr(pair, side).pk}/")

    def test_the_id_of_the_pair_finds_none_of_its_sides(
        self, project: Project, pair: Pair, ana: User, blind: Assignment
    ) -> None:
        assert PREMISE not in self.page(ana, project, f"find/?q={pair.segment.uid}")

    def test_texts_are_found_by_their_words(self, project: Project, pair: Pair, ana: User, blind: Assignment) -> None:
        assert PREMISE in self.page(ana, project, "find/?q=duerme")

    def test_decisions_on_the_other_side(self, project: Project, pair: Pair, ana: User, blind: Assignment) -> None:
        judging = set_context(stage_of(project, Stage.ADJUDICATE), "inference")
        make_annotation(unit(pair.premise), make_member(project), [span(1)])
        make_annotation(unit(pair.premise), make_member(project))
        answer = client_of(ana).get(f"/api/v1/projects/{project.slug}/stages/{judging.pk}/adjudicate/")
        [item] = answer.json()["items"]
        assert texts(item["context"]) == ({SIBLING}, [(SIBLING, "entailment")])

    def test_other_stages_and_languages(self, project: Project, pair: Pair, ana: User, blind: Assignment) -> None:
        segments = (pair.premise, pair.hypothesis)
        made = [
            make_sentence(project, text, language="en", segment=at) for text, at in zip("ab", segments, strict=True)
        ]
        stage = set_context(stage_of(project, "correct", "en"), "inference")
        for one in made:
            row = make_assignment(one, ana, stage)
            assert texts(told(row, ana)["context"]) == (set(), [])

    @pytest.mark.parametrize("mode", list(Mode))
    def test_pairs_come_when_their_sentences_are_done(
        self, project: Project, pair: Pair, ana: User, blind: Assignment, mode: str
    ) -> None:
        tagging = stage_of(project, "pair-tag")
        held = make_assignment(pair, ana, tagging, mode=mode)
        client, address = client_of(ana), f"/api/v1/projects/{project.slug}/"

        answer = client.post(f"{address}stages/{tagging.pk}/claim/", {"count": 5}, format="json").json()
        refused = client.get(f"{address}assignments/{held.pk}/")

        assert (answer["items"], answer["later_left"]) == ([], 1)
        assert refused.status_code == 400
        assert PREMISE not in refused.content.decode()

        save(blind, ana)
        answer = client.post(f"{address}stages/{tagging.pk}/claim/", {"count": 5}, format="json").json()
        assert [item["id"] for item in answer["items"]] == [held.pk]
        assert client.get(f"{address}assignments/{held.pk}/").status_code == 200

    def test_the_list_of_own_items_is_without_labels_of_pairs(
        self, project: Project, pair: Pair, ana: User, blind: Assignment
    ) -> None:
        tagging = stage_of(project, "pair-tag")
        make_assignment(pair, ana, tagging)
        path = f"stages/{tagging.pk}/items/"
        shown = self.page(ana, project, path)
        assert pair.pair_id in shown
        assert "Contradiction" not in shown
        save(blind, ana)
        assert "Contradiction" in self.page(ana, project, path)

    def test_a_blind_stage_of_pairs_hands_none_out(
        self, project: Project, pair: Pair, ana: User, blind: Assignment
    ) -> None:
        tagging = stage_of(project, "pair-tag")
        Stage.objects.filter(pk=tagging.pk).update(mode=Mode.BLIND)
        tagging.refresh_from_db()
        assert claim(stage=tagging, user=ana, count=5, now=timezone.now()) == []
        save(blind, ana)
        assert len(claim(stage=tagging, user=ana, count=5, now=timezone.now())) == 1

    def test_the_dashboard_does_not_send_to_pairs_that_wait(
        self, project: Project, pair: Pair, ana: User, blind: Assignment
    ) -> None:
        make_assignment(pair, ana, stage_of(project, "pair-tag"), mode=Mode.BLIND)
        assert f"stages/{blind.stage_id}/work/" in self.page(ana, project, "")

    def test_others_see_all_of_it(self, project: Project, pair: Pair, blind: Assignment, ben: User) -> None:
        shown = self.page(ben, project, f"sentences/{pair.hypothesis_id}/")
        assert "Contradiction" in shown
        assert PREMISE in shown
        assert PREMISE in self.page(ben, project, f"find/?q={pair.segment.uid}")

    def test_and_so_does_the_person_when_it_is_done(
        self, project: Project, pair: Pair, ana: User, blind: Assignment
    ) -> None:
        save(blind, ana)
        shown = self.page(ana, project, f"sentences/{pair.hypothesis_id}/")
        assert "Contradiction" in shown
        assert PREMISE in shown

    def test_blind_work_on_pairs_alone_hides_nothing_of_them(self, project: Project, pair: Pair, ana: User) -> None:
        row = make_assignment(pair, ana, stage_of(project, "pair-tag"), mode=Mode.BLIND)
        assert told(row, ana)["pair"]["inference"] == "contradiction"
        assert unit_of(pair).text == ""
