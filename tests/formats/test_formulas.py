"""Cells that a spreadsheet program would calculate are texts there, and come back as they were."""

from __future__ import annotations

import csv
from pathlib import Path

import openpyxl
import pytest

from annotator.formats.registry import formats
from tests.formats.samples import sentences, text, there_and_back, write

TEXTS = ["=1+1", "+34 600", "-1 grado", "@ana vino", "'=1", "''-x", "'hola", '="ya"', '="ya" y más', "- Hola", "a=1"]
FORMULA = ("=", "+", "-", "@", "\t", "\r")


@pytest.mark.parametrize("slug", ["csv", "tsv", "xlsx"])
def test_texts_come_back_as_they_were(slug: str, tmp_path: Path) -> None:
    one = formats()[slug]
    before, after = there_and_back(one, sentences(*map(text, TEXTS)), tmp_path)

    assert [row.texts for row in after] == [row.texts for row in before]


def test_no_cell_of_a_csv_begins_a_formula(tmp_path: Path) -> None:
    one = formats()["csv"]
    [file] = write(one, sentences(*map(text, TEXTS)), tmp_path)

    with file.path.open(encoding="utf-8", newline="") as opened:
        cells = [cell for row in csv.reader(opened) for cell in row]

    assert "'=1+1" in cells
    assert not [cell for cell in cells if cell.startswith(FORMULA)]


def test_no_cell_of_a_workbook_is_a_formula(tmp_path: Path) -> None:
    one = formats()["xlsx"]
    [file] = write(one, sentences(*map(text, TEXTS)), tmp_path)

    cells = [cell for row in openpyxl.load_workbook(file.path).active.iter_rows() for cell in row]

    assert "=1+1" in [cell.value for cell in cells]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
