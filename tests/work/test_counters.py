"""Counters, items and assignments say the same after any sequence of acts, and events are only added."""

from __future__ import annotations

import random
from collections import Counter as Tally
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from annotator.core.counters import add_to_counter, recounted, recounted_people
from annotator.core.errors import ActionError
from annotator.core.kind import is_beside
from annotator.core.presets import StageSpec
from annotator.domain.content import content_type
from annotator.domain.effective_content import Answer, effective_answer
from annotator.domain.states import item_state
from annotator.integrity.checks import find_problems
from annotator.machines.actions.transfers import transfer_tags
from annotator.models import (
    Alignment,
    Annotation,
    Assignment,
    BlindMark,
    Counter,
    Event,
    Gold,
    Item,
    LemmaPlace,
    Mode,
    Project,
    Stage,
    Suggestion,
    Unit,
    User,
)
from annotator.projects.actions.stages import add_stages
from annotator.revisions.revisions import revise_text
from annotator.revisions.set_aside import restore_sentence, set_aside
from annotator.work.answering.actions.annotations import save_annotation, undo_annotation
from annotator.work.blind.actions.blind_items import assign_blind_items
from annotator.work.derivation.actions.sources import settle_sources
from annotator.work.derivation.actions.withdrawing import restore, withdraw
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.gold.queries.effective_content import stands_on
from annotator.work.queue.actions.assignments import LEASE, assign_review, claim
from annotator.work.queue.actions.giving_back import free_open, return_expired
from annotator.work.queue.actions.items import reassign_unstarted, retire
from annotator.work.queue.queries.progress import people_progress, project_progress, stage_progress
from tests.deciding import decide_gold
from tests.factories import (
    choice,
    make_assignment,
    make_member,
    make_pair,
    make_pair_unit,
    make_project,
    make_projection,
    make_sentence,
    span,
    spans,
    stage_of,
)
from tests.saving import save
from tests.site import Site

pytestmark = pytest.mark.django_db

# A check reads everything; to find the act that broke something, set this to 1.
CHECKED_EVERY = 4


class Records:
    """Everything that a project holds, read once."""

    def __init__(self, project: Project) -> None:
        of_project = {"project": project}
        self.stages = list(project.stages.select_related("layer", "project"))
        self.units = list(Unit.objects.filter(**of_project))
        self.items = list(Item.objects.filter(**of_project).select_related("unit"))
        self.assignments = list(Assignment.objects.filter(**of_project).select_related("unit", "stage"))
        self.annotations = list(Annotation.objects.filter(**of_project).order_by("pk"))
        self.counters = list(Counter.objects.filter(**of_project, user__isnull=False))
        self.golds = {(row.unit_id, row.layer_id): row for row in Gold.objects.filter(**of_project)}
        self.marks: dict[int, dict[int, bool]] = {}
        for mark in BlindMark.objects.filter(**of_project):
            self.marks.setdefault(mark.assignment_id, {})[mark.segment_id] = mark.live
        self.places = list(LemmaPlace.objects.filter(**of_project))

    def done(self, unit: int, layer: int) -> list[Annotation]:
        return [row for row in self.annotations if (row.unit_id, row.layer_id, row.state) == (unit, layer, "done")]


def check(project: Project) -> None:
    """What must hold between items, assignments, counters, gold, marks and lemma places, whatever happened."""
    records = Records(project)
    for stage in records.stages:
        (check_adjudication if stage.adjudicates else check_stage)(stage, records)
    check_answers(records)
    check_places(project, records)
    check_sources(project, records)
    progress = [row for _stage, row in project_progress(project)]
    assert [replace(row, waiting=0) for row in progress] == [stage_progress(stage) for stage in records.stages]
    free = [item.stage_id for item in records.items if item.state == "free"]
    assert [row.waiting for row in progress] == [free.count(one.pk) if one.adjudicates else 0 for one in records.stages]


def check_stage(stage: Stage, records: Records) -> None:
    assert stage_progress(stage).to_json() == {**recounted(stage), "mine": 0, "blind": 0}
    there = {item.pk: item for item in records.items if item.stage_id == stage.pk and item.state != "void"}
    blind = sum(item.extra_open for item in there.values())
    assert stage_progress(stage).blind_open == blind
    rows = [row for row in records.assignments if row.stage_id == stage.pk]
    tally = Tally((row.item_id, not is_beside(stage, row.mode), row.state) for row in rows)
    for item in records.items:
        if item.stage_id != stage.pk:
            continue
        assert (item.answers_open, item.answers_done, item.extra_open, item.extra_done) == (
            tally[item.pk, True, "open"],
            tally[item.pk, True, "done"],
            tally[item.pk, False, "open"],
            tally[item.pk, False, "done"],
        )
        decided = (item.unit_id, stage.layer_id) in records.golds
        if item.state == "void":
            assert not item.unit.is_current
        else:
            assert item.state == item_state(
                wanted=item.answers_wanted, open_=item.answers_open, done=item.answers_done, decided=decided
            )
    # What people did on a text that was replaced is none of their numbers.
    people = Tally((row.user_id, row.mode, row.state) for row in rows if row.item_id in there)
    check_own(stage, records)
    for counter in records.counters:
        if counter.stage_id == stage.pk:
            assert (counter.own_open, counter.own_done, counter.blind_open, counter.blind_done) == tuple(
                people[counter.user_id, mode, state] for mode in ("review", "blind") for state in ("open", "done")
            )
    shown = {(row.user.pk, row.mode): (row.done, row.open) for row in people_progress([stage])[stage.pk]}
    assert shown == {
        (user, mode): (people[user, mode, "done"], people[user, mode, "open"])
        for user, mode, state in people
        if state != "returned"
    }


def check_own(stage: Stage, records: Records) -> None:
    """A recount says what the counters say."""
    counters = [row for row in records.counters if row.stage_id == stage.pk]
    names = ("own_open", "own_done", "blind_open", "blind_done")
    stored = {row.user_id: {name: getattr(row, name) for name in names if getattr(row, name)} for row in counters}
    assert {user: numbers for user, numbers in stored.items() if numbers} == recounted_people(stage)


def check_adjudication(stage: Stage, records: Records) -> None:
    current = {unit.pk: unit.language for unit in records.units if unit.is_current}
    own = [
        gold
        for (unit, layer), gold in records.golds.items()
        if (layer, current.get(unit)) == (stage.layer_id, stage.language)
    ]
    assert stage_progress(stage).done == len(own)
    check_own(stage, records)
    decided_by = Tally(gold.decided_by_id for gold in own)
    for counter in records.counters:
        if counter.stage_id == stage.pk:
            assert counter.own_done == decided_by[counter.user_id]
    states = {item.unit_id: item.state for item in records.items if item.stage_id == stage.pk}
    working = {stage.pk for stage in records.stages if not stage.adjudicates}
    layers = {row.pk: row.layer_id for row in records.stages}
    for unit in records.units:
        key = unit.pk, stage.layer_id
        if states.get(unit.pk) == "decided":
            assert key in records.golds
        if unit.language != stage.language or not unit.is_current:
            continue
        answers = records.done(*key)
        at_work = any((row.unit_id, layers[row.stage_id], row.state) == (*key, "open") for row in records.assignments)
        wanting = any(
            (item.unit_id, layers[item.stage_id], item.state) == (*key, "free")
            and item.stage_id in working
            and item.answers_wanted > 1
            for item in records.items
        )
        differ = len({str(answer.content) for answer in answers}) > 1
        doubted = bool(answers) and all(answer.doubt for answer in answers)
        waits = (differ or doubted) and not at_work and not wanting and key not in records.golds
        assert (states.get(unit.pk) == "free") == waits, (states.get(unit.pk), differ, doubted, at_work, wanting)


def check_answers(records: Records) -> None:
    layers = {row.pk: row.layer_id for row in records.stages}
    # In a layer a person has one answer, in one of its stages; others of theirs were given back.
    held = Tally((row.unit_id, layers[row.stage_id], row.user_id) for row in records.assignments if is_held(row))
    assert set(held.values()) <= {1}
    elsewhere = {
        (row.unit_id, layers[row.stage_id], row.user_id)
        for row in records.assignments
        if not is_held(row) and (row.unit_id, layers[row.stage_id], row.user_id) in held
    }
    written = {(row.unit_id, row.layer_id, row.user_id): row for row in records.annotations}
    for row in records.assignments:
        key = row.unit_id, layers[row.stage_id]
        annotation = written.get((*key, row.user_id))
        if row.state == "done":
            assert annotation is not None
            assert (annotation.state, annotation.mode) == ("done", row.mode)
            assert annotation.done_at is not None
        elif annotation is not None and (is_held(row) or (*key, row.user_id) not in elsewhere):
            # Where the text was fixed, the answer stays as it was, and the person's assignment is on the new revision.
            assert annotation.state == "open" or not row.unit.is_current
        # Blind: marked on all that the unit touches while the assignment stands and no gold is decided.
        blind = row.mode == Mode.BLIND and row.state != "returned"
        live = blind and row.unit.is_current and key not in records.golds
        assert records.marks.get(row.pk, {}) == (dict.fromkeys(row.unit.touches, live) if blind else {})


def is_held(row: Assignment) -> bool:
    return row.state != "returned"


def check_places(project: Project, records: Records) -> None:
    layer = project.label_layer.pk
    current = {unit.pk for unit in records.units if unit.is_current}
    assert {place.unit_id for place in records.places} <= {unit.pk for unit in records.units}
    for place in records.places:
        if place.unit_id not in current:
            continue
        gold = records.golds.get((place.unit_id, layer))
        stands = effective_answer(Answer(row.mode, row.content) for row in records.done(place.unit_id, layer))
        content = gold.content if gold else stands.content if stands else None
        covered = {token for one in content["spans"] for token in one["tokens"]} if content else set()
        assert place.labelled == (None if content is None else place.index in covered)


def check_sources(project: Project, records: Records) -> None:
    """What was carried over says whether it comes from what stands on its source now."""
    types = {layer.pk: content_type(layer.content_type) for layer in project.layers.all()}
    newest = {(row.segment_id, row.language): row for row in sorted(records.units, key=lambda row: row.revision)}
    units = {row.pk: row for row in records.units}
    rows = Suggestion.objects.filter(project=project, is_current=True, kind__in=["projection", "transfer"])
    for row in rows:
        made_from = units[row.source_id or 0]
        source = newest[made_from.segment_id, made_from.language]
        gold = records.golds.get((source.pk, row.layer_id))
        answers = [Answer(one.mode, one.content) for one in records.done(source.pk, row.layer_id)]
        if row.kind == "transfer":
            answers = [one for one in answers if one.mode == Mode.REVIEW]
        answer = effective_answer(answers) if row.detail.get("labels") != "gold" else None
        stands = gold.content if gold else answer.content if answer else None
        was, tokens = row.content, made_from.tokens
        if row.reviewed_from:
            was, tokens = row.reviewed_from["content"], row.reviewed_from["tokens"]
        elif row.kind == "projection":
            was = {"spans": row.detail["source_spans"]}
        kind = types[row.layer_id]
        same = was is stands is None
        if was is not None and stands is not None:
            kept = not kind.lost(was, before=tokens, after=source.tokens)
            same = kept and kind.key(kind.carry(was, before=tokens, after=source.tokens)) == kind.key(stands)
        assert row.source_changed == (not same), (row.kind, was, stands)


class Crowd:
    """People who do whatever comes to their minds."""

    def __init__(self, seed: int, *, wanted: int, mode: str) -> None:
        self.random = random.Random(seed)
        self.now: datetime = timezone.now()
        self.project = make_project(languages=("es", "en"))
        for stage in self.project.stages.exclude(kind=Stage.ADJUDICATE):
            stage.answers_wanted, stage.mode = wanted, mode
            stage.save()
        self.people: list[User] = [make_member(self.project, "adjudicator") for _ in range(4)]
        for _ in range(2):
            pair = make_pair(self.project)
            for slot in (pair.premise, pair.hypothesis):
                make_sentence(self.project, "Time flies", language="en", segment=slot)
            make_pair_unit(pair, "en")
        # Nothing is suggested in it: blind answers are its own.
        rating = [StageSpec("rate", "es", mode=mode, answers_wanted=wanted), StageSpec("adjudicate", "es", "ratings")]
        add_stages(project=self.project, specs=rating, by=None)
        self.stages = [
            stage_of(self.project, kind, language)
            for kind, language in (
                ("correct", "es"),
                ("correct", "en"),
                ("project-review", "en"),
                ("pair-tag", "es"),
                ("rate", "es"),
            )
        ]

    def content(self, stage: Stage) -> dict[str, Any]:
        if stage.layer.content_type == "choice":
            return choice(self.random.choice(["relevant", "discarded"]))
        if stage.layer.content_type == "rating":
            return {"value": self.random.choice([1, 5])}
        return spans(*[span(self.random.choice([0, 1]))][: self.random.choice([0, 1])])

    def version(self, row: Assignment) -> int:
        found = Annotation.objects.filter(unit=row.unit, layer=row.stage.layer, user=row.user)
        return found.values_list("version", flat=True).first() or 0

    def assignment(self) -> Assignment | None:
        rows = list(Assignment.objects.filter(project=self.project).order_by("pk"))
        return self.random.choice(rows) if rows else None

    # What they do.
    def claim(self) -> None:
        stage, user = self.random.choice(self.stages), self.random.choice(self.people)
        claim(stage=stage, user=user, count=self.random.choice([1, 2]), now=self.now)

    def give(self) -> None:
        stage, user = self.random.choice(self.stages), self.random.choice(self.people)
        units = list(Unit.objects.filter(project=self.project).values_list("pk", flat=True))
        assign_review(stage=stage, units=self.random.sample(units, 2), user=user, by=self.people[0])

    def save(self) -> None:
        row = self.assignment()
        if row is not None:
            save_annotation(
                project=self.project,
                assignment=row.pk,
                version=self.version(row),
                content=self.content(row.stage),
                doubt=self.random.random() < 0.2,
                comment=self.random.choice(["", "?"]),
                done=self.random.random() < 0.8,
                by=row.user,
                now=self.now,
            )

    def undo(self) -> None:
        row = self.assignment()
        if row is not None:
            undo_annotation(
                project=self.project, assignment=row.pk, version=self.version(row), by=row.user, now=self.now
            )

    def hand_back(self) -> None:
        user, mode = self.random.choice(self.people), self.random.choice([Mode.REVIEW, Mode.BLIND])
        free_open(stage=self.random.choice(self.stages), user=user, mode=mode, by=self.random.choice(self.people))

    def expire(self) -> None:
        self.now += LEASE + timedelta(seconds=1)
        return_expired(stage=self.random.choice(self.stages), now=self.now)

    def claim_late(self) -> None:
        self.now += LEASE + timedelta(seconds=1)
        self.claim()

    def draw_blind(self) -> None:
        assign_blind_items(
            stage=self.random.choice(self.stages),
            users=self.random.sample(self.people, self.random.choice([1, 2])),
            count=self.random.choice([1, 2]),
            seed=self.random.randrange(9),
            by=None,
        )

    def decide(self) -> None:
        stage = self.random.choice(self.stages)
        unit = self.random.choice(list(stage.items.order_by("pk")) or [None])
        if unit is not None:
            gold = Gold.objects.filter(unit=unit.unit_id, layer=stage.layer).first()
            decide_gold(
                unit=unit.unit_id,
                layer=stage.layer,
                version=gold.version if gold else 0,
                content=self.content(stage),
                by=self.random.choice([*self.people, None]),
            )

    def reopen(self) -> None:
        golds = list(Gold.objects.filter(project=self.project).order_by("pk"))
        if golds:
            gold = self.random.choice(golds)
            reopen_gold(
                project=self.project,
                unit=gold.unit_id,
                layer=gold.layer,
                version=gold.version,
                by=self.random.choice([*self.people, None]),
            )

    def accept(self) -> None:
        stage = self.random.choice(self.stages)
        by = self.random.choice([*self.people, None])
        accept_agreed(project=self.project, layer=stage.layer, language=stage.language, by=by, without_overlap=True)

    def project_labels(self) -> None:
        unit = self.random.choice(
            list(Unit.objects.filter(project=self.project, kind="sentence", language="en", is_current=True))
        )
        found = Suggestion.objects.filter(unit=unit, is_current=True)
        if found.exists():
            found.update(is_current=False)
            Alignment.objects.filter(target=unit).update(is_current=False)
            reassign_unstarted(self.project, [unit.pk], language="en")
        else:
            source = unit.segment.units.get(language="es", is_current=True)
            found = stands_on(self.project.label_layer, [source.pk])[source.pk].content(gold_only=True)
            make_projection(source, unit, [], found["spans"] if found else [])
            settle_sources(self.project.label_layer, [unit.pk])

    def transfer(self) -> None:
        transfer_tags(project=self.project, source="es", target="en", by=None)

    def replace(self) -> None:
        # Rarely: what is gone is gone.
        if self.random.random() < 0.1:
            current = Unit.objects.filter(project=self.project, language="en", kind="sentence", is_current=True)
            if current.count() > 2:
                withdraw([self.random.choice(list(current.order_by("pk")))], None)

    def withdraw_pair(self) -> None:
        standing = Unit.objects.filter(project=self.project, kind="pair", is_current=True).order_by("pk")
        if standing.exists():
            withdraw([self.random.choice(list(standing))], self.random.choice([*self.people, None]))

    def bring_pair_back(self) -> None:
        withdrawn = Unit.objects.filter(project=self.project, kind="pair", is_current=False)
        # What went with a sentence comes back with it.
        withdrawn = withdrawn.filter(set_aside_with=None).order_by("pk")
        if withdrawn.exists():
            restore([self.random.choice(list(withdrawn))], self.random.choice([*self.people, None]))

    def set_aside(self) -> None:
        current = Unit.objects.filter(project=self.project, kind="sentence", is_current=True).order_by("pk")
        if current.values("segment").distinct().count() > 1:
            unit = self.random.choice(list(current))
            by, anybodys = self.random.choice([*self.people, None]), self.random.random() < 0.7
            set_aside(project=self.project, unit=unit.pk, reason="garbled", by=by, anybodys=anybodys)

    def restore(self) -> None:
        aside = Unit.objects.filter(project=self.project, kind="sentence", set_aside_with__isnull=False)
        if aside.exists():
            unit = self.random.choice(list(aside.order_by("pk")))
            by = self.random.choice([*self.people, None])
            restore_sentence(project=self.project, unit=unit.pk, by=by, anybodys=self.random.random() < 0.8)

    def fix(self) -> None:
        sentences = Unit.objects.filter(project=self.project, kind="sentence", is_current=True).order_by("pk")
        unit = self.random.choice(list(sentences))
        # One text in four comes back.
        text = self.random.choice(["Time flies", "Time flies", unit.text, "Time flew  away", "Tempus fugit, sí"])
        revise_text(
            project=self.project,
            unit=unit.pk,
            text=text,
            by=self.random.choice(self.people),
            anybodys=self.random.random() < 0.5,
        )

    ACTS = (
        *[claim] * 6,
        *[save] * 12,
        *[undo] * 3,
        *[hand_back, expire, give, draw_blind, project_labels, accept, reopen] * 2,
        transfer,
        *[decide] * 2,
        *[fix] * 5,
        withdraw_pair,
        *[bring_pair_back] * 2,
        replace,
        *[set_aside] * 2,
        *[restore] * 3,
    )
    # What several people may do at once.
    ACTS_AT_ONCE = (
        *[claim] * 6,
        *[save] * 12,
        *[undo] * 3,
        *[hand_back, claim_late, give, draw_blind, accept, reopen, decide] * 2,
        *[fix] * 4,
        transfer,
        set_aside,
        *[restore] * 2,
    )


@pytest.mark.parametrize(
    ("wanted", "mode"),
    [(1, Mode.REVIEW), pytest.param(3, Mode.REVIEW, marks=pytest.mark.exhaustive), (2, Mode.BLIND)],
)
@pytest.mark.parametrize("seed", [0, pytest.param(2, marks=pytest.mark.exhaustive)])
@pytest.mark.slow
def test_after_any_sequence_of_acts_all_say_the_same(seed: int, wanted: int, mode: str) -> None:
    crowd = Crowd(seed, wanted=wanted, mode=mode)
    done: Tally[str] = Tally()
    log: list[tuple[Any, ...]] = []
    for at in range(100):
        act = crowd.random.choice(crowd.ACTS)
        try:
            act(crowd)
            done[act.__name__] += 1
        except ActionError:
            done["refused"] += 1
        if at % CHECKED_EVERY:
            continue
        check(crowd.project)
        now = list(Event.objects.order_by("pk").values_list())
        assert now[: len(log)] == log
        log = now
    assert list(find_problems(now=timezone.now())) == []
    # The sequences are worth something: most acts succeed, and all kinds of them.
    assert done["refused"] < 60
    assert {"claim", "save", "expire", "accept", "fix"} <= done.keys(), done


AT_ONCE = """
import copy, json, random, threading
from collections import Counter as Tally
from django.db import connection
from django.utils import timezone
from annotator.core.errors import ActionError
from annotator.integrity.checks import find_problems
from tests.work.test_counters import Crowd, check
done, faults = Tally(), []

def act_on(crowd, seed):
    mine = copy.copy(crowd)
    mine.random = random.Random(seed)
    for _ in range(35):
        act = mine.random.choice(Crowd.ACTS_AT_ONCE)
        try:
            act(mine)
            done[act.__name__] += 1
        except ActionError:
            done["refused"] += 1
        except Exception as fault:  # whatever it is, the test is told of it
            faults.append(f"{act.__name__}: {fault!r}")
    connection.close()

for seed, (wanted, mode) in enumerate(((1, "review"), (2, "blind"), (3, "review"))):
    crowd = Crowd(seed, wanted=wanted, mode=mode)
    threads = [threading.Thread(target=act_on, args=(crowd, 10 * seed + number)) for number in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    check(crowd.project)
faults += map(str, find_problems(now=timezone.now()))
print(json.dumps({"faults": faults, "acts": sorted(done), "refused": done["refused"] / done.total()}))
"""


@pytest.mark.slow
def test_after_what_several_people_do_at_once_all_say_the_same(any_site: Site) -> None:
    found = any_site.python(AT_ONCE)

    assert found["faults"] == []
    assert {"claim", "save", "fix", "accept", "hand_back"} <= set(found["acts"])
    assert found["refused"] < 0.6


def test_the_first_rows_of_a_counter_are_made_once_and_sums_are_read(
    django_assert_num_queries: Any, project: Project, ana: User
) -> None:
    stage = stage_of(project, "correct")
    for user in (ana, None, ana, None):
        add_to_counter(stage, user, project=project.pk, total=1, done=0)
    assert sorted(Counter.objects.values_list("user", "total"), key=str) == [(ana.pk, 2), (None, 2)]
    with django_assert_num_queries(0):
        add_to_counter(stage, ana, project=project.pk, total=0)
    with django_assert_num_queries(1):
        add_to_counter(stage, ana, project=project.pk, total=-3)
    assert stage_progress(stage).total == 1


def test_who_comes_second_to_a_counter_adds_to_it(project: Project) -> None:
    stage = stage_of(project, "correct")

    looks = []

    def somebody_is_faster(execute: Any, sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        if sql.startswith("UPDATE annotator_counter") and not looks:
            # As another connection could, between the look for the row and its making.
            looks.append(sql)
            Counter.objects.create(project=project, stage=stage, total=5)
        return result

    with connection.execute_wrapper(somebody_is_faster):
        add_to_counter(stage, None, project=project.pk, total=2)
    assert looks
    assert list(Counter.objects.values_list("total", flat=True)) == [7]


def test_an_item_for_blind_answers_alone_weighs_nothing(project: Project) -> None:
    stage = stage_of(project, "correct")
    sentence = make_sentence(project)
    Item.objects.filter(unit=sentence).update(answers_wanted=0, state="done")
    Counter.objects.all().delete()
    make_assignment(sentence, make_member(project), stage, mode=Mode.BLIND)
    assert stage_progress(stage).to_json() == {**recounted(stage), "mine": 0, "blind": 0}
    assert recounted(stage) == {"total": 0, "done": 0, "open": 0}
    # Nor is it missed when its text is replaced.
    retire(Item.objects.filter(unit=sentence), user=None)
    assert stage_progress(stage).to_json() == {**recounted(stage), "mine": 0, "blind": 0}


@pytest.mark.parametrize("done", [False, True])
def test_a_doubt_waits_for_whoever_takes_a_blind_answer_up_again(done: bool, project: Project) -> None:
    stage, unit = stage_of(project, "correct"), make_sentence(project)
    ana, ben = make_member(project), make_member(project)
    own, blind = make_assignment(unit, ana, stage), make_assignment(unit, ben, stage, mode=Mode.BLIND)
    now, content = timezone.now(), spans()
    save(own, content, doubt=True)
    free_open(stage=stage, user=ben, mode=Mode.BLIND, by=ben)
    judge = Item.objects.get(unit=unit, stage__kind=Stage.ADJUDICATE)
    assert judge.state == "free"

    save_annotation(project=project, assignment=blind.pk, version=0, content=content, done=done, by=ben, now=now)

    judge.refresh_from_db()
    assert judge.state == "void", "two who say the same do not differ"
    check(project)
