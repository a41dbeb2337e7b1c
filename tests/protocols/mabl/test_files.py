"""MABL's files: read in any order of columns, refused with line and what was expected, and written as they were."""

from __future__ import annotations

import copy
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotator.core.errors import ActionError
from annotator.core.starts import STARTS
from annotator.domain.pairs.figurative_pairs import FigurativePair, Row
from annotator.domain.text.tokens import text_of
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import Read, Record
from annotator.formats.recognise import recognise
from annotator.imports.drafts.preview import make_preview
from annotator.models import Gold, Import, Item, Project, Unit
from annotator.projects.actions.projects import create_project
from annotator.protocols.mabl.format import Mabl
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.tables import FURTHER
from tests.drafts import draft_of, everything, load

HEAD = "startphrase,ending1,ending2,labels\n"
PAIR = "The hut is a palace.,It is fine.,It is poor.,0\nThe hut is a hole.,It is fine.,It is poor.,1\n"


def _read(folder: Path, content: str | bytes, name: str = "en.csv") -> list[Read]:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(Mabl().read([SourceFile(name, path, "utf-8", "en")], Options()))


def _rows(reads: list[Read]) -> list[Row]:
    found: list[Row] = []
    for read in reads:
        assert isinstance(read, Record), read
        text = read.texts["en"]
        found += FigurativePair.of_text(text_of(text.tokens, text.spaces)).rows
    return found


def _with_flags(first: str, second: str) -> str:
    """A pair with three columns of categories."""
    halves = PAIR.replace(",0\n", f",0,{first}\n").replace(",1\n", f",1,{second}\n")
    return f"{HEAD.strip()},obj,vis,soc\n{halves}"


def _with_valid(first: str, second: str) -> str:
    return f"{HEAD.strip()},valid\n" + PAIR.replace(",0\n", f",0,{first}\n").replace(",1\n", f",1,{second}\n")


class TestReading:
    def test_two_rows_are_a_pair_whatever_the_order_of_columns(self, tmp_path: Path) -> None:
        usual = _rows(_read(tmp_path, HEAD + PAIR))
        assert usual == [
            Row("The hut is a palace.", "It is fine.", "It is poor.", 0),
            Row("The hut is a hole.", "It is fine.", "It is poor.", 1),
        ]
        other = "ending 1 (string)\tlabels\tEnding2\tStart Phrase\r\n"
        other += "It is fine.\t0\tIt is poor.\tThe hut is a palace.\r\nIt is fine.\t1\tIt is poor.\tThe hut is a hole."
        assert _rows(_read(tmp_path, other)) == usual

    def test_quotation_marks_inside_quotation_marks(self, tmp_path: Path) -> None:
        quoted = '"He said ""it is a palace"", and left.",a,b,0\n"He said ""it is a hole"", and left.",a,b,1\n'
        assert _rows(_read(tmp_path, HEAD + quoted))[0].start == 'He said "it is a palace", and left.'

    def test_emoji_and_decomposed_text_stay_as_they_are(self, tmp_path: Path) -> None:
        yoruba = unicodedata.normalize("NFD", "Ọ̀rẹ́ mi dà bí ọ̀gẹ̀dẹ̀ 🙂")
        kannada = unicodedata.normalize("NFD", "ಅವಳ ಮಾತು ಜೇನು")
        rows = _rows(_read(tmp_path, f"{HEAD}{yoruba},a,b,0\n{kannada},a,b,1\n"))
        assert [row.start for row in rows] == [yoruba, kannada]

    def test_a_half_without_its_other_one_comes_in_alone_and_is_said(self, tmp_path: Path) -> None:
        reads = _read(tmp_path, HEAD + "The sea is glass.,It is calm.,It is rough.,0\n" + PAIR)
        warnings = [read for read in reads if isinstance(read, FormatWarning)]
        assert [(one.line, "other half" in str(one.what)) for one in warnings] == [(2, True)]
        assert len([read for read in reads if isinstance(read, Record)]) == 2

    def test_two_halves_with_nothing_in_common_are_said_with_both_lines(self, tmp_path: Path) -> None:
        orphans = "He is a rock.,He is firm.,He is weak.,0\nThe sea is glass.,It is calm.,It is rough.,1\n"
        warning, record = _read(tmp_path, HEAD + orphans)
        assert isinstance(warning, FormatWarning)
        assert isinstance(record, Record)
        assert (warning.line, "line 3" in str(warning.what)) == (2, True)

    def test_two_halves_that_are_the_same_are_said_with_both_lines(self, tmp_path: Path) -> None:
        same = "He is a rock.,He is firm.,He is weak.,0\nHe is a Rock,He is firm.,He is weak.,1\n"
        warning, record = _read(tmp_path, HEAD + same)
        assert isinstance(warning, FormatWarning)
        assert isinstance(record, Record)
        assert warning.line == 2
        assert "line 3 have the same start phrase" in str(warning.what)

    def test_equal_endings_are_said_with_their_line(self, tmp_path: Path) -> None:
        equal = "He is a rock.,He is firm.,He is firm .,0\nHe is a reed.,He is firm.,He is weak.,1\n"
        warnings = [read for read in _read(tmp_path, HEAD + equal) if isinstance(read, FormatWarning)]
        assert [(one.line, str(one.what)) for one in warnings if "endings" in str(one.what)] == [
            (2, "both endings are the same")
        ]

    def test_two_halves_with_one_label_are_said_and_come_in_alone(self, tmp_path: Path) -> None:
        twice = "He is a rock.,He is firm.,He is weak.,0\nHe is a reed.,He is firm.,He is weak.,0\n"
        reads = _read(tmp_path, HEAD + twice)
        said = [(read.line, str(read.what)) for read in reads if isinstance(read, FormatWarning)]
        assert [line for line, _what in said] == [2, 3]
        assert "line 3 have the same label" in said[0][1]
        assert "the other half" in said[1][1]
        assert len([read for read in reads if isinstance(read, Record)]) == 2

    def test_halves_that_begin_alike_belong_together_whatever_their_endings(self, tmp_path: Path) -> None:
        alike = "The sea is glass.,It is calm.,It is rough.,0\nThe sea is a beast.,It is calm now.,It is rough now.,1\n"
        assert [type(read) for read in _read(tmp_path, HEAD + alike)] == [Record]

    @pytest.mark.parametrize(
        ("rows", "line", "expected", "got"),
        [
            ("a b,c,d,maybe\n", 2, "0 or 1", "maybe"),
            ("a b,c,d\n", 2, "4 cells", "got 3"),
            ("a b, c,d,e,0\n", 2, "4 cells", "got 5. If a cell contains a quotation mark or the separator"),
            (PAIR + "a b,,d,0\n", 4, "a text in the column ending1", "an empty cell"),
            (",c,d,0\n", 2, "a text in the column startphrase", "an empty cell"),
            ('"a\nb",c,d,0\n', 2, "without line breaks", "a line break"),
            ('a "b" c,"d "e" f",g,0\n', 2, "closing quotation mark", "more characters"),
        ],
    )
    def test_what_is_wrong_is_named_with_its_line(
        self, tmp_path: Path, rows: str, line: int, expected: str, got: str
    ) -> None:
        try:
            (error,) = [read for read in _read(tmp_path, HEAD + rows) if isinstance(read, FormatError)]
        except FormatError as raised:
            error = raised
        assert error.line == line
        assert expected in str(error)
        assert got in str(error)

    def test_a_row_with_too_few_cells_is_told_nothing_of_quotation_marks(self, tmp_path: Path) -> None:
        (error,) = _read(tmp_path, HEAD + "a b,c,d\n")
        assert str(error).endswith("expected 4 cells, as in the header, got 3")

    def test_a_category_that_is_no_flag(self, tmp_path: Path) -> None:
        rows = "startphrase,ending1,ending2,labels,obj\na b,c,d,0,often\n"
        (error,) = [read for read in _read(tmp_path, rows) if isinstance(read, FormatError)]
        assert (error.line, "1, 0 or an empty cell in the column obj" in str(error)) == (2, True)

    def test_halves_that_are_not_decided_alike_are_said_with_both_lines(self, tmp_path: Path) -> None:
        for first, second, becomes in (("0", "1", "is imported as rejected"), ("1", "", "is not decided")):
            warning, record = _read(tmp_path, _with_valid(first, second))
            assert isinstance(warning, FormatWarning)
            assert (warning.line, str(warning.what)) == (
                3,
                f"valid is “{second}” here and “{first}” in line 2, the other half: the pair {becomes}",
            )
            assert isinstance(record, Record)
            assert ("validity" in record.texts["en"].contents) == (first == "0")

    def test_an_empty_valid_is_not_decided(self, tmp_path: Path) -> None:
        rows = f"{HEAD.strip()},valid\n" + PAIR.replace(",0\n", ",0,\n").replace(",1\n", ",1,\n")
        (record,) = _read(tmp_path, rows)
        assert isinstance(record, Record)
        assert record.texts["en"].contents == {}
        assert ("Validation", "not decided") in Mabl().parts(record, record.texts["en"])

    def test_a_pair_without_categories_is_not_one_with_none_of_them(self, tmp_path: Path) -> None:
        for cells, answers in ((",,", None), ("0,0,", [[], []]), (",1,", [["visual"], ["visual"]])):
            (record,) = _read(tmp_path, _with_flags(cells, cells))
            assert isinstance(record, Record)
            assert record.texts["en"].contents.get("categories", {}).get("answers") == answers

    def test_a_half_without_categories_beside_one_that_has_some(self, tmp_path: Path) -> None:
        warning, record = _read(tmp_path, _with_flags("1,,", ",,"))
        assert isinstance(warning, FormatWarning)
        assert isinstance(record, Record)
        assert (warning.line, "not categorised" in str(warning.what)) == (3, True)
        assert record.texts["en"].contents["categories"] == {"answers": [["object"], None]}
        assert ("Categories of 2", "not categorised") in Mabl().parts(record, record.texts["en"])

    def test_a_category_typed_twice_is_said_with_what_it_was_taken_for(self, tmp_path: Path) -> None:
        warning, record = _read(tmp_path, _with_flags("11,,", "1,,"))
        assert isinstance(warning, FormatWarning)
        assert isinstance(record, Record)
        assert (warning.line, str(warning.what)) == (2, "“11” in the column obj was read as 1")
        assert record.texts["en"].contents["categories"]["answers"] == [["object"], ["object"]]
        error, _half = _read(tmp_path, _with_flags("10,,", "1,,"))
        assert isinstance(error, FormatError)

    def test_a_missing_column_is_named(self, tmp_path: Path) -> None:
        (error,) = _read(tmp_path, "startphrase,ending1,ending2\na,b,c\n")
        assert isinstance(error, FormatError)
        assert str(error).startswith("en.csv:1: expected the columns startphrase, ending1, ending2, labels")
        assert str(error).endswith("without labels")

    def test_it_is_recognised_by_its_heading(self, tmp_path: Path) -> None:
        path = tmp_path / "en.csv"
        for content, slug in ((HEAD + PAIR, "mabl"), ("id,text\n1,Hello there\n2,Good bye\n", "csv")):
            path.write_text(content, encoding="utf-8")
            assert recognise([SourceFile("en.csv", path, "utf-8")], languages=["en"])[0].format == slug


@pytest.fixture(scope="class")
def empty(kept_rows_of_class: None) -> Project:
    return create_project(slug="mabl", preset=STARTS["mabl"].preset(["en"]), by=None)


@pytest.mark.django_db
@pytest.mark.usefixtures("uploads")
class TestImporting:
    @pytest.fixture
    def project(self, empty: Project) -> Project:
        return copy.deepcopy(empty)

    def test_published_pairs_come_in_as_gold_and_go_out_as_they_were(self, project: Project) -> None:
        content = HEAD + PAIR
        load(project, {"en.csv": content}, dataset="paper")
        (unit,) = Unit.objects.filter(project=project)
        assert (unit.kind, unit.language) == ("figurative-pair", "en")
        assert Gold.objects.get().content["verdict"] == "accept"
        assert {item.stage.kind: item.state for item in Item.objects.all()} == {
            "validate": "decided",
            "categories": "free",
        }
        assert Import.objects.get().files[0]["format"] == "mabl"
        assert release_files(project, partial=False).files["mabl/paper/en.csv"] == content.encode()
        summary = load(project, {"en.csv": content}, dataset="paper")
        assert summary["counts"]["segments"] == {"new": 0, "known": 1}

    def test_its_column_of_labels_may_be_called_label_as_its_scripts_allow(self, project: Project) -> None:
        content = HEAD.replace("labels", "label") + PAIR
        load(project, {"en.csv": content}, dataset="paper")
        assert release_files(project, partial=False).files["mabl/paper/en.csv"] == content.encode()

    def test_a_row_with_label_1_that_stands_first_goes_out_first(self, project: Project) -> None:
        first, second = PAIR.splitlines(keepends=True)
        without = ",It is kind.,It is rude.,1\nHe is a lamb.,It is kind.,It is rude.,0\n"
        content = HEAD + second + first + PAIR.replace("hut", "hall") + without
        load(project, {"en.csv": content}, dataset="paper")
        assert release_files(project, partial=False).files["mabl/paper/en.csv"] == content.encode()

    def test_a_pair_is_not_split_into_sentences_or_other_tokens(self, project: Project) -> None:
        split = {"sentences": True, "tokens": "words"}
        load(project, {"en.csv": HEAD + PAIR}, dataset="paper", options=split)
        assert Unit.objects.get().tokens[:5] == ["The", "hut", "is", "a", "palace."]
        assert make_preview(draft_of(project, {"en.csv": HEAD + PAIR}))["columns"] == []

    def test_what_nobody_decided_goes_out_empty_and_comes_in_again_so(self, project: Project) -> None:
        heading = f"{HEAD.strip()},valid,obj,vis,soc,cul\n"
        first, second = PAIR.splitlines()
        seen = f"{first},1,11,,,\n{second},1,0,0,0,0\n".replace("hut", "hall")
        content = f"{heading}{first},1,,,,\n{second},1,,,,\n{seen}"
        load(project, {"en.csv": content}, dataset="paper")
        assert release_files(project, partial=True).files["mabl/paper/en.csv"] == content.encode()
        waiting, decided = Item.objects.filter(stage__kind="categories").order_by("pk")
        assert (waiting.state, decided.state) == ("free", "decided")
        (row,) = FURTHER["categories"].compute(project).rows
        assert (row["sentences"], row["object"], row["none"]) == (2, "50.0", "50.0")
        # What the file says is kept until somebody decides otherwise.
        gold = Gold.objects.get(layer__content_type="categories")
        Gold.objects.filter(pk=gold.pk).update(content={"answers": [["visual"], None]})
        other = content.replace("1,11,,,", "1,,1,,").replace("1,0,0,0,0\n", "1,,,,\n")
        assert release_files(project, partial=True).files["mabl/paper/en.csv"] == other.encode()

    def test_a_file_in_which_empty_cells_say_no_has_zeros_where_none_fits(self, project: Project) -> None:
        heading = f"{HEAD.strip()},obj,vis\n"
        content = heading + PAIR.replace(",0\n", ",0,1,\n").replace(",1\n", ",1,1,\n")
        load(project, {"en.csv": content}, dataset="paper")
        Gold.objects.filter(layer__content_type="categories").update(content={"answers": [["visual"], []]})
        other = content.replace(",0,1,\n", ",0,,1\n").replace(",1,1,\n", ",1,0,0\n")
        assert release_files(project, partial=True).files["mabl/paper/en.csv"] == other.encode()

    def test_halves_that_are_not_decided_alike_go_out_so_until_the_pair_is_decided_anew(self, project: Project) -> None:
        content = _with_valid("1.0", "0")
        load(project, {"en.csv": content}, dataset="paper")
        gold = Gold.objects.filter(layer__slug="validity")
        assert gold.get().content["verdict"] == "reject"
        assert release_files(project, partial=False).files["mabl/paper/en.csv"] == content.encode()
        gold.update(content={"verdict": "accept"})
        assert release_files(project, partial=False).files["mabl/paper/en.csv"] == _with_valid("1.0", "1").encode()

    def test_a_pair_whose_valid_is_empty_waits_for_a_verdict(self, project: Project) -> None:
        content = f"{HEAD.strip()},valid\n" + PAIR.replace(",0\n", ",0,\n").replace(",1\n", ",1,\n")
        load(project, {"en.csv": content}, dataset="paper")
        assert not Gold.objects.exists()
        assert Item.objects.get(stage__kind="validate").state == "free"

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            (f'{HEAD}{PAIR}"a b,c,d,0\n'.encode(), "a quotation mark that closes the cell"),
            (f"{HEAD}{PAIR}".encode() + b"caf\xe9 b,c,d,0\n", "UTF-8"),
        ],
    )
    def test_a_file_that_cannot_be_read_to_its_end_is_refused(self, project: Project, content: bytes, why: str) -> None:
        before = everything()
        with pytest.raises(ActionError, match=why):
            load(project, {"en.csv": content}, files={"1": {"encoding": "utf-8"}})
        assert everything() == before

    def test_another_encoding_comes_in_and_goes_out_as_utf_8(self, project: Project) -> None:
        content = (HEAD + PAIR).replace("poor", "p\u00f3or")
        load(project, {"en.csv": content.encode("utf-16")}, dataset="paper")
        assert release_files(project, partial=False).files["mabl/paper/en.csv"] == content.encode()


@pytest.mark.django_db
def test_a_new_project_may_bring_a_sample_to_work_on(
    tmp_path: Path, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.MEDIA_ROOT = tmp_path
    call_command("create_project", "pairs", start="mabl", languages="en,es,ca", sample=True)
    assert "Added a sample in en, es." in capsys.readouterr().out
    project = Project.objects.get()
    for language in ("en", "es"):
        free = Item.objects.filter(stage__kind="validate", stage__language=language, state="free")
        assert free.count() == 6
    assert not project.golds.exists()
    assert set(project.guidelines) == {"en", "es"}
