"""Pairs by rule that no longer follow from labels, texts and definitions: said on pages, and in no release."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.kind import task_due
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Event, Gold, Unit
from annotator.releases.queries.exports import ReleaseFiles, release_files
from annotator.releases.queries.release_parts import PARTS
from annotator.revisions.revisions import revise_text
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.gold.queries.left_out import MissingGoldError
from tests.deciding import decide_gold
from tests.factories import make_gold, make_sentence, span, spans
from tests.kinds.impli.work import DEFINED, FIGURATIVE, LITERAL, NO, YES, Impli

pytestmark = pytest.mark.django_db

DEFINITION = "Our branch was left responsible for everything ."
TO_MAKE_AGAIN = "Make the pairs again"


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Impli:
    """Everything is labelled, defined, made into pairs, judged and accepted, and can be released."""
    scene = Impli()
    ana, ben, cai, _dan = scene.people
    scene.marked(ana)
    scene.defined(ben)
    scene.bring("pairs")
    for person in (ana, cai):
        for item in scene.claim(person, "validate", 9):
            is_label = DEFINITION in " ".join(item["unit"]["tokens"])
            scene.save(person, item, YES if is_label else NO)
    for stage in ("correct", "define"):
        layer = scene.stage(stage).layer
        accept_agreed(project=scene.project, layer=layer, language="en", by=None, without_overlap=True)
    assert _lines(release_files(scene.project, partial=False)) == 3
    return scene


@pytest.fixture
def scene(made: Impli) -> Impli:
    return copy.deepcopy(made)


def _lines(release: ReleaseFiles) -> int:
    return sum(content.count(b"\n") for path, content in release.files.items() if path.startswith("impli/"))


def _page(scene: Impli, name: str, *args: Any) -> str:
    client = Client()
    client.force_login(scene.manager)
    return client.get(reverse(name, args=[scene.project.slug, *args])).content.decode()


def _sentence(text: str) -> Unit:
    (found,) = [unit for unit in Unit.objects.filter(kind="sentence", is_current=True) if unit.text == text]
    return found


def _decide(scene: Impli, unit: Unit, stage: str, content: Any) -> None:
    layer = scene.stage(stage).layer
    before = Gold.objects.filter(unit=unit, layer=layer).first()
    decide_gold(unit=unit.pk, layer=layer, version=before.version if before else 0, content=content, by=scene.manager)


def _save(scene: Impli, answer: Annotation, content: Any, *, done: bool) -> None:
    """Somebody saves their answer again."""
    assignment = Assignment.objects.get(unit=answer.unit, user=answer.user)
    body = {"version": answer.version, "content": content, "done": done}
    scene.call(answer.user, "post", f"assignments/{assignment.pk}/save/", body)


def _reasons(release: ReleaseFiles) -> list[str]:
    return sorted(row["reason"] for row in release.left_out)


def _check_said(scene: Impli) -> None:
    """The pages say that pairs have to be made again, and a complete release is refused for that reason."""
    assert "Everything has gold." not in _page(scene, "releases")
    for page in (_page(scene, "releases"), _page(scene, "project"), _page(scene, "work", scene.stage("define").pk)):
        assert TO_MAKE_AGAIN in page
    with pytest.raises(MissingGoldError, match=r"Pairs by rule are not up to date.*Make the pairs again"):
        release_files(scene.project, partial=False)


def _check_settled(scene: Impli, lines: int) -> None:
    scene.bring("expressions")
    scene.bring("pairs")
    assert TO_MAKE_AGAIN not in _page(scene, "releases")
    release = release_files(scene.project, partial=True)
    assert "no longer made by rule" not in _reasons(release)
    assert _lines(release) == lines


def test_where_nothing_changed_nothing_is_said(scene: Impli) -> None:
    for page in (_page(scene, "releases"), _page(scene, "project")):
        assert TO_MAKE_AGAIN not in page
    assert "Everything has gold." in _page(scene, "releases")
    scene.bring("expressions")
    scene.bring("pairs")
    assert not Event.objects.filter(verb=Verb.PAIRS_OUTDATED).exists()


def test_a_sentence_that_became_literal_leaves_its_pairs_out(scene: Impli) -> None:
    _decide(scene, _sentence(FIGURATIVE), "correct", spans(span(4, 5, 6, label="LITERAL")))
    _check_said(scene)
    release = release_files(scene.project, partial=True)
    assert _lines(release) == 1, "that of the other sentence"
    assert _reasons(release).count("no longer made by rule") == 2
    assert b"was left" not in release.files["layers/validity.jsonl"]
    _check_settled(scene, 1)


def test_it_is_noted_once(scene: Impli) -> None:
    for label in ("LITERAL", "FIGURATIVE", "LITERAL"):
        _decide(scene, _sentence(FIGURATIVE), "correct", spans(span(4, 5, 6, label=label)))
    assert Event.objects.filter(verb=Verb.PAIRS_OUTDATED).count() == 1


def test_labels_that_change_no_pair_are_not_noted(scene: Impli) -> None:
    sentence = make_sentence(scene.project, "The lamp went out at nine .", language="en")
    _decide(scene, sentence, "correct", spans(span(2, 3, label="FIGURATIVE")))
    _decide(scene, _sentence(LITERAL), "correct", spans(span(3, 4, 5, label="LITERAL"), span(0, label="LITERAL")))
    assert not Event.objects.filter(verb=Verb.PAIRS_OUTDATED).exists()


def test_a_text_that_was_fixed_leaves_its_pairs_out(scene: Impli) -> None:
    before = _sentence(FIGURATIVE)
    fixed = FIGURATIVE.replace("Our", "Your")
    revise_text(project=scene.project, unit=before.pk, text=fixed, by=scene.manager, anybodys=True)
    assert _lines(release_files(scene.project, partial=True)) == 1, "that of the other sentence"
    answer = Annotation.objects.get(unit=_sentence(fixed))
    _save(scene, answer, spans(span(4, 5, 6, label="FIGURATIVE")), done=True)
    _decide(scene, _sentence(fixed), "correct", spans(span(4, 5, 6, label="FIGURATIVE")))
    _check_said(scene)
    release = release_files(scene.project, partial=True)
    assert (_lines(release), _reasons(release).count("no longer made by rule")) == (1, 2)
    assert "not all made into pairs" in _reasons(release)


def test_another_definition_leaves_the_pairs_of_the_earlier_one_out(scene: Impli) -> None:
    expression = Unit.objects.get(kind="expression")
    _decide(scene, expression, "define", {**DEFINED, "correct": "to pay for everything"})
    _check_said(scene)
    release = release_files(scene.project, partial=True)
    assert (_lines(release), _reasons(release)) == (
        1, ["no longer made by rule", "no longer made by rule", "not all made into pairs"],
    )  # fmt: skip


def test_a_definition_that_is_added_is_to_be_made_into_pairs(scene: Impli) -> None:
    expression = Unit.objects.get(kind="expression")
    _decide(scene, expression, "define", {**DEFINED, "antonym": "to be free of any duty"})
    _check_said(scene)
    assert _reasons(release_files(scene.project, partial=True)) == ["not all made into pairs"]


def test_a_definition_that_is_open_again_leaves_its_pairs_out(scene: Impli) -> None:
    expression = Unit.objects.get(kind="expression")
    gold = Gold.objects.get(unit=expression)
    reopen_gold(
        project=scene.project, unit=expression.pk, layer=gold.layer, version=gold.version, by=scene.manager
    )  # fmt: skip
    assert not Event.objects.filter(verb=Verb.PAIRS_OUTDATED).exists(), "somebody's answer still says the same"
    answer = Annotation.objects.get(unit=expression)
    _save(scene, answer, DEFINED, done=False)
    assert TO_MAKE_AGAIN in _page(scene, "releases")


def test_a_new_use_of_a_defined_expression_is_to_be_made_into_pairs(scene: Impli) -> None:
    sentence = make_sentence(scene.project, "They were left holding the baby .", language="en")
    _decide(scene, sentence, "correct", spans(span(3, 4, 5, label="FIGURATIVE")))
    _check_said(scene)
    assert _reasons(release_files(scene.project, partial=True)) == ["not all made into pairs"]
    assert scene.bring("pairs")["made"] == 2
    assert TO_MAKE_AGAIN not in _page(scene, "releases")


def test_finished_definitions_that_nobody_made_into_pairs_or_accepted_are_listed() -> None:
    scene = Impli("defined-only")
    scene.marked(scene.people[0])
    scene.defined(scene.people[1])
    for unit in scene.project.sentences.all():
        make_gold(unit, Unit.objects.get(pk=unit.pk).annotations.get().content["spans"])
    page = _page(scene, "releases")
    assert "Everything has gold." not in page
    assert "1 expression" in page
    assert "Some finished definitions have not been turned into pairs yet." in page
    reasons = {str(one.reason) for one in PARTS["impli"].compute(scene.project).left_out}
    assert reasons == {"no gold in en", "not all made into pairs"}
    with pytest.raises(MissingGoldError, match=r"Gold is not complete.*Pairs by rule are not up to date"):
        release_files(scene.project, partial=False)


def test_a_pair_that_somebody_wrote_is_not_made_by_rule_once_more(scene: Impli) -> None:
    """Its words count, not its capitals and punctuation. It was made before it was written."""
    _ana, _ben, _cai, dan = scene.people
    (item,) = scene.claim(dan, "rewrite")
    scene.save(dan, item, {"paraphrase": DEFINITION.replace(" .", "."), "changed": "", "opposite": ""})
    release = release_files(scene.project, partial=True)
    assert _reasons(release) == ["no gold in en", "no longer made by rule"]
    done = scene.bring("pairs")
    assert (done["made"], done["withdrawn"], done["refused"]) == (0, 1, {"duplicate": 1})
    written = [unit.rule for unit in Unit.objects.filter(kind="inference-pair", is_current=True)]
    assert sorted(written) == ["adversarial_definition_ne", "lit_context_ne", "manual_e"]


def test_until_all_pairs_are_made_again_they_are_not_up_to_date(scene: Impli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody leaves the page in the middle: the pairs of some expressions are made, those of others are not."""
    other = make_sentence(scene.project, "She was over the moon .", language="en")
    _decide(scene, other, "correct", spans(span(1, 2, 3, 4, label="FIGURATIVE")))
    scene.defined(scene.people[1], {"correct": "to be very happy", "adversarial": "", "antonym": ""})
    scene.bring("pairs")
    _decide(scene, _sentence(FIGURATIVE), "correct", spans(span(4, 5, 6, label="LITERAL")))
    monkeypatch.setattr("annotator.kinds.impli.gathering.EXPRESSIONS", 1)
    path = f"stages/{scene.stage('define').pk}/pairs/"
    after = scene.call(scene.manager, "post", path, {"what": "pairs", "after": 0})["after"]

    assert after is not None
    assert TO_MAKE_AGAIN in task_due(scene.stage("define"))
    assert scene.bring("pairs") == {"made": 0, "withdrawn": 0, "refused": {}, "named": []}
    assert task_due(scene.stage("define")) == ""
