"""Expressions of a language and of its translation, as rows of a stored comparison."""

from __future__ import annotations

from collections import Counter

import pytest
from pytest_django import DjangoAssertNumQueries

from annotator.comparisons.queries.stored import RowFilters, chosen_rows
from annotator.core.errors import ActionError
from annotator.models import Alignment, Comparison, ComparisonRow, Gold, Job, JobKind, Project, Sentence, Suggestion
from annotator.projects.actions.delete_project import delete_rows
from mlworkers.engines.registry import load_aligner
from tests.comparisons.making import compared, counts, rows_of, run
from tests.corpora import shared_corpus
from tests.factories import make_annotation, make_gold, make_member, make_project, make_projection, make_sentence, span
from tests.splits.making import fill_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project("corpus")


def both(project: Project, spanish: list[int], english: list[int]) -> tuple[Sentence, Sentence]:
    """A sentence in two languages, with gold on these tokens."""
    one = make_sentence(project, "El tiempo vuela otra vez")
    other = make_sentence(project, "Time flies over us again", language="en", segment=one.segment)
    for sentence, tokens in ((one, spanish), (other, english)):
        make_gold(sentence, [span(token) for token in tokens])
    return one, other


def align(source: Sentence, target: Sentence, *links: tuple[int, int]) -> None:
    Alignment.objects.create(
        project=source.project, source=source, target=target, aligner="lexical", links=[[*link, 1.0] for link in links]
    )


def test_aligned_words_link_and_the_rest_is_in_one_language(project: Project) -> None:
    align(*both(project, [2, 4], [1, 3]), (2, 1))

    found = compared(project, "es", "en")

    assert counts(found) == {"both": 1, "source": 1, "target": 1}
    [row] = rows_of(found, state="both")
    assert (row["words"], row["lemma"], row["label"]) == ("vuela", "volar", "METAPHOR")
    assert (row["other_words"], row["other_lemma"], row["linked_by"], row["aligned"]) == (
        "flies", "fly", "alignment", "yes",
    )  # fmt: skip
    assert found.results["totals"] == {"source": 2, "target": 2}


def test_an_alignment_of_the_other_direction_is_turned_around(project: Project) -> None:
    spanish, english = both(project, [2], [1])
    align(english, spanish, (1, 2))
    assert counts(compared(project, "es", "en")) == {"both": 1}


def test_without_an_alignment_or_gold_the_row_says_so(project: Project) -> None:
    both(project, [2], [1])
    alone = make_sentence(project, "La noche cae")
    make_gold(alone, [span(2)])
    make_sentence(project, "Night falls", language="en", segment=alone.segment)

    found = compared(project, "es", "en")

    assert counts(found) == {"unaligned": 2, "undecided": 1}
    assert {row["aligned"] for row in rows_of(found)} == {"no"}


def test_reviews_of_projections_give_the_outcome(project: Project) -> None:
    ana = make_member(project)
    spanish, english = both(project, [1, 2], [0, 4])
    carried = make_projection(spanish, english, [span(0)], [span(1), span(2)])
    outcomes = [
        {"source": span(1), "outcome": "projected", "reason": "", "target": span(0), "left_out": []},
        {"source": span(2), "outcome": "unaligned", "reason": "unlinked", "target": None, "left_out": []},
    ]
    lost = {"language": "es", "tokens": [2], "label": "METAPHOR", "lost": True, "attributes": {}}
    Suggestion.objects.filter(pk=carried.pk).update(detail={"outcomes": outcomes})
    make_annotation(english, ana, [span(0), span(4)], suggestion=carried, shown=[carried.pk])
    Gold.objects.filter(unit=english).update(content={"spans": [span(0), span(4)], "translations": [lost]})

    found = compared(project, "es", "en")

    assert counts(found) == {("both", "kept"): 1, ("source", "lost"): 1, ("target", "gained"): 1}
    # From the other side there is no review.
    assert all(not row["outcome"] for row in rows_of(compared(project, "en", "es")))


class TestRows:
    @pytest.fixture
    def found(self, project: Project) -> Comparison:
        for number in range(5):
            align(*both(project, [2, 4] if number % 2 else [2], [1]), (2, 1))
        return compared(project, "es", "en")

    def test_filters_choose_and_count(self, found: Comparison) -> None:
        assert counts(found) == {"both": 5, "source": 2}
        assert counts(found, state="source") == {"source": 2}
        assert counts(found, lemma="Volar") == {"both": 5}
        assert counts(found, lemma="fly") == {"both": 5}
        assert counts(found, lemma="fly", state="source") == {}
        assert counts(found, dataset="other") == {}
        assert counts(found, outcome="not-reviewed") == {"both": 5, "source": 2}
        assert [round(group.percent) for group in chosen_rows(found, RowFilters()).groups()] == [71, 29]

    @pytest.mark.parametrize("lemma", ["", "volar"])
    def test_pages_have_every_row_once(self, found: Comparison, lemma: str) -> None:
        chosen = chosen_rows(found, RowFilters(lemma=lemma))
        pages = [[row.number for row in chosen.page(begin, 3)] for begin in (0, 3, 6, 9)]
        assert [number for page in pages for number in page] == list(range(5 if lemma else 7))
        assert chosen.size == (5 if lemma else 7)

    def test_a_page_reads_its_rows_alone(
        self, found: Comparison, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        chosen = chosen_rows(found, RowFilters(state="source"))
        with django_assert_num_queries(1):
            assert len(chosen.page(0)) == 2


def test_another_one_of_the_same_settings_takes_its_place(project: Project) -> None:
    both(project, [2], [1])
    first, other = compared(project, "es", "en"), compared(project, "en", "es")
    again = compared(project, "es", "en")
    assert set(Comparison.objects.values_list("pk", flat=True)) == {other.pk, again.pk}
    assert not ComparisonRow.objects.filter(comparison=first.pk).exists()


def test_the_oldest_are_deleted(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.comparisons.actions.comparisons.KEPT", 1)
    both(project, [2], [1])
    compared(project, "es", "en")
    other = compared(project, "en", "es")
    assert list(Comparison.objects.values_list("pk", flat=True)) == [other.pk]


def test_a_stored_one_cannot_be_changed_and_goes_with_its_project(project: Project) -> None:
    both(project, [2], [1])
    found = compared(project, "es", "en")
    with pytest.raises(RuntimeError):
        found.save()
    assert Job.objects.get(kind=JobKind.COMPARE).result == {}
    delete_rows(project, lambda done: None)
    assert not Comparison.objects.exists() and not ComparisonRow.objects.exists()


@pytest.mark.parametrize(("source", "target"), [("es", "es"), ("es", "fr")])
def test_other_languages_are_refused(project: Project, source: str, target: str) -> None:
    with pytest.raises(ActionError, match="two different languages"):
        run(project, {"language": source}, {"language": target}, "languages")
    assert not Job.objects.filter(kind=JobKind.COMPARE).exists()


@pytest.mark.slow
def test_the_published_corpus_is_in_it_without_a_rest(project: Project) -> None:
    """Every labelled expression of the development set is in one row; aligned by the lexical aligner."""
    folder = shared_corpus("meta4xnli") / "detection" / "splits"
    files = {language: (folder / language / "meta4xnli_dev.tsv").read_bytes() for language in ("es", "en")}
    fill_at_once(project, files, "meta4xnli_dev")
    texts = {
        language: dict(Sentence.objects.filter(language=language).values_list("segment_id", "pk"))
        for language in ("es", "en")
    }
    tokens = dict(Sentence.objects.values_list("pk", "tokens"))
    segments = sorted(texts["es"])
    pairs = [tuple(tuple(tokens[texts[language][one]]) for language in ("es", "en")) for one in segments]
    links = load_aligner("lexical", source="es", target="en", corpus=pairs).align(pairs)
    Alignment.objects.bulk_create(
        Alignment(
            project=project, source_id=texts["es"][one], target_id=texts["en"][one], aligner="lexical",
            links=[[link.source, link.target, 1.0] for link in some],
        )
        for one, some in zip(segments, links, strict=True)
    )  # fmt: skip

    found = compared(project, "es", "en")

    expressions = Counter[str]()
    for language, content in Gold.objects.values_list("unit__language", "content"):
        expressions[language] += len(content["spans"])
    rows = counts(found)
    print(dict(expressions), rows)
    assert found.results["totals"] == {"source": expressions["es"], "target": expressions["en"]}
    assert rows.keys() == {"both", "source", "target"}
    assert rows["both"] + rows["source"] == expressions["es"]
    assert rows["both"] + rows["target"] == expressions["en"]
    assert found.size == sum(rows.values())
