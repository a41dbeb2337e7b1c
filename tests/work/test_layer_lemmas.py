"""The same lemma elsewhere, in a layer beside the project's labels: what stands there, and what the blind see of it."""

from __future__ import annotations

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator.core.presets import StageSpec
from annotator.models import Annotation, AnnotationState, Gold, Layer, Mode, Project, Stage, Unit, User
from annotator.projects.actions.project_settings import add_layer
from annotator.work.lexicon.queries.lemmas import lemma_memory
from tests.factories import (
    filled_stage,
    make_annotation,
    make_assignment,
    make_member,
    make_project,
    make_sentence,
    span,
)

pytestmark = pytest.mark.django_db


class Domains:
    """A project with a further layer and a stage of it; the sentences are \"El tiempo vuela\"."""

    def __init__(self) -> None:
        self.project: Project = make_project()
        self.layer: Layer = add_layer(project=self.project, slug="domains", labels=["TIME"], by=None)
        self.stage: Stage = filled_stage(project=self.project, spec=StageSpec("correct", "es", "domains"), position=9)
        self.ana: User = make_member(self.project)
        self.ben: User = make_member(self.project)

    def answer(self, unit: Unit, user: User, *tokens: int, mode: str = Mode.REVIEW) -> None:
        content = {"spans": [span(token, label="TIME") for token in tokens]}
        Annotation.objects.create(
            project=self.project,
            unit=unit,
            layer=self.layer,
            user=user,
            stage=self.stage,
            mode=mode,
            content=content,
            state=AnnotationState.DONE,
            version=1,
        )

    def seen(self, user: User) -> tuple[int, int]:
        memory = lemma_memory(self.project, language="es", lemma="vuela", user=user, layer=self.layer)
        assert memory.lemma == "volar"
        assert len(memory.examples) == memory.labelled + memory.unlabelled
        return memory.labelled, memory.unlabelled


@pytest.fixture
def domains() -> Domains:
    return Domains()


def test_what_stands_in_the_layer_is_shown_and_nothing_of_another(domains: Domains) -> None:
    first, second, third, _untouched = (make_sentence(domains.project) for _ in range(4))
    make_annotation(first, domains.ana, [span(2)])
    assert domains.seen(domains.ana) == (0, 0)
    domains.answer(first, domains.ana)
    domains.answer(second, domains.ana, 2)
    Gold.objects.create(
        project=domains.project,
        unit=third,
        layer=domains.layer,
        content={"spans": [span(2, label="TIME")]},
        version=1,
        source="adjudicated",
        decided_by=domains.ben,
    )
    assert domains.seen(domains.ana) == (2, 1)
    labels = lemma_memory(
        domains.project, language="es", lemma="volar", user=domains.ana, layer=domains.project.label_layer
    )
    assert (labels.labelled, labels.unlabelled) == (1, 0)


def test_the_item_at_hand_is_no_evidence_for_itself_here_either(domains: Domains) -> None:
    at_hand, other = make_sentence(domains.project), make_sentence(domains.project)
    domains.answer(at_hand, domains.ana, 2)
    domains.answer(other, domains.ana)

    def told(unit: int) -> tuple[int, int, list[str]]:
        found = lemma_memory(
            domains.project, language="es", lemma="volar", user=domains.ben, layer=domains.layer, unit=unit
        )
        return found.labelled, found.unlabelled, [row.uid for row in found.examples]

    assert told(at_hand.pk) == (0, 1, [other.segment.uid])
    assert told(other.pk) == (1, 0, [at_hand.segment.uid])


def test_where_not_all_is_read_it_says_how_much_there_is(domains: Domains, monkeypatch: pytest.MonkeyPatch) -> None:
    for _number in range(3):
        domains.answer(make_sentence(domains.project), domains.ana, 2)
    make_sentence(domains.project)
    whole = lemma_memory(domains.project, language="es", lemma="volar", user=domains.ana, layer=domains.layer)
    monkeypatch.setattr("annotator.work.lexicon.queries.layer_lemmas.MAX_READ", 2)

    cut = lemma_memory(domains.project, language="es", lemma="volar", user=domains.ana, layer=domains.layer)

    assert (whole.labelled, whole.in_all) == (3, 0)
    assert (cut.labelled, cut.in_all) == (2, 4)


def test_the_blind_see_their_own(domains: Domains) -> None:
    first, second = make_sentence(domains.project), make_sentence(domains.project)
    domains.answer(first, domains.ana, 2)
    work = make_assignment(second, domains.ben, domains.stage, mode=Mode.BLIND)
    assert (domains.seen(domains.ana), domains.seen(domains.ben)) == ((1, 0), (0, 0))
    domains.answer(second, domains.ben, mode=Mode.BLIND)
    assert domains.seen(domains.ben) == (0, 1)
    work.state = "done"
    work.save()
    # No longer at work, but still blind on that segment.
    domains.answer(second, domains.ana, 2)
    assert domains.seen(domains.ben) == (1, 1)


def test_it_asks_the_same_of_the_database_however_many_places(
    domains: Domains, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(15):
        domains.answer(make_sentence(domains.project), domains.ana, 2)
    project = Project.objects.get(pk=domains.project.pk)
    with django_assert_max_num_queries(8):
        memory = lemma_memory(project, language="es", lemma="volar", user=domains.ana, layer=domains.layer)
    assert (memory.labelled, len(memory.examples)) == (15, 10)


def test_what_is_not_published_yet_is_left_out(domains: Domains) -> None:
    unit = make_sentence(domains.project)
    domains.answer(unit, domains.ana, 2)
    Unit.objects.filter(pk=unit.pk).update(imported=domains.project.imports.create())
    assert domains.seen(domains.ana) == (0, 0)
    domains.project.imports.update(published_at=timezone.now())
    assert domains.seen(domains.ana) == (1, 0)
