"""Tables of decisions, and of machines against them: reasons, detectors word by word, projections by aligner."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Counter, GoldSource, Mode, Project, Role, Sentence, User
from annotator.reports.queries.tables import report_named
from tests.deciding import decide_gold
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_prediction,
    make_projection,
    make_sentence,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def decided(project: Project) -> list[Sentence]:
    """The detector finds "vuela" everywhere: right once, wrong once; it misses "corre", and gold without a prediction
    counts as use alone."""
    rows = [make_sentence(project, "Todo vuela y corre") for _number in range(3)]
    for row, gold in zip(rows, ([span(1)], [span(3)], [span(1), span(3)]), strict=True):
        make_gold(row, gold)
    for row in rows[:2]:
        make_prediction(row, [span(1)], [0.1, 0.9, 0.1, 0.2])
    # Nobody has decided this one.
    make_prediction(make_sentence(project, "Nada vuela"), [span(1)], [0.1, 0.9])
    return rows


class TestDetectorWords:
    def test_words_with_errors_and_how_often_gold_labels_them(self, project: Project, decided: list[Sentence]) -> None:
        report = report_named("detector-words").compute(project)
        rows = {row["name"]: row for row in report.rows}
        assert rows.keys() == {"volar", "correr"}
        assert rows["volar"] | {} == {
            "language": "es", "detector": "crf", "name": "volar", "other": "vuela",
            "right": 1, "false_positives": 1, "false_negatives": 0, "labelled": 2, "uses": 3,
        }  # fmt: skip
        assert [rows["correr"][name] for name in ("right", "false_positives", "false_negatives")] == [0, 0, 1]
        assert report.behind["volar"] == {"es": [(decided[1].pk, 0)]}

    @pytest.mark.usefixtures("decided")
    def test_a_word_leads_to_the_sentences_with_the_errors(self, client: Client, project: Project) -> None:
        client.force_login(make_member(project, Role.ADJUDICATOR))
        page = client.get(reverse("report", args=[project.slug, "detector-words"])).text
        behind = f"{reverse('report-sentences', args=[project.slug, 'detector-words'])}?value=volar"
        assert behind in page
        assert client.get(behind).text.count("Todo vuela y corre") == 1

    @pytest.mark.usefixtures("decided")
    def test_it_is_for_adjudicators_who_do_not_answer_blind(self, client: Client, project: Project) -> None:
        address = reverse("report-json", args=[project.slug, "detector-words"])
        client.force_login(make_member(project))
        assert client.get(address).status_code == 403
        judge = make_member(project, Role.ADJUDICATOR)
        client.force_login(judge)
        assert client.get(address).status_code == 200
        make_assignment(make_sentence(project), judge, stage_of(project, "correct"), mode=Mode.BLIND)
        assert client.get(address).status_code == 403
        assert "volar" not in client.get(reverse("reports", args=[project.slug])).text


def test_projections_by_aligner(project: Project) -> None:
    """Of three projected spans two are kept and one is lost; one of four that stand was gained."""
    person = make_member(project)
    for final in ([span(0), span(1), span(2)], [span(1)]):
        source = make_sentence(project, "El tiempo vuela")
        target = make_sentence(project, "Time flies high", language="en", segment=source.segment)
        made = make_projection(source, target, [span(1)], [span(2), span(1)])
        row = make_annotation(target, person, final)
        row.__class__.objects.filter(pk=row.pk).update(suggestion=made, suggested=made.content, shown=[made.pk])
    (row,) = report_named("projection-methods").compute(project).rows
    assert (row["language"], row["source_language"], row["aligner"], row["sentences"]) == ("en", "es", "lexical", 2)
    assert (row["projected"], row["kept"]) == (2, 2)
    assert row["source"] == row["kept"] + row["shifted"] + row["lost"]
    assert row["target"] == 4
    assert (row["precision"], row["recall"], row["f1"]) == ("100.00", "50.00", "66.67")


class TestDecisionReasons:
    @pytest.fixture
    def judge(self, project: Project) -> User:
        return make_member(project, Role.ADJUDICATOR, username="judge")

    @pytest.fixture
    def reasoned(self, project: Project, judge: User) -> list[Sentence]:
        """Four disagreements that were decided, three of them with a reason; and gold from files."""
        people = [make_member(project, username=name) for name in ("ana", "ben")]
        rows = [make_sentence(project, f"El tiempo vuela {number}") for number in range(4)]
        for row, reason in zip(rows, ("Too little context", "too  little context", "A dead metaphor", ""), strict=True):
            for at, person in enumerate(people):
                make_assignment(row, person, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
                make_annotation(row, person, [span(at)], mode=Mode.BLIND)
            decide_gold(unit=row.pk, layer=project.label_layer, content={"spans": [span(1)]}, reason=reason, by=judge)
        make_gold(make_sentence(project, "Nada"), [span(0)], source=GoldSource.IMPORTED, reason="Of a file")
        return rows

    def test_the_same_words_are_one_reason(self, project: Project, reasoned: list[Sentence]) -> None:
        report = report_named("decision-reasons").compute(project)
        assert report.rows == (
            {"language": "es", "name": "Too little context", "decisions": 2},
            {"language": "es", "name": "A dead metaphor", "decisions": 1},
        )
        assert report.notes == ("Decisions without a reason: 1.",)
        assert report.behind["Too little context"] == {"es": [(row.pk, 0) for row in reasoned[:2]]}

    @pytest.mark.usefixtures("reasoned")
    def test_a_reason_leads_to_its_items_for_adjudicators_alone(
        self, client: Client, project: Project, judge: User
    ) -> None:
        assert Counter.objects.filter(user=judge, own_done=4).exists()
        address = reverse("report-sentences", args=[project.slug, "decision-reasons"])
        files = [reverse(f"report-{kind}", args=[project.slug, "decision-reasons"]) for kind in ("json", "csv", "tex")]
        client.force_login(judge)
        assert "Reasons for decisions" in client.get(reverse("reports", args=[project.slug])).text
        text = client.get(f"{address}?value=A+dead+metaphor").text
        assert ("vuela 2" in text, "vuela 1" in text) == (True, False)
        assert all("A dead metaphor" in client.get(file).content.decode() for file in files)
        make_assignment(make_sentence(project), judge, stage_of(project, "correct"), mode=Mode.BLIND)
        annotator = make_member(project)
        for user in (judge, annotator):
            client.force_login(user)
            assert {client.get(one).status_code for one in (f"{address}?value=A+dead+metaphor", *files)} == {403}
