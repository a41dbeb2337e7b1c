"""Studies of agreement from stored answers: what is read, what comes of it, and that it stays the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotator.models import AgreementStudy, Mode, Project, Sentence, User
from annotator.reports.actions import store_study
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.studies.computing import compute_study
from annotator.reports.queries.studies.question import Drawing, StudyQuestion, study_question
from tests.factories import (
    make_annotation,
    make_member,
    make_sentence,
    span,
)

pytestmark = pytest.mark.django_db


def found(results: dict[str, Any], coefficient: str, **which: Any) -> float | None:
    """The value of a coefficient."""
    wanted = {"stratum": "all", "dimension": "all", "population": "all", "label": "", "pair": [], **which}
    rows = [row for row in results["rows"] if row["coefficient"] == coefficient]
    (row,) = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    value: float | None = row["value"]
    return value


@pytest.fixture
def people(project: Project) -> list[User]:
    return [make_member(project, username=name) for name in ("ana", "ben", "cai")]


@pytest.fixture
def shared(project: Project, people: list[User]) -> list[Sentence]:
    """Six sentences of four words. Cai did half of them; they differ on the last word of two."""
    rows = [make_sentence(project, f"Uno corre mientras{number} vuela") for number in range(6)]
    for number, row in enumerate(rows):
        for at, person in enumerate(people):
            if at < 2 or number < 3:
                labels = [span(1), *([span(3)] if (number + at) % 3 == 0 else [])]
                make_annotation(row, person, labels, mode=Mode.BLIND)
    return rows


def asked(project: Project, people: list[User], **more: Any) -> StudyQuestion:
    return study_question(project, people=people, layer="tokens", language="es", **more)


def computed(question: StudyQuestion) -> dict[str, Any]:
    return compute_study(question, now=timezone.now()).results


@pytest.mark.usefixtures("shared")
class TestNumbers:
    def test_two_people_have_the_numbers_of_their_comparison(self, project: Project, people: list[User]) -> None:
        results = computed(asked(project, people[:2]))
        of_two = agreement(project, a=people[0], b=people[1], layer="tokens", language="es").overall
        assert of_two.spans is not None
        assert found(results, "cohen", pair=[0, 1]) == pytest.approx(of_two.kappa.value)
        assert found(results, "observed") == pytest.approx(of_two.kappa.observed)
        assert found(results, "ac1") == pytest.approx(of_two.ac1)
        assert found(results, "f1_exact", pair=[0, 1]) == pytest.approx(of_two.spans.exact_f1)
        assert found(results, "f1_overlapping", pair=[0, 1]) == pytest.approx(of_two.spans.overlapping_f1)
        assert found(results, "positive") == pytest.approx(of_two.kappa.specific[1])
        assert results["strata"][0] | {"remarks": []} == {
            "dimension": "all", "stratum": "all", "units": 6, "clusters": 6, "places": 24, "content": 18,
            "given": {"O": 32, "METAPHOR": 16}, "remarks": [],
        }  # fmt: skip

    def test_gaps_and_every_pair(self, project: Project, people: list[User]) -> None:
        results = computed(asked(project, people))
        for pair in ([0, 1], [0, 2], [1, 2]):
            one, other = (people[at] for at in pair)
            expected = agreement(project, a=one, b=other, layer="tokens", language="es").overall.kappa.value
            assert found(results, "cohen", pair=pair) == pytest.approx(expected)

    def test_the_same_again_is_the_same_and_stored_once(self, project: Project, people: list[User]) -> None:
        first, second = (compute_study(asked(project, people), now=timezone.now()) for _time in range(2))
        other = compute_study(asked(project, people, drawing=Drawing(seed=2)), now=timezone.now())
        assert first.results == second.results
        assert first.sha256 == second.sha256 != other.sha256
        assert first.results["rows"] != other.results["rows"]
        stored = store_study(computed=first, by=people[0])
        assert store_study(computed=second, by=people[1]) == stored
        assert [one.user for one in stored.people.all()] == people
        assert AgreementStudy.objects.get().results == first.results
        with pytest.raises(RuntimeError, match="cannot be changed"):
            stored.save()

    def test_words_on_which_they_differ(self, project: Project, people: list[User]) -> None:
        (word,) = computed(asked(project, people[:2]))["words"]
        assert word == {"word": "volar", "differing": 4, "compared": 6}
