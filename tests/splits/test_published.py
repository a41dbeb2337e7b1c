"""Published splits: tied to the project's sentences or refused, and written as they came."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from pytest_django.fixtures import Settings

from annotator.core.files.storage import site_files
from annotator.imports.writing.imports import import_meta4xnli
from annotator.models import Gold, Job, JobState, Project, Sentence, Split, SplitRow
from annotator.models.split import splits_of
from annotator.projects.actions.projects import create_project
from annotator.releases.queries.exports import release_files
from annotator.splits.queries.stored import table_lines
from tests.corpora import META4XNLI, needs_meta4xnli
from tests.corpus_files import DATASET, MET, NO_MET, NONRELEVANT, SAMPLE
from tests.drafts import make_plain
from tests.factories import make_gold, make_pair, make_segment, make_sentence, make_tag, span
from tests.splits.making import fill, fill_at_once, make_split, parts_of, run, upload

pytestmark = pytest.mark.django_db

SPANISH = ["El tiempo vuela .", "Ana lee .", "El tiempo vuela .", "Llueve en la ciudad ."]
ENGLISH = ["Time flies .", "Ana reads .", "Time flies .", "It rains in the city ."]


@pytest.fixture(autouse=True)
def own_folder(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def parallel(project: Project) -> list[Sentence]:
    """Four sentences in two languages, of which the first and the third are the same; the first word is labelled."""
    found = []
    for spanish, english in zip(SPANISH, ENGLISH, strict=True):
        segment = make_segment(project)
        for language, text in (("es", spanish), ("en", english)):
            sentence = make_sentence(project, text, language=language, segment=segment)
            make_gold(sentence, [span(0)])
            found.append(sentence)
    return found[::2]


def tagged(*texts: str) -> str:
    return "".join(
        "".join(f"{token}\t{'O' if place else 'B-METAPHOR'}\n" for place, token in enumerate(text.split())) + "\n"
        for text in texts
    )


def files(train: list[int], test: list[int]) -> dict[str, str]:
    """Files of a split of these sentences, by their numbers."""
    return {
        f"{language}/news_{part}.tsv": tagged(*(texts[number] for number in numbers))
        for language, texts in (("es", SPANISH), ("en", ENGLISH))
        for part, numbers in (("train", train), ("test", test))
    }


class TestSentences:
    def test_they_are_found_by_their_tokens_and_equal_ones_in_their_order(
        self, project: Project, parallel: list[Sentence]
    ) -> None:
        split = make_split(project, "news", **upload(project, files([3, 0], [2, 1])))

        found = {(row.segment_id, split.parts[row.part or 0], row.position) for row in SplitRow.objects.all()}
        segments = [sentence.segment_id for sentence in parallel]
        assert found == {
            (segments[3], "train", 0),
            (segments[0], "train", 1),
            (segments[2], "test", 0),
            (segments[1], "test", 1),
        }
        assert (split.method, split.parts, split.size) == ("imported", ["train", "test"], 4)

    def test_they_go_out_as_they_came(self, project: Project, parallel: list[Sentence]) -> None:
        given = files([3, 0], [2, 1])
        split = make_split(project, "news", **upload(project, given))
        written = release_files(project, partial=False, splits=[split.pk]).files
        assert {
            path.removeprefix("detection/splits/"): content.decode()
            for path, content in written.items()
            if path.startswith("detection/splits/")
        } == given
        assert b"news" in written["splits/news.json"]
        assert written["splits/news.tsv"].decode() == "".join(table_lines(split))
        assert b"`splits/`" in written["README.md"]

    def test_the_language_of_a_file_is_found_where_its_name_says_none(
        self, project: Project, parallel: list[Sentence]
    ) -> None:
        given = {
            "a_train.tsv": tagged(*SPANISH[:2]),
            "b_train.tsv": tagged(*ENGLISH[:2]),
            "a_test.tsv": tagged(*SPANISH[2:]),
            "b_test.tsv": tagged(*ENGLISH[2:]),
        }
        split = make_split(project, "found", **upload(project, given))
        assert Counter(parts_of(split).values()) == {"train": 2, "test": 2}

    def test_one_language_is_enough(self, project: Project, parallel: list[Sentence]) -> None:
        given = {name: text for name, text in files([0, 1], [2, 3]).items() if name.startswith("es")}
        assert make_split(project, "one", **upload(project, given)).size == 4

    def test_files_for_each_dataset_follow_each_other(self, project: Project, parallel: list[Sentence]) -> None:
        given = {
            "es/a_train.txt": "Ana lee .\n",
            "es/b_train.txt": "Llueve en la ciudad .\n",
            "en/a_train.txt": "Ana reads .\n",
            "en/b_train.txt": "It rains in the city .\n",
            "es/a_test.txt": "El tiempo vuela .\n",
            "en/a_test.txt": "Time flies .\n",
        }
        split = make_split(project, "two", **upload(project, given))
        rows = SplitRow.objects.filter(split=split, part=0).order_by("position")
        assert [row.segment_id for row in rows] == [parallel[1].segment_id, parallel[3].segment_id]

    def test_what_is_not_in_the_project_is_refused_with_its_line(
        self, project: Project, parallel: list[Sentence]
    ) -> None:
        given = files([0, 1], [2, 3])
        given["es/news_test.tsv"] = tagged("El tiempo vuela .", "Nadie lo sabe .")

        job = run(project, "news", **upload(project, given))

        assert job.state == JobState.FAILED
        assert "1 of 4 rows is not in this project" in job.error
        assert "es/news_test.tsv:6" in job.error
        assert not Split.objects.exists()

    def test_languages_that_disagree_are_not_matched(self, project: Project, parallel: list[Sentence]) -> None:
        given = files([0, 1], [2, 3])
        given["en/news_test.tsv"] = tagged(ENGLISH[3], ENGLISH[2])
        job = run(project, "news", **upload(project, given))
        assert "2 of 4 rows are not in this project, or not in all languages" in job.error

    def test_what_is_there_is_stored_where_that_was_chosen(self, project: Project, parallel: list[Sentence]) -> None:
        given = files([0, 1], [2, 3])
        given["es/news_test.tsv"] = tagged("El tiempo vuela .", "Nadie lo sabe .")
        split = make_split(project, "news", partial=True, **upload(project, given))
        assert (split.size, split.results["unmatched"]) == (3, 1)

    def test_nothing_in_common_is_no_split_even_in_part(self, project: Project, parallel: list[Sentence]) -> None:
        given = {"es/train.tsv": tagged("Otra ."), "es/test.tsv": tagged("Más .")}
        job = run(project, "news", partial=True, **upload(project, given))
        assert "2 of 2 rows" in job.error
        assert not Split.objects.exists()

    def test_uneven_files_are_refused(self, project: Project, parallel: list[Sentence]) -> None:
        given = files([0, 1], [2, 3])
        given["en/news_test.tsv"] = tagged(ENGLISH[2])
        job = run(project, "news", **upload(project, given))
        assert "different numbers of sentences in their languages (es: 2, en: 1)" in job.error

    def test_one_part_is_no_split(self, project: Project, parallel: list[Sentence]) -> None:
        job = run(project, "news", **upload(project, {"es/train.tsv": tagged(*SPANISH)}))
        assert "one part only" in job.error

    def test_a_file_that_names_no_part_is_refused(self, project: Project, parallel: list[Sentence]) -> None:
        job = run(project, "news", **upload(project, {"es/a.tsv": tagged(*SPANISH), "es/b.tsv": tagged(*SPANISH)}))
        assert "the name of a part in the name of the file" in job.error


class TestIds:
    @pytest.fixture
    def pairs(self, project: Project) -> list[str]:
        """Four pairs of one premise each."""
        found = []
        for number in range(4):
            pair = make_pair(project, premise=f"Uno {number}", hypothesis=f"Dos {number}")
            make_tag(pair, "relevant")
            found.append(pair.pair_id)
        return found

    def test_pairs_come_by_their_ids_in_a_table(self, project: Project, pairs: list[str]) -> None:
        text = "pairID\tsplit\n" + "".join(
            f"{pair}\t{part}\n" for pair, part in zip(pairs, ["train", "train", "dev", "test"], strict=True)
        )
        split = make_split(project, "pairs", layer=project.tag_layer, **upload(project, {"all.tsv": text}))
        assert Counter(parts_of(split).values()) == {"train": 2, "dev": 1, "test": 1}
        assert split.parts == ["train", "dev", "test"]

    def test_pairs_come_by_files_for_parts_a_row_in_each_language(self, project: Project, pairs: list[str]) -> None:
        header = "language\tgold_label\tsentence1\tsentence2\tpromptID\tpairID\tgenre\tsource_dataset\n"
        given = {
            f"pairs_{part}.tsv": header
            + "".join(f"{language}\tneutral\tA\tB\t1\t{pair}\tx\tset\n" for language in ("es", "en") for pair in ids)
            for part, ids in (("train", pairs[:3]), ("test", pairs[3:]))
        }
        split = make_split(project, "pairs", layer=project.tag_layer, **upload(project, given))
        assert Counter(parts_of(split).values()) == {"train": 3, "test": 1}

    def test_the_published_layout_comes_in_and_goes_out_byte_for_byte(self) -> None:
        """Files of the corpus as published, and of a split of its pairs: out of the order of their ids."""
        project = create_project(slug="corpus", preset="meta4xnli-es-en", by=None)
        import_meta4xnli(project=project, root=SAMPLE, dataset=DATASET, labels="gold", by=None)
        header, *rows = [
            line for path in (MET, NONRELEVANT, NO_MET) for line in (SAMPLE / path).read_text().splitlines()
        ]
        ids = list(dict.fromkeys(row.split("\t")[5] for row in rows if row != header))
        Random(3).shuffle(ids)
        given = {
            f"pairs_{part}.tsv": "".join(
                f"{row}\n"
                for row in [header, *(one for language in ("es", "en") for id in some for one in rows
                                      if one.startswith(f"{language}\t") and one.split("\t")[5] == id)]
            )
            for part, some in (("train", ids[:50]), ("dev", ids[50:60]), ("test", ids[60:]))
        }  # fmt: skip

        split = make_split(project, "pairs", layer=project.tag_layer, **upload(project, given))
        written = release_files(project, partial=True, splits=[split.pk]).files

        assert {path.removeprefix("interpretation/splits/"): content.decode() for path, content in written.items()
                if path.startswith("interpretation/splits/")} == given  # fmt: skip
        assert not [path for path in written if path.startswith("detection/splits/")]

        Gold.objects.filter(unit__segment__pair__pair_id=ids[0], layer=project.tag_layer).delete()
        written = release_files(project, partial=True, splits=[split.pk]).files
        assert json.loads(written["splits/pairs.json"])["not_in_files"] == {"train": 1}
        left = given["pairs_train.tsv"].splitlines(keepends=True)
        del left[51], left[1]
        assert written["interpretation/splits/pairs_train.tsv"].decode() == "".join(left)

    @pytest.mark.parametrize(
        ("parts", "says"), [(["train", "../x"], "The name of a part"), ([*map(str, range(21))], "2 to 20 parts")]
    )
    def test_parts_that_no_file_can_be_called_by_are_refused(
        self, project: Project, parts: list[str], says: str
    ) -> None:
        ids = [make_pair(project).pair_id for _part in parts]
        text = "pairID\tsplit\n" + "".join(f"{id}\t{part}\n" for id, part in zip(ids, parts, strict=True))
        job = run(project, "pairs", layer=project.tag_layer, **upload(project, {"all.tsv": text}))
        assert says in job.error
        assert not Split.objects.exists()

    def test_lists_of_ids_are_told_from_texts(self, project: Project, pairs: list[str]) -> None:
        given = {"train.txt": "\n".join(pairs[:2]), "test.txt": "\n".join(pairs[2:])}
        split = make_split(project, "pairs", layer=project.tag_layer, **upload(project, given))
        assert split.size == 4

    def test_our_own_table_comes_in_again(self, project: Project) -> None:
        fill(project, 6)
        ours = make_split(project, "ours", method="lexical", together=False)
        text = "".join(table_lines(ours))
        again = make_split(project, "again", **upload(project, {"ours.tsv": text}))
        assert parts_of(again) == {uid: part for uid, part in parts_of(ours).items() if part}
        assert "".join(table_lines(again)).splitlines() == [
            line for line in text.splitlines() if not line.endswith("\t")
        ]

    def test_an_item_in_two_parts_is_refused(self, project: Project, pairs: list[str]) -> None:
        text = f"id,split\n{pairs[0]},train\n{pairs[1]},test\n{pairs[0]},test\n"
        job = run(project, "pairs", layer=project.tag_layer, **upload(project, {"all.csv": text}))
        assert "all.csv:4" in job.error
        assert "in another part, too" in job.error

    def test_an_id_that_two_items_have_is_refused(self, project: Project) -> None:
        for dataset in ("a", "b"):
            segment = make_segment(project, uid=f"{dataset}:prem:1", role="prem")
            type(segment).objects.filter(pk=segment.pk).update(dataset=dataset)
            make_sentence(project, segment=segment)
        job = run(project, "x", **upload(project, {"all.csv": "id,split\n1,train\n2,test\n"}))
        assert "have the same ID in the files: a:prem:1, b:prem:1" in job.error

    def test_the_dataset_tells_them_apart(self, project: Project) -> None:
        for dataset in ("a", "b"):
            segment = make_segment(project, uid=f"{dataset}:prem:1", role="prem")
            type(segment).objects.filter(pk=segment.pk).update(dataset=dataset)
            make_sentence(project, segment=segment)
        split = make_split(project, "x", **upload(project, {"all.csv": "id,dataset,split\n1,a,train\n1,b,test\n"}))
        assert parts_of(split) == {"a:prem:1": "train", "b:prem:1": "test"}


class TestFiles:
    def test_they_are_deleted_once_they_are_read(self, project: Project, parallel: list[Sentence]) -> None:
        make_split(project, "news", **upload(project, files([0, 1], [2, 3])))
        assert list(site_files().files(splits_of(project.pk))) == []

    def test_they_stay_for_another_try(self, project: Project, parallel: list[Sentence]) -> None:
        run(project, "news", **upload(project, {"es/train.tsv": tagged(*SPANISH)}))
        assert list(site_files().files(splits_of(project.pk)))

    def test_files_that_are_gone_are_a_sentence(self, project: Project, parallel: list[Sentence]) -> None:
        given = upload(project, files([0, 1], [2, 3]))
        site_files().delete_folder(splits_of(project.pk))
        assert "Upload them again" in run(project, "news", **given).error


@needs_meta4xnli
def test_the_published_detection_splits_come_in_and_go_out_byte_for_byte() -> None:
    project = make_plain(languages=("es", "en"))
    folder = META4XNLI / "detection" / "splits"
    given = {
        f"{language}/meta4xnli_{part}.tsv": (folder / language / f"meta4xnli_{part}.tsv").read_bytes()
        for language in ("es", "en")
        for part in ("train", "dev")
    }
    for part in ("train", "dev"):
        texts = {language: given[f"{language}/meta4xnli_{part}.tsv"] for language in ("es", "en")}
        fill_at_once(project, texts, part)

    split = make_split(project, "meta4xnli", **upload(project, given))
    written = release_files(project, partial=True, splits=[split.pk]).files

    assert {path.removeprefix("detection/splits/"): content for path, content in written.items()
            if path.startswith("detection/splits/")} == given  # fmt: skip
    # The files have 7,259 and 2,431 sentences in both languages.
    assert split.results["sizes"] == [7259, 2431]
    labelled = Counter()  # type: Counter[tuple[str, str]]
    for row in split.results["table"]:
        labelled[row["part"], row["language"]] += row["states"].get("labelled", 0)
    assert labelled == {("train", "es"): 893, ("dev", "es"): 364, ("train", "en"): 1285, ("dev", "en"): 553}
    # Of the Spanish sentences in training and in development, two are the same but for punctuation.
    leaks = {(one["kind"], one["language"]): one for one in split.results["leakage"]}
    assert [leak["shared"] for leak in leaks["equal", "es"]["leaks"]] == [2]
    assert Job.objects.latest("pk").state == JobState.DONE
