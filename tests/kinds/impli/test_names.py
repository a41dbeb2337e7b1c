"""What an expression is called, and which forms of it are one: its first verb as a dictionary has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotator.core.presets import StageSpec
from annotator.core.starts import plain
from annotator.domain.silver import SmallParser
from annotator.kinds.impli.gathering import gather_expressions
from annotator.kinds.impli.silver import pairs_of
from annotator.models import Project, Role, Segment, Stage, Unit
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from tests.deciding import decide_gold
from tests.drafts import load
from tests.factories import make_member, stage_of
from tests.kinds.impli.test_gathering import bio

pytestmark = pytest.mark.django_db


def marked(text: str) -> str:
    """A sentence with its expression in brackets, as a file has it."""
    words = text.split()
    begin, end = (next(at for at, word in enumerate(words) if sign in word) for sign in "[]")
    return bio(" ".join(word.strip("[]") for word in words), "FIGURATIVE", begin, end + 1)


def project_of(language: str, *sentences: str) -> Project:
    project = create_project(slug="names", preset=plain([language], ["FIGURATIVE", "LITERAL"]), by=None)
    make_member(project, Role.MANAGER, username="manager")
    add_stages(project=project, specs=[StageSpec("define", language)], by=None)
    load(project, {f"one.{language}.tsv": "".join(map(marked, sentences))}, labels_as="gold", dataset="set")
    return project


def expressions(project: Project) -> dict[str, int]:
    """By name, in how many sentences each is marked."""
    units = Unit.objects.filter(project=project, kind="expression", is_current=True)
    return {unit.text: unit.parents.count() for unit in units}


@pytest.fixture(autouse=True)
def uploads(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.mark.parametrize(
    ("language", "sentences", "name"),
    [
        ("es", ["Ana [está en las nubes] .", "Yo [estuve en las nubes] .", "Quiere [estar en las nubes] ."],
         "estar en las nubes"),
        ("es", ["Él [se lavó las manos] .", "Yo [me lavé las manos] .", "Quiere [lavarse las manos] ."],
         "lavarse las manos"),
        ("es", ["El examen [es pan comido] .", "Todo [era pan comido] ."], "ser pan comido"),
        ("es", ["Ana [tiró la toalla] .", "[Tiramos la toalla] ."], "tirar la toalla"),
        ("es", ["El ladrón [se fue de la lengua] .", "[Me voy de la lengua] ."], "irse de la lengua"),
        ("es", ["[Han estirado la pata] .", "El pez [estiró la pata] ."], "estirar la pata"),
        ("es", ["[Habían tirado la toalla] .", "[Tiramos la toalla] ."], "tirar la toalla"),
        ("es", ["Ella [ha dado a luz] .", "Ella [dio a luz] ."], "dar a luz"),
        ("es", ["[Se ha lavado las manos] .", "Él [se lavó las manos] ."], "lavarse las manos"),
        ("es", ["Ana [me ha tomado el pelo] ."], "me ha tomado el pelo"),
        # The pronoun is an object.
        ("es", ["Ana [me tomó el pelo] ."], "me tomó el pelo"),
        ("es", ["Es [la gota que colma el vaso] ."], "la gota que colma el vaso"),
        ("en", ["He [was over the moon] .", "They [are over the moon] ."], "be over the moon"),
        ("en", ["She [had a ball] ."], "have a ball"),
        ("en", ["She [let the cat out] ."], "let the cat out"),
        ("en", ["It was [the last straw] ."], "the last straw"),
        ("en", ["They [have kicked the bucket] .", "He [kicked the bucket] ."], "kick the bucket"),
        ("en", ["Three shops [have bitten the dust] .", "It [bites the dust] ."], "bite the dust"),
        ("en", ["She [has mixed feelings] ."], "have mixed feelings"),
        ("en", ["She [has got a chip on her shoulder] ."], "have got a chip on her shoulder"),
        # These forms are words of their own for the dictionary, or come from another verb in it.
        ("en", ["She [broke the ice] .", "He will [break the ice] .", "He has [broken the ice] ."], "break the ice"),
        ("en", ["She was [cutting corners] .", "They [cut corners] ."], "cut corners"),
        ("en", ["They [left the nest] .", "She is [leaving the nest] ."], "leave the nest"),
        ("en", ["He was [playing the fool] .", "He [plays the fool] ."], "play the fool"),
        ("en", ["It is the [cutting edge] ."], "cutting edge"),
        ("en", ["We were [left holding the baby] ."], "left holding the baby"),
    ],
)  # fmt: skip
def test_forms_of_one_expression_are_one(language: str, sentences: list[str], name: str) -> None:
    assert expressions(project_of(language, *sentences)) == {name: len(sentences)}


def test_pairs_are_made_of_all_forms_with_a_reflexive_verb() -> None:
    project = project_of(
        "es", "Él [se lavó las manos] .", "Yo [me lavé las manos] .", "Quiere [lavarse las manos] .",
        "Ana [se lavaba] ."
    )  # fmt: skip
    unit = Unit.objects.get(kind="expression", tokens=["lavarse", "las", "manos"])
    _defined(project, unit, "desentenderse")
    assert _made_of(project, unit) == [
        "Él se desentendió .", "Yo me desentendí .", "Quiere desentenderse .",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "sentences", "definition", "pairs"),
    [
        ("en", ["Three shops [have bitten the dust] .", "It [bit the dust] ."], "to fail",
         ["Three shops have failed .", "It failed ."]),
        ("es", ["[Han estirado la pata] .", "El pez [estiró la pata] ."], "morir", ["Han muerto .", "El pez murió ."]),
    ],
)  # fmt: skip
def test_in_the_perfect_the_definition_stands_after_have(
    language: str, sentences: list[str], definition: str, pairs: list[str]
) -> None:
    project = project_of(language, *sentences)
    unit = Unit.objects.get(kind="expression")
    _defined(project, unit, definition)
    assert _made_of(project, unit) == pairs


def test_an_expression_in_the_perfect_that_was_named_before_keeps_its_name_and_its_sentences() -> None:
    """Another one has the same words without "have" by now; each has the sentences that it had."""
    project = project_of("en", "They [have kicked the bucket] .", "He [kicked the bucket] .", "I [kick the bucket] .")
    stage = Stage.objects.get(pk=stage_of(project, "define", "en").pk)
    known = Unit.objects.get(kind="expression")
    segment = Segment.objects.create(
        project=project, uid="expression:en:have-kick-the-bucket", kind="expression", dataset="expressions", position=9
    )
    earlier = Unit.objects.create(
        project=project, segment=segment, kind="expression", language="en", touches=[segment.pk], rule="marked",
        tokens=["have", "kicked", "the", "bucket"], lemmas=["have", "kick", "the", "bucket"], token_count=4,
    )  # fmt: skip
    (first, *_) = known.parents.order_by("pk")
    known.parents.remove(first)
    earlier.parents.add(first)
    assert gather_expressions(stage=stage, after=0).made == 0
    assert expressions(project) == {"kick the bucket": 2, "have kicked the bucket": 1}
    for unit in (known, earlier):
        _defined(project, unit, "to die")
    assert _made_of(project, earlier) == ["They have died ."]
    assert _made_of(project, known) == ["He died .", "I die ."]


def _defined(project: Project, expression: Unit, definition: str) -> None:
    stage = stage_of(project, "define", expression.language)
    content = {"correct": definition, "adversarial": "", "antonym": ""}
    decide_gold(unit=expression.pk, layer=stage.layer, content=content, by=None)


def _made_of(project: Project, expression: Unit) -> list[str]:
    """The second sentences of the pairs that are made of an expression."""
    stage = stage_of(project, "define", expression.language)
    _uses, made = pairs_of(stage, expression, SmallParser(expression.language))
    return [pair.hypothesis for pair in made.pairs]


def test_pairs_are_made_of_forms_that_the_dictionary_does_not_know_for_the_verb() -> None:
    """ "Left" is indexed under itself and "leave" under the verb, which is the longest word of the expression."""
    project = project_of("en", "They [left the nest] .", "They [leave the nest] .", "She is [leaving the nest] .")
    unit = Unit.objects.get(kind="expression")
    _defined(project, unit, "to move out")
    made = ["They moved out .", "They move out .", "She is moving out ."]
    assert _made_of(project, unit) == made
    Unit.parents.through.objects.filter(from_unit=unit).delete()
    assert _made_of(project, unit) == made, "also where no sentence is linked yet"


def test_an_expression_that_earlier_rules_named_keeps_its_name_and_its_sentences() -> None:
    project = project_of("es", "Él [se lavó las manos] .")
    unit = Unit.objects.get(kind="expression")
    unit.tokens, unit.lemmas = ["se", "lavó", "las", "manos"], ["él", "lavar", "el", "mano"]
    unit.save()
    Segment.objects.filter(pk=unit.segment_id).update(uid="expression:es:él-lavar-el-mano")
    stage = Stage.objects.get(pk=stage_of(project, "define", "es").pk)
    assert gather_expressions(stage=stage, after=0).made == 0
    assert expressions(project) == {"se lavó las manos": 1}
