"""The artifact audit: what was put into a dataset on purpose shows up, and what was not does not."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from annotator.domain.audit import scoring
from annotator.domain.audit.conclusions import conclusions
from annotator.domain.audit.instances import Drawn, Expressions, Instance
from annotator.domain.audit.scores import Score, Seen, Split, Undefined
from annotator.domain.audit.scoring import audit, folds_of, macro_f1

WORDS = [f"word{number}" for number in range(200)]


def drawn_of(instances: Iterable[Instance], most: int = 20_000) -> Drawn:
    drawn = Drawn(seed=1, most=most)
    for one in instances:
        drawn.add(one)
    return drawn


def scored(instances: Iterable[Instance]) -> dict[tuple[Split, Seen], Score]:
    return {(one.split, one.seen): one for one in audit(drawn_of(instances), seed=1)}


def words_of(scores: dict[tuple[Split, Seen], Score], classes: int = 2) -> str:
    return " ".join(map(str, conclusions(list(scores.values()), classes)))


def uses(
    count: int = 1000, *, expressions: int = 100, told_by_expression: float = 0.0, told_by_context: float = 0.0
) -> list[Instance]:
    """Uses of expressions in random words, labelled by chance; in these shares an expression always has the same label,
    and a word beside it tells the label."""
    draw = random.Random(3)
    fixed = {f"name{number}": draw.choice(["met", "O"]) for number in range(expressions)}
    found = []
    for number in range(count):
        expression = draw.choice(list(fixed))
        label = fixed[expression] if draw.random() < told_by_expression else draw.choice(["met", "O"])
        cue = f"cue{label}" if draw.random() < told_by_context else "cuenone"
        words = (*draw.choices(WORDS, k=4), expression, cue, *draw.choices(WORDS, k=4))
        found.append(Instance(str(number), label, expression, (words,), (4,)))
    return found


def pairs(count: int = 1000, *, told_by_second: float = 0.0, told_by_overlap: float = 0.0) -> list[Instance]:
    draw = random.Random(4)
    found = []
    for number in range(count):
        label = draw.choice(["entailment", "neutral", "contradiction"])
        first = draw.choices(WORDS, k=8)
        second = draw.choices(WORDS, k=5)
        if draw.random() < told_by_overlap:
            second = {"entailment": first[:5], "neutral": first[:2] + second[:3], "contradiction": second}[label]
        if draw.random() < told_by_second:
            second = [f"cue{label}", *second]
        found.append(Instance(str(number), label, f"g{number // 3}", (tuple(first), tuple(second))))
    return found


class TestScores:
    def test_labels_at_random_give_chance(self) -> None:
        scores = scored(uses())
        for split in Split:
            for seen in (Seen.WHOLE, Seen.EXPRESSION, Seen.MASKED):
                found = scores[split, seen]
                assert found.mean is not None and found.spread is not None
                assert abs(found.mean - 50) < 5
        assert "The classifier finds nothing to learn here." in words_of(scores)
        assert "nothing that is clearly above chance" in words_of(scores)
        assert "memory" not in words_of(scores)

    def test_expressions_that_always_have_their_label_show_up_in_the_right_size(self) -> None:
        """In 80 % of the cases the expression decides, and a coin in the others: 90 % right at best."""
        scores = scored(uses(3000, told_by_expression=0.8))
        alone, unseen = scores[Split.RANDOM, Seen.EXPRESSION], scores[Split.LEXICAL, Seen.EXPRESSION]
        assert alone.mean == pytest.approx(90, abs=2.5)
        # What nobody has seen tells nothing.
        assert unseen.mean == pytest.approx(50, abs=12)
        masked = scores[Split.RANDOM, Seen.MASKED]
        assert masked.mean == pytest.approx(50, abs=5)
        told = words_of(scores)
        assert f"The expression alone gives {alone.mean:.1f} of" in told
        assert "nearly all of what the classifier learns" in told
        assert f"gives {unseen.mean:.1f} instead of {alone.mean:.1f}: the result of the random split is memory" in told

    def test_a_word_beside_the_expression_shows_up_without_it(self) -> None:
        scores = scored(uses(3000, told_by_context=0.6))
        # A cue in 60 %, a coin in the others.
        for split in Split:
            assert scores[split, Seen.MASKED].mean == pytest.approx(80, abs=4)
        assert scores[Split.RANDOM, Seen.EXPRESSION].mean == pytest.approx(50, abs=5)

    def test_a_second_text_that_gives_itself_away(self) -> None:
        scores = scored(pairs(told_by_second=0.7))
        # A cue in 70 %, one of three in the others.
        assert scores[Split.RANDOM, Seen.SECOND].mean == pytest.approx(80, abs=5)
        for seen in (Seen.FIRST, Seen.OVERLAP):
            assert scores[Split.RANDOM, seen].mean == pytest.approx(33.3, abs=6)
        assert "The second text alone gives" in words_of(scores, 3)
        assert "should be compared with these numbers" in words_of(scores, 3)

    def test_groups_with_each_class_once_are_judged_where_they_stay_together(self) -> None:
        """Of each premise, training shows two hypotheses, so that the class of the third one is none of theirs."""
        draw = random.Random(5)
        instances = []
        for group in range(300):
            first = tuple(draw.choices(WORDS, k=8))
            for label in ("entailment", "neutral", "contradiction"):
                cue = f"cue{label}" if draw.random() < 0.5 else "cuenone"
                instances.append(Instance(f"{group} {label}", label, f"g{group}", (first, (cue,))))
        scores = scored(instances)
        assert (scores[Split.RANDOM, Seen.FIRST].mean or 0) < 20
        # A cue in half of them, one of three in the others.
        assert scores[Split.LEXICAL, Seen.SECOND].mean == pytest.approx(67, abs=6)
        told = words_of(scores, 3)
        second, whole = (scores[Split.LEXICAL, seen].mean or 0 for seen in (Seen.SECOND, Seen.WHOLE))
        assert f"The second text alone gives {second:.1f} of {whole:.1f} (lexical split" in told
        assert "nothing to learn" not in told

    def test_overlap_of_words_shows_up_in_neither_text_alone(self) -> None:
        scores = scored(pairs(told_by_overlap=1))
        assert (scores[Split.RANDOM, Seen.OVERLAP].mean or 0) > 95
        for seen in (Seen.FIRST, Seen.SECOND):
            assert scores[Split.RANDOM, seen].mean == pytest.approx(33.3, abs=6)

    def test_the_same_instances_in_another_order_score_the_same(self) -> None:
        instances = uses(300, told_by_context=0.5)
        assert scored(instances) == scored(reversed(instances))

    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60))
    def test_macro_f1_is_that_of_scikit_learn(self, rows: list[tuple[int, int]]) -> None:
        truth, told = (np.array(column, np.int64) for column in zip(*rows, strict=True))
        expected = f1_score(truth, told, labels=range(4), average="macro", zero_division=0)
        assert macro_f1(truth, told, 4) == pytest.approx(100 * expected, abs=1e-9)


class TestUndefined:
    def test_one_class(self) -> None:
        scores = scored(Instance(str(n), "met", f"e{n}", (("a", "b"),), (0,)) for n in range(50))
        assert {one.undefined for one in scores.values()} == {Undefined.ONE_CLASS}
        assert words_of(scores, 1) == "All instances are of one class, so there is nothing to guess."

    def test_nothing(self) -> None:
        assert {one.undefined for one in scored([]).values()} == {Undefined.ONE_CLASS}

    def test_too_few_of_a_class(self) -> None:
        labels = ["met"] * 9 + ["O"] * 50
        scores = scored(Instance(str(n), label, f"e{n}", (("a",),), (0,)) for n, label in enumerate(labels))
        assert {one.undefined for one in scores.values()} == {Undefined.TOO_FEW}
        assert "too few instances" in words_of(scores, 1)

    def test_a_rare_class_beside_others_is_left_out(self) -> None:
        labels = ["rare"] * 3 + ["met", "O"] * 30
        drawn = drawn_of(Instance(str(n), label, f"e{n}", (("a",),), (0,)) for n, label in enumerate(labels))
        assert drawn.rare == ["rare"]
        assert {one.label for one in drawn.instances()} == {"met", "O"}
        assert all(one.mean is not None for one in audit(drawn, seed=1))

    def test_too_few_expressions_for_a_lexical_split(self) -> None:
        scores = scored(uses(200, expressions=3))
        assert scores[Split.RANDOM, Seen.WHOLE].mean is not None
        assert scores[Split.LEXICAL, Seen.WHOLE].undefined == Undefined.TOO_FEW
        assert "Too few expressions or groups have each class" in words_of(scores)

    def test_without_the_extra_the_majority_is_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(scoring, "is_installed", lambda: False)
        scores = scored(uses(200))
        assert scores[Split.RANDOM, Seen.WHOLE].undefined == Undefined.NOT_INSTALLED
        assert scores[Split.RANDOM, Seen.MAJORITY].mean is not None
        assert "pip install" in words_of(scores)


class TestFolds:
    @pytest.mark.parametrize("split", Split)
    def test_folds_have_their_share_of_each_class(self, split: Split) -> None:
        instances = uses(1000, expressions=300)
        folds = folds_of(instances, split, 1)
        for label in ("met", "O"):
            numbers = np.bincount(folds[[one.label == label for one in instances]], minlength=scoring.FOLDS)
            assert max(numbers) - min(numbers) <= 2

    def test_no_expression_is_in_two_folds_of_a_lexical_split(self) -> None:
        instances = uses(1000)
        folds = folds_of(instances, Split.LEXICAL, 1)
        of_expression: dict[str, set[int]] = {}
        for one, fold in zip(instances, folds.tolist(), strict=True):
            of_expression.setdefault(one.apart, set()).add(fold)
        assert {len(found) for found in of_expression.values()} == {1}


class TestInstances:
    def test_a_sample_does_not_depend_on_the_order(self) -> None:
        instances = uses(500)
        one, other = drawn_of(instances, most=100), drawn_of(reversed(instances), most=100)
        assert one.instances() == other.instances()
        assert len(one.instances()) == 100 and sum(one.counts.values()) == 500
        assert one.sha256 != other.sha256

    @pytest.mark.parametrize(
        ("labelled", "found"),
        [
            ((), [(0, 1), (3,), (4,)]),
            # No word of a labelled expression is in an unlabelled use.
            (((1,),), [(0,), (3,), (4,)]),
            (((0, 1), (3,)), [(4,)]),
        ],
    )
    def test_unlabelled_uses_of_labelled_expressions(
        self, labelled: Sequence[Sequence[int]], found: list[tuple[int, ...]]
    ) -> None:
        expressions = Expressions()
        for lemmas in (["take", "off"], ["take"], ["fly"]):
            expressions.add(lemmas, range(len(lemmas)))
        assert list(expressions.uses(["take", "off", "and", "fly", "take"], labelled)) == found
