import json
import math
import warnings

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotator.domain.agreement.kappa import Undefined, cohen_kappa, landis_koch, observed_agreement
from annotator.domain.labels.spans import Span

LABELS = ("O", "METAPHOR", "SIMILE")
ITEMS = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=60)


@pytest.fixture(autouse=True, scope="module")
def scikit_learn():
    """Imported here, as it takes two seconds: at the head of the file, each process that collects tests spends them."""
    import sklearn.metrics  # noqa: F401 -- said above


def reference(a, b):
    from sklearn.metrics import cohen_kappa_score

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cohen_kappa_score(a, b)


@given(ITEMS)
@example([("O", "O")])
@example([("O", "METAPHOR")])
@example([("O", "O"), ("O", "METAPHOR")])
@example([("O", "METAPHOR"), ("METAPHOR", "O")])
def test_kappa_is_that_of_scikit_learn(items):
    a, b = zip(*items, strict=True)
    expected = reference(a, b)
    kappa = cohen_kappa(a, b)
    if math.isnan(expected):
        assert kappa.value is None
        assert kappa.reason
    else:
        assert kappa.value == pytest.approx(expected, abs=1e-12)
        assert kappa.reason is None


@given(ITEMS)
def test_the_table_counts_every_item_in_the_order_of_the_labels(items):
    a, b = zip(*items, strict=True)
    kappa = cohen_kappa(a, b, labels=LABELS)
    assert kappa.labels == LABELS
    assert kappa.n == sum(map(sum, kappa.table)) == len(items)
    for i, row in enumerate(LABELS):
        for j, column in enumerate(LABELS):
            assert kappa.table[i][j] == items.count((row, column))
    assert kappa.observed == pytest.approx(sum(x == y for x, y in items) / len(items))


@given(ITEMS)
def test_it_does_not_matter_who_is_first(items):
    a, b = zip(*items, strict=True)
    assert cohen_kappa(a, b).value == cohen_kappa(b, a).value


@given(ITEMS)
def test_specific_agreement_is_f1_between_the_annotators(items):
    from sklearn.metrics import f1_score

    a, b = zip(*items, strict=True)
    kappa = cohen_kappa(a, b)
    scores = f1_score(a, b, labels=list(kappa.labels), average=None)
    assert list(kappa.specific) == pytest.approx(list(scores))


def test_a_published_example():
    # Two raters, 50 applications: both yes 20, both no 15, only the first yes 5, only the second yes 10.
    a = ["yes"] * 25 + ["no"] * 25
    b = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    kappa = cohen_kappa(a, b, labels=("yes", "no"))
    assert kappa.table == ((20, 5), (10, 15))
    assert (kappa.observed, kappa.expected) == (0.7, 0.5)
    assert kappa.value == pytest.approx(0.4)


def test_it_is_undefined_when_both_used_one_label_only():
    kappa = cohen_kappa(["O"] * 4, ["O"] * 4, labels=("O", "METAPHOR"))
    assert kappa.value is None
    assert kappa.reason is Undefined.ONE_LABEL
    assert kappa.table == ((4, 0), (0, 0))
    assert kappa.specific == (1.0, None)


def test_it_is_undefined_without_items():
    kappa = cohen_kappa([], [])
    assert (kappa.value, kappa.observed, kappa.expected, kappa.n) == (None, None, None, 0)
    assert kappa.reason is Undefined.NOTHING


def test_pooling_is_not_averaging():
    first = (["O", "O", "O", "M"], ["O", "O", "O", "O"])
    second = (["M", "M"], ["M", "O"])
    pooled = cohen_kappa(first[0] + second[0], first[1] + second[1]).value
    assert pooled == pytest.approx(reference(first[0] + second[0], first[1] + second[1]))
    assert pooled != pytest.approx((cohen_kappa(*first).value + cohen_kappa(*second).value) / 2)


def test_labels_beyond_the_given_order_are_not_lost():
    assert cohen_kappa(["B", "C"], ["A", "C"], labels=("C",)).labels == ("C", "A", "B")


def test_both_must_have_labelled_the_same():
    with pytest.raises(ValueError, match="one has 1, the other 2"):
        cohen_kappa(["O"], ["O", "O"])


def test_json_is_complete():
    value = json.loads(json.dumps(cohen_kappa(["O", "M"], ["O", "O"], labels=("O", "M")).to_json()))
    assert value["table"] == [[1, 0], [1, 0]]
    assert value["specific"] == {"O": pytest.approx(2 / 3), "M": 0.0}
    assert value["strength"] == "slight"


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (None, "undefined"),
        (-0.001, "poor"),
        (0.0, "slight"),
        (0.2, "slight"),
        (0.204, "slight"),
        (0.21, "fair"),
        (0.6, "moderate"),
        (0.64, "substantial"),
        (0.8, "substantial"),
        (0.81, "almost perfect"),
        (1.0, "almost perfect"),
    ],
)
def test_words_for_kappa(value, word):
    assert landis_koch(value) == word


def test_observed_agreement_is_a_share_of_tokens():
    assert observed_agreement([Span((0, 1), "M")], [Span((1,), "M"), Span((3,), "M")], 4) == 0.5
    assert observed_agreement([], [], 0) == 1.0


def test_many_labels_take_no_longer_than_the_items_do() -> None:
    labels = [str(number) for number in range(50_000)]
    kappa = cohen_kappa(["1", "2", "3"], ["1", "2", "4"], labels)
    assert (kappa.n, kappa.observed, len(kappa.specific)) == (3, pytest.approx(2 / 3), 50_000)
