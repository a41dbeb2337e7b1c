"""Agreement, reports and own items: that the pages show what was counted."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.domain.agreement.kappa import cohen_kappa
from annotator.models import Mode, Project, Role, Unit, User
from annotator.reports.queries.agreement import agreement, question, shared_work
from annotator.reports.queries.agreement_course import course_of
from annotator.reports.queries.reports import HeatMap, plain_report
from annotator.templatetags.charts import bars, count_axis
from annotator.templatetags.pages import duration
from annotator.templatetags.tables import HEAT_STEPS, heat_map, heat_rows, report_rows, strength
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_sentence,
    make_tag,
    span,
    spans,
    stage_of,
)
from tests.saving import save

pytestmark = pytest.mark.django_db


def make_answer(unit: Unit, user: User, spans: Sequence[dict[str, Any]] = (), mode: str = Mode.BLIND) -> None:
    """A finished annotation of labels with the assignment by which it came about."""
    make_assignment(unit, user, stage_of(unit.project, "correct"), mode=mode, done=True)
    make_annotation(unit, user, spans, mode=mode)


class TestAgreement:
    URL = reverse("agreement", args=["letters"])

    def test_the_two_who_share_most_are_compared_at_first(self, client: Client, project: Project) -> None:
        ana, ben, eva = (make_member(project, username=name) for name in ("ana", "ben", "eva"))
        for labels in ([span(2)], [], [span(0)]):
            sentence = make_sentence(project)
            make_answer(sentence, ana, labels)
            make_answer(sentence, eva, [span(2)])
        make_answer(sentence, ben)
        client.force_login(make_member(project, Role.ADJUDICATOR))

        page = client.get(self.URL).content.decode()

        assert "ana and eva" in page
        # Nine tokens: one labelled by both, one by ana alone, two by eva alone.
        assert "0.18" in page
        assert "slight" in page

    def test_nothing_is_offered_to_compare_while_one_person_has_answered(
        self, client: Client, project: Project
    ) -> None:
        ana, ben = make_member(project), make_member(project)
        make_answer(make_sentence(project), ana)
        client.force_login(make_member(project, Role.ADJUDICATOR))

        page = client.get(self.URL).text

        assert "No two people have finished anything in the same stage yet." in page
        assert "Second person" not in page
        make_answer(make_sentence(project), ben)
        page = client.get(self.URL).text
        assert "Nothing to compare yet" in page, "they have done different sentences"
        assert "No two people have finished" not in page
        assert "Second person" in page

    def test_undefined_kappa_is_explained(self, client: Client, project: Project) -> None:
        ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
        sentence = make_sentence(project)
        make_answer(sentence, ana, mode=Mode.REVIEW)
        make_answer(sentence, ben)
        client.force_login(make_member(project, Role.MANAGER))

        page = client.get(self.URL).content.decode()

        assert "undefined" in page
        assert "Both gave every item the same label" in page
        assert "They have no done items in common" in page

    def test_pairs_are_compared_by_tag(self, client: Client, project: Project) -> None:
        ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
        for first, second in (("relevant", "relevant"), ("no_metaphor", "no_metaphor")):
            pair = make_pair(project)
            make_tag(pair, first, user=ana)
            make_tag(pair, second, user=ben)
        client.force_login(make_member(project, Role.ADJUDICATOR))

        page = client.get(self.URL, {"a": "ana", "b": "ben", "layer": "pairs", "language": "es"}).content.decode()

        assert "almost perfect" in page
        assert "No metaphor" in page

    @pytest.mark.parametrize(
        ("choice", "said"),
        [
            ({"a": "ana", "b": "ana", "layer": "tokens", "language": "es"}, "Choose two different people"),
            ({"a": "ana", "b": "stranger", "layer": "tokens", "language": "es"}, "Select a valid choice"),
            ({"a": "ana", "b": "ben", "layer": "moods", "language": "xx"}, "Select a valid choice"),
        ],
    )
    def test_a_choice_that_makes_no_sense_is_said(
        self, client: Client, project: Project, choice: dict[str, str], said: str
    ) -> None:
        make_member(project, username="ana")
        make_member(project, username="ben")
        make_member(make_project(), username="stranger")
        client.force_login(make_member(project, Role.ADJUDICATOR))

        response = client.get(self.URL, choice)

        assert response.status_code == 200
        assert said in response.content.decode()

    @pytest.mark.slow
    def test_the_course_ends_at_the_overall_kappa(self, client: Client, project: Project) -> None:
        ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
        for number in range(30):
            sentence = make_sentence(project)
            make_answer(sentence, ana, [span(number % 3)])
            make_answer(sentence, ben, [span(number % 2)])
        wanted: Any = {"a": ana, "b": ben, "layer": "tokens", "language": "es"}

        asked = question(project, **wanted)
        course = course_of(asked, shared_work(asked))

        assert (len(course), course[-1].units) == (20, 30)
        assert [point.units for point in course] == sorted(point.units for point in course)
        assert [point.at for point in course] == sorted(point.at for point in course)
        assert course[-1].kappa == agreement(project, **wanted).overall.kappa.value
        client.force_login(make_member(project, Role.ADJUDICATOR))
        page = client.get(self.URL).text
        assert "How κ developed" in page
        # The axis of κ has its whole range, so a poor one lies below the middle.
        assert re.findall(r'x="38"[^>]*>([^<]*)<', page) == ["−1", "−0.5", "0", "0.5", "1"]
        assert "Sentences in common" in page

    def test_nothing_in_common_has_no_course(self, client: Client, project: Project) -> None:
        ana, ben = make_member(project), make_member(project)

        asked = question(project, a=ana, b=ben, layer="pairs", language="es")
        assert course_of(asked, shared_work(asked)) == []

    def test_rare_disagreement_shows_in_the_heat(self) -> None:
        kappa = cohen_kappa(["O"] * 99 + ["M"], ["O"] * 98 + ["M", "M"], ["O", "M"])

        first, second = heat_rows(kappa)

        assert [(cell["count"], cell["heat"], cell["agree"]) for cell in first["cells"]] == [
            (98, 6, True),
            (1, 1, False),
        ]
        assert [(cell["count"], cell["heat"]) for cell in second["cells"]] == [(0, 0), (1, 6)]

    @pytest.mark.parametrize("largest", [0.1111, 0.3333, 0.7, 1.0])
    def test_the_largest_number_of_a_heat_map_has_the_last_step(self, largest: float) -> None:
        shown = heat_map(HeatMap(("es", "eu"), ((None, largest), (largest, None))), "overlap")

        assert [cell["heat"] for cell in shown["cells"]] == [0, HEAT_STEPS, HEAT_STEPS, 0]


class TestReports:
    @pytest.fixture(autouse=True)
    def gold(self, client: Client, project: Project) -> None:
        make_gold(make_sentence(project, "El tiempo vuela"), [span(2)])
        make_sentence(project)
        client.force_login(make_member(project))

    def test_the_page_shows_the_table(self, client: Client) -> None:
        page = client.get(reverse("reports", args=["letters"])).content.decode()

        assert "33.33" in page
        assert "Sentences without gold, not counted: 1" in page

    def test_projections_are_headed_by_what_they_count(self, client: Client, project: Project) -> None:
        make_gold(make_sentence(project, "Time flies", language="en"), [span(1)])

        page = client.get(reverse("report", args=["letters", "projection"])).content.decode()

        table = page.partition('id="report-projection"')[2]
        assert re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', table) == [
            "Language", "Dataset", "Role",
            "Source", "Projected", "Unaligned", "Dropped", "Kept", "Shifted", "Lost", "Lost, not projected",
            "Gained", "Target", "Labelled tokens", "Predicted", "Revised",
        ]  # fmt: skip

    def test_json_csv_and_latex_hold_the_same_numbers(self, client: Client) -> None:
        files = {
            name: client.get(reverse(f"report-{name}", args=["letters", "detection"])).text
            for name in ("csv", "json", "tex")
        }
        rows = json.loads(files["json"])

        assert rows[-1] == {
            "language": "es",
            "dataset": "set",
            "role": "all",
            "labelled_tokens": 1,
            "tokens": 3,
            "labelled_sentences": 1,
            "sentences": 1,
        }
        assert list(csv.DictReader(files["csv"].splitlines())) == [
            {name: str(value) for name, value in row.items()} for row in rows
        ]
        lines = files["tex"].splitlines()
        assert lines[0] == r"\begin{tabular}{lllrrrrrr}"
        assert lines[2].startswith("Language & Dataset & Role & Labelled tokens & Tokens & \\% &")
        assert r"es & set & All & 1 & 3 & 33.33 & 1 & 1 & 100.00 \\" in lines

    def test_a_name_becomes_no_formula_and_no_command(self, client: Client, project: Project) -> None:
        make_gold(make_sentence(project), [])
        project.slots.update(dataset="=A1_{x}")
        files = {
            name: client.get(reverse(f"report-{name}", args=["letters", "detection"])).text for name in ("csv", "tex")
        }
        assert ",'=A1_{x}," in files["csv"]
        assert r"& =A1\_\{x\} &" in files["tex"]

    def test_the_headline_is_the_share_of_all_languages(self, client: Client, project: Project) -> None:
        make_gold(make_sentence(project, "Time flies", language="en"), [])
        page = client.get(reverse("reports", args=["letters"])).text
        assert re.search(r'headline-number">20\.00 %</strong> of the tokens with gold are labelled: 1 of 5\.', page)

    def test_a_share_is_a_share_of_the_whole_axis(self, client: Client) -> None:
        page = client.get(reverse("reports", args=["letters"])).text
        assert 'x="0.00%" width="33.33%"' in page
        assert re.findall(r'text-anchor="\w+">(\d+ %)<', page) == ["0 %", "25 %", "50 %", "75 %", "100 %"]


@pytest.mark.parametrize(
    ("value", "x", "width"), [(0.5, "50.00%", "25.00%"), (-0.05, "47.50%", "2.50%"), (None, "50.00%", "0.00%")]
)
def test_a_bar_of_kappa_starts_at_zero(value: float | None, x: str, width: str) -> None:
    shown = bars([{"label": "All", "value": value, "text": ""}], "kappa")
    assert [(row["x"], row["width"]) for row in shown["rows"]] == [(x, width)]
    assert [tick["label"] for tick in shown["ticks"]] == ["−1", "−0.5", "0", "0.5", "1"]


@pytest.mark.parametrize(("largest", "high", "step"), [(0, 1, 1), (3, 3, 1), (27, 30, 10), (1276, 1500, 500)])
def test_an_axis_of_counts_ends_at_a_round_number(largest: int, high: int, step: int) -> None:
    axis = count_axis(largest)
    assert (axis.high, axis.ticks[1] - axis.ticks[0]) == (high, step)


class TestItems:
    def test_own_items_can_be_gone_back_to(self, client: Client, project: Project) -> None:
        ana = make_member(project)
        stage = stage_of(project, "correct")
        first, second = make_sentence(project, "La casa dormía"), make_sentence(project, "El reloj contaba")
        item = make_assignment(first, ana, stage)
        save(item, spans(), doubt=True, comment="asleep?")
        make_assignment(second, ana, stage)
        make_assignment(make_sentence(project, "Lo de otra"), make_member(project), stage)
        client.force_login(ana)
        address = reverse("items", args=["letters", stage.pk])

        everything, done, doubtful = (
            client.get(address, query).content.decode() for query in ({}, {"state": "done"}, {"doubt": "1"})
        )

        assert f"{reverse('work', args=['letters', stage.pk])}?item={item.pk}" in everything
        assert "El reloj contaba" in everything
        assert "Lo de otra" not in everything
        for filtered in (done, doubtful):
            assert "La casa dormía" in filtered
            assert "asleep?" in filtered
            assert "El reloj contaba" not in filtered

    def test_pairs_show_their_hypothesis_and_own_tag(self, client: Client, project: Project) -> None:
        ana = make_member(project)
        stage = stage_of(project, "pair-tag")
        pair = make_pair(project, hypothesis="Nadie mira el reloj")
        make_assignment(pair, ana, stage, mode=Mode.BLIND, done=True)
        make_tag(pair, "relevant", user=ana, mode=Mode.BLIND)
        make_tag(pair, "discarded", user=make_member(project))
        client.force_login(ana)

        page = client.get(reverse("items", args=["letters", stage.pk])).content.decode()

        assert "Nadie mira el reloj" in page
        assert "Relevant" in page
        assert "Discarded" not in page

    def test_adjudication_has_no_items_of_ones_own(self, client: Client, project: Project) -> None:
        stage = stage_of(project, "adjudicate")
        client.force_login(make_member(project, Role.ADJUDICATOR))

        response = client.get(reverse("items", args=["letters", stage.pk]))

        assert response.headers["Location"] == reverse("work", args=["letters", stage.pk])


@pytest.mark.parametrize(
    ("seconds", "words"), [(None, ""), (0.4, "0 s"), (59.6, "1 min 0 s"), (100, "1 min 40 s"), (7260, "2 h 1 min")]
)
def test_durations_are_short(seconds: float | None, words: str) -> None:
    assert duration(seconds) == words


def test_strength_has_a_word_for_every_kappa() -> None:
    assert [strength(value) for value in (None, -0.1, 0, 0.5, 1)] == [
        "undefined",
        "poor",
        "slight",
        "moderate",
        "almost perfect",
    ]


def test_counts_in_tables_are_grouped_as_elsewhere() -> None:
    report = plain_report(("language", "sentences", "kappa"), [{"language": "en", "sentences": 1276, "kappa": 0.25}])
    (row,) = report_rows(report)
    assert [cell["text"] for cell in row["cells"]][1:] == ["1,276", "0.25"]
