"""IMPLI's files and dictionaries: read, refused with line and what was expected, and written as they were."""

from __future__ import annotations

import copy
import json
import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotator.core.errors import ActionError
from annotator.core.starts import STARTS
from annotator.domain.text.tokens import text_of
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import Read, Record
from annotator.formats.recognise import recognise
from annotator.imports.drafts.start_sample import add_sample
from annotator.imports.reading.problems import problem_of
from annotator.models import Gold, Item, Project, Role, Suggestion, Unit
from annotator.projects.actions.projects import create_project
from annotator.protocols.impli.dictionary import Dictionary
from annotator.protocols.impli.pair_files import Impli
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.gold_gaps import gold_gaps
from annotator.releases.queries.release_parts import PARTS
from annotator.work.gold.queries.left_out import MissingGoldError
from tests.clients import client_of
from tests.corpora import shared_corpus
from tests.drafts import everything, load, run_all
from tests.factories import make_member

PAIR = "He was over the moon.\tHe was glad.\n"


def _read(folder: Path, content: str | bytes, name: str = "manual_e.tsv") -> list[Read]:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    kind = Dictionary() if name.startswith("words") else Impli()
    return list(kind.read([SourceFile(name, path, "utf-8", "en")], Options()))


def _path(project: Project, path: str) -> str:
    return f"/api/v1/projects/{project.slug}/{path}"


def _texts(reads: list[Read]) -> list[str]:
    found = []
    for read in reads:
        assert isinstance(read, Record), read
        text = read.texts["en"]
        found.append(text_of(text.tokens, text.spaces))
    return found


class TestReading:
    def test_two_sentences_and_a_score_that_may_be_empty(self, tmp_path: Path) -> None:
        rows = _read(tmp_path, "A  b .\tC d.\t\nE f.\tG \u00a0h\t0.5\r\nI.\tJ.")
        assert _texts(rows) == ["A  b .\nC d.", "E f.\nG \u00a0h", "I.\nJ."]

    def test_emoji_quotation_marks_and_decomposed_text_stay_as_they_are(self, tmp_path: Path) -> None:
        yoruba = unicodedata.normalize("NFD", "Ọ̀rẹ́ mi dà bí ọ̀gẹ̀dẹ̀ 🙂")
        kannada = unicodedata.normalize("NFD", 'ಅವಳ "ಮಾತು" ಜೇನು')
        assert _texts(_read(tmp_path, f"{yoruba}\t{kannada}\t\n")) == [f"{yoruba}\n{kannada}"]

    @pytest.mark.parametrize(
        ("rows", "line", "expected", "got"),
        [
            (PAIR + "one half\n", 2, "two sentences", "1 cell"),
            ("a\tb\tmaybe\n", 1, "a number or an empty cell", "maybe"),
            ("a\tb\t1\t2\n", 1, "two sentences", "4 cells"),
            ("a\t \n", 1, "a second sentence", "an empty cell"),
            ("\tb\n", 1, "a first sentence", "an empty cell"),
        ],
    )
    def test_what_is_wrong_is_named_with_its_line(
        self, tmp_path: Path, rows: str, line: int, expected: str, got: str
    ) -> None:
        (error,) = [read for read in _read(tmp_path, rows) if isinstance(read, FormatError)]
        assert error.line == line
        assert expected in str(error)
        assert got in str(error)

    @pytest.mark.parametrize(
        ("row", "said"),
        [
            ("under the weather\tUnder the weather", "A definition repeats the expression itself. Use other words."),
            ("under the weather\tto be", "“to be” has no meaning by itself. Write what the expression means."),
        ],
    )
    def test_a_definition_that_nobody_could_write_is_refused_in_one_sentence(
        self, tmp_path: Path, row: str, said: str
    ) -> None:
        (error,) = _read(tmp_path, f"expression\tdefinition\n{row}\n", "words.tsv")
        assert isinstance(error, FormatError)
        definition = row.partition("\t")[2]
        assert str(error) == f"words.tsv:2: “{definition}”: {said}"
        assert str(problem_of(error)) == str(error)

    def test_what_is_odd_comes_in_with_a_warning_and_goes_out_as_it_is(self, tmp_path: Path) -> None:
        rows = PAIR + "A cat.\ta cat\n" + PAIR + "A  b.\tC.\n"
        found = _read(tmp_path, rows)
        assert [(one.line, str(one.what)) for one in found if isinstance(one, FormatWarning)] == [
            (2, "both sentences have the same words: “A cat.”"),
            (3, "the same pair as in line 1"),
        ]
        assert len(_texts([one for one in found if not isinstance(one, FormatWarning)])) == 4

    def test_bytes_that_are_no_text_are_named(self, tmp_path: Path) -> None:
        error = _read(tmp_path, PAIR.encode() + b"a\xff\tb\n")[-1]
        assert isinstance(error, FormatError)
        assert str(error).startswith("manual_e.tsv:2")

    def test_a_name_that_says_no_label_is_refused(self, tmp_path: Path) -> None:
        (error,) = _read(tmp_path, PAIR, "pairs.tsv")
        assert isinstance(error, FormatError)
        assert "_e” or “_ne" in str(error)

    def test_they_are_recognised_by_name_and_cells(self, tmp_path: Path) -> None:
        for name, content, slug in (
            ("manual_ne.tsv", PAIR, "impli"),
            ("words.tsv", "expression\tdefinition\nover the moon\tglad\n", "dictionary"),
            ("names.tsv", "id\ttext\n1\tHello there\n", "tsv"),
        ):
            path = tmp_path / name
            path.write_text(content, encoding="utf-8")
            found = recognise([SourceFile(name, path, "utf-8")], languages=["en"])[0]
            assert (found.format, found.files[0].language or "en") == (slug, "en")

    @pytest.mark.parametrize(
        ("name", "content", "says"),
        [
            ("manual_e.tsv", "A b.\nX y.\tZ.\n", r"manual_e\.tsv:1: expected two sentences and .*got 1 cell"),
            ("manual_e.tsv", "A cat.\nA dog.\nA cow.\n", r"manual_e\.tsv:1: expected two sentences and .*got 1 cell"),
            ("manual_e.tsv", "A b.\tC d.\t1\t2\n", r"manual_e\.tsv:1: expected two sentences and .*got 4 cells"),
            ("manual.tsv", PAIR, "manual.tsv: expected a name that contains either “_e” or “_ne”"),
            ("manual_e_ne.tsv", PAIR, "manual_e_ne.tsv: expected a name that contains either “_e” or “_ne”"),
            ("fig_context_pie.tsv", PAIR, "fig_context_pie.tsv: expected a name that contains either “_e” or “_ne”"),
        ],
    )
    def test_what_has_a_published_name_is_refused_and_not_read_as_another_table(
        self, tmp_path: Path, name: str, content: str, says: str
    ) -> None:
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        found = recognise([SourceFile(name, path, "utf-8")], languages=["en"])[0]
        assert found.format == "impli"
        errors = [read for read in Impli().read(found.files, found.options) if isinstance(read, FormatError)]
        assert re.search(says, str(errors[0]))

    @pytest.mark.parametrize(
        ("name", "content"),
        [("manual.tsv", "word\tlabel\nroad\tmetaphor\n"), ("manual_e.txt", "One sentence.\nAnother one.\n")],
    )
    def test_other_tables_may_be_called_so(self, tmp_path: Path, name: str, content: str) -> None:
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        found = recognise([SourceFile(name, path, "utf-8")], languages=["en"])
        assert all(guess.format != "impli" for guess in found)


class TestDictionaries:
    def test_columns_stand_in_any_order(self, tmp_path: Path) -> None:
        rows = "adversarial\tDefinition\tExpression\tantonym\nup there\tglad\tover the moon\tsad\n"
        (record,) = _read(tmp_path, rows, "words.tsv")
        assert isinstance(record, Record)
        assert record.texts["en"].contents == {
            "definitions": {"correct": "glad", "adversarial": "up there", "antonym": "sad"}
        }

    @pytest.mark.parametrize(
        ("rows", "line", "expected"),
        [
            ("a\tb\tc\n", 2, "2 cells"),
            (" \tb\n", 2, "an expression"),
            ("a\t\n", 2, "a text in the column definition"),
            ("a b\tA  b!\n", 2, "the expression itself"),
        ],
    )
    def test_what_is_wrong_is_named_with_its_line(self, tmp_path: Path, rows: str, line: int, expected: str) -> None:
        (error,) = _read(tmp_path, f"expression\tdefinition\n{rows}", "words.tsv")
        assert isinstance(error, FormatError)
        assert error.line == line
        assert expected in str(error)

    def test_a_missing_column_is_named(self, tmp_path: Path) -> None:
        (error,) = _read(tmp_path, "expression\tmeaning\n", "words.tsv")
        assert isinstance(error, FormatError)
        assert str(error).startswith("words.tsv:1: ")
        assert "without definition" in str(error)


@pytest.fixture(scope="class")
def empty(kept_rows_of_class: None) -> Project:
    return create_project(slug="inference", preset=STARTS["impli"].preset(["en"]), by=None)


@pytest.mark.django_db
@pytest.mark.usefixtures("uploads")
class TestImporting:
    @pytest.fixture
    def project(self, empty: Project) -> Project:
        return copy.deepcopy(empty)

    def test_published_pairs_are_gold_and_go_out_as_they_were(self, project: Project) -> None:
        content = "\ufeffA b.\tC d.\t\r\nE f.\tG  h.\r\nI.\tJ.\t0.5"
        load(project, {"fig_context_own_e.tsv": content, "manual_ne.tsv": PAIR}, dataset="own")
        texts = [unit.text for unit in Unit.objects.order_by("origin_file", "pk")]
        assert texts == ["A b.\nC d.", "E f.\nG  h.", "I.\nJ.", "He was over the moon.\nHe was glad."]
        assert set(Item.objects.filter(stage__kind="validate").values_list("state", flat=True)) == {"decided"}
        assert Counter(gold.content["second"] for gold in Gold.objects.all()) == {"yes": 3, "no": 1}
        released = release_files(project, partial=False)
        given = {"impli/own/fig_context_own_e.tsv": content.encode(), "impli/own/manual_ne.tsv": PAIR.encode()}
        assert {path: data for path, data in released.files.items() if path.startswith("impli/")} == given
        manager, client = make_member(project, Role.MANAGER), Client()
        client.force_login(manager)
        page = client.get(reverse("releases", args=[project.slug])).text
        assert "Everything has gold." in page
        assert "Create a release" in page

    def test_without_labels_they_wait_for_validation_and_hold_a_release_back(self, project: Project) -> None:
        load(project, {"manual_e.tsv": PAIR + "a b\tb c\n"}, dataset="own", labels_as="none")
        assert not Gold.objects.exists()
        assert [gap.pairs for gap in gold_gaps(project)] == [2]
        people = [make_member(project) for _ in range(2)]
        validate = project.stages.get(kind="validate")
        for person in people:
            claim = client_of(person).post(_path(project, f"stages/{validate.pk}/claim/"), {"count": 2})
            (item,) = [one for one in claim.json()["items"] if "moon." in one["unit"]["tokens"]]
            body = {"version": 0, "content": {"verdict": "accept", "second": "yes"}, "done": True}
            assert client_of(person).post(_path(project, f"assignments/{item['id']}/save/"), body).status_code == 200
        assert PARTS["impli"].compute(project).files == {"impli/own/manual_e.tsv": PAIR.encode()}
        assert [gap.pairs for gap in gold_gaps(project)] == [1]
        with pytest.raises(MissingGoldError, match=r"1 pair: .* \(no gold in en\)"):
            release_files(project, partial=False)
        assert release_files(project, partial=True).files["impli/own/manual_e.tsv"] == PAIR.encode()

        load(project, {"manual_e.tsv": PAIR + "a b\tb c\n"}, dataset="own", labels_as="gold")
        released = release_files(project, partial=False)
        assert released.files["impli/own/manual_e.tsv"].decode() == PAIR + "a b\tb c\n"
        assert Gold.objects.filter(source="agreed").count() == 1, "what people decided stays"

    def test_the_sample_is_there_to_be_marked(self) -> None:
        project = create_project(slug="both", preset=STARTS["impli"].preset(["es", "en"]), by=None)
        run_all(add_sample(project=project, start=STARTS["impli"], by=None))
        for language in ("es", "en"):
            assert Item.objects.filter(stage__kind="correct", stage__language=language).count() == 12
        assert not Gold.objects.exists()

    def test_a_pair_that_was_rejected_stays_out(self, project: Project) -> None:
        load(project, {"manual_e.tsv": PAIR * 2 + "a\tb\n"}, dataset="own", labels_as="none")
        layer = project.stages.get(kind="validate").layer
        for unit, content in zip(
            Unit.objects.order_by("pk"),
            (
                {"verdict": "reject", "reason": "format", "second": "yes"},
                {"verdict": "accept", "second": "no"},
                {"verdict": "accept", "second": "yes"},
            ),
            strict=True,
        ):
            Gold.objects.create(
                project=project,
                unit=unit,
                layer=layer,
                source="adjudicated",
                content={"texts": [], "reason": "", **content},
            )
        found = PARTS["impli"].compute(project)
        assert found.files == {"impli/own/manual_e.tsv": b"a\tb\n"}
        assert len(found.left_out) == 2

    def test_what_may_not_be_published_stays_out(self, project: Project) -> None:
        load(project, {"manual_e.tsv": PAIR}, dataset="own", publishable=False)
        found = PARTS["impli"].compute(project)
        assert (found.files, len(found.left_out)) == ({}, 1)

    def test_a_bad_line_leaves_everything_as_it_was(self, project: Project) -> None:
        before = everything()
        with pytest.raises(ActionError, match="1 cell"):
            load(project, {"manual_e.tsv": PAIR + "half\n"}, dataset="own")
        assert everything() == before

    def test_a_dictionary_as_a_machine_s_is_what_somebody_corrects(self, project: Project) -> None:
        content = "expression\tdefinition\nspill the beans\tto tell a secret\n"
        load(project, {"words.tsv": content}, dataset="words", labels_as="model", labels_name="dictionary")
        suggested = Suggestion.objects.get()
        assert suggested.content["correct"] == "to tell a secret"
        assert not Gold.objects.exists()
        assert Item.objects.get(stage__kind="define").unit.lemmas == ["spill", "the", "bean"]

    def test_the_published_files_go_out_byte_for_byte(self, project: Project) -> None:
        folder = shared_corpus("impli")
        given = {}
        for dataset in ("idioms", "metaphors"):
            files: dict[str, str | bytes] = {path.name: path.read_bytes() for path in (folder / dataset).glob("*.tsv")}
            load(project, files, dataset=dataset)
            given |= {f"impli/{dataset}/{name}": content for name, content in files.items()}
        assert len(given) == 8
        released = release_files(project, partial=False).files
        assert {path: data for path, data in released.items() if path.startswith("impli/")} == given
        assert not Item.objects.filter(stage__kind="validate").exclude(state="decided").exists()
        counts: Counter[tuple[str, str, str]] = Counter()
        rows = json.loads(released["statistics/pair-classes.json"])
        every = {row["name"]: (row["entailed"], row["not_entailed"]) for row in rows if row["dataset"] == "all"}
        assert (every["manual"], every["all"]) == ((915, 535), (1502, 1111))
        for row in (row for row in rows if row["dataset"] != "all"):
            for label in ("entailed", "not_entailed"):
                counts[row["dataset"], row["name"], label] += row[label]
        assert +counts == {
            ("idioms", "manual", "entailed"): 528,
            ("idioms", "manual", "not_entailed"): 254,
            ("idioms", "manual_antonyms", "not_entailed"): 375,
            ("idioms", "fig_context", "entailed"): 587,
            ("idioms", "lit_context", "not_entailed"): 142,
            ("idioms", "adversarial_definition", "not_entailed"): 59,
            ("metaphors", "manual", "entailed"): 387,
            ("metaphors", "manual", "not_entailed"): 281,
        }


@pytest.mark.django_db
def test_the_command_counts_pairs_as_pairs(uploads: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = create_project(slug="pairs", preset=STARTS["impli"].preset(["en"]), by=None)
    path = tmp_path / "manual_e.tsv"
    path.write_text("He spilt the beans.\tHe told it.\n", encoding="utf-8")
    call_command("import_files", str(path), "--project", project.slug, "--check")
    checked = capsys.readouterr().out
    assert "; 1 pair in en" in checked
    assert "labels, gold: on 1 pair\n" in checked
    call_command("import_files", str(path), "--project", project.slug)
    imported = capsys.readouterr().out
    assert "  texts en (1 pair): 1 new, 0 known" in imported
    assert "  gold of validity en: 1 new, 0 known" in imported
    assert "sentence" not in checked + imported
