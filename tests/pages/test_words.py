"""Stages and codes are named in the language of the page, each by one word."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from annotator.core.kind import names_a_layer
from annotator.core.starts import STARTS
from annotator.domain.agreement.kappa import Undefined
from annotator.domain.labels.tags import Inference, Tag
from annotator.domain.leaving_out import NotReleased, Of, Skipped, WhyNotReleased
from annotator.domain.projection.carry import NotCarried
from annotator.domain.states import AnnotationState, AssignmentState, JobState, Mode
from annotator.domain.verbs import Verb
from annotator.kinds.projection_review.texts import messages
from annotator.models import Job, JobKind, Layer, Project, Role, Stage
from annotator.projects.actions.projects import create_project
from annotator.settings import folders_of_kinds
from annotator.templatetags import pages, tables, words
from tests.factories import make_member, stage_of


@pytest.mark.parametrize(
    ("language", "names"),
    [
        (
            "en",
            ["Correct labels (es)", "Review projections (en)", "Correct labels (en)", "Tag pairs (es)",
             "Tag pairs (en)", "Adjudicate: labels (es)", "Adjudicate: tags (es)",
             "Adjudicate: labels (en)", "Adjudicate: tags (en)"],
        ),
        (
            "es",
            ["Corregir etiquetas (es)", "Revisar proyecciones (en)", "Corregir etiquetas (en)", "Clasificar pares (es)",
             "Clasificar pares (en)", "Resolver desacuerdos: etiquetas (es)", "Resolver desacuerdos: clases (es)",
             "Resolver desacuerdos: etiquetas (en)", "Resolver desacuerdos: clases (en)"],
        ),
    ],
)  # fmt: skip
def test_every_stage_has_a_name_of_its_own(project: Project, language: str, names: list[str]) -> None:
    with translation.override(language):
        assert [words.stage_name(stage) for stage in project.stages.select_related("layer")] == names


def test_the_dashboard_names_them_so(client: Client, project: Project) -> None:
    client.force_login(make_member(project, Role.MANAGER))

    page = client.get(reverse("project", args=["letters"])).text

    for title in ("Correct labels", "Review projections", "Tag pairs", "Adjudicate: labels", "Adjudicate: tags"):
        assert page.count(f'<th scope="row">{title}</th>') == 1
        languages = [one for one in ("es", "en") if f">Work: {title} ({one})<" in page]
        assert languages == (["en"] if title == "Review projections" else ["es", "en"])


def test_a_stage_may_have_a_title_and_a_layer_no_word(project: Project) -> None:
    titled = stage_of(project, "correct")
    titled.title = "Second reading"
    votes = Layer.objects.create(project=project, slug="votes", content_type=Layer.CHOICE, unit_kind="text")
    decided = Stage(project=project, kind=Stage.ADJUDICATE, layer=votes, language="es", position=99)

    assert words.stage_name(titled) == "Second reading (es)"
    assert words.stage_name(decided) == "Adjudicate: votes (es)"


def test_the_layers_that_starting_points_decide_on_have_words_of_their_own(db: None) -> None:
    """Which can be translated, as their slugs cannot."""
    decided = {stage.layer for start in STARTS.values() for stage in start.chain if stage.layer}
    assert len(decided) > 4
    assert [slug for slug in decided - {"labels", "interpretation"} if not names_a_layer(slug)] == []
    project = create_project(slug="pairs", preset=STARTS["mabl"].preset(["en"]), by=None)
    stages = project.stages.filter(kind=Stage.ADJUDICATE).select_related("layer")
    assert [words.stage_name(stage) for stage in stages] == ["Adjudicate: verdicts (en)", "Adjudicate: categories (en)"]


def test_a_stage_whose_kind_is_not_installed_says_so(project: Project) -> None:
    stage = stage_of(project, "correct")
    stage.kind = "divination"

    with pytest.raises(LookupError, match="divination"):
        words.stage_name(stage)


@pytest.mark.parametrize(
    ("codes", "named"),
    [
        (Mode, words.mode_name),
        (AssignmentState, words.state_name),
        (AnnotationState, words.state_name),
        (Inference, words.inference_name),
        (Tag, words.label_name),
        (Role, words.role_name),
        (Verb, words.verb_name),
        (Undefined, words.undefined_name),
        (JobState, lambda state: Job(state=state).get_state_display()),
        (JobKind, lambda kind: Job(kind=kind).get_kind_display()),
    ],
)
def test_every_code_has_a_word_in_both_languages(codes: type[StrEnum], named: Any) -> None:
    with translation.override("en"):
        english = [named(str(code)) for code in codes]
    with translation.override("es"):
        spanish = [named(str(code)) for code in codes]
    assert not {str(code) for code in codes} & set(english)
    # "Neutral" is written alike.
    assert {word for word, other in zip(english, spanish, strict=True) if word == other} <= {"Neutral"}


def test_every_strength_of_agreement_has_a_word_in_both_languages() -> None:
    kappas = [None, -0.1, 0.1, 0.3, 0.5, 0.7, 0.9]
    with translation.override("en"):
        english = {tables.strength(value) for value in kappas}
    with translation.override("es"):
        spanish = {tables.strength(value) for value in kappas}
    assert len(english) == len(spanish) == len(kappas)
    assert not english & spanish


def test_every_reason_of_a_job_for_passing_over_a_sentence_has_words_in_both_languages() -> None:
    with translation.override("en"):
        assert words.SKIPPED.keys() == set(Skipped)
        english = [pages.in_words(code) for code in Skipped]
    with translation.override("es"):
        spanish = [pages.in_words(code) for code in Skipped]
    assert all(english)
    assert not set(english) & set(spanish)


def test_every_reason_for_not_being_released_has_words_in_both_languages() -> None:
    # What was discarded, given up, or is with its writer, is not the fault of one of its sentences, nor of a language.
    own = (
        NotReleased.DISCARDED, NotReleased.REJECTED, NotReleased.WRONG_LABEL, NotReleased.GIVEN_UP,
        NotReleased.NO_INFERENCE, NotReleased.RETURNED, NotReleased.BOTH, NotReleased.OUTDATED, NotReleased.UNMADE,
    )  # fmt: skip
    # Of a marked sentence, which is in no pair.
    marked = (NotReleased.NO_ANSWERS, NotReleased.NO_BEST, NotReleased.NO_INAPT, NotReleased.NEITHER)
    # Set aside in all its languages, with its pairs.
    aside = NotReleased.SET_ASIDE
    reasons = [
        WhyNotReleased(code, "" if code in (*own, aside) else "eu", of)
        for code in NotReleased
        for of in (None, *Of)
        if not (code in (*own, *marked) and of) and (of != Of.PROMPT or code == NotReleased.WITHHELD)
    ]
    with translation.override("en"):
        english = {words.not_released_name(str(why)) for why in reasons}
    with translation.override("es"):
        spanish = {words.not_released_name(str(why)) for why in reasons}
    assert len(english) == len(spanish) == len(reasons)
    assert not english & spanish
    assert sum("eu" in text for text in spanish) == len(reasons) - len(own) - sum(why.code == aside for why in reasons)


def test_a_reason_that_no_manifest_of_ours_has_is_shown_as_it_is() -> None:
    assert words.not_released_name("lost at sea") == "lost at sea"


def test_every_reason_of_a_projection_has_words_in_both_languages() -> None:
    names = [f"reason_{code.replace(' ', '_')}" for code in NotCarried]
    with translation.override("en"):
        english = messages()
    with translation.override("es"):
        spanish = messages()
    assert all(english[name] and english[name] != spanish[name] for name in names)


def test_a_code_of_the_projects_own_is_shown_as_it_is() -> None:
    assert (words.label_name("METAPHOR"), words.inference_name("unknown"), words.language("qq")) == (
        "METAPHOR",
        "unknown",
        "qq",
    )


def test_kinds_bring_templates_and_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("guests/painted/templates", "guests/painted/static", "guests/plain"):
        (tmp_path / folder).mkdir(parents=True)
    for package in ("guests", "guests/plain"):
        (tmp_path / package / "__init__.py").touch()
    # Where templates lie is asked before Django is set up: the kind itself is not imported for it.
    (tmp_path / "guests/painted/__init__.py").write_text("raise RuntimeError('imported too early')")
    monkeypatch.syspath_prepend(tmp_path)

    kinds = ["guests.painted", "guests.plain"]

    assert folders_of_kinds("templates", kinds) == [tmp_path / "guests/painted/templates"]
    assert folders_of_kinds("static", kinds) == [tmp_path / "guests/painted/static"]
