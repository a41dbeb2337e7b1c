"""Agreement of two annotators: what is compared, and how it is pooled."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command

from annotator.domain.agreement.kappa import cohen_kappa
from annotator.domain.labels.shipped_schemes import MIPVU
from annotator.domain.labels.tags import Inference
from annotator.management.tables import agreement_text
from annotator.models import Annotation, Layer, Mode, Pair, Project, Role, Sentence, User
from annotator.projects.actions.projects import remove_member
from annotator.reports.queries.agreement import agreement, question, shared_work
from annotator.reports.queries.agreement_course import course_of
from tests.clients import client_of
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_project,
    make_segment,
    make_sentence,
    span,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, username="ana")


@pytest.fixture
def ben(project: Project) -> User:
    return make_member(project, username="ben")


def annotate(user: User, sentence: Sentence, *tokens: int, state: str = "done", mode: str = Mode.BLIND) -> None:
    make_annotation(sentence, user, [span(token) for token in tokens], mode=mode, state=state)


def tag(user: User, pair: Pair, value: str, *, language: str = "es", state: str = "done") -> None:
    make_annotation(unit_of(pair, language), user, content=choice(value), mode=Mode.BLIND, state=state)


def test_tokens_are_pooled_over_sentences_per_role(project: Project, ana: User, ben: User) -> None:
    short = make_sentence(project, "Vuela")
    long = make_sentence(project, "El tiempo vuela y no vuelve nunca más")
    hypothesis = make_sentence(project, "Todo pasa", segment=make_segment(project, role="hyp"))
    annotate(ana, short, 0)
    annotate(ben, short, 0)
    annotate(ana, long, 2, 5)
    annotate(ben, long, 2, mode=Mode.REVIEW)
    annotate(ana, hypothesis, 1)
    annotate(ben, hypothesis)

    found = agreement(project, a=ana, b=ben, layer="tokens")

    m, o = "METAPHOR", "O"
    premises = ([m, o, o, m, o, o, m, o, o], [m, o, o, m, o, o, o, o, o])
    both = (premises[0] + [o, m], premises[1] + [o, o])
    rows = {row.role: row for row in found.rows}
    assert rows["prem"].kappa == cohen_kappa(*premises, [o, m])
    assert rows["all"].kappa == cohen_kappa(*both, [o, m])
    assert found.overall is rows["all"]
    assert [(row.role, row.units, row.blind) for row in found.rows] == [("prem", 2, 1), ("hyp", 1, 1), ("all", 3, 2)]
    assert rows["hyp"].kappa.value == 0.0


def test_labels_are_compared_as_what_a_mapping_takes_them_for(project: Project, ana: User, ben: User) -> None:
    layer = project.label_layer
    layer.scheme_data = MIPVU.to_json()
    layer.save()
    sentence = make_sentence(project, "Como un río la deuda crece")
    both = [span(label="IMPLICIT")]
    make_annotation(sentence, ana, [*both, span(0, label="MFLAG"), span(2, label="DIRECT"), span(5, label="DIRECT")])
    make_annotation(sentence, ben, [span(2, label="INDIRECT"), span(5, label="INDIRECT")])

    plain = agreement(project, a=ana, b=ben, layer="tokens")
    binary = agreement(project, a=ana, b=ben, layer="tokens", mapping="metaphor")
    on_sentence = agreement(project, a=ana, b=ben, layer="tokens", dimension="sentence", mapping="metaphor")

    assert plain.overall.kappa.observed == 3 / 6
    assert binary.overall.kappa.value == 1
    assert binary.overall.kappa.labels == ("O", "METAPHOR")
    assert on_sentence.overall.kappa.table == ((0, 0), (1, 0))
    assert binary.to_json()["mapping"] == MIPVU.mappings["metaphor"]
    assert plain.to_json()["mapping"] == {}
    asked = question(project, a=ana, b=ben, layer="tokens", mapping="metaphor")
    assert course_of(asked, shared_work(asked))[-1].kappa == 1
    with pytest.raises(ValueError, match=r"Unknown mapping “other”. Available: metaphor"):
        agreement(project, a=ana, b=ben, layer="tokens", mapping="other")
    with pytest.raises(ValueError, match="has no labels"):
        agreement(project, a=ana, b=ben, layer="pairs", mapping="metaphor")


def test_only_what_both_have_done_on_the_current_text_counts(project: Project, ana: User, ben: User) -> None:
    counted, half, lonely, old, english = (
        make_sentence(project, "Uno dos", language=language) for language in ("es", "es", "es", "es", "en")
    )
    for sentence in (counted, half, lonely, old, english):
        annotate(ana, sentence, 0)
    annotate(ben, counted, 0)
    annotate(ben, half, 0, state="open")
    annotate(ben, old, 1)
    annotate(ben, english, 1)
    Sentence.objects.filter(pk=old.pk).update(is_current=False)
    other = make_project()
    elsewhere = make_sentence(other, "Tres cuatro")
    annotate(ana, elsewhere, 0)
    annotate(ben, elsewhere, 1)

    found = agreement(project, a=ana, b=ben, layer="tokens", language="es")

    assert (found.overall.units, found.overall.kappa.n, found.overall.kappa.value) == (1, 2, 1.0)
    assert agreement(project, a=ana, b=ben, layer="tokens", language="en").overall.kappa.observed == 0.0


def test_nothing_in_common_is_undefined_with_a_reason(project: Project, ana: User, ben: User) -> None:
    found = agreement(project, a=ana, b=ben, layer="tokens").to_json()

    assert [row["kappa"] for row in found["rows"]] == [None, None, None]
    assert all(row["reason"] for row in found["rows"])


def test_pairs_by_inference_label_and_overall(project: Project, ana: User, ben: User) -> None:
    pairs = [make_pair(project, inference=Inference.NEUTRAL) for _ in range(3)]
    pairs.append(make_pair(project, inference=Inference.ENTAILMENT))
    for pair, first, second in zip(
        pairs,
        ["relevant", "no_metaphor", "discarded", "relevant"],
        ["relevant", "no_metaphor", "non_relevant", "no_metaphor"],
        strict=True,
    ):
        tag(ana, pair, first)
        tag(ben, pair, second)
    make_pair_unit(pairs[0], "en")
    tag(ana, pairs[0], "discarded", language="en")
    make_gold(unit_of(pairs[0]), content=choice("discarded"))
    unfinished = make_pair(project)
    tag(ana, unfinished, "relevant")
    tag(ben, unfinished, "discarded", state="open")

    found = agreement(project, a=ana, b=ben, layer="pairs")

    rows = {row.inference: row for row in found.rows}
    assert (rows["neutral"].units, rows["entailment"].units, rows["contradiction"].units) == (3, 1, 0)
    assert rows["all"].kappa.n == 4
    assert rows["all"].kappa.observed == 0.5
    assert rows["all"].kappa == cohen_kappa(
        ["relevant", "no_metaphor", "discarded", "relevant"],
        ["relevant", "no_metaphor", "non_relevant", "no_metaphor"],
        ["relevant", "non_relevant", "no_metaphor", "discarded"],
    )


def test_json_has_what_the_documents_promise(project: Project, ana: User, ben: User) -> None:
    sentence = make_sentence(project, "Uno dos")
    annotate(ana, sentence, 0)
    annotate(ben, sentence, 0)

    found = agreement(project, a=ana, b=ben, layer="tokens").to_json()

    assert (found["annotators"], found["layer"], found["language"]) == (["ana", "ben"], "tokens", "es")
    assert [row["role"] for row in found["rows"]] == ["prem", "hyp", "all"]
    row = found["rows"][0]
    assert (row["kappa"], row["reason"], row["observed"], row["expected"], row["n"]) == (1.0, "", 1.0, 0.5, 2)
    assert (row["labels"], row["table"]) == (["O", "METAPHOR"], [[1, 0], [0, 1]])
    assert (row["sentences"], row["blind"]) == (1, 1)


class TestWhoeverLeft:
    """Their work stays, and is compared on the page, by the command and by the API."""

    def test_is_compared_everywhere(
        self, project: Project, ana: User, ben: User, capsys: pytest.CaptureFixture[str]
    ) -> None:
        sentence = make_sentence(project, "Uno dos tres")
        for user, token in ((ana, 0), (ben, 1)):
            stage = stage_of(project, "correct")
            make_assignment(sentence, user, stage, mode=Mode.BLIND, done=True)
            annotate(user, sentence, token)
        remove_member(membership=project.memberships.get(user=ben), by=None)
        client = client_of(make_member(project, Role.ADJUDICATOR))
        query = "?a=ana&b=ben&layer=tokens&language=es"

        answer = client.get(f"/api/v1/projects/{project.slug}/agreement/{query}")
        page = client.get(f"/projects/{project.slug}/agreement/{query}").content.decode()
        call_command("agreement", project.slug, "--annotators", "ana", "ben", "--layer", "tokens", "--format", "json")

        assert answer.status_code == 200
        assert answer.json()["rows"][-1]["sentences"] == 1
        assert json.loads(capsys.readouterr().out)["rows"] == answer.json()["rows"]
        assert "−0.50" in page or "-0.50" in page

    def test_strangers_are_refused_by_name(self, project: Project, ana: User) -> None:
        make_member(make_project(), username="zoe")
        client = client_of(make_member(project, Role.ADJUDICATOR))
        for name in ("zoe", "nobody"):
            query = f"?a=ana&b={name}&layer=tokens&language=es"
            answer = client.get(f"/api/v1/projects/{project.slug}/agreement/{query}")
            assert answer.status_code == 400
            assert list(answer.json()["error"]["fields"]) == ["b"]


class TestSpans:
    """One person's unit of two words is two of one word to the other: tokens agree fully, spans do not."""

    @pytest.fixture
    def sentence(self, project: Project, ana: User, ben: User) -> Sentence:
        found = make_sentence(project, "Uno dos tres")
        make_annotation(found, ana, [span(1, 2)], mode=Mode.BLIND)
        make_annotation(found, ben, [span(1), span(2)], mode=Mode.BLIND)
        return found

    def test_beside_tokens(self, project: Project, ana: User, ben: User, sentence: Sentence) -> None:
        row = agreement(project, a=ana, b=ben, layer="tokens").to_json()["rows"][-1]
        assert row["kappa"] == 1
        assert row["spans"] == {
            "first": 1, "second": 2, "exact": 0, "exact_f1": 0, "overlapping": 1, "overlapping_f1": 2 / 3,
        }  # fmt: skip

    def test_page_command_and_api_say_the_same(
        self, project: Project, ana: User, ben: User, sentence: Sentence, capsys: pytest.CaptureFixture[str]
    ) -> None:
        client = client_of(make_member(project, Role.ADJUDICATOR))
        query = f"?a={ana.username}&b={ben.username}&layer=tokens&language=es"
        told = client.get(f"/api/v1/projects/{project.slug}/agreement/{query}").json()["rows"][-1]["spans"]
        assert (told["exact_f1"], round(told["overlapping_f1"], 2)) == (0, 0.67)
        page = client.get(f"/projects/{project.slug}/agreement/{query}").content.decode()
        assert "Overlapping spans" in page
        assert '<td class="n">0.67</td>' in page
        call_command("agreement", project.slug, "--annotators", ana.username, ben.username, "--layer", "tokens")
        shown = capsys.readouterr().out
        assert "exact F1" in shown
        assert "0.667" in shown.splitlines()[-1]

    def test_labels_on_sentences_and_tags_have_none(
        self, project: Project, ana: User, ben: User, sentence: Sentence
    ) -> None:
        on_sentences = agreement(project, a=ana, b=ben, layer="tokens", dimension="sentence")
        tags = agreement(project, a=ana, b=ben, layer="pairs")
        assert [row.spans for row in (on_sentences.overall, tags.overall)] == [None, None]


def test_unknown_layers_are_refused(project: Project, ana: User, ben: User) -> None:
    with pytest.raises(ValueError, match=r"Unknown layer “words”. Available: tokens, pairs"):
        agreement(project, a=ana, b=ben, layer="words")


def test_a_further_layer_is_compared_by_its_slug(project: Project, ana: User, ben: User) -> None:
    mood = Layer.objects.create(
        project=project,
        slug="mood",
        content_type="choice",
        unit_kind="sentence",
        scheme_data={"values": ["calm", "angry"]},
    )
    for first, second in (("calm", "calm"), ("angry", "calm")):
        sentence = make_sentence(project)
        annotate(ana, sentence, 0)
        annotate(ben, sentence)
        for user, value in ((ana, first), (ben, second)):
            Annotation.objects.create(
                project=project, unit=sentence, layer=mood, user=user, state="done", content=choice(value)
            )

    found = agreement(project, a=ana, b=ben, layer="mood")

    assert found.overall.kappa == cohen_kappa(["calm", "angry"], ["calm", "calm"], ["calm", "angry"])
    assert [row.role for row in found.rows] == ["prem", "hyp", "all"]
    assert found.to_json()["rows"][-1]["units"] == 2
    asked = question(project, a=ana, b=ben, layer="mood")
    assert [point.units for point in course_of(asked, shared_work(asked))] == [1, 2]
    assert agreement_text(found).startswith("Agreement of ana and ben on mood (units), language es\nrole ")
    with pytest.raises(ValueError, match="Available: units"):
        agreement(project, a=ana, b=ben, layer="mood", dimension="tokens")


def test_a_project_without_pairs_has_nothing_to_compare_there(ana: User, ben: User, project: Project) -> None:
    project.layers.filter(unit_kind="pair").update(unit_kind="other")

    found = agreement(Project.objects.get(pk=project.pk), a=ana, b=ben, layer="pairs")

    assert (found.overall.units, found.overall.kappa.value) == (0, None)
