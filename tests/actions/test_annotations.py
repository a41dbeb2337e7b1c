"""Labels of one person on one sentence: opened with suggestions, saved in versions, undone by events."""

from __future__ import annotations

import pytest

from annotator.actions.annotations import open_annotation, save_annotation, undo_annotation
from annotator.actions.errors import ActionError, ConflictError
from annotator.domain.spans import Span
from annotator.models import Annotation, Assignment, Event, Mode, Project, Sentence, StageKind, User
from tests.factories import (
    make_assignment,
    make_gold,
    make_member,
    make_prediction,
    make_project,
    make_projection,
    make_sentence,
    span,
    stage_of,
)
from tests.site import Site

pytestmark = pytest.mark.django_db

CROWD = """
import json, threading
from django.db import connection
from annotator.actions.annotations import open_annotation, save_annotation
from annotator.actions.errors import ActionError, ConflictError
from annotator.actions.gold import accept_agreed
from annotator.domain.spans import Span
from annotator.models import *
from tests.factories import *
project = make_project()
ana = make_member(project)
stage = stage_of(project, "correct")
outcomes = {}

def together(*works):
    start = threading.Barrier(len(works))
    def run(work):
        start.wait()
        try:
            result = work()
        except ConflictError:
            result = "conflict"
        except ActionError:
            result = "refused"
        except Exception as error:
            result = repr(error)
        finally:
            connection.close()
        results.append(result)
    results = []
    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return sorted(results, key=str)

def save(annotation, version, token):
    spans = [Span((token,), "METAPHOR")]
    save_annotation(
        annotation=annotation, version=version, spans=spans, doubt=False, comment="", done=True, by=ana
    )
    return "saved"

windows, opens, crossings = [], [], []
for _ in range(10):
    assignment = make_assignment(make_sentence(project, "a b c d e f"), ana, stage)
    opens.append(together(*[lambda: open_annotation(assignment=assignment, by=ana).pk] * 4))
    annotation = Annotation.objects.get(sentence=assignment.sentence)
    windows.append(together(*[lambda token=token: save(annotation, 1, token) for token in range(4)]))
    together(lambda: save(annotation, 2, 5), lambda: accept_agreed(project=project, language="es", by=None).accepted)
    annotation.refresh_from_db()
    gold = Gold.objects.filter(sentence=assignment.sentence).first()
    crossings.append(gold is not None and annotation.spans == gold.spans)
print(json.dumps({
    "opens": [len(set(row)) for row in opens], "windows": windows, "crossings": crossings,
    "versions": sorted(set(Annotation.objects.values_list("version", flat=True))),
}))
"""


class Desk:
    """One person with one sentence to correct."""

    def __init__(self) -> None:
        self.project: Project = make_project()
        self.ana: User = make_member(self.project, username="ana")
        self.sentence: Sentence = make_sentence(self.project, "El tiempo vuela hoy")
        self.prediction = make_prediction(self.sentence, [{**span(2), "score": 0.9}], [0.1, 0.1, 0.9, 0.1])
        self.stage = stage_of(self.project, StageKind.CORRECT)
        self.assignment = make_assignment(self.sentence, self.ana, self.stage)

    def open(self) -> Annotation:
        return open_annotation(assignment=self.assignment, by=self.ana)

    def save(self, version: int, *tokens: int, done: bool = True, doubt: bool = False, comment: str = "") -> Annotation:
        return save_annotation(
            annotation=Annotation.objects.get(),
            version=version,
            spans=[Span((token,), "METAPHOR") for token in tokens],
            doubt=doubt,
            comment=comment,
            done=done,
            by=self.ana,
        )

    def undo(self, version: int) -> Annotation:
        return undo_annotation(annotation=Annotation.objects.get(), version=version, by=self.ana)

    def state(self) -> tuple[str, str]:
        return Annotation.objects.get().state, Assignment.objects.get().state

    def everything(self) -> tuple[object, ...]:
        return (
            list(Annotation.objects.values()),
            list(Assignment.objects.values()),
            list(Event.objects.values()),
        )


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_opening_starts_from_the_prediction_and_keeps_it(desk: Desk) -> None:
    annotation = desk.open()
    assert (annotation.version, annotation.state, annotation.prediction) == (1, "open", desk.prediction)
    assert annotation.spans == [span(2)]  # a person's labels have no score
    assert annotation.suggested == [{**span(2), "score": 0.9}]
    assert desk.open() == annotation
    assert [event.verb for event in Event.objects.all()] == ["annotation.opened"]


def test_opening_a_projection_starts_from_the_projection(desk: Desk) -> None:
    english = make_sentence(desk.project, "Time flies", language="en", segment=desk.sentence.segment)
    make_prediction(english, [span(0)], [0.9, 0.1])
    projection = make_projection(desk.sentence, english, [span(1)], [span(2)])
    assignment = make_assignment(english, desk.ana, stage_of(desk.project, StageKind.PROJECT_REVIEW, "en"))
    annotation = open_annotation(assignment=assignment, by=desk.ana)
    assert (annotation.projection, annotation.prediction, annotation.spans) == (projection, None, [span(1)])


def test_opening_blind_shows_nothing(desk: Desk) -> None:
    ben = make_member(desk.project)
    assignment = make_assignment(desk.sentence, ben, desk.stage, mode=Mode.BLIND)
    annotation = open_annotation(assignment=assignment, by=ben)
    assert (annotation.mode, annotation.spans, annotation.suggested, annotation.prediction) == ("blind", [], [], None)


def test_opening_is_for_the_one_who_has_the_assignment(desk: Desk) -> None:
    with pytest.raises(ActionError, match="somebody else"):
        open_annotation(assignment=desk.assignment, by=make_member(desk.project))
    assert not Annotation.objects.exists()


def test_saving_raises_the_version_sets_done_and_logs_both_sides(desk: Desk) -> None:
    desk.open()
    saved = desk.save(1, 1, 2, comment="time as a bird", doubt=True)
    assert (saved.version, saved.spans, saved.state) == (2, [span(1), span(2)], "done")
    stored = Annotation.objects.get()
    assert (stored.version, stored.spans, stored.doubt, stored.comment) == (2, saved.spans, True, "time as a bird")
    assert stored.done_at is not None
    assert desk.state() == ("done", "done")
    event = Event.objects.get(verb="annotation.saved")
    assert event.actor == desk.ana
    assert (event.before["version"], event.before["state"], event.before["spans"]) == (1, "open", [span(2)])
    assert (event.after["version"], event.after["state"], event.after["doubt"]) == (2, "done", True)


def test_saving_open_reopens_what_was_done(desk: Desk) -> None:
    desk.open()
    desk.save(1, 2)
    desk.save(2, 2, done=False)
    assert desk.state() == ("open", "open")
    assert Annotation.objects.get().done_at is None


def test_stale_version_gets_both_sides_and_changes_nothing(desk: Desk) -> None:
    desk.open()
    desk.save(1, 1)
    before = desk.everything()
    with pytest.raises(ConflictError) as caught:
        desk.save(1, 3)
    assert caught.value.theirs["version"] == 2
    assert caught.value.theirs["spans"] == [span(1)]
    assert caught.value.mine["spans"] == [span(3)]
    assert desk.everything() == before


def test_repeating_a_save_whose_answer_was_lost_changes_nothing(desk: Desk) -> None:
    desk.open()
    desk.save(1, 1)
    before = desk.everything()
    assert desk.save(1, 1).version == 2
    assert desk.everything() == before


@pytest.mark.parametrize(
    ("spans", "words"),
    [
        ([Span((4,), "METAPHOR")], "no token 5"),
        ([Span((0,), "SIMILE")], "not a label"),
        ([Span((0, 1), "METAPHOR"), Span((1,), "METAPHOR")], "overlaps"),
    ],
)
def test_spans_the_scheme_forbids_are_refused(desk: Desk, spans: list[Span], words: str) -> None:
    annotation = desk.open()
    before = desk.everything()
    with pytest.raises(ActionError, match=words):
        save_annotation(annotation=annotation, version=1, spans=spans, doubt=False, comment="", done=True, by=desk.ana)
    assert desk.everything() == before


def test_scores_sent_along_are_not_kept(desk: Desk) -> None:
    annotation = desk.open()
    spans = [Span((0,), "METAPHOR", score=0.7)]
    save_annotation(annotation=annotation, version=1, spans=spans, doubt=False, comment="", done=True, by=desk.ana)
    assert Annotation.objects.get().spans == [span(0)]


def test_nothing_is_saved_over_gold_or_on_replaced_text_or_by_others(desk: Desk) -> None:
    annotation = desk.open()
    before = desk.everything()
    with pytest.raises(ActionError, match="somebody else's"):
        save_annotation(
            annotation=annotation,
            version=1,
            spans=[],
            doubt=False,
            comment="",
            done=True,
            by=make_member(desk.project),
        )
    gold = make_gold(desk.sentence)
    with pytest.raises(ActionError, match="reopen"):
        desk.save(1, 1)
    gold.delete()
    desk.sentence.is_current = False
    desk.sentence.save()
    with pytest.raises(ActionError, match="new revision"):
        desk.save(1, 1)
    assert desk.everything() == before


def test_undo_goes_back_step_by_step_as_new_versions(desk: Desk) -> None:
    desk.open()
    desk.save(1, 1, comment="first")
    desk.save(2, 1, 3)

    back = desk.undo(3)
    assert (back.version, back.spans, back.comment) == (4, [span(1)], "first")
    assert desk.state() == ("done", "done")
    further = desk.undo(4)
    assert (further.version, further.spans, further.comment) == (5, [span(2)], "")
    assert desk.state() == ("open", "open")  # undoing the "done" gives the work back
    with pytest.raises(ActionError, match="nothing to undo"):
        desk.undo(5)

    saves = list(Event.objects.filter(verb="annotation.saved"))
    undone = [event.after["undoes"] for event in Event.objects.filter(verb="annotation.undone")]
    assert undone == [saves[1].pk, saves[0].pk]


def test_undo_after_new_work_takes_back_the_new_work_first(desk: Desk) -> None:
    desk.open()
    desk.save(1, 1)
    desk.save(2, 3)
    desk.undo(3)
    desk.save(4, 0)
    assert desk.undo(5).spans == [span(1)]
    assert desk.undo(6).spans == [span(2)]


def test_undo_of_a_stale_version_or_over_gold_changes_nothing(desk: Desk) -> None:
    desk.open()
    desk.save(1, 1)
    before = desk.everything()
    with pytest.raises(ConflictError):
        desk.undo(1)
    make_gold(desk.sentence)
    with pytest.raises(ActionError, match="reopen"):
        desk.undo(2)
    assert desk.everything() == before


def test_at_the_same_moment_one_window_wins_and_gold_is_what_stands(any_site: Site) -> None:
    found = any_site.python(CROWD)
    assert found["opens"] == [1] * 10
    assert found["windows"] == [["conflict"] * 3 + ["saved"]] * 10
    # Either the save came first and became gold, or gold came first and the save was refused.
    assert found["crossings"] == [True] * 10
    assert set(found["versions"]) <= {2, 3}
