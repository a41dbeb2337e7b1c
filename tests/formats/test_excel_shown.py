"""What Excel shows is what is read, whatever it made of what was typed; spreadsheets that are not read are named."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import Record
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats
from annotator.formats.tables.number_formats import shown_number, shown_text
from annotator.formats.unknown import why_unknown

TEXTS = ("Rumours bloom in town.", "She shrugged her worries off.", "Time heals.")


def workbook(folder: Path, rows: Iterable[Sequence[Any]], more: Callable[[Any], None] = lambda _sheet: None) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(list(row))
    more(book.active)
    book.save(folder / "a.xlsx")
    return folder / "a.xlsx"


def read(path: Path, *languages: str) -> tuple[list[Record], list[str], list[str]]:
    """The records, the warnings, and what is doubted."""
    guess = recognise([SourceFile(path.name, path, encoding="")], languages=languages or ("en",))[0]
    assert guess.format == "xlsx"
    found = list(formats()["xlsx"].read(guess.files, guess.options))
    assert not [str(one) for one in found if isinstance(one, FormatError)]
    return (
        [one for one in found if isinstance(one, Record)],
        [str(one) for one in found if isinstance(one, FormatWarning)],
        [str(one) for one in guess.doubts.values()],
    )


def styled(code: str) -> Callable[[Any], None]:
    def style(sheet: Any) -> None:
        for row in sheet.iter_rows(min_row=2, max_col=1):
            row[0].number_format = code

    return style


def ids(folder: Path, values: Sequence[Any], code: str) -> tuple[list[str], list[str]]:
    rows = [("id", "text"), *zip(values, TEXTS, strict=False)]
    records, warned, _doubts = read(workbook(folder, rows, styled(code)))
    return [record.id for record in records], warned


DAY = datetime.datetime(2025, 4, 3)
SHOWN: list[tuple[Any, str, str]] = [
    (7, "000", "007"),
    (7, "00000000", "00000007"),
    (7, "General", "7"),
    (7.0, "0", "7"),
    (42, '"S-"000', "S-042"),
    (42, "\\S\\-0", "S-42"),
    (12345678, "00-00-00-00", "12-34-56-78"),
    (123456789, "000-00-0000", "123-45-6789"),
    (1234, "#,##0", "1,234"),
    (0.256, "0.0%", "25.6%"),
    (1.5, "0.00", "1.50"),
    (12345, "0.00E+00", "1.23E+04"),
    (-3, "0;(0)", "(3)"),
    (0, '0;-0;"none"', "none"),
    (5, "[Red]000", "005"),
    (9.5, "[$€-C0A]#,##0.00", "€9.50"),
    (0.1, "General", "0.1"),
    (0.1 + 0.2, "General", "0.3"),
    (100000000000, "General", "100000000000"),
    ("0042", "General", "0042"),
    ("0042", "@", "0042"),
    (42, "@", "42"),
    ("42", '"S-"@', "S-42"),
    (True, "General", "TRUE"),
    (DAY, "yyyy-mm-dd", "2025-04-03"),
    (DAY, "yyyy-mm-dd h:mm:ss", "2025-04-03 0:00:00"),
    (DAY, "dd/mm/yyyy", "03/04/2025"),
    (DAY, "d-m", "3-4"),
    (DAY, "d-mmm", "3-Apr"),
    (DAY, "mmm-yy", "Apr-25"),
    (DAY, "[$-C0A]d mmm yyyy", "3 abr 2025"),
    (datetime.time(9, 5), "h:mm", "9:05"),
    (datetime.time(14, 5), "h:mm AM/PM", "2:05 PM"),
    (datetime.timedelta(hours=30, minutes=4), "[h]:mm", "30:04"),
]


@pytest.mark.parametrize(("value", "code", "shown"), SHOWN, ids=[f"{value}-{code}" for value, code, _shown in SHOWN])
def test_an_id_is_what_is_shown(tmp_path: Path, value: Any, code: str, shown: str) -> None:
    assert ids(tmp_path, [value], code)[0] == [shown]


@pytest.mark.parametrize("code", ["mm-dd-yy", "[$-F800]dddd, mmmm dd", "[$-407]d. mmmm yyyy"])
def test_dates_of_a_region_are_read_as_year_month_and_day(tmp_path: Path, code: str) -> None:
    found, warned = ids(tmp_path, [DAY], code)
    assert found == ["2025-04-03"]
    assert "A2 has a date, read as “2025-04-03”" in warned[0]


@pytest.mark.parametrize(
    ("value", "code", "words"),
    [
        (DAY, "d-m", "A2 has a date, read as “3-4”. Excel turns what looks like a date into one"),
        (3.14159, "0.00", "A2 shows fewer digits than it has, and the displayed value is read: “3.14”"),
        (0.5, "# ?/?", "A2 has an unknown number format, so its number is read: “0.5”"),
        (5, "[>3]0;00", "A2 has an unknown number format, so its number is read: “5”"),
    ],
)
def test_what_may_be_otherwise_is_warned_of(tmp_path: Path, value: Any, code: str, words: str) -> None:
    assert words in ids(tmp_path, [value], code)[1][0]
    number = words.partition(" ")[2].split(",", maxsplit=1)[0].split()[0]
    assert number
    assert ids(tmp_path, [value, value], code)[1][0].startswith("a.xlsx:2: 2 cells ")


def test_errors_of_excel_are_named(tmp_path: Path) -> None:
    path = workbook(tmp_path, [("id", "text"), ("1", TEXTS[0]), ("2", "#N/A")])
    _records, warned, _doubts = read(path)
    assert "a.xlsx:3: B3 has an Excel error, read as it is shown: “#N/A”" in warned


@pytest.mark.parametrize("code", ["General", "0", "#,##0"])
def test_numbers_that_have_lost_digits_are_named_row_by_row(tmp_path: Path, code: str) -> None:
    _found, warned = ids(tmp_path, [1580661436132757505, 12, 1294030472427835392], code)
    assert [one.split(":", maxsplit=2)[1] for one in warned] == ["2", "4"]
    assert "A2 has 1580661436132758000: Excel keeps only 15 digits of a number" in warned[0]


def test_long_numbers_as_text_are_whole(tmp_path: Path) -> None:
    assert ids(tmp_path, ["1580661436132757505", "1580661436132757506"], "@") == (
        ["1580661436132757505", "1580661436132757506"],
        [],
    )
    assert ids(tmp_path, [999999999999999], "0") == (["999999999999999"], [])


@pytest.mark.parametrize("cell", ["1.58066E+18", '"1,58066E+18"', "1580661436132750000", "1.2E+05"])
def test_so_are_those_of_a_table_that_excel_exported(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"id,text\n{cell},{TEXTS[0]}\n1580661436132757505,{TEXTS[1]}\n", encoding="utf-8")
    guess = recognise([SourceFile("a.csv", path, encoding="")], languages=["en"])[0]
    found = list(formats()["csv"].read(guess.files, guess.options))
    warned = [str(one) for one in found if isinstance(one, FormatWarning)]
    assert len(warned) == 1
    assert warned[0].startswith(f"a.csv:2: {cell.strip(chr(34))} has lost digits in a spreadsheet program")


def merge(*names: str) -> Callable[[Any], None]:
    def of(sheet: Any) -> None:
        for name in names:
            sheet.merge_cells(name)

    return of


class TestMergedCells:
    ROWS = (
        ("document", "id", "text"),
        ("news", "a1", TEXTS[0]),
        (None, "a2", TEXTS[1]),
        ("blog", "b1", TEXTS[2]),
    )

    def test_what_they_show_is_in_each_of_their_rows(self, tmp_path: Path) -> None:
        records, warned, _doubts = read(workbook(tmp_path, self.ROWS, merge("A2:A3")))
        assert [(one.id, one.group) for one in records] == [("a1", "news"), ("a2", "news"), ("b1", "blog")]
        assert "the cells A2:A3 are merged, and their content is read in each of their rows" in warned[0]

    def test_empty_cells_that_are_not_merged_stay_empty(self, tmp_path: Path) -> None:
        records, warned, _doubts = read(workbook(tmp_path, self.ROWS))
        assert [one.group for one in records] == ["news", "", "blog"]
        assert warned == []

    def test_several_columns_at_once(self, tmp_path: Path) -> None:
        rows = [("document", "genre", "text"), ("news", "press", TEXTS[0]), (None, None, TEXTS[1])]
        records, _warned, _doubts = read(workbook(tmp_path, rows, merge("A2:A3", "B2:B3")))
        assert [(one.group, one.genre) for one in records] == [("news", "press")] * 2

    def test_over_columns_they_are_named(self, tmp_path: Path) -> None:
        rows = [("id", "text", "note"), ("1", TEXTS[0], None), ("2", TEXTS[1], "x")]
        records, warned, _doubts = read(workbook(tmp_path, rows, merge("B2:C2")))
        assert [one.texts["en"].text for one in records] == list(TEXTS[:2])
        assert "B2:C2 are merged, and their content is read only in the first of their columns" in warned[0]

    def test_a_merged_title_is_left_out(self, tmp_path: Path) -> None:
        rows = [("My sentences", None, None), *self.ROWS]
        records, warned, _doubts = read(workbook(tmp_path, rows, merge("A1:C1", "A3:A4")))
        assert [(one.id, one.group) for one in records] == [("a1", "news"), ("a2", "news"), ("b1", "blog")]
        assert "a row above the table" in warned[0]


SPANISH = ("Los rumores florecen.", "Se encogió de hombros.")
TWO_ROWS: dict[str, tuple[Sequence[Sequence[Any]], Sequence[str]]] = {
    "merged over": ([("id", "Text", None), (None, "es", "en")], ["B1:C1"]),
    "merged over and down": ([("id", "Text", None), (None, "es", "en")], ["B1:C1", "A1:A2"]),
    "not merged": ([("id", "Text", None), (None, "es", "en")], []),
    "in words": ([("ID", "Sentence", None), (None, "Spanish", "English")], ["B1:C1"]),
    "in Spanish": ([("id", "Oración", None), (None, "español", "inglés")], ["B1:C1"]),
    "below a title": ([("Sample", None, None), ("id", "Text", None), (None, "es", "en")], ["A1:C1", "B2:C2"]),
    "the same name twice": ([("ID", "Sentence", "Sentence"), (None, "Spanish", "English")], []),
    "what is in them": ([("id", "text_es", "text_en"), ("(number)", "(Spanish)", "(English)")], []),
    "types": ([("id", "text_es", "text_en"), ("int", "string", "string")], []),
    "languages over": ([("id", "Spanish", "English"), (None, "text", "text")], ["A1:A2"]),
}


@pytest.mark.parametrize(("heading", "merged"), TWO_ROWS.values(), ids=TWO_ROWS)
def test_two_rows_of_headers_are_one(tmp_path: Path, heading: Sequence[Sequence[Any]], merged: Sequence[str]) -> None:
    rows = [*heading, ("1", SPANISH[0], TEXTS[0]), ("2", SPANISH[1], TEXTS[1])]
    records, warned, _doubts = read(workbook(tmp_path, rows, merge(*merged)), "es", "en")
    assert [one.id for one in records] == ["1", "2"]
    assert [[text.text for text in one.texts.values()] for one in records] == [
        [SPANISH[0], TEXTS[0]],
        [SPANISH[1], TEXTS[1]],
    ]
    assert any("two header rows, read as one" in one for one in warned)


def test_so_they_are_in_a_table_of_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"id,Text,\n,es,en\n1,{SPANISH[0]},{TEXTS[0]}\n2,{SPANISH[1]},{TEXTS[1]}\n", encoding="utf-8")
    guess = recognise([SourceFile("a.csv", path, encoding="")], languages=["es", "en"])[0]
    records = [one for one in formats()["csv"].read(guess.files, guess.options) if isinstance(one, Record)]
    assert [(one.id, sorted(one.texts)) for one in records] == [("1", ["en", "es"]), ("2", ["en", "es"])]


@pytest.mark.parametrize(
    "rows",
    [
        [("id", "text"), ("1", "Yes"), ("2", TEXTS[0])],
        [("id", "text"), ("1", "(silence)"), ("2", TEXTS[0])],
        [("text", "note"), (TEXTS[0], None), (TEXTS[1], "x")],
        [("es", "en"), ("Sí", "Yes"), ("No", "No")],
    ],
)
def test_one_row_of_headers_stays_one(tmp_path: Path, rows: Sequence[Sequence[Any]]) -> None:
    records, warned, _doubts = read(workbook(tmp_path, rows), "en", "es")
    assert len(records) == 2
    assert not any("two rows" in one for one in warned)


def test_columns_in_languages_that_the_project_lacks_are_left_out_and_named(tmp_path: Path) -> None:
    rows = [("id", "text_es", "text_en"), ("1", SPANISH[0], TEXTS[0])]
    records, _warned, doubts = read(workbook(tmp_path, rows), "en")
    assert [[*one.texts] for one in records] == [["en"]]
    assert "because the project does not have their languages: “text_es” (2)" in doubts[0]


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize(
    ("spelt", "text"),
    [
        ("The night_x000D_\nfell.", "The night\r\nfell."),
        ("a_x0009_b", "a\tb"),
        ("a_x005F_x000D_b", "a_x000D_b"),
        ("a_x005F_b", "a_b"),
        ("a_xD83D__xDE00_b", "a😀b"),
        ("snake_x_case", "snake_x_case"),
        ("_x12_", "_x12_"),
    ],
)
def test_characters_that_excel_spells_out_are_characters(tmp_path: Path, spelt: str, text: str, shared: bool) -> None:
    path = workbook(tmp_path, [("id", "text"), ("1", "PLACE")])
    found = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    with zipfile.ZipFile(path, "w") as packed:
        for name in found.namelist():
            content = found.read(name).decode()
            if shared and name == "xl/worksheets/sheet1.xml":
                content = content.replace('t="inlineStr"><is><t>PLACE</t></is>', 't="s"><v>0</v>')
            if shared and name == "xl/sharedStrings.xml":
                continue
            if shared and name == "[Content_Types].xml" and "sharedStrings" not in content:
                kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
                new = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
                content = content.replace("</Types>", new)
            packed.writestr(name, content.replace("PLACE", spelt))
        if shared:
            space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
            texts = "".join(
                f"<si><t>{one}</t></si>"
                for one in (
                    [spelt]
                    if "inlineStr" in found.read("xl/worksheets/sheet1.xml").decode()
                    else ["id", "text", "1", spelt]
                )
            )
            packed.writestr("xl/sharedStrings.xml", f'<sst xmlns="{space}">{texts}</sst>')
    [record], _warned, _doubts = read(path)
    assert record.texts["en"].text == text


def test_what_is_hidden_is_said(tmp_path: Path) -> None:
    def hide(sheet: Any) -> None:
        sheet.row_dimensions[3].hidden = True
        sheet.column_dimensions["A"].hidden = True
        sheet.parent.create_sheet("notes", 0).append(["id", "text"])
        sheet.parent["notes"].append(["9", "Not shown."])
        sheet.parent["notes"].sheet_state = "hidden"

    rows = [("id", "text"), ("1", TEXTS[0]), ("2", TEXTS[1])]
    records, warned, _doubts = read(workbook(tmp_path, rows, hide))
    assert [one.id for one in records] == ["1", "2"]
    assert any("a row is hidden in Excel" in one for one in warned)
    assert any("columns are hidden in Excel" in one for one in warned)


def zipped(files: Mapping[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return content.getvalue()


STRICT = b'<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"><sheets/></workbook>'
TYPES = {"[Content_Types].xml": b"<Types/>"}
DIALECTS: dict[str, tuple[str, bytes, str]] = {
    "binary": ("a.xlsb", zipped({**TYPES, "xl/workbook.bin": b"\0"}), "a binary Excel workbook"),
    "binary under another name": ("a.xlsx", zipped({**TYPES, "xl/workbook.bin": b"\0"}), "a binary Excel workbook"),
    "strict": ("a.xlsx", zipped({**TYPES, "xl/workbook.xml": STRICT}), "in “Strict Open XML” format"),
    "OpenDocument": (
        "a.ods",
        zipped({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}),
        "an OpenDocument spreadsheet (.ods)",
    ),
    "flat OpenDocument": (
        "a.fods",
        b'<?xml version="1.0"?>\n<office:document xmlns:office="urn:oasis"><a/></office:document>',
        "a flat OpenDocument spreadsheet",
    ),
    "old": ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "(.xls), or one with a password"),
    "oldest": ("a.xls", b"\x09\x04\x06\x00\0\0\0\0", "an old Excel file (.xls)"),
    "a web page": ("a.xls", b"<html><body><table><tr><td>id<td>text</tr></table>", "a web page with the name of"),
    "a table of a web page": ("a.xls", b"<table>\n<tr><td>id</td></tr></table>", "a web page with the name of"),
    "of 2003": (
        "a.xls",
        b'<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:x"></Workbook>',
        "an XML Spreadsheet 2003 file",
    ),
    "SYLK": ("a.slk", b'ID;PWXL;N;E\nC;Y1;X1;K"id"\nC;Y1;X2;K"text"\nE\n', "a SYLK spreadsheet"),
    "Numbers": ("a.numbers/Index/Document.iwa", b"\0\xa3\x02\0" + bytes(range(256)), "a Numbers spreadsheet"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "content", "what"), DIALECTS.values(), ids=DIALECTS)
def test_other_spreadsheets_are_named_with_the_way_to_save_them(
    tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    file = SourceFile(name, path, encoding="")
    found = recognise([file], languages=["en"])
    said = [str(why_unknown(file))]
    if found:
        assert [guess.format for guess in found] == ["xlsx"]
        with pytest.raises(FormatError) as refused:
            list(formats()["xlsx"].cells([file], found[0].options, 5))  # type: ignore[attr-defined]
        said.append(str(refused.value))
    for one in said:
        assert what in one
        assert "save it as “Excel Workbook (.xlsx)”" in one


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_table_as_text_is_read_under_any_name(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.xls"
    path.write_text(f"id\ttext\n1\t{TEXTS[0]}\n2\t{TEXTS[1]}\n", encoding=encoding)
    guess = recognise([SourceFile("a.xls", path, encoding="")], languages=["en"])[0]
    records = [one for one in formats()[guess.format].read(guess.files, guess.options) if isinstance(one, Record)]
    assert [(one.id, one.texts["en"].text) for one in records] == [("1", TEXTS[0]), ("2", TEXTS[1])]


@pytest.mark.parametrize(
    ("value", "code"), [(7, ""), (7, '"x'), (7, "[$"), (7, "0;"), (7, ";;;"), (-7, ";"), (7, "0/0")]
)
def test_formats_that_make_no_sense_break_nothing(value: float, code: str) -> None:
    found = shown_number(value, code)
    assert found is None or isinstance(found, str)
    assert isinstance(shown_text("x", code), str)
