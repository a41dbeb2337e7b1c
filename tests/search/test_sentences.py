"""The list of sentences: what it is filtered by, for whom, in context, as a file, and at what cost."""

from __future__ import annotations

import csv
import io
from typing import Any

import openpyxl
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotator.core.access import project_for
from annotator.models import Annotation, Assignment, Event, Import, Mode, Project, Role, Sentence, Suggestion, User
from annotator.search.queries.filters import Filters, facets, reader_of
from annotator.search.queries.listing import PER_PAGE, found
from annotator.search.queries.rows import concordance, rows_of
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.queue.actions.assignments import assign_review
from tests.api.test_cost import scans
from tests.deciding import decide_gold
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_prediction,
    make_project,
    make_segment,
    make_sentence,
    make_user,
    span,
    spans,
    stage_of,
)
from tests.pages.test_cost import fill

pytestmark = pytest.mark.django_db

# Of the whole page, the rail included. Each word of a search has two more, and each language.
MAX_STATEMENTS = 60


@pytest.fixture
def project() -> Project:
    return make_project("letters")


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, username="ana")


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, username="mara")


def listed(user: User, project: Project, **filters: Any) -> list[int]:
    """The ids of the units on the first page."""
    reader = reader_of(project_for(user, project.slug))
    return [row.unit.pk for row in rows_of(reader, found(reader, Filters.from_query(filters)))]


def get(client: Client, user: User, name: str = "find", **query: str) -> Any:
    client.force_login(user)
    return client.get(reverse(name, args=["letters"]), query)


def act(client: Client, by: User, *rows: str, **given: str) -> Any:
    client.force_login(by)
    return client.post(reverse("find-act", args=["letters"]), {"rows": rows, **given})


class TestWords:
    def test_by_how_a_word_begins(self, project: Project, ana: User) -> None:
        camp = make_sentence(project, "El campo “camping” .")
        other = make_sentence(project, "La campaña acaba .")
        make_sentence(project, "El tiempo vuela .")

        assert listed(ana, project, q="camp-") == listed(ana, project, q="camp*") == [camp.pk, other.pk]
        assert listed(ana, project, q="CAMP- acaba") == [other.pk]
        assert listed(ana, project, q="camping") == [camp.pk]

    def test_hits_are_marked_and_hostile_text_is_text(self, client: Client, project: Project, ana: User) -> None:
        make_sentence(project, "El <b>tiempo</b> vuela <script>alert(1)</script>")
        text = get(client, ana, q="vuela").content.decode()

        assert "<mark>vuela</mark>" in text
        assert "<script>alert(1)" not in text
        assert get(client, ana, q="'; --", after="x.y", stage="9" * 30, page="-1").status_code == 200

    def test_a_late_hit_is_not_cut_off(self, project: Project, ana: User) -> None:
        make_sentence(project, " ".join(["palabra"] * 20) + " vuela")
        reader = reader_of(project_for(ana, project.slug))
        (row,) = rows_of(reader, found(reader, Filters(q="vuela")))

        assert [piece.text for piece in row.pieces] == ["palabra palabra palabra palabra ", "vuela"]
        assert row.begins_within
        assert row.value.split(":")[1] == "20"


class TestFilters:
    def test_by_what_is_known_of_the_text(self, project: Project, ana: User) -> None:
        Import.objects.create(project=project, dataset="set")
        segment = make_segment(project, group="a letter")
        spanish = make_sentence(project, segment=segment)
        english = make_sentence(project, "Time flies", language="en", segment=segment)
        hypothesis = make_sentence(project, segment=make_segment(project, role="hyp"))

        assert listed(ana, project) == [spanish.pk, english.pk, hypothesis.pk]
        assert listed(ana, project, language="en") == [english.pk]
        assert listed(ana, project, role="hyp") == [hypothesis.pk]
        assert listed(ana, project, document="a letter") == [spanish.pk, english.pk]
        assert listed(ana, project, dataset="none") == []
        assert listed(ana, project, dataset="set", language="es") == [spanish.pk, hypothesis.pk]

    def test_by_labels_of_those_that_the_reader_sees(self, project: Project, ana: User, mara: User) -> None:
        mine, theirs, gold, nothing = (make_sentence(project) for _ in range(4))
        make_annotation(mine, ana, [span(1)])
        make_annotation(theirs, make_member(project), [span(1)])
        make_gold(gold, [span(1)])

        assert listed(ana, project, marked="labelled") == [mine.pk, gold.pk]
        assert listed(mara, project, label="METAPHOR") == [mine.pk, theirs.pk, gold.pk]
        assert listed(ana, project, marked="unlabelled") == [theirs.pk, nothing.pk]
        assert listed(ana, project, gold="yes") == [gold.pk]
        assert listed(ana, project, gold="no", marked="labelled") == [mine.pk]
        # Of the word that was hit, not of the sentence.
        assert listed(mara, project, q="vuela", marked="labelled") == []
        assert listed(mara, project, q="tiempo", marked="unlabelled") == [nothing.pk]

    def test_by_work(self, project: Project, ana: User, mara: User) -> None:
        free, taken, waiting = (make_sentence(project) for _ in range(3))
        stage = stage_of(project, "correct")
        assign_review(stage=stage, units=[taken.pk], user=ana, by=ana)
        make_annotation(waiting, ana, [span(1)], doubt=True)
        make_annotation(waiting, make_member(project), [span(2)], comment="why?")

        assert listed(ana, project, stage=str(stage.pk), state="taken") == [taken.pk]
        assert free.pk in listed(ana, project, stage=str(stage.pk), state="free")
        assert listed(mara, project, person=str(ana.pk)) == [taken.pk]
        assert listed(mara, project, disagreement="yes") == [waiting.pk]
        assert listed(mara, project, comment="yes") == listed(mara, project, doubt="yes") == [waiting.pk]
        # Their own remark, and none of others; nor who has what, nor that two people differ.
        assert listed(ana, project, doubt="yes") == [waiting.pk]
        assert listed(ana, project, comment="yes") == []
        for filters in ({"person": str(mara.pk)}, {"disagreement": "yes"}):
            assert len(listed(ana, project, **filters)) == 3
        offered = facets(reader_of(project_for(ana, project.slug)))
        assert (offered.people, offered.disagreement, offered.comment) == ([], False, False)

    def test_by_a_person_stage_and_state_are_those_of_their_answers(
        self, project: Project, ana: User, mara: User
    ) -> None:
        stage, ben = stage_of(project, "correct"), make_member(project)
        done, decided, taken, ahead, blind = (make_sentence(project) for _ in range(5))
        for sentence, how in ((done, {"done": True}), (decided, {"done": True}), (taken, {}), (ahead, {"ahead": True})):
            make_assignment(sentence, ana, stage, **how)
        make_assignment(blind, ana, stage, mode=Mode.BLIND, done=True)
        make_assignment(make_sentence(project), ben, stage, done=True)
        make_gold(decided)
        person = str(ana.pk)

        assert listed(mara, project, person=person) == [done.pk, decided.pk, taken.pk, blind.pk]
        assert listed(mara, project, person=person, state="done") == [done.pk, decided.pk, blind.pk]
        assert listed(mara, project, person=person, state="taken") == [taken.pk]
        assert listed(mara, project, person=person, state="decided") == [decided.pk]
        assert listed(mara, project, person=f"{person}:blind") == [blind.pk]
        assert listed(mara, project, person=f"{person}:review", state="done") == [done.pk, decided.pk]
        other = str(stage_of(project, "correct", "en").pk)
        assert listed(mara, project, person=person, stage=str(stage.pk), state="taken") == [taken.pk]
        assert listed(mara, project, person=person, stage=other) == []
        assert listed(mara, project, person="none:odd") == []
        offered = facets(reader_of(project_for(mara, project.slug))).people
        assert [(key, mode) for key, user, mode in offered if user == ana] == [
            (person, ""),
            (f"{person}:review", "review"),
            (f"{person}:blind", "blind"),
        ]
        assert [mode for _key, user, mode in offered if user == ben] == [""]

    def test_by_state_in_any_stage_that_the_reader_sees(
        self, client: Client, project: Project, ana: User, mara: User
    ) -> None:
        free, taken = make_sentence(project), make_sentence(project)
        english = make_sentence(project, "Time flies", language="en")
        assign_review(stage=stage_of(project, "correct"), units=[taken.pk], user=ana, by=ana)
        # Others differ there: that it waits for a decision is in a stage that is not theirs.
        waiting = make_sentence(project)
        make_annotation(waiting, ana, [span(1)])
        make_annotation(waiting, make_member(project), [span(2)])
        states = {row.pk: set(row.items.values_list("state", flat=True)) for row in (free, taken, english)}
        assert all("free" in there for there in (states[free.pk], states[english.pk]))

        for user in (ana, mara):
            shown = listed(user, project, state="taken")
            assert shown == listed(user, project, state="taken", q="tiempo") == [taken.pk]
            some = listed(user, project, state="free")
            assert {free.pk, english.pk} <= set(some)
            assert len(some) == len(set(some))
            assert listed(user, project, state="free", language="en") == [english.pk]
            assert listed(user, project, state="decided") == []
        # A stage that the reader may not filter by lets nothing through.
        judged = stage_of(project, "adjudicate")
        assert listed(mara, project, stage=str(judged.pk), state="free") == []
        lines = b"".join(get(client, ana, "find-csv", state="taken").streaming_content)
        assert taken.segment.uid in lines.decode()
        assert free.segment.uid not in lines.decode()

    def test_pages_of_a_state_go_on_over_all_stages(self, project: Project, ana: User) -> None:
        rows = fill(project, PER_PAGE + 7)
        reader = reader_of(project_for(ana, project.slug))
        first = found(reader, Filters(state="free"))
        last = found(reader, Filters(state="free", after=first.after))

        assert [*first.units, *last.units] == [row.pk for row in rows]
        assert last.after == ""

    def test_by_suggestions_for_whom_may_see_them(self, project: Project, ana: User, mara: User) -> None:
        sentence = make_sentence(project)
        make_prediction(sentence, [span(1)], [0.1, 0.9, 0.1])

        assert listed(mara, project, suggestion="prediction") == [sentence.pk]
        assert listed(ana, project, suggestion="prediction") == []
        assert facets(reader_of(project_for(ana, project.slug))).suggestions == []

    def test_what_a_person_suggested_is_told_to_who_has_it_until_they_answer(
        self, client: Client, project: Project, ana: User, mara: User
    ) -> None:
        sentence = make_sentence(project)
        ben = make_member(project, username="ben")
        row = make_assignment(sentence, ben, stage_of(project, "correct"))
        act(client, ana, f"{sentence.pk}:2:others", do="label", label="METAPHOR")

        text = get(client, ben, suggestion="proposal").content.decode()
        assert "METAPHOR, suggested by ana" in text
        assert "Someone suggested a label in 1 of your sentences" in get(client, ben).content.decode()
        assert listed(ana, project, suggestion="proposal") == []
        assert listed(mara, project, suggestion="proposal") == [sentence.pk]
        save_annotation(
            project=project, assignment=row.pk, version=0, content=spans(), done=True, by=ben, now=timezone.now()
        )
        assert listed(ben, project, suggestion="proposal") == []
        assert "Someone suggested" not in get(client, ben).content.decode()

    def test_pages_go_on_where_the_last_one_ended(self, project: Project, ana: User) -> None:
        rows = fill(project, PER_PAGE + 7)
        reader = reader_of(project_for(ana, project.slug))
        first = found(reader, Filters())
        last = found(reader, Filters(after=first.after))

        assert [*first.units, *last.units] == [row.pk for row in rows]
        assert last.after == ""

    def test_a_rare_thing_is_looked_for_in_steps(
        self, project: Project, ana: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("annotator.search.queries.listing.CHUNK", 10)
        rows = fill(project, 200)
        make_gold(rows[-1])
        reader = reader_of(project_for(ana, project.slug))
        page, steps = found(reader, Filters(gold="yes")), 1
        while page.after and not page.units:
            assert page.looked
            page, steps = found(reader, Filters(gold="yes", after=page.after)), steps + 1

        assert list(page.units) == [rows[-1].pk]
        assert steps > 2


class TestBlind:
    def test_nothing_of_others_shows_or_lets_through(self, client: Client, project: Project, mara: User) -> None:
        sentence = make_sentence(project, "El tiempo vuela")
        other = make_sentence(project, "Ana lee")
        ben = make_member(project, username="ben")
        make_annotation(sentence, ben, [span(2)], doubt=True, comment="mine")
        make_annotation(other, ben, [span(1)])
        make_prediction(sentence, [span(1)], [0.1, 0.9, 0.1])
        make_assignment(sentence, mara, stage_of(project, "correct"), mode=Mode.BLIND, done=True)

        # Done, and not decided: blind there, and nowhere else.
        for filters in (
            {"label": "METAPHOR"}, {"marked": "labelled"}, {"doubt": "yes"}, {"comment": "yes"},
            {"suggestion": "prediction"}, {"person": str(ben.pk)}, {"disagreement": "yes"}, {"gold": "no"},
        ):  # fmt: skip
            assert sentence.pk not in listed(mara, project, **filters), filters
        assert listed(mara, project, label="METAPHOR") == [other.pk]
        text = get(client, mara, q="vuela").content.decode()
        assert 'class="badge"' not in text
        assert "is-labelled" not in text
        # While blind work is open, nothing of others anywhere.
        Assignment.objects.filter(user=mara).update(state="open")
        assert listed(mara, project, label="METAPHOR") == []

    def test_gold_ends_it(self, project: Project, ana: User) -> None:
        sentence = make_sentence(project)
        make_assignment(sentence, ana, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
        make_annotation(sentence, ana, [span(0)], mode=Mode.BLIND)
        assert listed(ana, project, gold="yes") == []
        judge = make_member(project, Role.ADJUDICATOR)
        decide_gold(unit=sentence.pk, layer=project.label_layer, content=spans(span(1)), reason="", by=judge)
        assert listed(ana, project, gold="yes") == [sentence.pk]


class TestContext:
    def test_sorted_by_a_neighbour_and_filtered_by_labels(self, project: Project, ana: User) -> None:
        first = make_sentence(project, "Ana guarda cartas viejas")
        second = make_sentence(project, "Luis quema cartas azules")
        make_annotation(second, ana, [span(2)])
        reader = reader_of(project_for(ana, project.slug))

        def units(**filters: str) -> list[int]:
            return [line.unit.pk for line in concordance(reader, Filters(q="cart-", **filters)).lines]

        assert units(sort="left") == [first.pk, second.pk]
        assert units(sort="right") == [second.pk, first.pk]
        assert units(marked="unlabelled") == [first.pk]
        assert units(marked="labelled") == [second.pk]
        line = concordance(reader, Filters(q="cart-", marked="labelled")).lines[0]
        assert (line.before, line.word, line.after, line.labels) == ("Luis quema", "cartas", "azules", ["METAPHOR"])

    def test_so_many_sentences_and_that_is_told(
        self, client: Client, project: Project, ana: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("annotator.search.queries.rows.MAX_IN_CONTEXT", 2)
        for _ in range(3):
            make_sentence(project)
        text = get(client, ana, q="vuela", view="context").content.decode()

        assert text.count('name="rows"') == 2
        assert "Use a rarer word to see all." in text
        assert "Search for a word to see it in context." in get(client, ana, view="context").content.decode()


class TestActs:
    def test_labelled_from_the_list_and_undone(self, client: Client, project: Project, ana: User) -> None:
        sentences = [make_sentence(project) for _ in range(2)]
        rows = [f"{sentence.pk}:2:free" for sentence in sentences]
        answer = act(client, ana, *rows, do="label", label="METAPHOR", back="q=vuela&evil=1")

        operation = Event.objects.get(verb="sentences.labelled").operation
        assert answer.headers["Location"] == f"/projects/letters/find/?q=vuela&act={operation}"
        text = client.get(answer.headers["Location"]).content.decode()
        assert "METAPHOR was added to 2 free sentences, which were claimed for you and left open." in text
        assert "of your sentences" not in text
        answer = client.post(reverse("find-undo", args=["letters", operation]), {"back": "q=vuela"})
        text = client.get(answer.headers["Location"]).content.decode()
        assert "2 answers were restored." in text
        assert "2 items were returned to the queue." in text
        assert [row.content for row in Annotation.objects.all()] == [spans(), spans()]

    def test_free_ones_are_told_apart_from_ones_own(self, client: Client, project: Project, ana: User) -> None:
        mine, free = make_sentence(project), make_sentence(project)
        assign_review(stage=stage_of(project, "correct"), units=[mine.pk], user=ana, by=ana)
        rows = (f"{mine.pk}:2:own-0", f"{free.pk}:2:free")
        text = client.get(act(client, ana, *rows, do="label", label="METAPHOR").headers["Location"]).content.decode()

        assert "METAPHOR was added to 1 of your sentences." in text
        assert "METAPHOR was added to 1 free sentence, which was claimed for you and left open." in text

    def test_the_last_act_can_be_undone_later(self, client: Client, project: Project, ana: User, mara: User) -> None:
        first, second = make_sentence(project), make_sentence(project)
        for sentence in (first, second):
            act(client, ana, f"{sentence.pk}:2:free", do="label", label="METAPHOR")
        older, newer = (
            Event.objects.filter(verb="sentences.labelled").order_by("pk").values_list("operation", flat=True)
        )
        undo = [reverse("find-undo", args=["letters", one]) for one in (older, newer)]

        text = get(client, ana).content.decode()
        assert undo[1] in text
        assert undo[0] not in text
        assert "METAPHOR was added to 1 free sentence" in text
        assert "Last action" not in get(client, mara).content.decode()
        client.force_login(ana)
        client.post(undo[1])
        assert undo[0] in get(client, ana, q="vuela", view="context").content.decode()
        client.post(undo[0])
        assert "Last action" not in get(client, ana).content.decode()

    def test_what_nothing_can_be_undone_of_is_not_offered(
        self, client: Client, project: Project, ana: User, mara: User
    ) -> None:
        saved, others, given = (make_sentence(project) for _ in range(3))
        stage, ben = stage_of(project, "correct"), make_member(project, username="ben")
        theirs = make_assignment(others, ben, stage)
        act(client, ana, f"{saved.pk}:2:free", f"{others.pk}:2:others", do="label", label="METAPHOR")
        act(client, mara, f"{given.pk}::free", do="assign", stage=str(stage.pk), user=str(ben.pk))
        for user in (ana, mara):
            assert "Last action" in get(client, user).content.decode()

        row = Assignment.objects.get(user=ana)
        for assignment, version, by in ((row, 1, ana), (Assignment.objects.get(unit=given), 0, ben)):
            save_annotation(
                project=project, assignment=assignment.pk, version=version, content=spans(), done=True, by=by,
                now=timezone.now(),
            )  # fmt: skip
        assert "Last action" not in get(client, mara).content.decode()
        # The suggestion can still be withdrawn.
        assert "Last action" in get(client, ana).content.decode()
        Assignment.objects.filter(pk=theirs.pk).update(suggestion=Suggestion.objects.get(kind="proposal"))
        save_annotation(
            project=project, assignment=theirs.pk, version=0, content=spans(), done=True, by=ben, now=timezone.now()
        )
        assert "Last action" not in get(client, ana).content.decode()

    def test_nothing_is_offered_where_gold_was_decided_or_nobody_may_work(
        self, client: Client, project: Project, ana: User
    ) -> None:
        sentence = make_sentence(project)
        row = make_assignment(sentence, ana, stage_of(project, "correct"))
        save_annotation(
            project=project, assignment=row.pk, version=0, content=spans(), done=True, by=ana, now=timezone.now()
        )
        act(client, ana, f"{sentence.pk}:2:own-1", do="label", label="METAPHOR")
        Project.objects.filter(pk=project.pk).update(archived_at="2026-01-01T00:00:00Z")
        assert "Last action" not in get(client, ana).content.decode()
        Project.objects.filter(pk=project.pk).update(archived_at=None)
        assert "Last action" in get(client, ana).content.decode()
        judge = make_member(project, Role.ADJUDICATOR)
        decide_gold(unit=sentence.pk, layer=project.label_layer, content=spans(), reason="", by=judge)
        assert "Last action" not in get(client, ana).content.decode()

    def test_conflicts_are_listed_with_their_sentence(self, client: Client, project: Project, ana: User) -> None:
        sentence = make_sentence(project)
        assign_review(stage=stage_of(project, "correct"), units=[sentence.pk], user=make_member(project), by=None)
        answer = act(client, ana, f"{sentence.pk}:2:free", do="label", label="METAPHOR")

        text = client.get(answer.headers["Location"]).content.decode()
        assert "1 sentence was not changed:" in text
        assert "Someone changed or claimed it after you opened the list." in text
        assert reverse("sentence", args=["letters", sentence.segment_id]) in text

    def test_for_members_of_an_open_project_alone(self, client: Client, project: Project, ana: User) -> None:
        sentence = make_sentence(project)
        row = f"{sentence.pk}:2:free"
        assert act(client, make_user(), row, do="label", label="METAPHOR").status_code == 404
        foreign = make_sentence(Project.objects.create(slug="other", name="other", languages=["es"]))
        for odd in (f"{foreign.pk}:2:free", "x:y:z", "", f"{sentence.pk}:99:free", f"{sentence.pk}::free"):
            assert act(client, ana, odd, do="label", label="METAPHOR").status_code == 302
        assert act(client, ana, row, do="assign", stage="1", user="x").status_code == 302
        Project.objects.filter(pk=project.pk).update(archived_at="2026-01-01T00:00:00Z")
        assert act(client, ana, row, do="label", label="METAPHOR").status_code in (302, 403)
        assert not Annotation.objects.exists()
        assert not Assignment.objects.exists()

    def test_others_do_not_see_what_was_done(self, client: Client, project: Project, ana: User, mara: User) -> None:
        sentence = make_sentence(project)
        act(client, ana, f"{sentence.pk}:2:free", do="label", label="METAPHOR")
        operation = Event.objects.get(verb="sentences.labelled").operation

        assert "was added" in get(client, ana, act=str(operation)).content.decode()
        assert "was added" not in get(client, mara, act=str(operation)).content.decode()
        assert get(client, mara, act="nonsense").status_code == 200


class TestDownload:
    def test_with_its_filters_and_the_parallel_texts(self, client: Client, project: Project, ana: User) -> None:
        segment = make_segment(project)
        sentence = make_sentence(project, "=1+1 vuela", segment=segment)
        make_sentence(project, "Time flies", language="en", segment=segment)
        make_sentence(project, "Ana lee")
        make_annotation(sentence, ana, [span(1)])
        response = get(client, ana, "find-csv", q="vuela")
        text = b"".join(response.streaming_content).decode("utf-8-sig")
        (row,) = csv.DictReader(io.StringIO(text))

        assert (row["id"], row["language"], row["hits"]) == (segment.uid, "es", "vuela")
        assert row["labels"] == "METAPHOR: vuela"
        # No spreadsheet program calculates it.
        assert row["text"] == row["text_es"] == "'=1+1 vuela"
        assert row["text_en"] == "Time flies"
        book = openpyxl.load_workbook(io.BytesIO(b"".join(get(client, ana, "find-xlsx", q="vuela").streaming_content)))
        head, cells = list(book["sentences"].rows)
        assert (head[2].value, cells[2].value, cells[2].data_type) == ("text", "=1+1 vuela", "s")

    def test_only_what_the_reader_sees_and_only_so_many(
        self, client: Client, project: Project, ana: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("annotator.search.queries.download.MAX_ROWS", 2)
        for _ in range(3):
            make_annotation(make_sentence(project), make_member(project), [span(1)])
        text = b"".join(get(client, ana, "find-csv").streaming_content).decode()

        assert "METAPHOR" not in text
        assert len(text.splitlines()) == 3
        assert get(client, make_user(), "find-csv").status_code == 404


class TestCost:
    QUERIES = (
        {}, {"q": "tiempo vuela"}, {"q": "vuel-"}, {"q": "vuela", "view": "context"}, {"q": "letters:7"},
        {"label": "METAPHOR"}, {"gold": "yes"}, {"doubt": "yes"}, {"disagreement": "yes"},
        {"suggestion": "prediction"}, {"dataset": "letters"}, {"document": "7"}, {"marked": "unlabelled"},
    )  # fmt: skip

    def statements(self, client: Client, user: User, query: dict[str, str]) -> list[str]:
        client.force_login(user)
        with CaptureQueriesContext(connection) as asked:
            assert client.get(reverse("find", args=["letters"]), query).status_code == 200
        return [one["sql"] for one in asked]

    def test_the_same_however_large_the_project_is(
        self, client: Client, project: Project, mara: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # As many chunks as a page looks through, in either size.
        monkeypatch.setattr("annotator.search.queries.listing.CHUNK", 8)
        Import.objects.create(project=project, dataset="letters")
        first = make_sentence(project)
        fill(project, 60)
        stage = str(stage_of(project, "correct").pk)
        queries = [
            *self.QUERIES,
            {"stage": stage},
            {"stage": stage, "state": "free"},
            {"state": "free"},
            {"person": str(mara.pk)},
            {"person": f"{mara.pk}:review", "stage": stage, "state": "done"},
        ]
        self.statements(client, mara, {})
        act(client, mara, f"{first.pk}:2:free", do="label", label="METAPHOR")
        before = [len(self.statements(client, mara, query)) for query in queries]
        fill(project, 300)
        make_sentence(project)
        after = [len(self.statements(client, mara, query)) for query in queries]

        assert max(before) <= MAX_STATEMENTS, before
        grown = [one for one in zip(queries, before, after, strict=True) if one[2] > one[1]]
        assert grown == []
        for query in queries:
            assert scans(self.statements(client, mara, query)) == [], query


def test_sentences_of_an_unfinished_import_are_not_there(project: Project, ana: User) -> None:
    hidden = make_sentence(project)
    Sentence.objects.filter(pk=hidden.pk).update(imported=Import.objects.create(project=project, dataset="set"))
    assert listed(ana, project) == []
    assert listed(ana, project, q="tiempo") == []
