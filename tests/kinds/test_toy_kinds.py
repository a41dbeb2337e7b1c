"""Two kinds of work that live in `tests/toy_kinds/` alone: written, voted on, compared, adjudicated, released."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotator.core.counters import recounted
from annotator.core.errors import ActionError
from annotator.core.kind import kinds
from annotator.core.presets import StageSpec
from annotator.core.starts import plain
from annotator.imports.undo.undo_import import undo_import
from annotator.models import Assignment, Gold, Item, Mode, Project, Role, Segment, Stage, Unit
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.agreement import agreement
from annotator.work.queue.actions.assignments import claim, narrowed_to
from annotator.work.queue.queries.progress import stage_progress
from tests.clients import client_of
from tests.deciding import taking
from tests.drafts import LABELLED, everything, load, make_plain
from tests.factories import make_gold, make_member, make_sentence
from tests.scenarios import Scenario

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy_kinds")]


class Scene(Scenario):
    """Two sentences on which three people write; a fourth votes on what they wrote, and an adjudicator decides."""

    def __init__(self) -> None:
        super().__init__(people=4, role=Role.ADJUDICATOR)
        self.write = self.add_stage("toy-write", mode=Mode.BLIND, answers_wanted=3)
        self.vote = self.add_stage("toy-vote", made_from=self.write)
        self.judge = self.add_stage(Stage.ADJUDICATE, layer="texts")
        for stage in (self.write, self.vote, self.judge):
            stage.project = self.project
        for text in ("El tiempo vuela", "La casa duerme"):
            self.sentence(text)


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_three_write_on_each_sentence_and_a_fourth_finds_nothing(scene: Scene) -> None:
    ana, ben, cai, dan = scene.people
    for person in (ana, ben, cai):
        items = scene.claim(person, scene.write, 20)
        assert [item["unit"]["tokens"] for item in items] == [["El", "tiempo", "vuela"], ["La", "casa", "duerme"]]
        assert {item["mode"] for item in items} == {"blind"}
    assert scene.claim(dan, scene.write, 20) == []
    numbers = stage_progress(scene.write, ana)
    assert (numbers.done, numbers.open, numbers.total) == (0, 2, 2)


def test_texts_are_checked_saved_undone_and_become_units_of_the_next_stage(scene: Scene) -> None:
    ana, _ben, _cai, dan = scene.people
    first, second = scene.claim(ana, scene.write, 20)
    empty = client_of(ana).post(
        f"/api/v1/projects/{scene.project.slug}/assignments/{first['id']}/save/",
        {"version": 0, "content": {"text": "  "}, "done": True},
    )
    assert empty.status_code == 400
    assert "Write something first" in empty.json()["error"]["message"]
    assert scene.claim(dan, scene.vote, 20) == []
    saved = scene.save(ana, first, {"text": "Las  horas pasan deprisa "})
    assert saved["annotation"]["content"] == {"text": "Las horas pasan deprisa"}
    scene.save(ana, second, {"text": "Nadie habla"})
    unit = Unit.objects.get(kind="text", is_current=True, tokens=["Las", "horas", "pasan", "deprisa"])
    assert unit.author == ana
    assert [parent.tokens for parent in unit.parents.all()] == [["El", "tiempo", "vuela"]]
    assert scene.claim(ana, scene.vote, 20) == [], "one's own texts are not handed out"
    assert len(scene.claim(dan, scene.vote, 20)) == 2

    undone = scene.call(ana, "post", f"assignments/{first['id']}/undo/", {"version": 1})
    assert undone["annotation"]["content"] == {"text": ""}
    assert not Unit.objects.filter(pk=unit.pk, is_current=True).exists()
    assert stage_progress(scene.vote).total == 1

    written_anew = scene.save(ana, {**first, "annotation": undone["annotation"]}, {"text": "El tiempo corre"})
    assert written_anew["state"] == "done"
    newest = Unit.objects.get(segment=unit.segment, is_current=True)
    assert (newest.revision, newest.tokens) == (unit.revision + 1, ["El", "tiempo", "corre"])


def test_what_is_made_from_a_sentence_with_a_long_uid_fits(scene: Scene) -> None:
    ana, ben, *_ = scene.people
    sentence = scene.project.sentences.first()
    Segment.objects.filter(pk=sentence.segment_id).update(uid="s" * 199)
    for person, text in ((ana, "Las horas corren"), (ben, "El tiempo corre")):
        (item,) = scene.claim(person, scene.write, count=1)
        scene.save(person, item, {"text": text})
    uids = set(Unit.objects.filter(kind="text").values_list("segment__uid", flat=True))
    assert len(uids) == 2
    assert all(len(uid) <= 200 for uid in uids)


def test_votes_are_given_compared_and_counted(scene: Scene) -> None:
    ana, ben, cai, dan = scene.people
    for number, person in enumerate((ana, ben, cai)):
        for item in scene.claim(person, scene.write, 20):
            scene.save(person, item, {"text": f"Versión {number} de {item['unit']['tokens'][1]}"})
    votes = scene.claim(dan, scene.vote, 20)
    assert len(votes) == 6
    for number, item in enumerate(votes):
        scene.save(dan, item, {"value": "good" if number % 2 else "bad"})
    numbers = stage_progress(scene.vote, dan)
    assert (numbers.done, numbers.total, numbers.mine) == (6, 6, 6)
    for stage in (scene.write, scene.vote):
        counted = recounted(stage)
        shown = stage_progress(stage)
        assert (shown.total, shown.done, shown.open) == (counted["total"], counted["done"], counted["open"])
    result = agreement(scene.project, a=ana, b=ben, layer="texts", language="es")
    assert result.overall.kappa.n == 2
    assert result.overall.blind == 2


def test_a_preset_chains_its_stages() -> None:
    chained = replace(
        plain(["es", "en"], ["METAPHOR"]),
        stages=(
            StageSpec("toy-write", "es"),
            StageSpec("toy-write", "en"),
            StageSpec("toy-vote", "en", made_from="toy-write"),
            StageSpec("toy-vote", "es", made_from="toy-write"),
        ),
    )
    project = create_project(slug="chained", preset=chained, by=None)
    made = project.stages.filter(kind="toy-vote").values_list("language", "made_from__kind", "made_from__language")
    assert list(made) == [("en", "toy-write", "en"), ("es", "toy-write", "es")]
    person, other = make_member(project), make_member(project)
    make_sentence(project, "El tiempo vuela")
    write, vote = (
        project.stages.get(kind="toy-write", language="es"),
        project.stages.get(kind="toy-vote", language="es"),
    )
    scene = Scenario(project=project, people=0)
    (item,) = scene.claim(person, write)
    scene.save(person, item, {"text": "El tiempo corre"})
    assert [item["unit"]["tokens"] for item in scene.claim(other, vote)] == [["El", "tiempo", "corre"]]


def test_a_preset_cannot_chain_a_stage_to_one_that_comes_later() -> None:
    stages = (StageSpec("toy-vote", "es", made_from="toy-write"), StageSpec("toy-write", "es"))
    with pytest.raises(ActionError, match="“toy-vote” needs a stage “toy-write” before it"):
        create_project(slug="chained", preset=replace(plain(["es"], ["METAPHOR"]), stages=stages), by=None)
    assert not Project.objects.exists()


def test_what_was_written_blind_is_shown_to_no_other_writer(scene: Scene) -> None:
    ana, ben, *_ = scene.people
    item, *_ = scene.claim(ana, scene.write, 20)
    scene.save(ana, item, {"text": "Un secreto de Ana"})
    body = json.dumps(scene.claim(ben, scene.write, 20), ensure_ascii=False)
    assert "secreto" not in body


def test_differing_texts_are_adjudicated_into_gold_and_released(scene: Scene) -> None:
    ana, ben, cai, dan = scene.people
    for number, person in enumerate((ana, ben, cai)):
        item, *_ = scene.claim(person, scene.write, count=1)
        scene.save(person, item, {"text": f"Texto {number}"})
    queue = scene.call(dan, "get", f"stages/{scene.judge.pk}/adjudicate/")
    assert queue["remaining"] == 1
    (waiting,) = queue["items"]
    assert [answer["content"]["text"] for answer in waiting["answers"]] == ["Texto 0", "Texto 1", "Texto 2"]
    body = {"layer": "texts", "version": 0, "content": {"text": "Texto 1"}, "reason": "the clearest"}
    body["chosen"] = taking(waiting, 1)
    scene.call(dan, "post", f"units/{waiting['unit']['id']}/gold/", body)
    assert Gold.objects.get(layer__slug="texts").content == {"text": "Texto 1"}
    assert scene.call(dan, "get", f"stages/{scene.judge.pk}/adjudicate/")["remaining"] == 0
    assert Item.objects.get(stage=scene.write, unit=waiting["unit"]["id"]).state == "decided"

    for unit in Unit.objects.filter(project=scene.project, kind="sentence"):
        make_gold(unit)
    released = release_files(scene.project, partial=True)
    (line,) = released.files["layers/texts.jsonl"].decode().splitlines()
    assert json.loads(line)["content"] == {"text": "Texto 1"}


def test_the_core_names_no_kind() -> None:
    assert {"toy-write", "toy-vote"} <= {kind.slug for kind in kinds()}


def test_a_queue_is_not_narrowed_by_suggestions_where_a_kind_has_none(scene: Scene) -> None:
    assert narrowed_to(scene.vote) == ["doubtful", "commented"]
    for only in ("suggested", "unsuggested"):
        with pytest.raises(ActionError, match="doubtful, commented"):
            claim(stage=scene.vote, user=scene.people[0], only=only, now=timezone.now())


@pytest.mark.parametrize("answered", [True, False])
def test_units_that_labels_became_go_with_their_import_unless_they_are_answered(
    tmp_path: Path, settings: Any, answered: bool
) -> None:
    settings.MEDIA_ROOT = tmp_path
    project = make_plain(languages=("es",))
    make_member(project, username="ana")
    load(
        project, {"es.tsv": LABELLED}, format="tagged", files={"1": {"language": "es"}},
        labels_as="person", labels_name="ana",
    )  # fmt: skip
    add_stages(project=project, specs=[StageSpec("toy-quote", "es", made_from="correct")], by=None)
    assert [unit.tokens for unit in Unit.objects.filter(kind="text")] == [["tiempo"], ["vuela"]]
    stage = project.stages.get(kind="toy-quote")
    if not answered:
        undo_import(imported=project.imports.get(), by=None)
        assert not Unit.objects.exists()
        assert recounted(stage)["total"] == stage_progress(stage).total == 0
        return

    claim(stage=stage, user=make_member(project), now=timezone.now())
    Assignment.objects.update(expires_at=None)
    before = everything()
    with pytest.raises(ActionError, match="can't be undone"):
        undo_import(imported=project.imports.get(), by=None)
    assert everything() == before
