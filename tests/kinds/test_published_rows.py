"""Rows of judged words come in with files and go out as the same rows, whichever a file has; what they lack is told."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.presets import StageSpec
from annotator.imports.drafts.drafts import Upload, add_files, preview_draft, start_draft
from annotator.models import Gold, Project, Unit
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.protocols.munch.corpus import sentences_of
from annotator.protocols.munch.start import START
from annotator.protocols.munch.tables import samples, triples
from annotator.releases.queries.exports import ReleaseFiles, release_files
from annotator.releases.queries.gold_gaps import gold_gaps
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.gold.queries.left_out import MissingGoldError
from tests.drafts import draft_of, load
from tests.factories import make_release
from tests.kinds.munch import NAMES, Munch, give, only_writes, releases_page

pytestmark = pytest.mark.django_db

HEADER = "i0,idx,s0,novelty,sid,genre,human_ans\r\n"
JUDGED = "i0,s0_idx,s0,s1,s1_label,s2,s2_label\r\n"


def _cell(words: str) -> str:
    return f'"{words}"' if "," in words else words


def listed(*rows: tuple[str, str, str]) -> str:
    """A `for_generation.csv`: id, sentence with its mark, words."""
    lines = (
        f"{number},{idx},{text},0.1,walk-{idx},NEWS,{_cell(words)}\r\n"
        for number, (idx, text, words) in enumerate(rows)
    )
    return HEADER + "".join(lines)


def judged(*rows: tuple[str, str, str, str]) -> str:
    """A `for_judgement.csv`: id, sentence, and twice a word with its label (`led+`, `raced-`)."""
    lines = []
    for number, (idx, text, *words) in enumerate(rows):
        before, _open, rest = text.partition("<b>")
        after = rest.partition("</b>")[2]
        cells = [f"{before}<b>{word[:-1]}</b>{after},{'apt' if word[-1] == '+' else 'inapt'}" for word in words]
        lines.append(f"{number},{idx},{text},{','.join(cells)}\r\n")
    return JUDGED + "".join(lines)


FIRM, SHOP, CLUB = "He <b>ran</b> a firm.", "She <b>ran</b> a shop.", "We <b>ran</b> a club."
LISTED = listed(("1", FIRM, "led headed"), ("2", SHOP, "led headed"), ("3", CLUB, "led headed"))
ONE_KIND = judged(("1", FIRM, "jogged-", "raced-"), ("2", SHOP, "led+", "headed+"), ("3", CLUB, "led+", "jogged-"))
SOME = judged(
    ("1", FIRM, "led+", "raced-"), ("1", FIRM, "headed+", "raced-"),
    ("3", CLUB, "led+", "jogged-"), ("3", CLUB, "raced-", "led+"),
)  # fmt: skip


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Munch:
    return Munch(6)


@pytest.fixture
def scene(made: Munch, uploads: Path, settings: Any, tmp_path: Path) -> Munch:
    settings.MEDIA_ROOT = tmp_path
    return copy.deepcopy(made)


def file_of(released: ReleaseFiles, name: str) -> str:
    (found,) = [content for path, content in released.files.items() if path.endswith(name)]
    return found.decode()


def out(project: Project) -> ReleaseFiles:
    return release_files(project, partial=True)


def again(released: ReleaseFiles, slug: str) -> Project:
    """The two files of a release in a new project."""
    project = create_project(slug=slug, preset=START.preset(["en"]), by=None)
    load(project, {name: file_of(released, name) for name in NAMES})
    return project


class TestRows:
    @pytest.mark.parametrize(
        ("rows", "counted"),
        [(ONE_KIND, ("1", "1", "1", "3")), (SOME, ("4", "0", "0", "4"))],
        ids=["one kind alone", "some of all pairs"],
    )
    def test_go_out_as_they_came_and_are_counted(self, scene: Munch, rows: str, counted: tuple[str, ...]) -> None:
        load(scene.project, {NAMES[0]: LISTED, NAMES[1]: rows})
        released = out(scene.project)
        assert (file_of(released, NAMES[0]), file_of(released, NAMES[1])) == (LISTED, rows)
        assert triples(scene.project).cells == (("en", "NEWS", *counted),)
        repeated = out(again(released, "again"))
        assert (file_of(repeated, NAMES[0]), file_of(repeated, NAMES[1])) == (LISTED, rows)

    def test_what_is_decided_since_makes_further_ones_of_new_words(self, scene: Munch) -> None:
        load(scene.project, {NAMES[0]: LISTED, NAMES[1]: SOME})
        gold = Gold.objects.get(layer__slug="inapt", unit__segment__uid__contains=":1:")
        gold.content["words"] += [{"word": "rushed", "sense": "", "synset": ""}]
        gold.save()
        further = judged(
            ("1", FIRM, "led+", "rushed-"), ("1", FIRM, "headed+", "rushed-"), ("1", FIRM, "raced-", "rushed-")
        )
        rows = file_of(out(scene.project), NAMES[1])
        assert rows.startswith(SOME)
        added = rows.removeprefix(SOME).splitlines()
        assert [row.partition(",")[0] for row in added] == ["4", "5", "6"]
        assert [row.partition(",")[2] for row in added] == [row.partition(",")[2] for row in further.splitlines()[1:]]

    def test_what_was_made_here_comes_back_as_the_same_rows(self, scene: Munch) -> None:
        load(scene.project, {NAMES[0]: listed(("1", FIRM, ""))})
        scene.write("led", "led", "headed", "headed", "kept")
        give(scene, "jogged", "raced")
        for person in scene.people[:3]:
            scene.answer(person, "choose-best", {"words": [], "none": True})
        accept(scene, "inapt")
        released = release_files(scene.project, partial=False)
        rows = file_of(released, NAMES[1])
        assert rows == judged(("1", FIRM, "jogged-", "raced-"))
        project = again(released, "again")
        assert file_of(out(project), NAMES[1]) == rows

    def test_more_words_than_can_be_kept_are_refused_where_they_stand(self, scene: Munch) -> None:
        rows = judged(("1", FIRM, "led+", "headed+"), ("1", FIRM, "led+", "kept+"))
        (problem,) = preview_draft(draft=draft_of(scene.project, {NAMES[0]: LISTED, NAMES[1]: rows}))["problems"]
        assert (problem["severity"], problem["file"], problem["line"]) == ("error", NAMES[1], 3)
        assert (problem["expected"], problem["got"]) == ("at most 2 words for one sentence that are apt", "“kept”")

    def test_judged_rows_alone_say_nothing_of_what_people_wrote(self, scene: Munch) -> None:
        load(scene.project, {NAMES[1]: ONE_KIND})
        released = out(scene.project)
        assert file_of(released, NAMES[1]) == ONE_KIND
        assert not any(path.endswith(NAMES[0]) for path in released.files)
        assert NAMES[0] not in released.files["README.md"].decode()
        assert [row["words"] for row in samples(scene.project).rows] == [0]


@pytest.mark.parametrize(
    ("names", "dataset"), [(NAMES, "words"), (NAMES[:1], "words"), ([f"news/{name}" for name in NAMES], "news")]
)
def test_no_dataset_is_called_as_every_one_calls_its_files(scene: Munch, names: list[str], dataset: str) -> None:
    draft = start_draft(project=scene.project, by=None)
    content = {NAMES[0]: LISTED, NAMES[1]: SOME}
    uploads = [Upload(name, [content[name.rpartition("/")[2]].encode()]) for name in names]
    add_files(draft=draft, uploads=uploads, by=None)
    assert (draft.format, draft.dataset) == ("munch", dataset)


class TestRefused:
    def said(self, scene: Munch, **files: str) -> list[tuple[int, str, str]]:
        given = {NAMES[number]: files[name] for number, name in enumerate(("lists", "rows")) if name in files}
        problems = preview_draft(draft=draft_of(scene.project, given))["problems"]
        return [(one["line"], one["severity"], one["got"]) for one in problems]

    @pytest.mark.parametrize("word", ["...", "—", "24"])
    def test_a_highlighted_word_without_a_letter(self, scene: Munch, word: str) -> None:
        lists = listed(("1", FIRM, "led"), ("2", f"She said <b>{word}</b> today.", ""))
        assert self.said(scene, lists=lists) == [(3, "error", f"the marked text “{word}” has no letter")]

    @pytest.mark.parametrize("word", ["led,headed", "led/headed"])
    def test_answers_with_a_comma_or_slash_between_them(self, scene: Munch, word: str) -> None:
        ((line, severity, got),) = self.said(scene, lists=listed(("1", FIRM, f"kept {word}")))
        assert (line, severity) == (2, "error")
        assert f"“{word}” is more than one word" in got

    def test_both_labels_of_a_row(self, scene: Munch) -> None:
        rows = judged(("1", FIRM, "led+", "raced-")).replace("inapt", "0").replace("apt", "1")
        assert self.said(scene, lists=LISTED, rows=rows) == [(2, "error", "“1”"), (2, "error", "“0”")]

    def test_marks_that_are_not_in_order(self, scene: Munch) -> None:
        ((_line, _severity, got),) = self.said(scene, lists=listed(("1", "He <b>ran a firm.", "led")))
        assert got == "one word must be marked with one <b> and one </b> after it, but there are 1 and 0"


class TestWords:
    def test_the_best_word_that_nobody_wrote_is_not_counted_as_written(self, scene: Munch) -> None:
        rows = judged(("1", FIRM, "leads+", "raced-"))
        load(scene.project, {NAMES[0]: listed(("1", FIRM, "led headed")), NAMES[1]: rows})
        assert Unit.objects.get(kind="words").tokens == ["led", "headed", "leads"]
        assert [row["words"] for row in samples(scene.project).rows] == [2]

    def test_words_that_differ_by_capitals_are_one_word_to_vote_on(self, scene: Munch) -> None:
        lists, rows = listed(("1", FIRM, "LED led headed")), judged(("1", FIRM, "LED+", "raced-"))
        load(scene.project, {NAMES[0]: lists, NAMES[1]: rows})
        assert Unit.objects.get(kind="words").tokens == ["led", "headed"]
        assert Gold.objects.get(layer__slug="best").content["words"] == ["led"]
        released = out(scene.project)
        assert (file_of(released, NAMES[0]), file_of(released, NAMES[1])) == (lists, rows)
        assert [row["words"] for row in samples(scene.project).rows] == [2]

    def test_the_marked_word_among_the_answers_is_told_of_and_not_voted_on(self, scene: Munch) -> None:
        lists = listed(("1", FIRM, "led Ran headed"))
        (problem,) = preview_draft(draft=draft_of(scene.project, {NAMES[0]: lists}))["problems"]
        assert (problem["severity"], problem["line"]) == ("warning", 2)
        assert "the marked word itself among the answers (“Ran”)" in problem["expected"]
        load(scene.project, {NAMES[0]: lists})
        assert Unit.objects.get(kind="words").tokens == ["led", "headed"]
        assert file_of(out(scene.project), NAMES[0]) == lists


def accept(scene: Munch, layer: str) -> None:
    of = scene.project.layers.get(slug=layer)
    accept_agreed(project=scene.project, layer=of, language="en", by=None, without_overlap=True)


class TestInaptWords:
    def test_are_looked_for_where_words_came_in_with_files(self, scene: Munch) -> None:
        load(scene.project, {NAMES[0]: listed(("1", FIRM, "led"), ("2", SHOP, ""))})
        (item,) = scene.claim(scene.people[5], "inapt", 20)
        assert item["written"] == ["led"]
        scene.stage("inapt").delete()
        add_stages(project=scene.project, specs=[StageSpec("inapt", "en", made_from="substitute")], by=None)
        (item,) = scene.claim(scene.people[5], "inapt", 20)
        assert item["written"] == ["led"]


class TestWhatIsMissing:
    def missing(self, scene: Munch) -> list[str]:
        """What a release says that it leaves out; it needs `partial`, and the page counts the same."""
        release = out(scene.project)
        rows = release.left_out
        (gap,) = gold_gaps(scene.project)
        assert gap.units == {"marked": len(rows)}
        assert "Everything has gold" not in releases_page(scene)
        with pytest.raises(MissingGoldError, match="decided"):
            release_files(scene.project, partial=False)
        readme = release.files["README.md"].decode()
        counted = "1 marked sentence" if len(rows) == 1 else f"{len(rows)} marked sentences"
        assert f"`left_out.tsv` lists what is left out or lacks something, with the reason: {counted}." in readme
        assert "detection/ids" not in readme
        return [f"{row['id']}: {row['reason']}" for row in rows]

    def test_sentences_without_a_decision_are_listed(self, scene: Munch) -> None:
        rows = judged(("1", FIRM, "jogged-", "raced-"), ("2", SHOP, "led+", "headed+"))
        load(scene.project, {NAMES[0]: LISTED, NAMES[1]: rows})
        assert self.missing(scene) == [
            "for_generation:1:1: no best word in en",
            "for_generation:2:1: no inapt words in en",
            "for_generation:3:1: neither best nor inapt words in en",
        ]

    @pytest.mark.parametrize(("language", "what"), [("en", "Marked sentence"), ("es", "Oración marcada")])
    def test_the_page_of_a_release_calls_them_by_name(self, scene: Munch, language: str, what: str) -> None:
        load(scene.project, {NAMES[0]: LISTED})
        made = make_release(scene.project, manifest=out(scene.project).manifest)
        client = Client()
        client.force_login(scene.people[0])
        page = client.get(reverse("release", args=["words", made.number]), headers={"accept-language": language}).text
        assert page.count(f"<td>{what}</td>") == 3

    def test_gold_that_was_opened_again_is_missing(self, scene: Munch) -> None:
        rows = judged(("1", FIRM, "led+", "raced-"))
        load(scene.project, {NAMES[0]: listed(("1", FIRM, "led headed")), NAMES[1]: rows})
        assert gold_gaps(scene.project) == []
        assert not release_files(scene.project, partial=False).left_out
        gold = Gold.objects.get(layer__slug="best")
        body = {"layer": "best", "version": gold.version}
        scene.call(scene.people[0], "post", f"units/{gold.unit_id}/gold/reopen/", body)
        assert self.missing(scene) == ["for_generation:1:1: no best word in en"]

    def test_projects_that_only_write_words_lack_nothing_without_votes(self, scene: Munch) -> None:
        only_writes(scene)
        load(scene.project, {NAMES[0]: LISTED})
        assert gold_gaps(scene.project) == []
        assert not release_files(scene.project, partial=False).left_out

    def test_nor_do_sentences_without_words_where_nobody_is_asked(self, scene: Munch) -> None:
        only_writes(scene)
        scene.stage("substitute").delete()
        lists = listed(("1", FIRM, ""))
        load(scene.project, {NAMES[0]: lists})
        assert gold_gaps(scene.project) == []
        assert file_of(release_files(scene.project, partial=False), NAMES[0]) == lists

    def test_where_people_are_asked_answers_are_what_is_missing(self, scene: Munch) -> None:
        load(scene.project, {NAMES[0]: listed(("1", FIRM, ""))})
        with pytest.raises(MissingGoldError, match="not everyone has written a word for it in en"):
            release_files(scene.project, partial=False)
        assert sentences_of(scene.project)[0].words is None
