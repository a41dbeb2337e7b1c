"""The map from a model's probabilities to ones that mean what they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.reliability import calibration_error, reliability
from mlworkers.engines.base import EngineError
from mlworkers.engines.evaluation.calibration import Calibration

BANDS = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


def drawn(true: Calibration, tokens: int = 60_000) -> tuple[np.ndarray, np.ndarray]:
    """What a model says of tokens, mostly near 0, and labels that occur as often as `true` makes of it."""
    draw = np.random.default_rng(5)
    said = draw.beta(0.3, 3.0, tokens)
    return said, draw.random(tokens) < true(said)


@pytest.mark.parametrize("true", [Calibration(0.7, 0.3, 0.5), Calibration(1.0, 1.0, 0.0), Calibration(1.5, 0.8, -1.0)])
def test_finds_the_map_that_made_the_labels(true: Calibration) -> None:
    said, labelled = drawn(true)
    found = Calibration.fit(said, labelled)
    assert found(np.array([0.02, 0.1, 0.3, 0.6, 0.9])) == pytest.approx(
        true(np.array([0.02, 0.1, 0.3, 0.6, 0.9])), abs=0.05
    )


def test_error_falls_on_tokens_that_the_map_was_not_fitted_on() -> None:
    said, labelled = drawn(Calibration(0.7, 0.3, 0.5))
    half = said.size // 2
    found = Calibration.fit(said[:half], labelled[:half])
    before = calibration_error(reliability(said[half:], labelled[half:], BANDS))
    after = calibration_error(reliability(found(said[half:]), labelled[half:], BANDS))
    assert before > 3 > 0.5 > after


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40),
    st.lists(st.floats(0.001, 0.999), min_size=2, max_size=20),
)
def test_never_changes_an_order_whatever_it_was_fitted_on(seen: list[tuple[float, bool]], new: list[float]) -> None:
    found = Calibration.fit([value for value, _ in seen], [labelled for _, labelled in seen])
    ordered = np.array(sorted(new))
    assert (np.diff(found(ordered)) >= 0).all()
    assert ((found(ordered) > 0) & (found(ordered) < 1)).all()


def test_labels_that_contradict_the_model_flatten_and_do_not_reverse() -> None:
    said = np.linspace(0.01, 0.99, 500)
    found = Calibration.fit(said, said < 0.5)
    assert found.a > 0 and found.b > 0
    assert found(0.9) > found(0.1)


def test_nothing_seen_changes_nothing() -> None:
    found = Calibration.fit([], [])
    assert (found.a, found.b, found.c) == (1.0, 1.0, 0.0)
    assert found([0.0, 0.25, 1.0]) == pytest.approx([0.0, 0.25, 1.0], abs=1e-8)


def test_a_few_perfect_guesses_do_not_make_it_certain() -> None:
    found = Calibration.fit([0.9, 0.1, 0.2], [True, False, False])
    assert 0.9 < found(0.9) < 0.99


def test_slopes_that_would_reverse_an_order_are_refused() -> None:
    with pytest.raises(EngineError, match="slopes above 0"):
        Calibration(-1.0, 1.0, 0.0)
    with pytest.raises(EngineError, match="slopes above 0"):
        Calibration(1.0, 1.0, float("nan"))
    with pytest.raises(EngineError, match="2 probabilities but 1 labels"):
        Calibration.fit([0.1, 0.2], [True])


def test_bands_hold_every_token_once_and_leave_out_empty_ones() -> None:
    bands = reliability([0.0, 0.1, 0.15, 1.0], [False, False, True, True], [0.0, 0.1, 0.5, 1.0])
    assert [(band.low, band.high, band.tokens) for band in bands] == [(0.0, 0.1, 1), (0.1, 0.5, 2), (0.5, 1.0, 1)]
    assert bands[1].mean == pytest.approx(0.125)
    assert bands[1].share == 0.5
    assert calibration_error(bands) == pytest.approx(100 * (0 + 2 * 0.375 + 0) / 4)
    assert calibration_error([]) == 0.0
