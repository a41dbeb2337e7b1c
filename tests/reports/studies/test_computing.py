"""Studies of agreement from stored answers: what is read, what comes of it, and that it stays the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotator.domain.messages import InvalidError
from annotator.models import AgreementStudy, Annotation, Import, Mode, Project, Segment, Sentence, User
from annotator.reports.actions import store_study
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.studies.question import OUTCOMES, Drawing, StudyQuestion, study_question
from annotator.reports.queries.studies.stored import compute_study
from tests.factories import make_annotation, make_member, make_prediction, make_projection, make_sentence, span

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
        assert word == {"word": "volar", "differing": 4, "compared": 6, "content": True}


@pytest.mark.usefixtures("shared")
class TestStrata:
    def test_groups_of_items(self, project: Project, people: list[User], shared: list[Sentence]) -> None:
        shared[0].segment.__class__.objects.filter(pk__in=[row.segment_id for row in shared[:2]]).update(genre="news")
        results = computed(asked(project, people))
        units = {(one["dimension"], one["stratum"]): one["units"] for one in results["strata"]}
        assert units["genre", "news"] == 2
        assert units["genre", "letters"] == 4
        assert sum(number for (dimension, _name), number in units.items() if dimension == "document") == 6
        # What is all that there is has the numbers of the whole.
        assert "dataset" not in {dimension for dimension, _name in units}
        one = agreement(project, a=people[0], b=people[1], layer="tokens", language="es").overall
        assert found(results, "cohen", pair=[0, 1]) == pytest.approx(one.kappa.value)
        of_news = [row for row in results["rows"] if row["stratum"] == "news" and row["coefficient"] == "cohen"]
        assert {tuple(row["pair"]) for row in of_news} == {(0, 1), (0, 2), (1, 2)}

    def test_original_languages_have_the_numbers_of_their_own_items(
        self, project: Project, people: list[User], shared: list[Sentence]
    ) -> None:
        for rows, language in ((shared[:4], "es"), (shared[4:5], "en"), (shared[5:], "")):
            imported = Import.objects.create(
                project=project, dataset=f"from {language}", original_language=language, published_at=timezone.now()
            )
            Segment.objects.filter(pk__in=[row.segment_id for row in rows]).update(imported=imported)
        results = computed(asked(project, people[:2]))
        units = {one["stratum"]: one["units"] for one in results["strata"] if one["dimension"] == "original"}
        assert units == {"es": 4, "en": 1}
        Annotation.objects.exclude(unit__in=shared[:4]).delete()
        alone = agreement(project, a=people[0], b=people[1], layer="tokens", language="es").overall
        assert alone.units == 4
        of_spanish = found(results, "cohen", dimension="original", stratum="es", pair=[0, 1])
        assert of_spanish == pytest.approx(alone.kappa.value, abs=1e-9)

    def test_documents_are_drawn_as_wholes(self, project: Project, people: list[User], shared: list[Sentence]) -> None:
        for number, row in enumerate(shared):
            row.segment.group = f"letter {number // 3}"
            row.segment.save()
        by_document = computed(asked(project, people, drawing=Drawing(cluster="documents")))
        assert by_document["strata"][0]["clusters"] == 2
        assert found(by_document, "alpha") == found(computed(asked(project, people)), "alpha")

    def test_parts_of_the_work_in_its_order(self, project: Project, people: list[User]) -> None:
        for _number in range(14):
            row = make_sentence(project, "Uno corre")
            for person in people:
                make_annotation(row, person, [span(1)], mode=Mode.BLIND)
        results = computed(asked(project, people))
        parts = {one["stratum"]: one["units"] for one in results["strata"] if one["dimension"] == "part"}
        assert sorted(parts) == ["1", "2", "3", "4", "5"]
        assert sum(parts.values()) == 20
        drift = [row for row in results["differences"] if row["dimension"] == "part"]
        assert {(row["stratum"], row["less"]) for row in drift} == {("5", "1")}


class TestSuggestions:
    @pytest.fixture
    def reviewed(self, project: Project, people: list[User]) -> list[Sentence]:
        """Ana saw two suggestions in each of eight sentences and kept both; Ben, who saw none, labels one of them."""
        rows = [make_sentence(project, f"Uno corre mientras{number} vuela") for number in range(8)]
        for row in rows:
            made = make_prediction(row, [span(1), span(3)], [0.1] * 4)
            seen = make_annotation(row, people[0], [span(1), span(3)])
            seen.__class__.objects.filter(pk=seen.pk).update(suggestion=made, suggested=made.content, shown=[made.pk])
            make_annotation(row, people[1], [span(1)], mode=Mode.BLIND)
        return rows

    @pytest.mark.usefixtures("reviewed")
    def test_what_became_of_them(self, project: Project, people: list[User]) -> None:
        results = computed(asked(project, people))
        together, of_ana = results["anchoring"]
        assert (together["person"], of_ana["person"]) == (None, 0)
        assert (of_ana["units"], of_ana["suggested"], of_ana["others"]) == (8, 16, 16)
        shares = [of_ana[name]["value"] for name in ("accepted", "blind", "led", "added", "blind_added")]
        assert shares == [1, 0.5, 0.5, 0, 0]

    def test_with_and_without(self, project: Project, people: list[User], reviewed: list[Sentence]) -> None:
        seen = project.annotations.filter(user=people[0], unit__in=reviewed[:4])
        seen.update(suggestion=None, suggested=None, shown=[], mode=Mode.BLIND)
        made = reviewed[4].suggestions.get()
        of_ben = project.annotations.filter(user=people[1], unit=reviewed[4])
        of_ben.update(suggestion=made, suggested=made.content, shown=[made.pk], mode=Mode.REVIEW)
        results = computed(asked(project, people))
        units = {one["stratum"]: one["units"] for one in results["strata"] if one["dimension"] == "suggestions"}
        assert units == {"without": 4, "with": 1, "some": 3}
        pairs = {(row["stratum"], row["less"]) for row in results["differences"]}
        assert ("with", "without") in pairs


class TestOutcomes:
    def test_reviewers_are_compared_on_what_became_of_each_source_span(
        self, project: Project, people: list[User]
    ) -> None:
        """Of two source spans one person keeps both; the other keeps one and moves the other."""
        source = make_sentence(project, "El tiempo vuela alto")
        target = make_sentence(project, "Time flies so high", language="en", segment=source.segment)
        made = make_projection(source, target, [span(1), span(3)], [span(2), span(3)])
        for person, labels in ((people[0], [span(1), span(3)]), (people[1], [span(0), span(1)])):
            row = make_annotation(target, person, labels)
            row.__class__.objects.filter(pk=row.pk).update(suggestion=made, suggested=made.content, shown=[made.pk])
        choice = {"people": people[:2], "layer": "tokens", "language": "en"}

        results = computed(study_question(project, **choice, dimension=OUTCOMES))

        assert results["strata"][0]["given"] == {"kept": 3, "shifted": 1}
        assert found(results, "observed") == 0.5
        assert found(results, "specific", label="kept") == pytest.approx(2 / 3)
        assert results["anchoring"] == results["words"] == []

    def test_without_projections_there_is_no_such_dimension(self, project: Project, people: list[User]) -> None:
        with pytest.raises(InvalidError, match="no dimension"):
            asked(project, people, dimension=OUTCOMES)


class TestConsistency:
    def test_the_same_text_again(self, project: Project, people: list[User]) -> None:
        """Ana answers one text three times, and changes her mind once; other texts stand alone."""
        for labels in ([span(1)], [span(1)], []):
            make_annotation(make_sentence(project, "Todo vuela"), people[0], labels, mode=Mode.BLIND)
        make_annotation(make_sentence(project, "Nada vuela"), people[0], [span(1)], mode=Mode.BLIND)
        (row,) = computed(asked(project, people))["consistency"]
        assert (row["person"], row["texts"], row["places"], row["same"]) == (0, 1, 4, 3)


def test_settings_that_there_are_not(project: Project, people: list[User]) -> None:
    wrong: list[dict[str, Any]] = [
        {"layer": "words"},
        {"people": people[:1]},
        {"drawing": Drawing(cluster="letters")},
        {"drawing": Drawing(seed=0)},
        {"drawing": Drawing(resamples=10_001)},
        {"mapping": "nothing"},
    ]
    for one in wrong:
        with pytest.raises(InvalidError):
            study_question(project, **{"people": people, "layer": "tokens", **one})
