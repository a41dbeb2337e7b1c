"""The files of each preset as they come from a spreadsheet or a file manager: read as what they are, or refused.

None of them is taken for a table of sentences in the languages of the project.
"""

from __future__ import annotations

import copy
import csv
import io
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override

from annotator.core.errors import ActionError
from annotator.core.starts import STARTS
from annotator.imports.drafts.drafts import preview_draft
from annotator.imports.writing.run import run_import
from annotator.models import Gold, Project, Suggestion, Unit
from annotator.projects.actions.projects import create_project
from annotator.releases.queries.exports import release_files
from annotator.templatetags.imports import format_names
from tests.bad_files import packed, sheets, workbook
from tests.drafts import draft_of, load

Table = list[list[str]]

FIGURATIVE: Table = [
    ["startphrase", "ending1", "ending2", "labels"],
    ["The hut is a palace, they said.", "It is fine.", 'It is "poor".', "0"],
    ["The hut is a hole, they said.", "It is fine.", 'It is "poor".', "1"],
]
INFERENCE: Table = [
    ['He said "it rains" and left.', "He said so, and left.", ""],
    ["She was over the moon, he saw.", "She was glad of it.", ""],
]
WORDS: Table = [
    ["Expression", "Definition"],
    ["spill the beans", "to tell, at last, a secret"],
    ["over the moon", "glad of it"],
]
MARKED: Table = [
    ["i0", "idx", "s0", "novelty", "sid", "genre", "human_ans"],
    ["0", "7", "She felt a <b>wave</b>, a wave of joy.", "0.5", "a-1", "FICTION", "surge rush"],
]
TRIPLE: Table = [
    ["i0", "s0_idx", "s0", "s1", "s1_label", "s2", "s2_label"],
    ["0", "7", "She felt a <b>wave</b>, a wave of joy.", "She felt a <b>surge</b>, a wave of joy.", "apt",
     "She felt a <b>ripple</b>, a wave of joy.", "inapt"],
]  # fmt: skip


def _csv(rows: Table, delimiter: str = ",", end: str = "\n") -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
    return out.getvalue().encode()


def _wider(rows: Table) -> Table:
    """With two empty columns and two empty rows at the end, as a spreadsheet saves what somebody once typed in."""
    return [[*row, "", ""] for row in [*rows, *[[""] * len(rows[0])] * 2]]


def _in_capitals(rows: Table) -> Table:
    return [[f" {cell.title()} " for cell in rows[0]], *rows[1:]]


NOTES: Table = [["Notes on this project", "Seen by Ana"]]
LONGER_NOTES: Table = [["Day", "By whom", "What was done"], ["today", "Ana", "all that was there"]]
ONLY_PAIRS = "only the sheet Pairs is read, not Notes. To read another one, save it as a separate file"

# How each of them saves a table, by the suffix that it gives.
SAVED = {
    "workbook": (".xlsx", workbook),
    "semicolons": (".csv", lambda rows: _csv(rows, ";", "\r\n")),
    "sep": (".csv", lambda rows: b"sep=;\r\n" + _csv(rows, ";", "\r\n")),
    "mark": (".csv", lambda rows: b"\xef\xbb\xbf" + _csv(rows, ",", "\r\n")),
    "utf-16": (".csv", lambda rows: _csv(rows, "\t").decode().encode("utf-16")),
    "wider": (".csv", lambda rows: _csv(_wider(rows), ";")),
}
AS_THEY_ARE = pytest.mark.parametrize("saved", SAVED)
WITH_HEADING = pytest.mark.parametrize("heading", [list, _in_capitals], ids=["as published", "in capitals"])


@pytest.fixture(autouse=True)
def uploads(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture(scope="class")
def created(request: pytest.FixtureRequest, kept_rows_of_class: None) -> Project:
    start = STARTS[request.cls.start]
    return create_project(slug="tried", preset=start.preset(["en", "es"]), by=None)


@pytest.fixture
def project(created: Project, db: None) -> Project:
    """Of the preset that the class is about, in two languages: neither is taken for granted."""
    return copy.deepcopy(created)


def _saved(name: str, rows: Table, saved: str) -> dict[str, str | bytes]:
    suffix, save = SAVED[saved]
    return {name + suffix: save(rows)}


def _texts() -> list[str]:
    return [unit.text for unit in Unit.objects.order_by("pk")]


def _said(project: Project, given: dict[str, str | bytes], /, **changes: Any) -> list[str]:
    """What a preview says: severity, file, line, and the sentence."""
    preview = preview_draft(draft=draft_of(project, given, **changes))
    return [
        f"{one['severity']} {one['file']}:{one['line']}: {one['expected']}" + (f" / {one['got']}" if one["got"] else "")
        for one in preview["problems"]
    ]


class TestFigurativePairs:
    start = "mabl"

    @AS_THEY_ARE
    @WITH_HEADING
    def test_they_are_read_as_pairs(self, project: Project, saved: str, heading: Any) -> None:
        load(project, _saved("en", heading(FIGURATIVE), saved), dataset="own")
        assert _texts() == [
            'The hut is a palace, they said.\nThe hut is a hole, they said.\nIt is fine.\nIt is "poor".'
        ]
        assert {unit.language for unit in Unit.objects.all()} == {"en"}

    def test_they_go_out_as_they_came_or_as_published(self, project: Project) -> None:
        said = b"sep=;\r\n" + _csv(FIGURATIVE, ";", "\r\n")
        load(project, {"en.csv": said}, dataset="said")
        load(project, {"en.xlsx": workbook(FIGURATIVE)}, dataset="book")
        released = release_files(project, partial=False).files
        assert {path: data for path, data in released.items() if path.startswith("mabl/")} == {
            "mabl/said/en.csv": said,
            "mabl/book/en.csv": _csv(FIGURATIVE),
        }

    @pytest.mark.parametrize("notes", [NOTES, LONGER_NOTES])
    def test_the_sheet_with_the_heading_is_read(self, project: Project, notes: Table) -> None:
        book = sheets({"Notes": notes, "Pairs": FIGURATIVE})
        assert _said(project, {"en.xlsx": book}) == [f"warning en.xlsx:1: {ONLY_PAIRS}"]
        load(project, {"en.xlsx": book}, dataset="own")
        assert len(_texts()) == 1

    def test_a_language_is_told_by_the_words_in_a_workbook(self, project: Project) -> None:
        rows = [
            FIGURATIVE[0],
            ["La casa es un palacio de la sierra.", "La casa es grande.", "La casa no es grande.", "0"],
            ["La casa es un hueco en la sierra.", "La casa es grande.", "La casa no es grande.", "1"],
        ]
        load(project, {"pares.xlsx": workbook(rows)}, dataset="own")
        assert Unit.objects.get().language == "es"

    def test_empty_rows_are_left_out_with_one_warning(self, project: Project) -> None:
        rows = _csv([*FIGURATIVE[:2], [""] * 4, FIGURATIVE[2], *[[""] * 4] * 3])
        assert _said(project, {"en.csv": rows + b"\n\n"}) == [
            "warning en.csv:3: a row without text",
            "warning en.csv:5: 5 rows without text",
        ]

    def test_numbers_with_decimals_are_whole(self, project: Project) -> None:
        """As pandas writes a column of numbers in which a cell is empty."""
        heading = [*FIGURATIVE[0], "valid", "obj"]
        rows = [heading, [*FIGURATIVE[1][:3], "0.0", "1.0", ""], [*FIGURATIVE[2][:3], "1.0", "1.0", "1.0"]]
        load(project, {"en.csv": _csv(rows)}, dataset="own")
        assert Gold.objects.get(layer__slug="validity").content["verdict"] == "accept"
        assert Gold.objects.get(layer__slug="categories").content["answers"] == [None, ["object"]]
        assert release_files(project, partial=False).files["mabl/own/en.csv"] == _csv(rows)

    def test_a_pair_that_is_not_valid_by_a_decimal_is_rejected(self, project: Project) -> None:
        rows = [[*FIGURATIVE[0], "valid"], *([*row, "0.0"] for row in FIGURATIVE[1:])]
        load(project, {"en.csv": _csv(rows)}, dataset="own")
        assert Gold.objects.get().content["verdict"] == "reject"

    @pytest.mark.parametrize("label", ["0.5", "0,0", "10", "1.01"])
    def test_other_numbers_are_no_labels(self, project: Project, label: str) -> None:
        rows = [*FIGURATIVE[:2], [*FIGURATIVE[2][:3], label]]
        assert _said(project, {"en.csv": _csv(rows, ";")})[0] == (
            f"error en.csv:3: 0 or 1 in the column labels / “{label}”"
        )

    @pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
    def test_a_heading_alone_is_refused_in_its_line(self, project: Project, suffix: str) -> None:
        content = workbook(FIGURATIVE[:1]) if suffix == ".xlsx" else _csv(FIGURATIVE[:1])
        assert _said(project, {f"en{suffix}": content}) == [f"error en{suffix}:1: rows below the header / none"]

    def test_columns_that_are_missing_are_named_in_the_line_of_the_heading(self, project: Project) -> None:
        rows = [["startphrase", "ending1", "answer"], *([*row[:2], row[3]] for row in FIGURATIVE[1:])]
        (said,) = _said(project, {"en.csv": b"sep=;\n" + _csv(rows, ";")})
        assert said.startswith("error en.csv:2: the columns startphrase, ending1, ending2, labels / ")
        assert said.endswith("without ending2, labels")

    @pytest.mark.parametrize("saved", ["workbook", "semicolons", "mark", "utf-16"])
    def test_a_title_above_the_heading_is_refused_with_the_line_of_the_heading(
        self, project: Project, saved: str
    ) -> None:
        files = _saved("en", [["My pairs, which I wrote"], ["May 2024", "", "draft", ""], *FIGURATIVE], saved)
        files |= _saved("es", FIGURATIVE, saved)
        (name, _other) = files
        assert _said(project, files)[0] == (
            f"error {name}:1: the columns startphrase, ending1, ending2, labels / "
            "them in line 3; delete the rows above it"
        )

    @pytest.mark.parametrize("saved", SAVED)
    def test_pairs_without_a_heading_are_refused(self, project: Project, saved: str) -> None:
        files = _saved("en", FIGURATIVE[1:], saved)
        (said,) = _said(project, files)
        (name,) = files
        line = 2 if saved == "sep" else 1
        assert said.startswith(f"error {name}:{line}: the columns startphrase, ending1, ending2, labels / a row that")

    def test_any_other_table_is_one_of_sentences(self, project: Project) -> None:
        rows = [["text:en", "note:en", "source", "value:en"], ["He left early.", "a b", "c d", "0"]]
        assert draft_of(project, {"own.csv": _csv(rows * 2)}).format == "csv"

    def test_text_in_marks_and_numbers_without_them(self, project: Project) -> None:
        """As R writes a table with tabs."""
        lines = ['"startphrase"\t"ending1"\t"ending2"\t"labels"']
        lines += ["\t".join([*(f'"{cell}"' for cell in ("A hut is.", "It is.", "It was.")), label]) for label in "01"]
        content = "\n".join(lines).replace("hut", "hat", 1) + "\n"
        load(project, {"en.tsv": content}, dataset="own")
        assert _texts() == ["A hat is.\nA hut is.\nIt is.\nIt was."]

    def test_two_files_put_together_have_their_heading_twice(self, project: Project) -> None:
        twice = _csv([*FIGURATIVE, *FIGURATIVE])
        assert _said(project, {"en.csv": twice}) == [
            "warning en.csv:4: the header again, which is left out",
            "warning en.csv:5: the same pair as in line 2",
        ]


class TestPairsForInference:
    start = "impli"
    read = (
        'He said "it rains" and left.\nHe said so, and left.',
        "She was over the moon, he saw.\nShe was glad of it.",
    )

    @pytest.mark.parametrize(
        ("name", "saved"),
        [*(("manual_e", saved) for saved in SAVED), ("Copia de manual_e", "mark"), ("manual_e (1)", "workbook")],
    )
    def test_they_are_read_by_the_published_name(self, project: Project, saved: str, name: str) -> None:
        load(project, _saved(name, INFERENCE, saved), dataset="own", files={"1": {"language": "en"}})
        assert tuple(_texts()) == self.read
        assert {gold.content["second"] for gold in Gold.objects.all()} == {"yes"}

    @pytest.mark.parametrize("notes", [NOTES, LONGER_NOTES])
    @pytest.mark.parametrize("rows", [INFERENCE, [["Premise", "Hypothesis", "Score"], *INFERENCE]])
    def test_the_sheet_with_pairs_is_read(self, project: Project, notes: Table, rows: Table) -> None:
        book = sheets({"Notes": notes, "Pairs": rows})
        said = _said(project, {"manual_e.xlsx": book}, files={"1": {"language": "en"}})
        assert said[0] == f"warning manual_e.xlsx:1: {ONLY_PAIRS}"
        load(project, {"manual_e.xlsx": book}, dataset="own", files={"1": {"language": "en"}})
        assert tuple(_texts()) == self.read

    def test_a_workbook_without_such_a_sheet_is_refused_with_their_names(self, project: Project) -> None:
        book = sheets({"Notes": NOTES, "More": LONGER_NOTES})
        (said,) = _said(project, {"manual_e.xlsx": book}, files={"1": {"language": "en"}})
        assert said == (
            "error manual_e.xlsx:0: a sheet with rows in this format: save it as a separate file / "
            "the sheets Notes, More"
        )

    def test_they_go_out_with_tabs(self, project: Project) -> None:
        content: dict[str, str | bytes] = {
            "manual_e.xlsx": workbook(INFERENCE),
            "manual_ne (2).csv": _csv(INFERENCE, ";"),
        }
        load(project, content, dataset="own", files={"1": {"language": "en"}, "2": {"language": "en"}})
        released = release_files(project, partial=False).files
        plain = "\n".join(text.replace("\n", "\t") for text in self.read)
        assert released["impli/own/manual_e.tsv"].decode().replace("\t\n", "\n") == plain + "\n"
        assert released["impli/own/manual_ne (2).tsv"].decode().replace("\t\n", "\n") == plain + "\n"

    @pytest.mark.parametrize("ends", ["\n", "\r\n"])
    def test_tabs_with_marks_as_a_spreadsheet_puts_them(self, project: Project, ends: str) -> None:
        content = _csv(INFERENCE, "\t", ends)
        assert b'"He said ""it rains"" and left."' in content
        load(project, {"manual_e.tsv": content}, dataset="own", files={"1": {"language": "en"}})
        assert tuple(_texts()) == self.read
        assert release_files(project, partial=False).files["impli/own/manual_e.tsv"] == content

    def test_marks_that_are_not_everywhere_stay_with_a_warning(self, project: Project) -> None:
        content = _csv(INFERENCE, "\t").decode() + 'It was "high" up.\t"So it was."\n'
        files: dict[str, str | bytes] = {"manual_e.tsv": content}
        (said,) = _said(project, files, files={"1": {"language": "en"}})
        assert said.startswith(
            "warning manual_e.tsv:1: cells in quotation marks in this row, as a spreadsheet saves them"
        )
        load(project, files, dataset="own", files={"1": {"language": "en"}})
        assert '"He said ""it rains"" and left."\nHe said so, and left.' in _texts()
        assert release_files(project, partial=False).files["impli/own/manual_e.tsv"].decode() == content

    def test_the_text_s_own_marks_stay(self, project: Project) -> None:
        content = '"So it goes, as a rule."\t"It goes."\t\nHe left, and said so.\tHe left.\t\n'
        load(project, {"manual_e.tsv": content}, dataset="own", files={"1": {"language": "en"}})
        assert _texts()[0] == '"So it goes, as a rule."\n"It goes."'
        assert release_files(project, partial=False).files["impli/own/manual_e.tsv"].decode() == content

    @pytest.mark.parametrize("heading", [["Premise", "Hypothesis", "Score"], ["premise", "hypothesis"]])
    def test_a_heading_is_left_out_with_a_warning(self, project: Project, heading: list[str]) -> None:
        rows = [heading, *(row[: len(heading)] for row in INFERENCE)]
        for name, content in {"manual_e.xlsx": workbook(rows), "manual_e.tsv": _csv(rows, "\t")}.items():
            said = _said(project, {name: content}, files={"1": {"language": "en"}})
            assert said == [f"warning {name}:1: a header row (skipped)"]

    @pytest.mark.parametrize(
        ("rows", "line", "expected"),
        [
            ([["hypothesis", "premise"], *INFERENCE], 1, "the columns premise, hypothesis, score, in this order"),
            ([["id", "text"], ["1", "He left."]], 1, "the columns premise, hypothesis, score, in this order"),
            ([*INFERENCE, ["A b.", "C d.", "0,9,1"]], 3, "a number or an empty cell as the score / “0,9,1”"),
            (
                [*INFERENCE, ["A b.", "C d.", "0.9", "more"]],
                3,
                "two sentences and an optional score, each in its own cell",
            ),
            ([*INFERENCE, ["A b.", "", ""]], 3, "a second sentence / an empty cell"),
            ([["A\nb.", "C d.", ""], *INFERENCE], 1, "sentences without tabs or line breaks / one inside a cell"),
        ],
    )
    @pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
    def test_what_does_not_fit_is_refused(
        self, project: Project, suffix: str, rows: Table, line: int, expected: str
    ) -> None:
        content = workbook(rows) if suffix == ".xlsx" else _csv(rows, ";")
        said = _said(project, {f"manual_e{suffix}": content}, files={"1": {"language": "en"}})
        assert any(one.startswith(f"error manual_e{suffix}:{line}: {expected}") for one in said), said
        assert not Unit.objects.exists()

    @pytest.mark.parametrize(
        ("name", "save", "score"),
        [
            ("manual_e.csv", lambda rows: _csv(rows, ";"), "0.9"),
            ("manual_e.xlsx", workbook, "0.9"),
            ("manual_e.tsv", lambda rows: _csv(rows, "\t"), "0,9"),
        ],
        ids=["semicolons", "workbook", "tabs"],
    )
    def test_a_score_may_have_a_decimal_comma(self, project: Project, name: str, save: Any, score: str) -> None:
        load(project, {name: save([["He left.", "He went.", "0,9"]])}, files={"1": {"language": "en"}}, dataset="own")
        released = release_files(project, partial=False).files["impli/own/manual_e.tsv"]
        assert released.decode() == f"He left.\tHe went.\t{score}\n"

    def test_between_commas_a_score_has_a_point(self, project: Project) -> None:
        rows = [["He left.", "He went.", "0,9"]]
        (said,) = _said(project, {"manual_e.csv": _csv(rows)}, files={"1": {"language": "en"}})
        assert said == (
            "error manual_e.csv:1: a number or an empty cell as the score / “0,9”, which has a decimal comma: "
            "use a point"
        )

    def test_blank_lines_are_left_out_with_a_warning(self, project: Project) -> None:
        content = "A b.\tC d.\t\n\nE f.\tG h.\t\n\t\t\n\n"
        said = _said(project, {"manual_e.tsv": content}, files={"1": {"language": "en"}})
        assert said == ["warning manual_e.tsv:2: a row without text", "warning manual_e.tsv:4: 2 rows without text"]

    def test_the_language_is_told_by_the_words_or_asked_for_with_the_file(self, project: Project) -> None:
        told = "The man was in the house of his father.\tHe was at the end of the road.\n"
        unknown = "Xyz uvw.\tRst opq.\n"
        preview = preview_draft(draft=draft_of(project, {"manual_e.tsv": told, "manual_ne.tsv": unknown}))
        assert [one["language"] for one in preview["files"]] == ["en", ""]
        (problem,) = preview["problems"]
        assert (problem["severity"], problem["file"], problem["line"]) == ("error", "manual_ne.tsv", 1)
        assert problem["expected"].startswith("a language for this file, chosen in the file list")

    def test_a_workbook_is_no_csv_even_if_somebody_chooses_it(self, project: Project) -> None:
        (said,) = _said(project, {"manual_e.xlsx": workbook(INFERENCE)}, format="csv")
        assert said.startswith("error manual_e.xlsx:0: a table as text, such as CSV / a zip file, such as an Excel")

    def test_the_same_name_in_a_project_of_another_preset_is_any_table(self, db: None) -> None:
        other = create_project(slug="other", preset=STARTS["mabl"].preset(["en", "es"]), by=None)
        assert draft_of(other, {"manual_e.xlsx": workbook(INFERENCE)}).format == "xlsx"

    @pytest.mark.parametrize("name", ["pairs.tsv", "pairs.xlsx", "pairs.csv"])
    def test_pairs_under_another_name_are_refused(self, project: Project, name: str) -> None:
        """Or they would be sentences, in both languages or without the second one."""
        save = {"tsv": lambda rows: _csv(rows, "\t"), "xlsx": workbook, "csv": _csv}[name[-4:].lstrip(".")]
        (said,) = _said(project, {name: save(INFERENCE)}, files={"1": {"language": "en"}})
        assert said.startswith(f"error {name}:0: a name that contains either “_e” or “_ne”, such as manual_e.tsv"), said

    @pytest.mark.parametrize(
        "rows",
        [
            [["He was in the house of his father.", "Él estaba en la casa de su padre."]],
            [["text", "note"], ["He left early.", "It is of the sort that is."]],
            [["en 1", "He left early."]],
        ],
        ids=["two languages", "a heading", "ids"],
    )
    def test_what_are_no_two_sentences_of_a_language_are_any_table(self, project: Project, rows: Table) -> None:
        assert draft_of(project, {"own.tsv": _csv(rows, "\t")}).format != "impli"


class TestDictionaries:
    start = "impli"

    @AS_THEY_ARE
    @pytest.mark.parametrize("heading", [[" EXPRESSION ", "definition"], ["Expresión", "Definición"]])
    def test_they_are_read_by_their_heading(self, project: Project, saved: str, heading: list[str]) -> None:
        files = _saved("dict1", [heading, *WORDS[1:]], saved)
        load(project, files, dataset="own", labels_as="gold", files={"1": {"language": "en"}})
        assert _texts() == ["spill the beans", "over the moon"]
        assert [gold.content["correct"] for gold in Gold.objects.order_by("pk")] == [row[1] for row in WORDS[1:]]

    def test_they_are_suggestions_unless_somebody_says_otherwise(self, project: Project) -> None:
        """Or they would be left out, as labels are whose nobody said."""
        load(project, {"dict1.tsv": _csv(WORDS, "\t")}, dataset="own", files={"1": {"language": "en"}})
        found = Suggestion.objects.order_by("pk")
        assert [(one.name, one.content["correct"]) for one in found] == [("dictionary", row[1]) for row in WORDS[1:]]
        other = draft_of(project, {"own.csv": "id,text:en\n1,He left.\n"})
        assert other.labels_as == "none"

    def test_pages_call_them_so_in_spanish(self) -> None:
        with override("es"):
            assert format_names(["impli", "dictionary"]) == "IMPLI; Definiciones de expresiones"

    def test_a_column_that_is_missing_is_named_and_no_sentence_is_made(self, project: Project) -> None:
        rows = [["Expression", "Meaning"], *WORDS[1:]]
        draft = draft_of(project, {"dict1.csv": _csv(rows, ";")}, files={"1": {"language": "en"}})
        with pytest.raises(ActionError, match=r"dict1\.csv:1: expected the columns expression, definition"):
            run_import(draft=draft, by=None)

    def test_what_else_a_table_has_is_said(self, project: Project) -> None:
        rows = [["Expression", "Definition", "Notes"], *([*row, "often"] for row in WORDS[1:])]
        said = _said(project, {"dict1.csv": _csv(rows)}, files={"1": {"language": "en"}})
        assert said == ["warning dict1.csv:1: skipped columns: “Notes”"]

    def test_an_expression_that_comes_twice_is_said_with_both_lines(self, project: Project) -> None:
        rows = [*WORDS, ["Spill the  Beans", "to tell"]]
        (said,) = _said(project, {"dict1.csv": _csv(rows)}, files={"1": {"language": "en"}})
        assert said.startswith("warning dict1.csv:4: the same expression as in line 2 (“Spill the")

    def test_an_empty_definition_is_said_of_the_file(self, project: Project) -> None:
        said = _said(project, {"dict1.csv": _csv([*WORDS, ["by heart", " "]])}, files={"1": {"language": "en"}})
        assert said == ["error dict1.csv:4: a text in the column definition / an empty cell"]

    def test_sentences_with_an_expression_beside_them_stay_sentences(self, project: Project) -> None:
        rows = [["text", "expression"], ["He spilled the beans of it all.", "spill the beans"]]
        assert draft_of(project, {"own.csv": _csv(rows)}).format == "csv"


class TestWordsForAMetaphor:
    start = "substitution"

    @AS_THEY_ARE
    @WITH_HEADING
    def test_both_files_are_read(self, project: Project, saved: str, heading: Any) -> None:
        files = {
            **_saved("for_generation", heading(MARKED), saved),
            **_saved("for_judgement", heading(TRIPLE), saved),
        }
        load(project, files, dataset="own", files={one: {"language": "en"} for one in ("1", "2")})
        assert _texts()[0] == "She felt a wave, a wave of joy."
        assert sorted(Gold.objects.values_list("layer__slug", flat=True)) == ["best", "inapt"]

    def test_a_workbook_goes_out_as_published(self, project: Project) -> None:
        files: dict[str, str | bytes] = {
            "for_generation.xlsx": workbook(MARKED),
            "for_judgement.xlsx": workbook(TRIPLE),
        }
        load(project, files, dataset="own", files={one: {"language": "en"} for one in ("1", "2")})
        released = release_files(project, partial=False).files
        assert released["munch/en/own/for_generation.csv"] == _csv(MARKED, ",", "\r\n")
        assert released["munch/en/own/for_judgement.csv"] == _csv(TRIPLE, ",", "\r\n")

    def test_the_sheet_with_the_heading_is_read(self, project: Project) -> None:
        book = sheets({"Notes": LONGER_NOTES, "Pairs": MARKED})
        said = _said(project, {"for_generation.xlsx": book}, files={"1": {"language": "en"}})
        assert said == [f"warning for_generation.xlsx:1: {ONLY_PAIRS}"]

    @pytest.mark.parametrize(
        ("sentence", "part"),
        [
            ("A re<b>wave</b>d thing.", "re<b>wave</b>d"),
            ("The <b>com</b>panionway.", "<b>com</b>panionway."),
            ("She felt a <b>wave</b>, a wave.", ""),
            ("The <b>week</b>'s end.", ""),
            ("A half-<b>baked</b> thing.", ""),
        ],
    )
    def test_a_mark_inside_a_word_is_said(self, project: Project, sentence: str, part: str) -> None:
        rows = [MARKED[0], ["0", "7", sentence, "", "a-1", "NEWS", ""]]
        said = _said(project, {"for_generation.csv": _csv(rows)}, files={"1": {"language": "en"}})
        one = f"warning for_generation.csv:2: the mark covers only a part of a word (“{part}”)"
        assert said == ([one] if part else [])

    @pytest.mark.parametrize(
        ("sentence", "differs"),
        [
            ("She felt an <b>eddy</b>, a wave of joy.", False),
            ("She felt a <b>surge</b>, a wave of joy.", False),
            ("She felt a <b>surge</b>, a wave of hate.", True),
            ("He felt a <b>surge</b>, a wave of joy.", True),
        ],
    )
    def test_a_sentence_that_is_another_one_is_said(self, project: Project, sentence: str, differs: bool) -> None:
        rows = [TRIPLE[0], [*TRIPLE[1][:3], sentence, *TRIPLE[1][4:]]]
        said = _said(project, {"for_judgement.csv": _csv(rows)}, files={"1": {"language": "en"}})
        one = "warning for_judgement.csv:2: the sentence differs in more than the marked word and the one before it"
        assert [text.startswith(one) for text in said] == ([True] if differs else [])

    def test_text_below_no_name_is_refused(self, project: Project) -> None:
        rows = [[*MARKED[0], "", ""], [*MARKED[1], "", "a note"]]
        (said,) = _said(project, {"for_generation.csv": _csv(rows)}, files={"1": {"language": "en"}})
        assert said.startswith("error for_generation.csv:2: a name in the header for each column with text / ")


class TestCarriageReturnsAlone:
    start = "mabl"

    @pytest.mark.parametrize("name", ["en.csv", "manual_e.tsv", "own.txt"])
    def test_they_are_refused_with_what_to_do(self, project: Project, name: str) -> None:
        rows = {"en.csv": _csv(FIGURATIVE, ",", "\r"), "manual_e.tsv": _csv(INFERENCE, "\t", "\r")}
        content = rows.get(name, b"He left.\rShe came.\r")
        said = _said(project, {name: content}, files={"1": {"language": "en"}})
        assert [one for one in said if "CR LF, read as LF" in one] == []
        assert said[0].startswith(f"error {name}:1: lines that end in LF or CR LF / lines that end only in CR"), said


class TestSpreadsheetsUnderAnotherName:
    start = "mabl"

    @pytest.mark.parametrize("name", ["en.csv", "en.ods"])
    def test_they_are_to_be_saved_in_another_way(self, project: Project, name: str) -> None:
        kinds = {
            "en.csv": workbook(FIGURATIVE),
            "en.ods": packed({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": b"<a/>"}),
        }
        (said,) = _said(project, {name: kinds[name]})
        assert said.startswith(f"error {name}:0: ")
        assert said.endswith(("open it and save it as .xlsx or .csv", "save it as “Excel Workbook (.xlsx)”"))
