"""The index of lemmas is written sorted, all of it once, in parts that take about as long as they may."""

from __future__ import annotations

import pytest

from annotator.core.database.bulk import Insert
from annotator.imports.writing import places as import_places
from annotator.imports.writing.places import MAX_CHUNK, SECONDS, STEP, Places


def row(lemma: str, unit: int, language: str = "es") -> tuple[object, ...]:
    return (1, language, lemma, lemma, unit, 0, None)


def small(monkeypatch: pytest.MonkeyPatch, *, at_once: int, together: int) -> None:
    for name, value in (("MAX_CHUNK", at_once), ("STEP", at_once), ("SORTED_TOGETHER", together)):
        monkeypatch.setattr(import_places, name, value)


def test_rows_are_sorted_together_and_each_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, at_once=2, together=6)
    written: list[Insert] = []
    places = Places(written.append)
    given = [row(lemma, unit) for unit in range(3) for lemma in ("vola", "cau", "temps")]
    for start in range(0, 9, 3):
        places.add(given[start : start + 3])
    places.finish()

    rows = [one for insert in written for one in insert.rows]
    assert [one[2] for one in rows] == ["cau", "cau", "temps", "temps", "vola", "vola", "cau", "temps", "vola"]
    assert sorted(rows) == sorted(given)
    assert max(len(insert.rows) for insert in written) == 2
    places.finish()
    assert sum(len(insert.rows) for insert in written) == 9


def test_some_are_written_while_others_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """None are left when the next ones are sorted."""
    small(monkeypatch, at_once=10, together=100)
    written: list[Insert] = []
    places = Places(written.append)
    for unit in range(100):
        places.add([row(f"w{unit % 7}", unit)])
    assert sum(len(insert.rows) for insert in written) <= 10
    for unit in range(100, 160):
        places.add([row(f"w{unit % 7}", unit)])
    assert sum(len(insert.rows) for insert in written) == 100


@pytest.mark.parametrize(
    ("seconds", "at_once"),
    [(SECONDS, MAX_CHUNK), (1.9 * SECONDS, MAX_CHUNK // 2), (100.0, STEP), (0.0, MAX_CHUNK)],
)
def test_the_parts_become_as_long_as_they_may_take(seconds: float, at_once: int) -> None:
    places = Places(lambda _insert: None)
    for _ in range(20):
        # So long would as many as now take, if 1,000 take `seconds`.
        places.took(seconds * places.at_once / MAX_CHUNK)
    assert places.at_once == at_once


def test_one_slow_transaction_says_little() -> None:
    places = Places(lambda _insert: None)
    places.took(1.0)
    assert places.at_once == MAX_CHUNK // 2
