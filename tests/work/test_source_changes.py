"""What was carried over to another language is told when what it was made from changes after somebody reviewed it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.domain.labels.relabel import LabelRow
from annotator.domain.labels.spans import spans_from_json
from annotator.domain.projection.carry import LabelSource, ProjectionRules
from annotator.domain.projection.carry import project as carry
from annotator.imports.undo.undo_import import undo_import
from annotator.machines.actions.projections import CarriedOver, store_projections
from annotator.machines.actions.transfers import transfer_tags
from annotator.machines.queries.labels import carried
from annotator.models import (
    Annotation,
    Assignment,
    Gold,
    Import,
    Job,
    JobKind,
    JobState,
    Layer,
    Pair,
    Segment,
    Suggestion,
    Unit,
    User,
)
from annotator.projects.actions.relabel import change_scheme, labels_plan
from annotator.releases.queries.exports import release_files
from annotator.revisions.revisions import revise_text
from annotator.revisions.set_aside import restore_sentence, set_aside
from annotator.work.answering.actions.annotations import save_annotation, undo_annotation
from annotator.work.derivation.actions.sources import recount_sources
from annotator.work.derivation.queries.source_changes import changed_in, named
from annotator.work.gold.actions import gold as gold_actions
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.lexicon.actions.terms import merge_terms
from tests.deciding import decide_gold
from tests.drafts import load
from tests.factories import (
    choice,
    make_assignment,
    make_member,
    make_pair,
    make_pair_unit,
    make_project,
    make_segment,
    make_sentence,
    make_user,
    span,
    spans,
    stage_of,
)
from tests.saving import save
from tests.work.test_counters import Records, check_sources

pytestmark = pytest.mark.django_db

SPANISH, ENGLISH = "La ciudad bosteza temprano", "The city yawns early"


class World:
    """A sentence in Spanish and English with a label on its verb, carried over and reviewed; and a pair."""

    def __init__(self, labels: str = LabelSource.GOLD, *, rows: str = "") -> None:
        """`rows`: what is imported, as gold, in the place of the sentence."""
        self.project = make_project(languages=("es", "en"))
        self.layer, self.labels = self.project.label_layer, labels
        if rows:
            load(self.project, {"corpus.csv": rows}, labels_as="gold")
        else:
            segment = make_segment(self.project)
            for language, text in (("es", SPANISH), ("en", ENGLISH)):
                make_sentence(self.project, text, language=language, segment=segment)
        self.segment = Segment.objects.get(project=self.project)
        self.ana, self.zoe = make_member(self.project), make_member(self.project, "adjudicator")

    def unit(self, language: str) -> Unit:
        return Unit.objects.get(segment=self.segment, language=language, is_current=True)

    # --- the source ---------------------------------------------------------------------------------------------------

    def decide(self, language: str, *tokens: int, by: User | None = None) -> Gold:
        unit = self.unit(language)
        gold = Gold.objects.filter(unit=unit, layer=self.layer).first()
        content = spans(*[span(token) for token in tokens])
        return decide_gold(
            unit=unit.pk, layer=self.layer, version=gold.version if gold else 0, content=content, by=by or self.zoe
        )

    def reopen(self, language: str) -> None:
        gold = Gold.objects.get(unit=self.unit(language), layer=self.layer)
        reopen_gold(project=self.project, unit=gold.unit_id, layer=self.layer, version=gold.version, by=self.zoe)

    def carry_over(self) -> None:
        """As the job does: with links word by word."""
        job = Job.objects.create(project=self.project, kind=JobKind.PROJECT, state=JobState.DONE)
        made = []
        for row in carried(self.project, "en", self.labels, [self.unit("es").pk]):
            links = [(token, token, 0.9) for token in range(min(len(row.source_tokens), len(row.target_tokens)))]
            result = carry(spans_from_json(row.spans), [link[:2] for link in links], row.target_tokens)
            made.append(CarriedOver(row.source, row.target, row.spans, links, result))
        store_projections(
            job=job, carried=made, aligner="toy", revision="1", rules=ProjectionRules(), labels=self.labels
        )

    # --- the target ---------------------------------------------------------------------------------------------------

    def assignment(self, language: str = "en") -> Assignment:
        """The one that stands on the current text."""
        unit = self.unit(language)
        stage = stage_of(self.project, "project-review" if language == "en" else "correct", language)
        there = Assignment.objects.filter(unit=unit, stage=stage, user=self.ana).exclude(state="returned").first()
        return there or make_assignment(unit, self.ana, stage)

    def version(self, row: Assignment) -> int:
        found = Annotation.objects.filter(unit=row.unit, layer=self.layer, user=self.ana)
        return found.values_list("version", flat=True).first() or 0

    def save(self, *tokens: int, language: str = "en", done: bool = True, version: int | None = None) -> Annotation:
        row = self.assignment(language)
        return save_annotation(
            project=self.project,
            assignment=row.pk,
            version=self.version(row) if version is None else version,
            content=spans(*[span(token) for token in tokens]),
            done=done,
            by=self.ana,
            now=timezone.now(),
        )

    def undo(self, language: str = "en") -> None:
        row = self.assignment(language)
        undo_annotation(
            project=self.project, assignment=row.pk, version=self.version(row), by=self.ana, now=timezone.now()
        )

    def fix(self, language: str, text: str) -> None:
        revise_text(project=self.project, unit=self.unit(language).pk, text=text, by=self.zoe, anybodys=True)

    # --- what is told -------------------------------------------------------------------------------------------------

    @property
    def told(self) -> list[str]:
        """The languages of the units that are named."""
        check_sources(self.project, Records(self.project))
        return sorted(set(named(self.project).values_list("unit__language", flat=True)))

    def reviewed(self) -> World:
        """Decided in Spanish, carried over, reviewed as kept."""
        self.decide("es", 2)
        self.carry_over()
        self.save(2)
        assert self.told == []
        return self


def changed() -> World:
    """The same, and the Spanish gold reopened and decided as empty."""
    world = World().reviewed()
    world.reopen("es")
    world.decide("es")
    return world


def test_gold_that_is_decided_otherwise_names_what_was_reviewed_from_it() -> None:
    world = World().reviewed()
    world.reopen("es")
    assert world.told == ["en"], "nothing stands there any more"
    world.decide("es")
    assert world.told == ["en"]
    stage = stage_of(world.project, "project-review", "en")
    others = list(world.project.stages.exclude(pk=stage.pk))
    assert changed_in([stage], make_user()) == {stage.pk: 1}
    assert set(changed_in(others, make_user()).values()) == {0}


def test_what_nobody_reviewed_is_not_told() -> None:
    world = World()
    world.decide("es", 2)
    world.carry_over()
    world.decide("es")
    assert world.told == []
    # It is, once somebody has reviewed it: from what stood there before.
    world.save(2)
    assert world.told == ["en"]


ENDS: dict[str, Callable[[World], Any]] = {
    "it is saved again": lambda world: world.save(),
    "it is saved again as it was": lambda world: world.save(2),
    "it is opened again, and finished": lambda world: (world.save(2, done=False), world.save(2)),
    "it is decided": lambda world: world.decide("en", 2),
    "the source is what it was": lambda world: world.decide("es", 2),
    "it is carried over again, and reviewed": lambda world: (world.carry_over(), world.save()),
}


@pytest.mark.parametrize("end", ENDS)
def test_it_ends_when(end: str) -> None:
    world = changed()
    ENDS[end](world)
    assert world.told == []


def _aside_and_back(world: World) -> None:
    unit, given = world.unit("es").pk, {"project": world.project, "by": world.zoe, "anybodys": True}
    set_aside(unit=unit, reason="garbled", **given)
    assert not named(world.project).exists()
    restore_sentence(unit=unit, **given)


def _rename(world: World) -> None:
    layer = Layer.objects.get(pk=world.layer.pk)
    change_scheme(
        layer=layer, plan=labels_plan([LabelRow("METAPHOR", "FIGURATIVE")]), version=layer.scheme_version, by=world.zoe
    )


GOES_ON: dict[str, Callable[[World], Any]] = {
    "nothing is done": lambda world: None,
    "it is carried over again": lambda world: world.carry_over(),
    "it is accepted in bulk": lambda world: accept_agreed(
        project=world.project, layer=world.layer, language="en", by=world.zoe, without_overlap=True
    ),
    "a repeated request": lambda world: world.save(2, version=0),
    "saving is undone": lambda world: (world.save(), world.undo()),
    "a decision is taken back": lambda world: (world.decide("en"), world.reopen("en")),
    "the source is fixed": lambda world: (world.fix("es", "La gran ciudad bosteza temprano"), world.decide("es")),
    "the target is fixed": lambda world: world.fix("en", "The city yawns"),
    "the target is fixed, and carried over": lambda world: (world.fix("en", "The city yawns"), world.carry_over()),
    "it is set aside and restored": _aside_and_back,
    "the source changes again": lambda world: (world.save(), world.decide("es", 1)),
    "labels have other names": _rename,
}


@pytest.mark.parametrize("after", GOES_ON)
def test_it_goes_on_when(after: str) -> None:
    world = changed()
    GOES_ON[after](world)
    assert world.told == ["en"]


SAME: dict[str, Callable[[World], Any]] = {
    "labels have other names": _rename,
    "it is decided as it was": lambda world: (world.reopen("es"), world.decide("es", 2)),
    "a word is added before the label": lambda world: (
        world.fix("es", "La gran ciudad bosteza temprano"),
        world.decide("es", 3),
    ),
    "the text comes back": lambda world: (
        world.fix("es", "La ciudad bebe temprano"),
        world.fix("es", SPANISH),
        world.decide("es", 2),
    ),
    "it is set aside and restored": _aside_and_back,
    "the target is fixed": lambda world: world.fix("en", "The city yawns"),
}


@pytest.mark.parametrize("act", SAME)
def test_the_source_is_the_same_when(act: str) -> None:
    world = World().reviewed()
    SAME[act](world)
    assert world.told == []


def corpus(*at: int, language: str = "es") -> str:
    """A file with the sentence, and labels in a language on these characters."""
    labels = json.dumps([{"label": "METAPHOR", "at": [list(at)]}] if at else []).replace('"', '""')
    return f'id,text:es,text:en,labels:{language}\na1,{SPANISH},{ENGLISH},"{labels}"\n'


YAWNS, CITY = (SPANISH.index("bosteza"), SPANISH.index(" temprano")), (3, 9)


@pytest.mark.parametrize(("at", "told"), [(YAWNS, []), (CITY, ["en"]), ((), ["en"])])
def test_gold_that_came_with_files_counts_like_any_other(at: tuple[int, ...], told: list[str]) -> None:
    world = World(rows=corpus(*YAWNS))
    world.carry_over()
    world.save(2)
    assert world.told == []
    world.reopen("es")
    load(world.project, {"corpus.csv": corpus(*at)}, labels_as="gold")
    assert Gold.objects.get(unit=world.unit("es")).source == "imported"
    assert world.told == told

    undo_import(imported=Import.objects.latest("pk"), by=None)
    assert world.told == ["en"], "nothing stands there any more"
    # Gold that files bring for the English one is a decision on it.
    load(world.project, {"corpus.csv": corpus(language="en")}, labels_as="gold")
    assert world.told == []


def test_another_word_for_the_same_term_is_no_change() -> None:
    world = World()
    labelled, other = (spans({**span(2), "attributes": {"domain": term}}) for term in ("sleep", "rest"))
    world.layer.scheme_data |= {"attributes": {"domain": {"values": [], "vocabulary": True}}}
    world.layer.save()
    given = {"project": world.project, "unit": world.unit("es").pk, "layer": world.layer, "by": world.zoe}
    for version, content in enumerate((labelled, other, labelled)):
        decide_gold(**given, version=version, content=content)
    world.carry_over()
    world.save(2)
    merge_terms(project=world.project, layer=world.layer, attribute="domain", term="sleep", into="rest", by=world.zoe)
    assert world.told == []
    recount_sources(world.project)
    assert world.told == []


def test_a_label_that_is_lost_with_its_word_is_a_change() -> None:
    world = World().reviewed()
    world.fix("es", "La ciudad bebe temprano")
    world.decide("es")
    assert world.told == ["en"]


def test_answers_count_where_answers_were_carried_over() -> None:
    world = World(LabelSource.ANNOTATIONS)
    world.save(2, language="es")
    world.carry_over()
    world.save(2)
    assert world.told == []
    world.save(1, language="es")
    assert world.told == ["en"]
    world.undo("es")
    assert world.told == []
    world.save(2, language="es", done=False)
    assert world.told == ["en"], "nothing stands there"
    world.save(2, language="es")
    world.decide("es", 2)
    assert world.told == []
    world.decide("es")
    assert world.told == ["en"]


def test_answers_do_not_count_where_gold_was_carried_over() -> None:
    world = World().reviewed()
    world.reopen("es")
    world.save(2, language="es")
    assert world.told == ["en"]
    accept_agreed(project=world.project, layer=world.layer, language="es", by=None, without_overlap=True)
    assert world.told == []


class TestSilver:
    """Pair tags."""

    @pytest.fixture
    def pair(self) -> Pair:
        made = make_pair(make_project(languages=("es", "en")))
        for slot in (made.premise, made.hypothesis):
            make_sentence(made.project, "The city yawns", language="en", segment=slot)
        make_pair_unit(made, "en")
        return made

    def tag(self, pair: Pair, language: str, value: str, by: User) -> Annotation:
        stage = stage_of(pair.project, "pair-tag", language)
        unit = Unit.objects.get(segment=pair.segment, language=language)
        there = Assignment.objects.filter(unit=unit, user=by).first() or make_assignment(unit, by, stage)
        before = Annotation.objects.filter(unit=unit, user=by).first()
        return save_annotation(
            project=pair.project,
            assignment=there.pk,
            version=before.version if before else 0,
            content=choice(value),
            done=True,
            by=by,
            now=timezone.now(),
        )

    def test_a_tag_that_changes_names_its_silver(self, pair: Pair) -> None:
        ana, project = make_member(pair.project), pair.project
        self.tag(pair, "es", "relevant", ana)
        transfer_tags(project=project, source="es", target="en", by=None)
        self.tag(pair, "es", "discarded", ana)
        assert not named(project).exists(), "nobody has reviewed it"
        transfer_tags(project=project, source="es", target="en", by=None)
        self.tag(pair, "en", "discarded", ana)
        assert not named(project).exists()

        self.tag(pair, "es", "relevant", ana)
        assert [row.unit.language for row in named(project)] == ["en"]
        stage = stage_of(project, "pair-tag", "en")
        assert changed_in([stage], make_user()) == {stage.pk: 1}
        check_sources(project, Records(project))
        # Again changes nothing: what somebody reviewed stays.
        transfer_tags(project=project, source="es", target="en", by=None)
        assert named(project).count() == 1

        self.tag(pair, "en", "discarded", ana)
        assert not named(project).exists()
        check_sources(project, Records(project))

    def test_so_does_gold(self, pair: Pair) -> None:
        ana, project, layer = make_member(pair.project), pair.project, pair.project.tag_layer
        assert layer is not None
        zoe = make_member(project, "adjudicator")
        unit = Unit.objects.get(segment=pair.segment, language="es")
        given = {"project": project, "unit": unit.pk, "layer": layer, "by": zoe}
        decide_gold(**given, version=0, content=choice("relevant"))
        transfer_tags(project=project, source="es", target="en", by=None)
        self.tag(pair, "en", "relevant", ana)
        decide_gold(**given, version=1, content=choice("discarded"))
        assert named(project).count() == 1
        decide_gold(**given, version=2, content=choice("relevant"))
        assert not named(project).exists()


def test_the_same_decision_said_once_more_is_a_decision() -> None:
    world = changed()
    world.decide("en", 2)
    world.decide("es", 1)
    assert world.told == ["en"]
    before = Gold.objects.get(unit=world.unit("en"))
    after = world.decide("en", 2)
    assert world.told == []
    assert after.version == before.version + 1
    # Repeated, it changes nothing.
    again = gold_actions.decide_gold(
        project=world.project,
        unit=after.unit_id,
        layer=world.layer,
        version=before.version,
        content=after.content,
        by=world.zoe,
    )
    assert again.version == after.version


def test_a_blind_answer_is_not_made_from_it() -> None:
    world = World()
    world.decide("es", 2)
    world.carry_over()
    unit, stage = world.unit("en"), stage_of(world.project, "project-review", "en")
    row = make_assignment(unit, world.ana, stage, mode="blind")
    save(row, spans())
    world.decide("es")
    assert world.told == []


def test_a_release_lists_what_was_decided_before_its_source_changed() -> None:
    world = changed()
    accept_agreed(project=world.project, layer=world.layer, language="en", by=world.zoe, without_overlap=True)
    released = release_files(world.project, partial=False)
    assert released.manifest["source_changed"] == [
        {
            "kind": "sentence",
            "dataset": world.segment.dataset,
            "id": world.segment.uid,
            "language": "en",
            "layer": world.layer.slug,
            "source": "es",
        }
    ]
    assert released.manifest["counts"]["sentences"] == {"es": 1, "en": 1}
    readme = released.files["README.md"].decode()
    assert "source changed" in readme
    assert f"- {world.segment.uid} [en], from es" in readme
    # Nothing is said where nothing changed.
    world.decide("en", 2)
    released = release_files(world.project, partial=False)
    assert "source_changed" not in released.manifest
    assert "source changed" not in released.files["README.md"].decode()


def test_counting_anew_says_the_same() -> None:
    world = changed()
    Suggestion.objects.update(source_changed=False)
    recount_sources(world.project)
    assert world.told == ["en"]


TEXTS = {
    "es": [SPANISH, "La gran ciudad bosteza", "La ciudad bebe"],
    "en": [ENGLISH, "The city yawns", "The big city yawns"],
}
ACTS: list[Callable[[World, str, list[int], random.Random], Any]] = [
    lambda world, language, tokens, _chance: world.decide(language, *tokens),
    lambda world, language, _tokens, _chance: world.reopen(language),
    lambda world, language, tokens, chance: world.save(*tokens, language=language, done=chance.random() < 0.8),
    lambda world, language, tokens, _chance: world.save(*tokens, language=language),
    lambda world, language, _tokens, _chance: world.undo(language),
    lambda world, language, _tokens, chance: world.fix(language, chance.choice(TEXTS[language])),
    lambda world, _language, _tokens, _chance: world.carry_over(),
    lambda world, language, _tokens, _chance: accept_agreed(
        project=world.project, layer=world.layer, language=language, by=None, without_overlap=True
    ),
]


@pytest.mark.parametrize("labels", LabelSource)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_after_any_sequence_of_acts_what_is_told_is_so(seed: int, labels: str) -> None:
    chance = random.Random(seed)
    world = World(labels).reviewed() if labels == LabelSource.GOLD else World(labels)
    told, refused = set(), 0
    for _act in range(100):
        language = chance.choice(["es", "en"])
        tokens = [chance.choice([1, 2])][: chance.choice([0, 1, 1])]
        act = chance.choice(ACTS)
        try:
            act(world, language, tokens, chance)
        except (ActionError, Gold.DoesNotExist):
            refused += 1
        told.add(tuple(world.told))
    assert told == {(), ("en",)}
    assert refused < 60
