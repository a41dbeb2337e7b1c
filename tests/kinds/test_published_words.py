"""Words and gold that came in with files stay, whatever people answer to their sentences."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from annotator.core.counters import recounted
from annotator.core.presets import StageSpec
from annotator.jobs.running import run_job
from annotator.models import Annotation, Gold, Item, JobKind, Unit
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.stages import add_stages
from annotator.protocols.munch.tables import repeated
from annotator.releases.queries.exports import release_files
from annotator.work.queue.queries.progress import stage_progress
from tests.deciding import decide_gold
from tests.drafts import load
from tests.factories import make_sentence, spans
from tests.kinds.munch import NAMES, Munch, sample_files

pytestmark = pytest.mark.django_db

WORDS = "surge feeling rush sense"


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Munch:
    return Munch(6)


@pytest.fixture
def scene(made: Munch, uploads: Path) -> Munch:
    return copy.deepcopy(made)


def _released(scene: Munch) -> dict[str, bytes]:
    files = release_files(scene.project, partial=True).files
    return {name: next(files[path] for path in files if path.endswith(name)) for name in NAMES}


def _released_row(scene: Munch) -> str:
    """That of the sentence with the wave."""
    files = release_files(scene.project, partial=True).files
    (path,) = [path for path in files if path.endswith(NAMES[0])]
    (row,) = [row for row in files[path].decode().splitlines() if "wave" in row]
    return row


def _sample() -> dict[str, bytes]:
    return {name: content for name, content in sample_files().items() if isinstance(content, bytes)}


def _words(scene: Munch) -> Unit:
    """Those of the sentence with the wave, as they stand."""
    return Unit.objects.get(kind="words", is_current=True, segment__uid__contains=":3:")


class TestSettled:
    def test_nobody_is_asked_for_words_where_they_were_published(self, scene: Munch) -> None:
        load(scene.project, sample_files())
        before = _released(scene)
        assert scene.claim(scene.people[0], "substitute", 20) == []
        progress = stage_progress(scene.stage("substitute"))
        assert (progress.done, progress.total) == (6, 6)
        assert (_released(scene), before) == (sample_files(), sample_files())
        scene.check_counters()

    def test_without_labels_they_are_voted_on(self, scene: Munch) -> None:
        load(scene.project, sample_files(), labels_as="none")
        assert not Gold.objects.exists()
        assert scene.claim(scene.people[0], "substitute", 20) == []
        assert len(scene.claim(scene.people[0], "choose-best", 20)) == 6

    def test_nor_in_a_copy_of_their_project(self, scene: Munch) -> None:
        load(scene.project, sample_files())
        words = _words(scene).tokens
        copy = copy_project(project=scene.project, slug="copy", name="Copy", texts=True, by=None)

        run_job(copy.jobs.get(kind=JobKind.COPY).pk, worker="w")

        stage = copy.stages.get(kind="substitute")
        progress = stage_progress(stage)
        assert (progress.done, progress.total) == (6, 6)
        assert not stage.items.filter(state="free").exists()
        assert recounted(stage)["done"] == 6
        # What was decided on them stays where it is: they are voted on.
        assert stage_progress(copy.stages.get(kind="choose-best")).done == 0
        assert Unit.objects.get(project=copy, kind="words", segment__uid__contains=":3:").tokens == words

    def test_nor_in_a_stage_that_is_added_later(self, scene: Munch) -> None:
        for made in ("choose-best", "inapt", "substitute"):
            scene.project.stages.get(kind=made).delete()
        files = sample_files()
        load(scene.project, {NAMES[0]: str(files[NAMES[0]], "utf-8").replace(WORDS, "")})
        spec = StageSpec("substitute", "en", mode="blind", answers_wanted=5, made_from="correct")
        add_stages(project=scene.project, specs=[spec], by=None)
        states = Item.objects.filter(stage=scene.stage("substitute")).values_list("state", flat=True)
        assert sorted(states) == ["decided"] * 5 + ["free"]


@pytest.fixture(scope="class")
def without_words(made: Munch, kept_rows_of_class: None) -> Munch:
    """With a sentence of the sample that came without its words, so that people are asked for some."""
    scene = copy.deepcopy(made)
    header, *rows = str(sample_files()[NAMES[0]], "utf-8").splitlines(keepends=True)
    load(scene.project, {NAMES[0]: header + rows[2].replace(WORDS, "")})
    return scene


class TestWordsThatCameLater:
    """Files brought the sentences first, and their words when people had been asked for some."""

    @pytest.fixture
    def asked(self, without_words: Munch, uploads: Path) -> Munch:
        return copy.deepcopy(without_words)

    def _bring(self, scene: Munch, *, labels_as: str) -> None:
        load(scene.project, sample_files(), labels_as=labels_as)

    def test_gold_stays_whatever_is_written(self, asked: Munch) -> None:
        self._bring(asked, labels_as="gold")
        before = _words(asked), Gold.objects.count()
        asked.write("tide", "tide", "flood", "wash", "billow")
        assert (_words(asked), Gold.objects.count()) == before
        assert {name: sorted(rows.splitlines()) for name, rows in _released(asked).items()} == {
            name: sorted(rows.splitlines()) for name, rows in _sample().items()
        }
        asked.check_counters()

    def test_without_gold_they_stand_before_what_is_written_and_undo_brings_them_back(self, asked: Munch) -> None:
        self._bring(asked, labels_as="none")
        came = _words(asked)
        asked.write("tide", "Rush", "tide", "flood")
        assert _words(asked) == came, "not all have answered"
        asked.answer(asked.people[4], "substitute", {"word": "flood", "reason": ""})
        assert _words(asked).tokens == [*WORDS.split(), "flood", "tide"]
        assert _released_row(asked).endswith(f"{WORDS} flood tide")
        own = asked.stage("substitute").assignments.get(user=asked.people[4])
        version = asked.call(asked.people[4], "get", f"assignments/{own.pk}/")["annotation"]["version"]
        asked.call(asked.people[4], "post", f"assignments/{own.pk}/undo/", {"version": version})
        assert (_words(asked).tokens, _words(asked).revision) == (WORDS.split(), 3)
        assert _released_row(asked).endswith(f"FICTION,{WORDS}")
        asked.check_counters()


def vote(scene: Munch, word: str) -> None:
    for person in scene.people[:3]:
        scene.answer(person, "choose-best", {"words": [word], "none": False})


@pytest.fixture(scope="class")
def with_gold(without_words: Munch, kept_rows_of_class: None) -> Munch:
    """Five people have written words for it, and three have decided on them."""
    scene = copy.deepcopy(without_words)
    scene.write("surge", "surge", "rush", "rush", "Rush")
    vote(scene, "rush")
    return scene


class TestWordsThatWereDecidedOn:
    """What people wrote for a sentence stays as long as gold is decided on their words: release and reports agree."""

    @pytest.fixture
    def decided(self, with_gold: Munch, uploads: Path) -> Munch:
        return copy.deepcopy(with_gold)

    def item(self, scene: Munch) -> Any:
        own = scene.stage("substitute").assignments.get(user=scene.people[4])
        return scene.call(scene.people[4], "get", f"assignments/{own.pk}/")

    def save(self, scene: Munch, *, expect: int = 200, **changed: Any) -> Any:
        item = self.item(scene)
        body = {"version": item["annotation"]["version"], "content": {"word": "Rush", "reason": ""}, "done": True}
        return scene.call(
            scene.people[4], "post", f"assignments/{item['id']}/save/", {**body, **changed}, expect=expect
        )

    def stands(self, scene: Munch) -> tuple[Any, ...]:
        answers = Annotation.objects.order_by("pk").values_list("pk", "version", "content", "state", "comment")
        (row,) = repeated(scene.project).rows
        return list(answers), _words(scene).tokens, Gold.objects.get().content, _released_row(scene), row

    @pytest.mark.parametrize(
        "changed",
        [
            {"content": {"word": "tide", "reason": ""}},
            {"content": {"word": "surge", "reason": ""}},
            {"content": {"word": "", "reason": "unclear"}},
            {"done": False},
            {"comment": "Or tide."},
        ],
    )
    def test_a_finished_answer_is_not_changed(self, decided: Munch, changed: dict[str, Any]) -> None:
        """Nor to a word that somebody else wrote, too: how often words were written is reported."""
        before = self.stands(decided)
        refused = self.save(decided, expect=400, **changed)
        assert "An adjudicator must reopen it first" in refused["error"]["message"]
        assert self.stands(decided) == before
        assert before[-1] == {
            "language": "en",
            "answers": 5,
            "words": 5,
            "none": 0,
            "repeated_sentences": "100.0",
            "repeated_answers": "100.0",
        }
        decided.check_counters()

    def test_nor_undone(self, decided: Munch) -> None:
        before, item = self.stands(decided), self.item(decided)
        refused = decided.call(
            decided.people[4], "post", f"assignments/{item['id']}/undo/",
            {"version": item["annotation"]["version"]}, expect=400,
        )  # fmt: skip
        assert "An adjudicator must reopen it first" in refused["error"]["message"]
        assert self.stands(decided) == before

    def test_a_save_that_is_sent_again_is_no_change(self, decided: Munch) -> None:
        before = self.stands(decided)
        self.save(decided, version=0)
        assert self.stands(decided) == before

    def test_its_page_says_so_beforehand(self, decided: Munch) -> None:
        assert self.item(decided)["gold"] is True
        gold = Gold.objects.get()
        adjudicator = decided.people[5]
        decided.call(adjudicator, "post", f"units/{gold.unit_id}/gold/reopen/", {"layer": "best", "version": 1})
        assert self.item(decided)["gold"] is False

    def test_once_it_is_reopened_all_follows_the_change(self, decided: Munch) -> None:
        gold = Gold.objects.get()
        decided.call(
            decided.people[5], "post", f"units/{gold.unit_id}/gold/reopen/", {"layer": "best", "version": gold.version}
        )
        self.save(decided, content={"word": "tide", "reason": ""})
        assert _words(decided).tokens == ["rush", "surge", "tide"]
        vote(decided, "tide")
        assert _released_row(decided).endswith("FICTION,rush surge tide")
        assert repeated(decided.project).rows[0]["repeated_answers"] == "80.0"
        decided.check_counters()

    def test_without_gold_it_is_changed_as_before(self, decided: Munch) -> None:
        """Another sentence's gold is none of its own."""
        files = sample_files()
        header, *rows = str(files[NAMES[0]], "utf-8").splitlines(keepends=True)
        load(decided.project, {NAMES[0]: header + rows[0].rpartition(",")[0] + ",\n"}, dataset="more")
        decided.write("one", "two", "three", "four", "five")
        assert Unit.objects.filter(kind="words", is_current=True).count() == 2
        own = (
            decided.stage("substitute").assignments.exclude(unit__children=_words(decided)).get(user=decided.people[0])
        )
        item = decided.call(decided.people[0], "get", f"assignments/{own.pk}/")
        assert item["gold"] is False
        decided.call(
            decided.people[0], "post", f"assignments/{own.pk}/undo/", {"version": item["annotation"]["version"]}
        )
        assert Unit.objects.filter(kind="words", is_current=True).count() == 1


class TestGoldOfWhatWasMade:
    def test_a_marked_word_that_was_decided_on_stays_when_it_is_not_marked_any_more(self, scene: Munch) -> None:
        make_sentence(scene.project, "A wave of joy and a flood of tears", language="en")
        labels = [{"tokens": [at], "label": "METAPHOR", "attributes": {}, "score": None} for at in (1, 6)]
        scene.answer(scene.people[0], "correct", spans(*labels))
        wave, flood = Unit.objects.filter(kind="marked").order_by("pk")
        decide_gold(
            unit=wave.pk,
            layer=scene.stage("inapt").layer,
            by=None,
            content={"words": [{"word": "ripple", "sense": "", "synset": ""}], "none": False},
        )
        own = scene.stage("correct").assignments.get()
        scene.call(
            scene.people[0], "post", f"assignments/{own.pk}/save/", {"version": 1, "content": spans(), "done": True}
        )
        assert list(Unit.objects.filter(kind="marked", is_current=True)) == [wave]
        scene.call(
            scene.people[0], "post", f"assignments/{own.pk}/save/",
            {"version": 2, "content": spans(*labels), "done": True},
        )  # fmt: skip
        current = Unit.objects.filter(kind="marked", is_current=True)
        assert {unit.segment_id for unit in current} == {wave.segment_id, flood.segment_id}
        assert wave in current
