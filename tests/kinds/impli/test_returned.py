"""Pairs that are with their writers: said before a release, and listed in it; ties that somebody decided."""

from __future__ import annotations

import copy
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.starts import STARTS
from annotator.models import Membership, Unit
from annotator.projects.actions.projects import create_project
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.published_layout import LEFT_OUT
from annotator.releases.queries.release_parts import PARTS
from annotator.reports.queries.tables import FURTHER
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.gold.queries.left_out import MissingGoldError
from annotator.work.queue.queries.returned import returned_units
from tests.deciding import decide_gold
from tests.drafts import load
from tests.kinds.impli.work import REWRITTEN, YES, Impli
from tests.protocols.mabl.work import Mabl

pytestmark = pytest.mark.django_db

REJECT = {"verdict": "reject", "reason": "incoherent", "second": "no"}
IMPORTED: dict[str, str | bytes] = {"manual_e.tsv": "He spilt the beans.\tHe told it.\n"}


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Impli:
    """Of two pairs that somebody wrote, one was rejected and the other accepted; all labels are gold."""
    scene = Impli()
    ana, ben, cai, _dan = scene.people
    scene.marked(ana)
    (item,) = scene.claim(ben, "rewrite")
    scene.save(ben, item, REWRITTEN)
    for person in (ana, cai):
        scene.judged(person, "all the responsibility", REJECT)
        scene.judged(person, "holding the keys", {"verdict": "accept", "second": "no"})
    labels = scene.project.label_layer
    accept_agreed(project=scene.project, layer=labels, language="en", by=None, without_overlap=True)
    return scene


@pytest.fixture
def scene(made: Impli) -> Impli:
    return copy.deepcopy(made)


def _page(scene: Impli) -> str:
    client = Client()
    client.force_login(scene.manager)
    return client.get(reverse("releases", args=[scene.project.slug])).content.decode()


def _mend(scene: Impli) -> None:
    ben = scene.people[1]
    (back,) = scene.claim(ben, "rewrite")
    scene.save(ben, back, {**REWRITTEN, "paraphrase": "Our branch had to do everything."})


class TestWithItsWriter:
    def test_it_is_said_before_a_release(self, scene: Impli) -> None:
        page = _page(scene)
        assert "1 text was sent back and is not yet revised." in page
        assert "has gold." not in page
        assert 'name="partial"' in page
        _mend(scene)
        assert "with its writer" not in _page(scene)

    def test_a_release_lists_it(self, scene: Impli) -> None:
        with pytest.raises(MissingGoldError, match="sent back to its writer"):
            release_files(scene.project, partial=False)
        release = release_files(scene.project, partial=True)
        (unit,) = returned_units(scene.project)
        assert unit.text.endswith(REWRITTEN["paraphrase"])
        (row,) = [one for one in release.left_out if one["reason"] == "with its writer"]
        assert (row["kind"], row["id"]) == ("pair", unit.segment.uid)
        assert f"{unit.segment.uid}\ten\twith its writer\n" in release.files[LEFT_OUT].decode()
        _mend(scene)
        assert returned_units(scene.project) == []
        assert "with its writer" not in {one["reason"] for one in release_files(scene.project, partial=True).left_out}

    def test_a_draft_is_not_mended_yet(self, scene: Impli) -> None:
        ben = scene.people[1]
        (back,) = scene.claim(ben, "rewrite")
        scene.save(ben, back, {**REWRITTEN, "paraphrase": "Our branch"}, done=False)
        assert len(returned_units(scene.project)) == 1

    def test_nothing_is_missing_once_somebody_else_wrote_it(self, scene: Impli) -> None:
        """The writer has left, so the sentence was free for others."""
        ben, dan = scene.people[1], scene.people[3]
        (unit,) = returned_units(scene.project)
        client = Client()
        client.force_login(scene.manager)
        left = Membership.objects.get(user=ben)
        client.post(reverse("member-remove", args=[scene.project.slug, left.pk]))
        (item,) = scene.claim(dan, "rewrite")
        scene.save(dan, item, {**REWRITTEN, "paraphrase": "Our branch had to do everything."})
        assert returned_units(scene.project) == []
        assert not Unit.objects.get(pk=unit.pk).is_current

    def test_pairs_of_figurative_sentences_likewise(self) -> None:
        mabl = Mabl()
        mabl.written(mabl.people[0])
        for person in mabl.people[1:3]:
            mabl.judged(person, verdict="reject", reason="incoherent")
        (row,) = PARTS["mabl"].compute(mabl.project).left_out
        assert str(row.reason) == "with its writer"


class TestReadme:
    def test_it_names_all_datasets_and_says_what_has_no_file(self, scene: Impli) -> None:
        load(scene.project, IMPORTED, dataset="idioms", labels_as="none")
        unit = Unit.objects.get(imported__isnull=False, kind="inference-pair")
        layer = scene.stage("validate").layer
        decide_gold(unit=unit.pk, layer=layer, content=YES, by=None)
        release = release_files(scene.project, partial=True)
        assert "impli/idioms/manual_e.tsv" in release.files
        readme = release.files["README.md"].decode()
        (datasets,) = [line for line in readme.split("\n") if line.startswith("- Datasets: ")]
        assert "idioms" in datasets
        assert set(release.manifest["counts"]["datasets"]) == {"idioms", "set"}
        assert "layers/rewrites.jsonl" not in release.files
        assert "layers/rewrites.jsonl" not in readme
        assert "There is no file for rewritings: a text is in the files above once it is accepted." in readme
        assert "There is no file for definitions: nothing is decided there." in readme
        assert "| `layers/validity.jsonl` | verdicts on 2 pairs: what was decided, by whom and when |" in readme

    def test_it_names_what_is_there_and_no_file_is_empty(self) -> None:
        project = create_project(slug="files", preset=STARTS["impli"].preset(["en"]), by=None)
        load(project, IMPORTED, dataset="idioms")
        release = release_files(project, partial=False)
        assert [path for path, content in release.files.items() if content.strip() in (b"", b"[]")] == []
        readme = release.files["README.md"].decode()
        named = re.findall(r"`([a-z-]+[/.][a-z/.]*)`", readme)
        assert {"impli/", "layers/validity.jsonl", "manifest.json"} <= set(named)
        assert [path for path in named if not any(one.startswith(path) for one in release.files)] == []
        assert "`layers/`, every answer" in readme


class TestTies:
    def test_a_tie_that_somebody_decided_counts_as_decided(self, scene: Impli) -> None:
        ana, _ben, cai, _dan = scene.people
        load(scene.project, IMPORTED, dataset="idioms", labels_as="none")
        unit = Unit.objects.get(imported__isnull=False, kind="inference-pair")
        scene.judged(ana, "He told it.", YES)
        scene.judged(cai, "He told it.", {"verdict": "accept", "second": "no"})

        def row() -> tuple[int, int, str]:
            (found,) = [one for one in FURTHER["valid-pairs"].compute(scene.project).rows if one["dataset"] == "idioms"]
            return found["pairs"], found["valid"], found["%"]

        assert row() == (1, 0, "–")
        layer = scene.stage("validate").layer
        decide_gold(unit=unit.pk, layer=layer, content=YES, by=scene.manager)
        assert row() == (1, 1, "100.0")
