"""Splits of our own: made by a job, stored once, deleted as a whole, checked for leaks."""

from __future__ import annotations

from collections import Counter

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError, ArchivedError
from annotator.imports.undo.undo_import import undo_import
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Event, Gold, Import, Job, JobKind, JobState, Project, Role, Segment, Split, SplitRow, User
from annotator.projects.actions.delete_project import delete_rows, tables_of
from annotator.splits.actions.splits import delete_split, publish_split
from annotator.splits.queries.stored import gone, leaks_of, splits_in, strata_of, table_lines, table_of
from tests.drafts import load, make_plain
from tests.factories import make_gold, make_member, make_pair, make_project, make_segment, make_sentence, make_tag, span
from tests.splits.making import RATIO, fill, groups_of, make_split, parts_of, run

pytestmark = pytest.mark.django_db


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, "mara")


@pytest.fixture
def filled(project: Project) -> Project:
    fill(project)
    return project


class TestMade:
    def test_groups_stay_together_and_every_stratum_has_its_shares(self, filled: Project, mara: User) -> None:
        split = make_split(filled, by=mara)

        assert all(len(parts) == 1 for parts in groups_of(split).values())
        assert Counter(parts_of(split).values()) == {"train": 48, "dev": 16, "test": 16}
        for stratum in strata_of(split):
            for part, share in zip(stratum.parts, (0.6, 0.2, 0.2), strict=True):
                assert abs(part.items - share * stratum.total) <= 3
        assert (split.size, split.left_out, split.created_by) == (80, 0, mara)

    def test_it_is_stored_with_how_it_was_made_and_an_event(self, filled: Project, mara: User) -> None:
        newest = Event.objects.filter(project=filled).order_by("-pk").first()

        split = make_split(filled, by=mara, seed=7)

        assert split.params["seed"] == 7
        assert split.params["shares"] == [0.6, 0.2, 0.2]
        assert split.last_event >= (newest.pk if newest else 0)
        event = Event.objects.get(verb="split.create")
        assert (event.actor, event.subject_id, event.project_id) == (mara, split.pk, filled.pk)
        assert event.after == {"name": "ours", "method": "ratio", "sha256": split.sha256}
        assert Job.objects.get(kind=JobKind.SPLIT).result == {}

    def test_the_same_seed_gives_the_same_split_and_another_one_does_not(self, filled: Project) -> None:
        first, again = make_split(filled, "a"), make_split(filled, "b")
        other = make_split(filled, "c", seed=2)
        assert parts_of(first) == parts_of(again)
        assert first.sha256 == again.sha256
        assert other.sha256 != first.sha256

    def test_without_groups_each_stratum_has_its_exact_share(self, filled: Project) -> None:
        split = make_split(filled, together=False, strata=["role"])
        for stratum in strata_of(split):
            assert all(
                abs(part.items - share * stratum.total) < 1
                for part, share in zip(stratum.parts, (0.6, 0.2, 0.2), strict=True)
            )

    def test_folds_are_alike(self, filled: Project) -> None:
        names = [f"fold-{number}" for number in range(1, 6)]
        split = make_split(filled, method="folds", parts=names, shares=[1] * 5)
        assert Counter(parts_of(split).values()) == dict.fromkeys(names, 16)

    def test_no_expression_of_the_test_part_is_in_training(self, filled: Project) -> None:
        split = make_split(filled, method="lexical", together=False)

        parts = parts_of(split)
        seen: dict[str | None, set[tuple[str, str]]] = {}
        for gold in Gold.objects.filter(project=filled).select_related("unit__segment"):
            for one in gold.content["spans"]:
                words = {(gold.unit.language, gold.unit.lemmas[token]) for token in one["tokens"]}
                seen.setdefault(parts[gold.unit.segment.uid], set()).update(words)
        assert seen["test"]
        assert not seen["test"] & (seen["train"] | seen.get("dev", set()))
        assert split.left_out == sum(part is None for part in parts.values())
        [of_expressions] = [table for table in leaks_of(split) if (table.kind, table.language) == ("expression", "es")]
        assert all("test" not in row.parts for row in of_expressions.rows)

    def test_a_lexical_split_needs_labels(self, project: Project) -> None:
        make_sentence(project)
        job = run(project, method="lexical")
        assert job.state == JobState.FAILED
        assert "Decide on gold first" in job.error
        assert not Split.objects.exists()

    def test_nothing_to_split_is_a_sentence(self, project: Project) -> None:
        job = run(project)
        assert "Import sentences first" in job.error

    def test_pairs_are_split_as_well(self, project: Project) -> None:
        assert project.tag_layer is not None
        for number in range(30):
            pair = make_pair(project, premise=f"Uno dos {number}", hypothesis=f"Tres cuatro {number}")
            make_tag(pair, "relevant" if number % 3 else "no_metaphor")

        split = make_split(project, layer=project.tag_layer, strata=["inference", "label"])

        assert Counter(parts_of(split).values()) == {"train": 18, "dev": 6, "test": 6}
        of_train = {state: number for row in table_of(split) if row.part == "train" and row.language == "es"
                    for state, number in row.states.items()}  # fmt: skip
        assert of_train == {"relevant": 12, "no_metaphor": 6}

    def test_what_is_set_aside_is_in_no_split(self, filled: Project) -> None:
        Segment.objects.filter(uid="set:prem:3.0").update(set_aside_reason="garbled")
        assert "set:prem:3.0" not in parts_of(make_split(filled))


class TestLeaks:
    @pytest.fixture
    def leaking(self, project: Project) -> Split:
        """Sentences of four parts, each leak between two of them."""
        texts = [
            ("La luz del norte cae sobre el mar .", "Northern light ."),
            ("la luz del norte cae sobre el mar", "Light from the north ."),
            ("Un barco lento cruza hoy la bahía azul del sur .", "A slow ship ."),
            ("Un barco lento cruza ayer la bahía azul del sur .", "Another ship ."),
            ("Nadie abre la puerta .", "Nobody there ."),
            ("Todos cierran los ojos .", "Nobody there ."),
            *[(f"Frase número {number} sin nada", f"Sentence {number} of many") for number in range(200, 206)],
        ]
        for place, (spanish, english) in enumerate(texts):
            segment = make_segment(project, group="same" if place in (6, 7) else "")
            first = make_sentence(project, spanish, segment=segment)
            make_sentence(project, english, language="en", segment=segment)
            make_gold(first, [span(1)] if place in (8, 9) else [])
        return make_split(
            project,
            "leaks",
            parts=[f"p{number}" for number in range(12)],
            shares=[1] * 12,
            together=False,
            strata=[],
        )

    def test_each_sort_of_leak_is_counted_with_its_sentences(self, leaking: Split) -> None:
        found = {(table.kind.value, table.language): table for table in leaks_of(leaking)}

        def texts(kind: str, language: str) -> set[frozenset[str]]:
            return {frozenset(one.text for one in pair) for row in found[kind, language].rows for pair in row.examples}

        assert texts("equal", "es") == {
            frozenset({"La luz del norte cae sobre el mar .", "la luz del norte cae sobre el mar"})
        }
        assert frozenset(
            {
                "Un barco lento cruza hoy la bahía azul del sur .",
                "Un barco lento cruza ayer la bahía azul del sur .",
            }
        ) in texts("near", "es")
        assert texts("translation", "en") == {frozenset({"Nobody there ."})}
        assert [len(row.examples) for row in found["group", ""].rows] == [1]
        assert found["group", ""].spread == 1
        [of_words] = found["expression", "es"].rows
        assert (of_words.shared, of_words.items) == (1, (1, 1))

    def test_a_pair_leads_to_its_hypothesis(self, project: Project) -> None:
        assert project.tag_layer is not None
        pairs = [make_pair(project, premise="El tiempo vuela", hypothesis="Nadie mira el reloj") for _ in range(2)]
        split = make_split(project, layer=project.tag_layer, parts=["a", "b"], shares=[1, 1], strata=[])
        [equal] = [table for table in leaks_of(split) if (table.kind, table.language) == ("equal", "es")]
        assert {one.page for one in equal.rows[0].examples[0]} == {pair.hypothesis_id for pair in pairs}
        assert {one.text for one in equal.rows[0].examples[0]} == {"Nadie mira el reloj"}


class TestKept:
    def test_it_cannot_be_changed(self, filled: Project) -> None:
        split = make_split(filled)
        split.name = "other"
        with pytest.raises(RuntimeError, match="cannot be changed"):
            split.save()

    def test_deleting_is_an_act_of_its_own(self, filled: Project, mara: User) -> None:
        kept, split = make_split(filled, "kept"), make_split(filled, "gone")
        delete_split(split=split, by=mara)
        assert list(splits_in(filled)) == [kept]
        assert SplitRow.objects.count() == 80
        event = Event.objects.get(verb="split.delete")
        assert (event.actor, event.before["name"]) == (mara, "gone")

    def test_an_archived_project_keeps_its_splits(self, filled: Project) -> None:
        split = make_split(filled)
        Project.objects.filter(pk=filled.pk).update(archived_at=timezone.now())
        with pytest.raises(ArchivedError):
            delete_split(split=Split.objects.get(pk=split.pk), by=None)
        assert SplitRow.objects.count() == 80

    def test_a_name_is_given_once(self, filled: Project) -> None:
        make_split(filled)
        with pytest.raises(ActionError, match="already"):
            run(filled)
        make_split(filled, "another")

    def test_of_two_jobs_with_one_name_one_stores_it(self, filled: Project) -> None:
        params = {**RATIO, "name": "ours", "layer": filled.label_layer.pk}
        later = start_job(project=filled, kind=JobKind.SPLIT, params={**params, "seed": 5}, by=None)
        first = make_split(filled)
        run_job(later.pk, worker="one")

        later.refresh_from_db()
        assert (later.state, "already" in later.error) == (JobState.FAILED, True)
        assert list(splits_in(filled)) == [first]
        # What it had written goes with the next one.
        make_split(filled, "next")
        assert Split.objects.count() == 2
        assert SplitRow.objects.count() == 160

    def test_a_try_that_was_killed_leaves_nothing(self, filled: Project) -> None:
        split = make_split(filled, "whole")
        half = Split.objects.create(
            project=filled, name="half", layer=filled.label_layer, method="ratio", parts=["a", "b"], params={},
            last_event=0, scheme_version=1, sha256="", size=1, left_out=0, results={},
        )  # fmt: skip
        SplitRow.objects.create(split=half, segment=filled.slots.all()[0], part=0, position=0)
        make_split(filled, "later")
        assert not Split.objects.filter(pk=half.pk).exists()
        assert SplitRow.objects.filter(split=split).count() == 80

    def test_it_is_published_once(self, filled: Project) -> None:
        with pytest.raises(ActionError, match="already"):
            publish_split(pk=make_split(filled).pk, by=None)

    def test_a_project_is_deleted_with_its_splits(self, filled: Project) -> None:
        other = make_project()
        fill(other, 2)
        kept = make_split(other)
        make_split(filled)
        delete_rows(filled, lambda _done: None)
        assert {split.pk for split in Split.objects.all()} == {kept.pk}
        assert {model for model, _rows in tables_of(filled)} >= {Split, SplitRow}

    def test_what_an_undone_import_takes_away_is_told(self) -> None:
        project = make_plain()
        load(project, {"es.txt": "Uno .\nDos .\nTres .\n", "ca.txt": "U .\nDos .\nTres .\n"}, dataset="a")
        load(project, {"es.txt": "Cuatro .\nCinco .\n", "ca.txt": "Quatre .\nCinc .\n"}, dataset="b")
        split = make_split(project)
        undo_import(imported=Import.objects.get(dataset="b"), by=None)
        assert gone(split) == 2

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"name": "a/b"}, "letters, digits"),
            ({"name": "../x"}, "letters, digits"),
            ({"parts": ["train"], "shares": [1]}, "2 to 20 parts"),
            ({"parts": ["a", "a"], "shares": [1, 1]}, "2 to 20 parts"),
            ({"parts": ["a", "b/c"], "shares": [1, 1]}, "name of a part"),
            ({"parts": ["a", "b"], "shares": [1, 0]}, "share above 0"),
            ({"parts": ["a", "b"], "shares": [1, "x"]}, "share above 0"),
            ({"parts": ["a", "b"], "shares": [1]}, "Every part needs a share"),
            ({"strata": ["colour"]}, "stratified by"),
            ({"method": "dice"}, "Unknown method"),
            ({"method": "imported"}, "Choose the files"),
            ({"layer_pk": 10**6}, "no such layer"),
        ],
    )
    def test_what_cannot_be_made_is_refused_before_a_job_starts(
        self, filled: Project, params: dict[str, object], message: str
    ) -> None:
        given = {**RATIO, "name": "ours", "layer": params.pop("layer_pk", filled.label_layer.pk), **params}
        with pytest.raises(ActionError, match=message):
            start_job(project=filled, kind=JobKind.SPLIT, params=given, by=None)
        assert not Job.objects.filter(kind=JobKind.SPLIT).exists()


def test_the_table_has_all_items_with_their_parts(filled: Project) -> None:
    split = make_split(filled, method="lexical", together=False)
    header, *rows = (line.rstrip("\n").split("\t") for line in table_lines(split))
    assert header == ["id", "pair_id", "dataset", "split"]
    assert {row[0]: row[3] or None for row in rows} == parts_of(split)
