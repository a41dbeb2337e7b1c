"""Two versions of labels: gold now and then, releases, people."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotator.comparisons.queries.stored import RowFilters, chosen_rows
from annotator.core.errors import ActionError
from annotator.formats.corpus.corpus import pair_uid
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Event, Gold, JobKind, JobState, Project, Segment, Sentence, User
from annotator.work.gold.actions.gold import decide_gold, reopen_gold
from tests.comparisons.making import GOLD, compared, counts, rows_of, run
from tests.factories import (
    make_annotation,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_project,
    make_sentence,
    make_tag,
    span,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project("corpus", labels_named=("METAPHOR", "OTHER"))


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, "manager", "mara")


@pytest.fixture
def sentence(project: Project) -> Sentence:
    sentence = make_sentence(project, "El tiempo vuela otra vez")
    make_gold(sentence, [span(1), span(2)])
    return sentence


def release(project: Project, **params: bool) -> int:
    job = start_job(project=project, kind=JobKind.RELEASE, params={"partial": True, **params}, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    return project.releases.order_by("-number").values_list("number", flat=True)[0]


def decide(sentence: Sentence, *spans: dict[str, object]) -> None:
    """Change the gold of a sentence by an action, which the log has."""
    gold = Gold.objects.get(unit=sentence)
    decide_gold(
        project=sentence.project, unit=sentence.pk, layer=sentence.project.label_layer, version=gold.version,
        content={"spans": list(spans)}, by=None,
    )  # fmt: skip


def of_release(number: int) -> dict[str, object]:
    return {"source": "release", "number": number}


@pytest.mark.parametrize("standoff", [False, True])
def test_two_releases_are_compared_label_by_label(project: Project, sentence: Sentence, standoff: bool) -> None:
    before = release(project, standoff=standoff)
    other = make_sentence(project, "La noche cae")
    make_gold(other, [span(2)])
    decide(sentence, span(1, 2), span(4, label="OTHER"))
    after = release(project)

    found = compared(project, of_release(before), of_release(after))

    assert counts(found) == {"moved": 1, "left": 1, "right": 1}
    [moved] = rows_of(found, state="moved")
    assert (moved["words"], moved["other_words"], moved["uid"]) == (
        "tiempo", "tiempo vuela", sentence.segment.uid,
    )  # fmt: skip
    assert found.results["units"]["right"] == {"texts": 1, "left": 0, "right": 1}
    assert chosen_rows(found, RowFilters()).labels() == {
        "METAPHOR": {"left": 1, "moved": 1}, "OTHER": {"right": 1},
    }  # fmt: skip


def test_the_sums_by_label_are_those_of_each_version(project: Project, sentence: Sentence, mara: User) -> None:
    make_annotation(sentence, mara, [span(1), span(2, label="OTHER"), span(4)])

    found = compared(project, GOLD, {"source": "person", "person": mara.pk})

    assert counts(found) == {"same": 1, "relabelled": 1, "right": 1}
    assert chosen_rows(found, RowFilters()).labels() == {
        "METAPHOR": {"same": 1, "right": 1, "relabelled-from": 1}, "OTHER": {"relabelled-to": 1},
    }  # fmt: skip
    # What is the same has no row.
    assert found.size == 2


def test_gold_then_is_what_the_log_says(project: Project, sentence: Sentence, mara: User) -> None:
    later = make_sentence(project, "La noche cae")
    opened = make_sentence(project, "Nadie mira el reloj")
    make_gold(opened, [span(3)])
    month_ago, now = timezone.now() - timedelta(days=30), timezone.now()
    Gold.all_rows.update(created_at=month_ago)
    decide(sentence, span(2), span(3))
    make_gold(later, [span(2)])
    reopen_gold(project=project, unit=opened.pk, layer=project.label_layer, version=1, by=mara)

    found = compared(project, {"source": "time", "at": now.isoformat()}, GOLD)

    assert counts(found) == {"same": 1, "left": 1, "right": 1}
    assert found.results["units"]["left"]["texts"] == 1, "the reopened one stood then"
    assert found.results["units"]["right"]["texts"] == 1, "the later one did not"
    assert rows_of(found, state="left")[0]["words"] == "tiempo"


def test_gold_that_was_open_then_is_not_there(project: Project, sentence: Sentence, mara: User) -> None:
    reopen_gold(project=project, unit=sentence.pk, layer=project.label_layer, version=1, by=mara)
    between = timezone.now()
    decide_gold(
        project=project, unit=sentence.pk, layer=project.label_layer, version=0, content={"spans": [span(1)]}, by=None
    )
    found = compared(project, {"source": "time", "at": between.isoformat()}, GOLD)
    assert found.results["units"]["compared"]["texts"] == 0
    assert found.results["units"]["right"]["texts"] == 1


def test_texts_that_changed_are_counted_apart(project: Project, sentence: Sentence) -> None:
    before = release(project)
    Sentence.objects.filter(pk=sentence.pk).update(tokens=["El", "tiempo", "corre", "otra", "vez"])

    found = compared(project, of_release(before), GOLD)

    assert counts(found) == {}
    assert found.results["units"]["changed"] == {"texts": 1, "left": 2, "right": 2}


def test_tags_of_pairs_are_compared(project: Project) -> None:
    pair = make_pair(project)
    # As imports name pairs.
    Segment.objects.filter(pk=pair.segment_id).update(uid=pair_uid("set", pair.pair_id))
    for text in project.sentences.all():
        make_gold(text)
    make_pair_unit(pair, "en")
    for language in project.languages:
        make_tag(pair, "relevant", language=language)
    before = release(project)
    Gold.objects.filter(unit__segment=pair.segment).update(content={"value": "no_metaphor"})

    found = compared(project, of_release(before), GOLD, layer=project.tag_layer)

    assert counts(found) == {"relabelled": 2}, found.results
    assert (rows_of(found)[0]["label"], rows_of(found)[0]["other_label"]) == ("relevant", "no_metaphor")


@pytest.mark.parametrize(
    ("side", "said"),
    [
        (GOLD, "two different versions"),
        ({"source": "release", "number": 7}, "no such release"),
        ({"source": "person", "person": 1}, "no answers"),
        ({"source": "time", "at": ""}, "date"),
        ({"source": "time", "at": "2999-01-01"}, "in the past"),
        ({"source": "memory"}, "must be one of"),
    ],
)
def test_what_cannot_be_compared_is_refused(project: Project, side: dict[str, object], said: str) -> None:
    with pytest.raises(ActionError, match=said):
        run(project, side, GOLD)
    assert not Event.objects.filter(verb="comparison.stored").exists()
