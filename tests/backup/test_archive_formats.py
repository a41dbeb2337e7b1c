"""Archives of earlier and of later formats: restored, or refused with what to do."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from annotator.backup.actions import upgrades
from annotator.backup.actions.looking import ArchiveError, look_into, opened
from annotator.backup.actions.restoring import restore_archive
from annotator.backup.actions.tables import TABLES, settings_fields
from annotator.backup.actions.upgrades import FORMAT, UPGRADES, Upgrade
from annotator.core.events import log
from annotator.domain.verbs import Verb
from annotator.models import Gold, Project, Repeat, Unit, User
from tests.backup.test_archive import changed, written
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_prediction,
    make_project,
    make_projection,
    make_sentence,
    make_user,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db(transaction=True)

# What format 4 has, by table. Another list is another format: raise FORMAT, say in UPGRADES what the one before lacks,
# put a test beside those below, and change this.
COLUMNS = {
    "project": (
        "adjudicate_own archived_at created_at dataset_card descriptions dictionaries function_words guidelines "
        "guidelines_version inferences languages name preset roles rules_data slug sources texts train_every"
    ),
    "layer": "content_type position scheme_data scheme_version shows slug unit_kind",
    "term": "attribute layer_id text uses",
    "stage": "again answers_wanted context kind language layer_id made_from_id mode order position title training",
    "import": (
        "created_at created_by_id dataset files labels licence original_language publishable published_at summary"
    ),
    "segment": "dataset genre group imported_id kind position role set_aside_by_id set_aside_reason uid",
    "unit": (
        "author_id content_words created_at imported_id is_current kind language lemmas origin_file "
        "origin_line parts_of_speech revision rule segment_id set_aside_with_id spaces token_count tokens touches"
    ),
    "pair": "dataset genre hypothesis_id imported_id inference pair_id position premise_id segment_id source_dataset",
    "alignment": "aligner created_at is_current links revision source_id target_id",
    "suggestion": (
        "alignment_id content created_at detail imported_id is_current kind layer_id name "
        "probabilities reviewed_from revision score source_changed source_id source_language span_sources threshold "
        "unit_id"
    ),
    "item": (
        "answers_done answers_open answers_wanted commented doubtful extra_done extra_open imported_id "
        "reading stage_id state suggested uncertainty unit_id unlabelled"
    ),
    "assignment": (
        "context created_at done_at doubtful expires_at item_id mode reading shown stage_id state suggestion_id "
        "unit_id user_id"
    ),
    "repeat": "after answer assignment_id created_at done_at first stage_id user_id",
    "annotation": (
        "comment content context created_at done_at doubt guidelines_version imported_id layer_id mode scheme_version "
        "seconds shown stage_id state suggested suggestion_id undo_event unit_id updated_at user_id version"
    ),
    "gold": (
        "chosen content created_at decided_by_id imported_id layer_id reason reopened source unit_id updated_at version"
    ),
    "blindmark": "assignment_id layer_id live segment_id user_id",
    "counter": "blind_done blind_open cursor done open own_done own_open stage_id total user_id",
    "lemmaplace": "form index labelled language lemma unit_id",
    "event": "actor_id after at before operation subject_id subject_type verb",
    "release": "created_at created_by_id manifest number sha256 size",
    "split": (
        "created_at created_by_id last_event layer_id left_out method name params parts published_at results "
        "scheme_version sha256 size"
    ),
    "splitrow": "part position segment_id split_id",
    "pseudonym": "number user_id",
    "membership": "created_at languages role user_id",
}


@pytest.fixture
def project() -> Project:
    made = make_project("corpus")
    make_member(made, username="ana")
    sentence = make_sentence(made)
    make_gold(sentence, [span(1)])
    make_prediction(sentence, [span(1)], [0.1, 0.9, 0.1])
    make_projection(sentence, make_sentence(made, language="en", segment=sentence.segment), [span(1)], [span(1)])
    return made


def in_json(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    """What changes each line of a file, or the one value in it."""

    def of(content: bytes) -> bytes:
        lines = content.splitlines() if not content.startswith(b"{\n") else [content]
        values = [json.loads(line) for line in lines]
        for one in values:
            change(one)
        return b"".join(json.dumps(one).encode() + b"\n" for one in values)

    return of


def with_format(archive: bytes, number: object) -> bytes:
    return changed(archive, "manifest.json", in_json(lambda about: about.update(format=number)))


def format_3(archive: bytes, number: int = 3) -> bytes:
    """The archive as format 3 had it: no dataset card, no numbers that releases give people, no splits, and
    nothing given again."""
    later = ("pseudonym", "repeat", "split", "splitrow")

    def manifest(about: dict[str, Any]) -> None:
        about.update(format=number)
        about["counts"] = {table: count for table, count in about["counts"].items() if table not in later}

    archive = changed(archive, "project.json", in_json(lambda values: values.pop("dataset_card")))
    archive = changed(archive, "manifest.json", in_json(manifest))
    for table in later:
        archive = changed(archive, f"{table}.jsonl", lambda _content: None)
    return archive


def format_2(archive: bytes, number: int = 2) -> bytes:
    """The archive as formats 1 and 2 had it: with jobs, which rows name."""
    archive = format_3(archive)

    def manifest(about: dict[str, Any]) -> None:
        about.update(format=number, counts={**about["counts"], "job": 1, "traineddetector": 0})
        del about["left_out"]

    job = {"kind": "import", "state": "failed", "error": "It cannot be done: a.txt is damaged"}
    for table in ("import", "alignment", "suggestion", "release"):
        archive = changed(archive, f"{table}.jsonl", in_json(lambda row: row.update(job_id=1)))
    for table, column in (
        ("stage", "context"),
        ("assignment", "context"),
        ("annotation", "context"),
        ("gold", "chosen"),
        ("unit", "set_aside_with_id"),
        ("segment", "set_aside_reason"),
        ("segment", "set_aside_by_id"),
        ("suggestion", "source_changed"),
        ("suggestion", "reviewed_from"),
    ):
        archive = changed(archive, f"{table}.jsonl", in_json(lambda row, column=column: row.pop(column)))
    out = io.BytesIO(changed(archive, "manifest.json", in_json(manifest)))
    with zipfile.ZipFile(out, "a") as file:
        file.writestr("job.jsonl", json.dumps(job) + "\n")
        file.writestr("traineddetector.jsonl", "")
    return out.getvalue()


def restored(archive: bytes, slug: str = "") -> Project:
    return restore_archive(file=io.BytesIO(archive), slug=slug, by=None)


@pytest.mark.parametrize("number", [1, 2])
def test_earlier_formats_are_restored_but_for_their_jobs(project: Project, number: int) -> None:
    today = written(project)
    with opened(io.BytesIO(format_2(today, number))) as archive:
        about = look_into(archive)
    assert (about["format"], about["left_out"]) == (number, {"job": 1})

    found = restored(format_2(today, number), "second")

    assert not found.jobs.exists()
    assert (found.golds.count(), found.suggestions.count(), found.alignments.count()) == (1, 2, 1)
    with opened(io.BytesIO(written(found))) as archive:
        assert look_into(archive)["format"] == FORMAT


def test_the_second_format_is_restored_with_neighbours_shown_and_nothing_known_of_answers(project: Project) -> None:
    sentence = Unit.objects.get(kind="sentence", language="es")
    stage = stage_of(project, "correct")
    make_assignment(sentence, make_member(project, username="ben"), stage)
    make_annotation(make_sentence(project), make_member(project, username="cai"), context="inference")
    today = written(project)

    found = restored(format_2(today), "second")

    assert set(found.stages.values_list("context", flat=True)) == {"neighbours"}
    assert found.annotations.get().context == ""
    assert restored(today, "third").annotations.get().context == "inference"


def test_numbers_of_people_in_releases_come_back(project: Project) -> None:
    ana = project.memberships.get().user
    project.dataset_card = {"doi": "10.5281/zenodo.1", "names": False}
    project.save()
    project.pseudonyms.create(user=ana, number=7)
    today = written(project)

    found = restored(today, "second")

    assert found.dataset_card == {"doi": "10.5281/zenodo.1", "names": False}
    assert [(row.number, row.user.backup_name) for row in found.pseudonyms.all()] == [(7, "ana")]
    earlier = restored(format_3(today), "third")
    assert (earlier.dataset_card, earlier.pseudonyms.count(), earlier.memberships.count()) == ({}, 0, 1)


def test_gold_of_the_second_format_was_chosen_from_nothing_that_is_known(project: Project) -> None:
    Gold.objects.update(chosen={"answers": []})
    assert restored(format_2(written(project)), "second").golds.get().chosen is None


def test_what_gold_was_chosen_from_names_the_people_there(project: Project) -> None:
    ana = project.memberships.get().user
    said = {"user": ana.pk}
    Gold.objects.update(chosen={"answers": [{**said, "version": 1}], "all": said, "differences": [], "edited": False})
    for number in range(3):
        make_user(f"somebody{number}")
    kept = restored(written(project), "second").golds.get().chosen
    assert kept["all"] == {"user": kept["answers"][0]["user"]}
    assert User.objects.filter(pk=kept["all"]["user"]).exists()


def test_the_rule_that_gold_came_of_names_the_person_there(project: Project) -> None:
    ana = project.memberships.get().user
    rule = {"name": "dawid_skene", "limit": 0.05, "user": ana.pk, "uncertainty": 0.01}
    Gold.objects.update(chosen={"answers": [{"user": ana.pk, "version": 1}], "rule": rule})
    for number in range(3):
        make_user(f"somebody{number}")
    kept = restored(written(project), "second").golds.get().chosen
    assert kept["rule"] == {**rule, "user": kept["answers"][0]["user"]}
    assert User.objects.filter(pk=kept["rule"]["user"]).exists()


def test_formats_are_brought_up_one_after_the_other(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a further change: of a setting, and of a column that had another name."""

    def rename(gold: dict[str, Any]) -> None:
        gold["reason"] = gold.pop("why")

    oldest = format_2(written(project))
    steps = {
        0: Upgrade(rows={"gold": lambda gold: gold.update(reason="first")}),
        1: UPGRADES[1],
        2: UPGRADES[2],
        3: UPGRADES[3],
        4: Upgrade(settings=lambda values: values.update(name=values.pop("title"))),
        5: Upgrade(rows={"gold": lambda gold: gold.update(why=gold.pop("reason").upper())}),
        6: Upgrade(rows={"gold": rename}),
    }
    monkeypatch.setattr(upgrades, "UPGRADES", steps)
    monkeypatch.setattr(upgrades, "FORMAT", 7)
    monkeypatch.setattr("annotator.backup.actions.looking.FORMAT", 7)
    titled = changed(oldest, "project.json", in_json(lambda values: values.update(title=values.pop("name") + " II")))

    found = restored(with_format(titled, 0), "second")

    assert found.name == "corpus II"
    assert found.golds.get().reason == "FIRST"


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (FORMAT + 1, f"newer version of Translatio.*up to {FORMAT}.. Update Translatio here"),
        (0, f"restores formats 1 to {FORMAT}. .*create the backup again"),
        ("2", "not a project backup"),
        (True, "not a project backup"),
        (None, "not a project backup"),
    ],
)
def test_another_format_is_refused_with_what_to_do(project: Project, number: object, says: str) -> None:
    archive = with_format(written(project), number)
    with pytest.raises(ArchiveError, match=says):
        restored(archive, "second")
    assert list(Project.objects.values_list("slug", flat=True)) == ["corpus"]


def test_a_newer_one_is_told_by_its_format_and_not_by_what_is_in_it(project: Project) -> None:
    """Its tables may be others."""
    newer = with_format(written(project), FORMAT + 1)
    newer = changed(newer, "manifest.json", in_json(lambda about: about.update(counts={"something": 1})))
    newer = changed(newer, "unit.jsonl", lambda _content: None)
    with pytest.raises(ArchiveError, match="newer version"):
        restored(newer, "second")


def test_every_earlier_format_has_what_leads_to_the_next_one() -> None:
    assert sorted(UPGRADES) == list(range(1, FORMAT))


def test_columns_are_those_of_the_format() -> None:
    columns = {"project": " ".join(sorted(one.attname for one in settings_fields()))} | {
        table.name: " ".join(sorted(one.attname for one in table.fields())) for table in TABLES
    }
    assert columns == COLUMNS


def given_again(project: Project) -> Repeat:
    """An item that was given again: the second answer differs from the first, and replaced a draft."""
    ana, stage = project.memberships.get().user, stage_of(project, "correct")
    row = make_assignment(make_sentence(project), ana, stage, done=True)
    make_annotation(row.unit, ana, [span(0)])
    said = {"content": {"spans": [span(1)]}, "doubt": False, "comment": "?", "version": 1}
    draft = {**said, "done": False, "before": None}
    answer = {**said, "content": {"spans": [span(2)]}, "done": True, "version": 2, "before": draft}
    made = Repeat.objects.create(
        project=project, stage=stage, assignment=row, user=ana, after=50, first={"spans": [span(0)]}, answer=answer,
        done_at=row.done_at,
    )  # fmt: skip
    log(project=project, actor=ana, verb=Verb.ITEM_GIVEN_AGAIN, subject=row, after={"repeat": made.pk})
    return made


def test_items_given_again_come_back_with_both_answers(project: Project) -> None:
    make_assignment(make_sentence(project), project.memberships.get().user, stage_of(project, "correct"))
    made = given_again(project)

    found = restored(written(project), "second")

    row = found.repeats.get()
    assert (row.first, row.answer, row.after, row.done_at) == (made.first, made.answer, 50, made.done_at)
    assert (row.stage.project, row.user.backup_name) == (found, "ana")
    assert row.assignment.unit.segment.uid == made.assignment.unit.segment.uid
    assert found.events.get(verb=Verb.ITEM_GIVEN_AGAIN).after == {"repeat": row.pk}


@pytest.mark.parametrize(
    "damage",
    [
        lambda row: row.update(first={"spans": [span(9)]}),
        lambda row: row.update(first={}),
        lambda row: row["answer"].update(content={"spans": [span(9)]}),
        lambda row: row["answer"].update(version="2"),
        lambda row: row["answer"]["before"].update(content={}),
        lambda row: row["answer"]["before"].pop("done"),
        lambda row: row.update(user_id=2),
        lambda row: row.update(assignment_id=9),
    ],
)
def test_an_item_given_again_that_does_not_fit_is_refused(project: Project, damage: Any) -> None:
    given_again(project)
    make_member(project, username="ben")
    with pytest.raises(ArchiveError, match="repeat"):
        restored(changed(written(project), "repeat.jsonl", in_json(damage)), "second")
    assert list(Project.objects.values_list("slug", flat=True)) == ["corpus"]
