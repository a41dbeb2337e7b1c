"""The matrix of people, the words behind a cell of the confusion table, and the way from them to adjudication."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.models import BlindMark, Event, Item, Mode, Project, Role, Unit, User
from annotator.reports.actions import store_run
from annotator.reports.queries import agreement_runs
from annotator.reports.queries.agreement import question
from annotator.reports.queries.agreement_places import places_of_run
from annotator.reports.queries.agreement_runs import compute
from tests.clients import client_of
from tests.factories import make_assignment, make_gold, make_member, make_project, make_sentence, span, spans, stage_of
from tests.pages.test_cost import statements
from tests.saving import save

pytestmark = pytest.mark.django_db

PAGE = reverse("agreement", args=["letters"])
WORDS = reverse("agreement-words", args=["letters"])
CHOICE = {"a": "ana", "b": "ben", "layer": "tokens", "language": "es"}
LABEL, NONE = "METAPHOR", "O"
CELL = {**CHOICE, "group": "all", "first": LABEL, "second": NONE}


def answered(project: Project, text: str, **labels: int | None) -> Unit:
    """A sentence that people have labelled blind: by username the token that each labelled, None for no label."""
    sentence = make_sentence(project, text)
    for name, token in labels.items():
        person = User.objects.get(username=name)
        row = make_assignment(sentence, person, stage_of(project, "correct"), mode=Mode.BLIND)
        save(row, spans(*([] if token is None else [span(token)])))
    return sentence


@pytest.fixture
def people(project: Project) -> list[User]:
    return [make_member(project, username=name) for name in ("ana", "ben", "cai")]


@pytest.fixture
def sentences(project: Project, people: list[User]) -> list[Unit]:
    """Ana and Ben differ on two of three sentences: in the first one Ben sees nothing, in the second another word."""
    return [
        answered(project, "El tiempo vuela", ana=2, ben=None),
        answered(project, "La casa dormía sola", ana=2, ben=3),
        answered(project, "Nada más", ana=0, ben=0),
    ]


@pytest.fixture
def judge(client: Client, project: Project) -> User:
    found = make_member(project, Role.ADJUDICATOR, "judge")
    client.force_login(found)
    return found


def marked(page: str) -> list[str]:
    return re.findall(r"<mark>([^<]*)</mark>", page)


def cells(page: str) -> list[str]:
    """The cells of the matrix, as screen readers hear them."""
    table = page.partition('class="people-matrix"')[2].partition("</table>")[0]
    found = re.findall(r'<a class="matrix-pair".*?</a>|nothing in common', table, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in found]


@pytest.mark.usefixtures("sentences", "judge")
class TestWords:
    def test_a_cell_leads_to_its_words_in_their_sentences(self, client: Client, sentences: list[Unit]) -> None:
        page = client.get(PAGE, CHOICE).text
        (address,) = re.findall(rf'href="({WORDS}[^"]*first={LABEL}&amp;second={NONE})"', page)

        text = client.get(address.replace("&amp;", "&")).text

        assert marked(text) == ["vuela", "dormía"]
        assert '<bdi lang="es" translate="no" dir="ltr">El tiempo <mark>vuela</mark></bdi>' in text
        for sentence in sentences[:2]:
            assert reverse("sentence", args=["letters", sentence.segment_id]) in text
        assert marked(client.get(WORDS, {**CELL, "first": NONE, "second": LABEL}).text) == ["sola"]
        same = client.get(WORDS, {**CELL, "second": LABEL}).text
        assert (marked(same), "Adjudicate" in same.partition("<main")[2]) == (["Nada"], False)

    def test_a_group_has_only_its_own(self, client: Client, project: Project, sentences: list[Unit]) -> None:
        assert project.roles
        sentences[0].segment.role = project.roles[1]
        sentences[0].segment.save()
        assert marked(client.get(WORDS, {**CELL, "group": project.roles[1]}).text) == ["vuela"]
        assert marked(client.get(WORDS, CELL).text) == ["vuela", "dormía"]

    def test_what_there_is_not_is_refused(self, client: Client) -> None:
        assert client.get(WORDS, {**CELL, "first": "OTHER"}).status_code == 404
        assert client.get(WORDS, {**CELL, "group": "other"}).status_code == 404
        answer = client.get(WORDS, {**CELL, "b": "ana"}, follow=True)
        assert "Choose two different people" in answer.text

    def test_it_costs_the_same_with_more_sentences(self, client: Client, project: Project) -> None:
        address = f"{WORDS}?a=ana&b=ben&layer=tokens&language=es&group=all&first={LABEL}&second={NONE}"
        before = statements(client, address)
        for _number in range(6):
            answered(project, "El tiempo vuela", ana=2, ben=None)
        assert statements(client, address) == before

    def test_only_those_who_adjudicate_read_them(self, project: Project, people: list[User]) -> None:
        outsider = make_member(make_project("other"), Role.MANAGER)
        for user, status in ((people[0], 403), (outsider, 404)):
            reader = Client()
            reader.force_login(user)
            answer = reader.get(WORDS, CELL)
            assert (answer.status_code, "vuela" in answer.text) == (status, False)

    def test_nobody_who_still_answers_blind_reads_any(self, client: Client, project: Project, judge: User) -> None:
        make_assignment(make_sentence(project), judge, stage_of(project, "correct"), mode=Mode.BLIND)
        answer = client.get(WORDS, CELL)
        assert (answer.status_code, "vuela" in answer.text) == (403, False)

    def test_a_sentence_on_which_the_reader_is_blind_is_left_out(
        self, client: Client, project: Project, judge: User, sentences: list[Unit]
    ) -> None:
        row = make_assignment(sentences[0], judge, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
        assert BlindMark.objects.filter(assignment=row, live=True).exists()
        text = client.get(WORDS, CELL).text
        assert marked(text) == ["dormía"]
        assert "El tiempo" not in text
        assert "1 sentence on this page is not shown" in text


@pytest.mark.usefixtures("sentences", "judge")
class TestAdjudicate:
    def test_the_items_of_a_cell_are_a_queue_of_their_own(
        self, client: Client, project: Project, judge: User, sentences: list[Unit]
    ) -> None:
        answered(project, "Otra cosa", ana=None, ben=1)
        stage = stage_of(project, "adjudicate")
        items = [Item.objects.get(stage=stage, unit=unit).pk for unit in sentences[:2]]
        events = Event.objects.count()
        text = client.get(WORDS, CELL).text
        assert "Adjudicate these 2 items" in text
        (only,) = re.findall(rf'href="{reverse("work", args=["letters", stage.pk])}\?only=([^"]*)"', text)
        assert sorted(map(int, only.split(","))) == sorted(items)

        page = client.get(reverse("work", args=["letters", stage.pk]), {"only": f"{only},x"}).text
        assert "Queue filter: Chosen items." in page
        call = f"/api/v1/projects/letters/stages/{stage.pk}/adjudicate/"
        told = client_of(judge).get(call, {"only": only}).json()
        assert sorted(item["id"] for item in told["items"]) == sorted(items)
        assert told["remaining"] == 2
        assert client_of(judge).get(call).json()["remaining"] == 3
        assert Event.objects.count() == events, "nothing was decided or moved by looking"

    def test_what_is_decided_does_not_wait(self, client: Client, sentences: list[Unit]) -> None:
        for sentence in sentences[:2]:
            make_gold(sentence, [])
            Item.objects.filter(unit=sentence, stage__kind="adjudicate").update(state="decided")
        text = client.get(WORDS, CELL).text
        assert "None of these items is waiting for you: 2 are decided" in text
        assert "?only=" not in text

    def test_without_a_stage_it_says_what_to_do(self, client: Client, project: Project) -> None:
        project.stages.filter(kind="adjudicate").delete()
        text = client.get(WORDS, CELL).text
        assert "the project has no adjudication stage for Labels on tokens in Spanish (es)." in text
        assert "A manager can add one under Settings." in text
        client.force_login(make_member(project, Role.MANAGER))
        text = client.get(WORDS, CELL).text
        assert f'<a href="{reverse("settings", args=["letters"])}">Add one under Settings</a>' in text

    def test_an_archived_project_offers_nothing(self, client: Client, project: Project) -> None:
        Project.objects.filter(pk=project.pk).update(archived_at=timezone.now())
        text = client.get(WORDS, CELL).text
        assert (marked(text), "?only=" in text) == (["vuela", "dormía"], False)

    def test_somebody_who_is_given_no_work_in_the_language_is_told(
        self, client: Client, project: Project, judge: User
    ) -> None:
        project.memberships.filter(user=judge).update(languages=["en"])
        text = client.get(WORDS, CELL).text
        assert "You are not assigned work in Spanish (es)" in text
        assert "?only=" not in text


@pytest.mark.usefixtures("sentences", "judge")
class TestLarge:
    @pytest.fixture(autouse=True)
    def large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(agreement_runs, "MAX_INLINE", 1)

    def stored(self, project: Project) -> None:
        a, b = (User.objects.get(username=name) for name in ("ana", "ben"))
        asked = question(project, a=a, b=b, layer="tokens", language="es")
        store_run(computed=compute(asked, now=timezone.now()), by=None)

    def test_words_are_those_that_were_stored(
        self, client: Client, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answer = client.get(WORDS, CELL, follow=True)
        assert "The words are not stored yet." in answer.text
        assert "vuela" not in answer.text
        monkeypatch.setattr(agreement_runs, "MAX_STORED", 1)
        self.stored(project)
        answered(project, "Corre el agua", ana=0, ben=None)
        text = client.get(WORDS, CELL).text
        assert marked(text) == ["vuela"]
        assert "The first 1 of 2, as computed" in text

    def test_a_run_of_before_says_to_compute_again(self, client: Client, project: Project) -> None:
        self.stored(project)
        run = project.agreement_runs.get()
        assert places_of_run(run)
        project.agreement_runs.update(results={name: run.results[name] for name in run.results if name != "places"})
        answer = client.get(WORDS, CELL, follow=True)
        assert "Compute the agreement again to list them." in answer.text

    def test_the_matrix_has_what_was_stored_with_its_age(self, client: Client, project: Project) -> None:
        assert cells(client.get(PAGE).text) == ["ana and ben: not computed yet 3 items"]
        self.stored(project)
        (cell,) = cells(client.get(PAGE).text)
        assert re.fullmatch(r"ana and ben: κ 0\.\d\d \w+ 3 items · (now|.* ago)", cell)


@pytest.mark.usefixtures("sentences", "judge")
class TestMatrix:
    def test_every_two_people_have_a_cell(self, client: Client, project: Project) -> None:
        answered(project, "El mar canta", ana=2, cai=2)
        assert cells(client.get(PAGE).text) == [
            # Of nine tokens Ana labelled three and Ben two, one of them both: (6 · 9 − 48) / (81 − 48).
            "ana and ben: κ 0.18 slight 3 items",
            "ana and cai: κ 1.00 almost perfect 1 item",
            "nothing in common",
        ]

    def test_a_cell_has_the_kappa_of_the_page_of_the_two(self, client: Client) -> None:
        page = client.get(PAGE, CHOICE).text
        (cell,) = cells(page)
        assert re.findall(r'headline-number">κ ([^<]*)<', page) == re.findall(r"κ (\S+)", cell)
        assert 'aria-current="true"' in page

    def test_six_people_cost_what_two_do(self, client: Client, project: Project) -> None:
        before = statements(client, PAGE)
        names = [f"p{number}" for number in range(4)]
        for name in names:
            make_member(project, username=name)
        answered(project, "El mar canta", ana=2, ben=1, **dict.fromkeys(names, 0))
        assert statements(client, PAGE) == before
        assert len(cells(client.get(PAGE).text)) == 15
