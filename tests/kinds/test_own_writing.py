"""Who marks an expression wrote nothing, and goes on with it; what somebody wrote others judge, and pages say so."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.errors import ActionError
from annotator.core.presets import StageSpec
from annotator.models import Annotation, Membership, Role, Unit, User
from annotator.projects.actions.stages import add_stages
from tests.deciding import decide_gold
from tests.drafts import load
from tests.factories import make_member
from tests.kinds.impli.work import FIGURATIVE, REWRITTEN, YES, Impli

pytestmark = pytest.mark.django_db

OWN = "You wrote the remaining items. Someone else judges them."
OTHERS = "The remaining items are assigned to other people"


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Impli:
    return Impli()


@pytest.fixture
def scene(made: Impli) -> Impli:
    return copy.deepcopy(made)


def _claimed(scene: Impli, user: User, stage: str) -> tuple[int, bool]:
    """How many items there are for the user, and whether some of their own writing is left."""
    answer = scene.call(user, "post", f"stages/{scene.stage(stage).pk}/claim/", {"count": 5})
    return len(answer["items"]), answer["own_left"]


def _dashboard(scene: Impli, user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.get(reverse("project", args=[scene.project.slug])).text


@pytest.fixture(scope="class")
def marked(made: Impli, kept_rows_of_class: None) -> Impli:
    """Ana has marked both sentences."""
    scene = copy.deepcopy(made)
    scene.marked(scene.people[0])
    return scene


class TestMarking:
    @pytest.fixture
    def scene(self, marked: Impli) -> Impli:
        return copy.deepcopy(marked)

    def test_who_marked_an_expression_rewrites_it(self, scene: Impli) -> None:
        ana, *_ = scene.people
        assert "1 item is free" in _dashboard(scene, ana)
        (item,) = scene.claim(ana, "rewrite")
        scene.save(ana, item, REWRITTEN)
        assert Unit.objects.filter(kind="inference-pair").count() == 2

    def test_what_is_marked_hides_nothing_from_who_marked_it(self, scene: Impli) -> None:
        ana, ben, *_ = scene.people
        assert _claimed(scene, ben, "rewrite") == (1, False)
        assert _claimed(scene, ana, "rewrite") == (0, False), "ben has it, and nobody says that it is hers"
        scene.project.stages.filter(kind="define").delete()
        assert OTHERS in _dashboard(scene, ana)

    def test_of_sentences_nothing_is_asked(self, scene: Impli) -> None:
        ana, *_ = scene.people
        assert Annotation.objects.filter(user=ana).count() == 2
        assert _claimed(scene, ana, "correct") == (0, False)


def test_who_is_named_in_imported_labels_rewrites_it(scene: Impli, tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path
    _ana, ben, *_ = scene.people
    for made in ("validate", "rewrite"):
        scene.stage(made).delete()
    tokens = FIGURATIVE.split()
    tags = ["O"] * 4 + ["B-FIGURATIVE", "I-FIGURATIVE", "I-FIGURATIVE"] + ["O"]
    lines = "".join(f"{token}\t{tag}\n" for token, tag in zip(tokens, tags, strict=True))
    load(scene.project, {"own.conll": lines + "\n"}, dataset="own", labels_as="person", labels_name=ben.username)
    add_stages(project=scene.project, specs=[StageSpec("rewrite", "en", made_from="correct")], by=None)
    assert Unit.objects.get(kind="focus").author == ben
    assert _claimed(scene, ben, "rewrite") == (1, False)


@pytest.fixture(scope="class")
def written(marked: Impli, kept_rows_of_class: None) -> Impli:
    """Ana has rewritten one of them."""
    scene = copy.deepcopy(marked)
    ana, *_ = scene.people
    scene.save(ana, scene.claim(ana, "rewrite")[0], REWRITTEN)
    scene.project.stages.filter(kind="define").delete()
    return scene


class TestWriting:
    @pytest.fixture
    def scene(self, written: Impli) -> Impli:
        return copy.deepcopy(written)

    def test_nobody_validates_their_own_and_pages_say_so(self, scene: Impli) -> None:
        ana, ben, *_ = scene.people
        assert _claimed(scene, ana, "validate") == (0, True)
        page = _dashboard(scene, ana)
        assert OWN in page
        assert OTHERS not in page
        assert _claimed(scene, ben, "validate") == (2, False)
        assert OWN not in _dashboard(scene, ben)

    def test_the_workspace_has_the_words(self, scene: Impli) -> None:
        client = Client()
        client.force_login(scene.people[0])
        page = client.get(reverse("work", args=[scene.project.slug, scene.stage("validate").pk])).text
        assert OWN in page

    def test_nothing_of_it_is_left_when_others_have_judged(self, scene: Impli) -> None:
        ana, ben, cai, _dan = scene.people
        for person in (ben, cai):
            for hypothesis in ("all the responsibility", "holding the keys"):
                scene.judged(person, hypothesis, YES if "all" in hypothesis else {**YES, "second": "no"})
        assert _claimed(scene, ana, "validate") == (0, False)
        assert OWN not in _dashboard(scene, ana)

    def test_nor_decides_on_it_and_pages_say_so(self, scene: Impli) -> None:
        ana, ben, cai, _dan = scene.people
        Membership.objects.filter(user=ana).update(role=Role.ADJUDICATOR)
        scene.judged(ben, "all the responsibility", YES)
        scene.judged(cai, "all the responsibility", {"verdict": "reject", "reason": "incoherent", "second": "yes"})
        judge = scene.project.stages.get(kind="adjudicate", layer__slug="validity")
        answer = scene.call(ana, "get", f"stages/{judge.pk}/adjudicate/")
        assert (answer["items"], answer["remaining"], answer["own_left"]) == ([], 0, True)
        other = make_member(scene.project, Role.ADJUDICATOR)
        answer = scene.call(other, "get", f"stages/{judge.pk}/adjudicate/")
        assert (answer["remaining"], answer["own_left"]) == (1, False)
        with pytest.raises(ActionError, match="wrote this yourself"):
            decide_gold(unit=Unit.objects.get(rule="manual_e").pk, layer=judge.layer, content=YES, by=ana)
