"""Agreement of several people: each coefficient against an independent computation, traps, anchoring, intervals."""

import math
import random
import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotator.domain.agreement.anchoring import Anchoring, Seen
from annotator.domain.agreement.chance_corrected import gwet_ac1
from annotator.domain.agreement.distances import INTERVAL, JACCARD, MASI, NOMINAL, ORDINAL
from annotator.domain.agreement.kappa import cohen_kappa
from annotator.domain.agreement.plan import CONTENT, EVERYTHING, WHOLE, Plan
from annotator.domain.agreement.sets import alpha as alpha_of_sets
from annotator.domain.agreement.sets import jaccard, masi
from annotator.domain.agreement.spans import span_agreement
from annotator.domain.agreement.study import Study
from annotator.domain.agreement.tally import Answers, Tally
from annotator.domain.labels.spans import Span

LABELS = ("O", "METAPHOR", "SIMILE")
CLOSE = 1e-9


@pytest.fixture(autouse=True, scope="module")
def references():
    """Imported here, as they take seconds: at the head of the file, each process that collects tests spends them."""
    import krippendorff  # noqa: F401 -- said above
    import sklearn.metrics  # noqa: F401 -- said above
    import statsmodels.stats.inter_rater  # noqa: F401 -- said above


def spans_of(labels):
    return [Span((at,), label) for at, label in enumerate(labels) if label != "O"]


def study_of(units, *, people, content=None, strata=None, clusters=None, **plan):
    """A study of units, each a list of what every person gave."""
    tally = Tally(people)
    for number, unit in enumerate(units):
        spans = [None if one is None else spans_of(one) for one in unit]
        keys = [WHOLE, *(strata[number] if strata else ())]
        mask = content[number] if content else ()
        tally.add(Answers(unit, mask, spans, keys, clusters[number] if clusters else None))
    return Study(tally, Plan(**{"values": LABELS, "unmarked": "O", "resamples": 20, **plan}))


def value(study, name, *, stratum=WHOLE, population=EVERYTHING, label="", pair=()):
    (row,) = [
        row
        for row in study.rows(stratum)
        if (row.coefficient, row.population, row.label, row.pair) == (name, population, label, pair)
    ]
    return row.estimate.value


def flat(units, mask=None):
    """Places of all units as columns, one for each person; None for a gap."""
    rows = []
    for number, unit in enumerate(units):
        length = max((len(one) for one in unit if one is not None), default=0)
        for at in range(length):
            if mask is None or mask[number][at]:
                rows.append([None if one is None else one[at] for one in unit])
    return rows


def same(found, expected):
    if expected is None or math.isnan(expected):
        assert found is None
    else:
        assert found == pytest.approx(expected, abs=CLOSE)


# --- independent computations ---------------------------------------------------------------------------------------


def krippendorff_of(rows, level="nominal", values=LABELS):
    import krippendorff

    numbers = {label: at for at, label in enumerate(values)} if level == "nominal" else {v: float(v) for v in values}
    data = [[np.nan if one is None else numbers[one] for one in column] for column in zip(*rows, strict=True)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return krippendorff.alpha(reliability_data=data, level_of_measurement=level)
        except ValueError:
            return None


def fleiss_of(rows, values=LABELS):
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    codes = np.array([[values.index(one) for one in row] for row in rows])
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return fleiss_kappa(aggregate_raters(codes, n_cat=len(values))[0])


def cohen_of(one, other, values=LABELS):
    from sklearn.metrics import cohen_kappa_score

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cohen_kappa_score(one, other, labels=list(values))


def f1_of(one, other, values=LABELS):
    from sklearn.metrics import f1_score

    return f1_score(one, other, labels=list(values[1:]), average="micro", zero_division=np.nan)


def ac1_of(rows, values=LABELS):
    """Gwet (2008), from its formula, of places that two people or more answered."""
    rows = [[one for one in row if one is not None] for row in rows]
    rows = [row for row in rows if len(row) > 1]
    if not rows:
        return None
    agreeing = np.mean(
        [sum(row.count(v) * (row.count(v) - 1) for v in values) / (len(row) * (len(row) - 1)) for row in rows]
    )
    shares = [np.mean([row.count(v) / len(row) for row in rows]) for v in values]
    chance = sum(share * (1 - share) for share in shares) / (len(values) - 1)
    return (agreeing - chance) / (1 - chance)


def labels_of(length):
    return st.lists(st.sampled_from(LABELS), min_size=length, max_size=length)


@st.composite
def corpora(draw, people, gaps):
    units = []
    for length in draw(st.lists(st.integers(1, 5), min_size=1, max_size=6)):
        one = labels_of(length)
        units.append([draw(st.one_of(st.none(), one) if gaps else one) for _person in range(people)])
    return units


# --- each coefficient -----------------------------------------------------------------------------------------------


@given(corpora(people=2, gaps=False), st.data())
@example([[["O", "O"], ["O", "O"]]], None)
@settings(deadline=None)
def test_of_two_people(units, data):
    mask = [[data.draw(st.booleans()) if data else True for _ in unit[0]] for unit in units]
    study = study_of(units, people=2, content=mask)
    for population, rows in ((EVERYTHING, flat(units)), (CONTENT, flat(units, mask))):
        if population == CONTENT and not rows:
            continue
        one, other = zip(*rows, strict=True)
        kappa = cohen_kappa(one, other, LABELS)
        same(value(study, "cohen", pair=(0, 1), population=population), cohen_of(one, other))
        same(value(study, "observed", population=population), kappa.observed)
        same(value(study, "ac1", population=population), gwet_ac1(one, other, LABELS))
        same(value(study, "alpha", population=population), krippendorff_of(rows))
        same(value(study, "fleiss", population=population), fleiss_of(rows))
        same(value(study, "f1_tokens", pair=(0, 1), population=population), f1_of(one, other))
        same(value(study, "positive", population=population), f1_of(one, other))
        for at, label in enumerate(LABELS):
            found = value(
                study,
                "negative" if label == "O" else "specific",
                label="" if label == "O" else label,
                population=population,
            )
            same(found, kappa.specific[at])
            if label != "O":
                ours = ([each == label for each in side] for side in (one, other))
                expected = cohen_kappa(*[list(map(str, side)) for side in ours]).value
                same(value(study, "cohen", label=label, pair=(0, 1), population=population), expected)
    spans = span_agreement([(spans_of(a), spans_of(b)) for a, b in units])
    same(value(study, "f1_exact", pair=(0, 1)), spans.exact_f1)
    same(value(study, "f1_overlapping", pair=(0, 1)), spans.overlapping_f1)


@given(corpora(people=3, gaps=True))
@settings(deadline=None)
def test_of_three_people_with_gaps(units):
    study, rows = study_of(units, people=3), flat(units)
    same(value(study, "alpha"), krippendorff_of(rows) if rows else None)
    same(value(study, "ac1"), ac1_of(rows))
    for pair in ((0, 1), (0, 2), (1, 2)):
        both = [(row[pair[0]], row[pair[1]]) for row in rows if None not in (row[pair[0]], row[pair[1]])]
        expected = cohen_of(*zip(*both, strict=True)) if both else None
        same(value(study, "cohen", pair=pair), expected)
    whole = [row for row in rows if None not in row]
    complete = study_of([[[one] for one in row] for row in whole], people=3)
    same(value(complete, "fleiss"), fleiss_of(whole)) if whole else None


@pytest.mark.parametrize("level", [ORDINAL, INTERVAL])
@given(units=st.lists(st.lists(st.sampled_from(["1", "2", "3", "4", "5", None]), min_size=3, max_size=3), min_size=1))
@settings(deadline=None)
def test_of_ratings(level, units):
    points = ("1", "2", "3", "4", "5")
    given_units = [[None if one is None else [one] for one in unit] for unit in units]
    study = study_of(given_units, people=3, values=points, unmarked="", distances=(NOMINAL, ORDINAL, INTERVAL))
    same(value(study, f"alpha_{level}"), krippendorff_of(units, level, points))


@pytest.mark.parametrize(("name", "distance"), [(JACCARD, jaccard), (MASI, masi)])
@given(units=st.lists(st.lists(st.sets(st.sampled_from("abc")), min_size=3, max_size=3), min_size=1, max_size=8))
@settings(deadline=None)
def test_of_sets(name, distance, units):
    written = [[["+".join(sorted(one)) or "none"] for one in unit] for unit in units]
    study = study_of(written, people=3, values=(), unmarked="none", distances=(NOMINAL, JACCARD, MASI))
    same(value(study, f"alpha_{name}"), alpha_of_sets([[frozenset(one) for one in unit] for unit in units], distance))


def test_seeded_noisy_people_on_sentences_in_every_stratum():
    """Three people of different care over 300 sentences of three genres: each stratum against the references."""
    draw = random.Random(7)
    units, strata = [], []
    for number in range(300):
        length = draw.randint(1, 25)
        truth = [
            "METAPHOR" if draw.random() < 0.08 else "SIMILE" if draw.random() < 0.02 else "O" for _ in range(length)
        ]
        unit = [
            [label if draw.random() > noise else draw.choice(LABELS) for label in truth] for noise in (0.02, 0.05, 0.2)
        ]
        units.append([None if draw.random() < 0.2 else one for one in unit])
        strata.append([("genre", f"genre {number % 3}"), ("role", f"role {number % 2}")])
    study = study_of(units, people=3, strata=strata)
    assert len(study.strata()) == 6
    for stratum in study.strata():
        there = [unit for unit, keys in zip(units, strata, strict=True) if stratum == WHOLE or stratum in keys]
        rows = flat(there)
        same(value(study, "alpha", stratum=stratum), krippendorff_of(rows))
        same(value(study, "ac1", stratum=stratum), ac1_of(rows))
        for pair in ((0, 1), (0, 2), (1, 2)):
            both = [(row[pair[0]], row[pair[1]]) for row in rows if None not in (row[pair[0]], row[pair[1]])]
            one, other = zip(*both, strict=True)
            same(value(study, "cohen", stratum=stratum, pair=pair), cohen_of(one, other))
            same(value(study, "f1_tokens", stratum=stratum, pair=pair), f1_of(one, other))


# --- traps ----------------------------------------------------------------------------------------------------------


class TestTraps:
    def test_one_value_only(self):
        study = study_of([[["O"] * 3, ["O"] * 3]] * 30, people=2)
        assert [value(study, name) for name in ("alpha", "fleiss", "positive")] == [None, None, None]
        assert value(study, "cohen", pair=(0, 1)) is None
        assert (value(study, "observed"), value(study, "ac1"), value(study, "negative")) == (1, 1, 1)
        assert study.stratum(WHOLE).remarks == ("one_value",)

    def test_nothing_at_all(self):
        study = study_of([], people=2)
        assert study.stratum(WHOLE).remarks == ("nothing",)
        assert all(row.estimate.value is None for row in study.rows(WHOLE))

    def test_one_person_alone_says_nothing(self):
        study = study_of([[["METAPHOR", "O"], None]] * 5, people=2)
        assert study.stratum(WHOLE).remarks == ("nothing",)
        assert value(study, "observed") is None

    def test_units_without_places(self):
        study = study_of([[[], []]] * 5, people=2)
        assert study.stratum(WHOLE).remarks == ("nothing",)

    def test_the_paradox_of_prevalence_is_named(self):
        units = [[["O"] * 20, ["O"] * 20]] * 50
        units += [[["METAPHOR", *["O"] * 19], ["O"] * 20], [["O"] * 20, ["METAPHOR", *["O"] * 19]]] * 5
        study = study_of(units, people=2)
        assert study.stratum(WHOLE).remarks == ("prevalence",)
        assert value(study, "observed") > 0.98
        assert value(study, "alpha") < 0
        assert value(study, "ac1") > 0.98

    def test_few_sentences_are_named(self):
        assert "few" in study_of([[["O", "METAPHOR"], ["O", "METAPHOR"]]] * 19, people=2).stratum(WHOLE).remarks
        assert not study_of([[["O", "METAPHOR"], ["O", "METAPHOR"]]] * 20, people=2).stratum(WHOLE).remarks

    def test_a_category_beside_the_scheme_is_counted(self):
        study = study_of([[["OLD", "O"], ["OLD", "O"]]], people=2)
        assert study.values == (*LABELS, "OLD")
        assert value(study, "specific", label="OLD") == 1


class TestIntervals:
    # Of each sentence every fifth word; the second person moves that of every fourth sentence.
    UNITS = [
        [["METAPHOR" if (n * 7 + at + moved) % 5 == 0 else "O" for at in range(8)] for moved in (0, n % 4 // 3)]
        for n in range(60)
    ]

    def test_the_same_seed_gives_the_same_whatever_the_order(self):
        one = study_of(self.UNITS, people=2, resamples=200)
        other = study_of(self.UNITS[::-1], people=2, resamples=200)
        assert one.rows(WHOLE) == other.rows(WHOLE)
        assert one.rows(WHOLE) != study_of(self.UNITS, people=2, resamples=200, seed=2).rows(WHOLE)

    def test_documents_are_drawn_as_wholes(self):
        """The values are the same; with whole documents, which differ, the intervals are wider."""
        units = [[["METAPHOR", "O"], ["METAPHOR", "O"] if n < 80 else ["O", "METAPHOR"]] for n in range(100)]
        documents = [n // 20 for n in range(100)]
        apart = study_of(units, people=2, resamples=400)
        together = study_of(units, people=2, clusters=documents, resamples=400)
        one, other = (
            {row.coefficient: row.estimate for row in each.rows(WHOLE)}["observed"] for each in (apart, together)
        )
        assert one.value == other.value
        assert other.high - other.low > 2 * (one.high - one.low)
        assert together.stratum(WHOLE).clusters == 5

    def test_strata_beyond_the_limit_are_left_out_and_counted(self):
        tally = Tally(2, most=2)
        for number in range(6):
            tally.add(Answers([["O"], ["O"]], strata=[WHOLE, ("document", str(number % 3))]))
        study = Study(tally, Plan(resamples=10, shown=1))
        assert study.strata() == [WHOLE, ("document", "0")]
        assert study.left_out() == {"document": 4}

    def test_a_difference_of_strata(self):
        units = [[["METAPHOR", "O"], ["METAPHOR", "O"] if n % 2 or n % 10 else ["O", "O"]] for n in range(200)]
        strata = [[("suggestions", "with" if n % 2 else "without")] for n in range(200)]
        study = study_of(units, people=2, strata=strata, resamples=400)
        rows = study.differences([(("suggestions", "with"), ("suggestions", "without"))])
        (positive,) = [row for row in rows if row["coefficient"] == "positive"]
        without = value(study, "positive", stratum=("suggestions", "without"))
        assert positive["value"] == pytest.approx(1 - without)
        assert 0 < positive["low"] < positive["value"] < positive["high"]


# --- anchoring ------------------------------------------------------------------------------------------------------


def simulated(pull, *, seed, sentences=1500):
    """Two people who mark a suggested word with 0.5 on their own; the first sees it, and keeps it more readily."""
    draw = random.Random(seed)
    anchoring = Anchoring("O")
    for _sentence in range(sentences):
        suggested = ["METAPHOR" if draw.random() < 0.1 else "O" for _ in range(15)]
        chances = [0.5 if one != "O" else 0.03 for one in suggested]
        blind = ["METAPHOR" if draw.random() < chance else "O" for chance in chances]
        seen = [
            "METAPHOR" if draw.random() < chance or (one != "O" and draw.random() < pull) else "O"
            for one, chance in zip(suggested, chances, strict=True)
        ]
        anchoring.add([Seen(0, suggested, seen)], [blind])
    return {row["person"]: row for row in anchoring.rows(seed=1, resamples=500)}


class TestAnchoring:
    @pytest.mark.parametrize("pull", [0.2, 0.5])
    def test_people_who_keep_suggestions_more_readily_show_up_with_the_right_size(self, pull):
        """On their own they mark half; of the other half they keep the share `pull`."""
        for row in simulated(pull, seed=3).values():
            assert row["led"]["low"] < pull / 2 < row["led"]["high"]
            assert row["led"]["low"] > 0
            assert row["led"]["value"] == pytest.approx(row["accepted"]["value"] - row["blind"]["value"])
            assert row["less_added"]["low"] < 0 < row["less_added"]["high"]

    def test_people_who_do_not_do_not(self):
        shown = [simulated(0, seed=seed)[0]["led"] for seed in range(20)]
        assert sum(not row["low"] < 0 < row["high"] for row in shown) <= 3

    def test_several_blind_people_count_as_their_mean_and_units_without_any_do_not(self):
        anchoring = Anchoring("O")
        anchoring.add([Seen(0, ["M", "O"], ["M", "M"])], [["M", "O"], ["O", "O"]])
        anchoring.add([Seen(0, ["M", "O"], ["M", "M"])], [])
        (together, of_person) = anchoring.rows(seed=1, resamples=10)
        assert together | {"person": 0} == of_person
        assert (of_person["suggested"], of_person["accepted"]["value"], of_person["blind"]["value"]) == (1, 1, 0.5)
        assert (of_person["others"], of_person["added"]["value"], of_person["blind_added"]["value"]) == (1, 1, 0)
