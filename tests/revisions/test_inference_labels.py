"""The inference label of a pair that came without one: who gives it, over what, and that files' labels stay."""

from __future__ import annotations

import pytest

from annotator.core.errors import ActionError, ArchivedError, ConflictError, NotYoursError
from annotator.domain.leaving_out import NotReleased, WhyNotReleased
from annotator.domain.verbs import Verb
from annotator.imports.undo.undo_import import undo_import
from annotator.models import Event, Pair, Project, Stage, User
from annotator.projects.actions.project_settings import archive_project
from annotator.revisions.inference_labels import label_pair
from annotator.work.gold.queries.corpus import gold_corpora
from annotator.work.gold.queries.left_out import MissingGoldError
from tests.drafts import load
from tests.factories import make_assignment, make_gold, make_member, make_pair, make_project, make_tag, stage_of

pytestmark = pytest.mark.django_db

CSV = "pair_id,premise:es,hypothesis:es,inference\n1,Llueve .,Hay nubes .,entailment\n2,Llueve .,Hace sol .,{}\n"


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, "pair-tag")


@pytest.fixture
def pair(project: Project) -> Pair:
    return make_pair(project, inference="")


def give(pair: Pair, by: User, inference: str, seen: str = "", *, anybodys: bool = False) -> str:
    return label_pair(
        project=pair.project, pair=pair.pk, inference=inference, seen=seen, by=by, anybodys=anybodys
    ).inference


def stored(pair: Pair) -> str:
    return Pair.objects.get(pk=pair.pk).inference


def acts() -> list[tuple[int | None, object, object]]:
    events = Event.objects.filter(verb=Verb.PAIR_LABELLED).order_by("pk")
    return [(one.actor_id, one.before["inference"], one.after["inference"]) for one in events]


class TestGiving:
    def test_the_person_who_tags_it_gives_changes_and_removes_it(self, pair: Pair, stage: Stage, ana: User) -> None:
        make_assignment(pair, ana, stage)
        other = make_pair(pair.project, inference="")
        give(pair, ana, "neutral")
        give(pair, ana, "entailment", "neutral")
        give(pair, ana, "", "entailment")
        assert stored(pair) == stored(other) == ""
        assert acts() == [(ana.pk, "", "neutral"), (ana.pk, "neutral", "entailment"), (ana.pk, "entailment", "")]

    def test_a_request_that_is_repeated_changes_nothing(self, pair: Pair, stage: Stage, ana: User) -> None:
        make_assignment(pair, ana, stage)
        assert [give(pair, ana, "neutral"), give(pair, ana, "neutral")] == ["neutral", "neutral"]
        assert len(acts()) == 1

    def test_of_two_people_the_second_is_told_what_the_first_gave(
        self, pair: Pair, stage: Stage, ana: User, ben: User
    ) -> None:
        make_assignment(pair, ana, stage)
        make_assignment(pair, ben, stage, mode="blind")
        give(pair, ana, "neutral")
        with pytest.raises(ConflictError) as refused:
            give(pair, ben, "contradiction")
        assert (refused.value.theirs, refused.value.mine) == ({"inference": "neutral"}, {"inference": "contradiction"})
        with pytest.raises(NotYoursError, match="manager"):
            give(pair, ben, "contradiction", "neutral")
        assert (stored(pair), len(acts())) == ("neutral", 1)
        assert give(pair, make_member(pair.project, "manager"), "contradiction", "neutral", anybodys=True)
        assert stored(pair) == "contradiction"

    def test_a_label_of_files_stays(self, project: Project, stage: Stage, ana: User) -> None:
        pair = make_pair(project)
        make_assignment(pair, ana, stage)
        for anybodys in (False, True):
            with pytest.raises(ActionError, match="file"):
                give(pair, ana, "entailment", "neutral", anybodys=anybodys)
        assert (stored(pair), acts()) == ("neutral", [])

    def test_only_who_has_the_pair_to_tag_in_an_open_project(self, pair: Pair, stage: Stage, ana: User) -> None:
        with pytest.raises(NotYoursError):
            give(pair, ana, "neutral")
        make_assignment(pair, ana, stage)
        with pytest.raises(ActionError, match="not an inference label"):
            give(pair, ana, "perhaps")
        with pytest.raises(NotYoursError):
            label_pair(project=make_project("other"), pair=pair.pk, inference="neutral", seen="", by=ana)
        archive_project(project=pair.project, by=None)
        pair.project.refresh_from_db()
        with pytest.raises(ArchivedError):
            give(pair, ana, "neutral")
        assert (stored(pair), acts()) == ("", [])


class TestFiles:
    @pytest.mark.parametrize("written", ["", "-"])
    def test_a_pair_comes_in_without_a_label(self, project: Project, written: str) -> None:
        load(project, {"pairs.csv": CSV.format(written)}, dataset="rain")
        found = dict(Pair.objects.filter(dataset="rain").values_list("pair_id", "inference"))
        assert found == {"1": "entailment", "2": ""}

    def test_files_without_it_contradict_no_label_that_was_given(self, project: Project, ana: User) -> None:
        load(project, {"pairs.csv": CSV.format("")}, dataset="rain")
        pair = Pair.objects.get(pair_id="2")
        give(pair, ana, "neutral", anybodys=True)
        load(project, {"pairs.csv": CSV.format("")}, dataset="rain")
        assert stored(pair) == "neutral"
        with pytest.raises(ActionError, match="contradiction"):
            load(project, {"pairs.csv": CSV.format("contradiction")}, dataset="rain")
        assert stored(pair) == "neutral"

    def test_an_import_is_not_undone_over_a_label_that_was_given(self, project: Project, ana: User) -> None:
        load(project, {"pairs.csv": CSV.format("")}, dataset="rain")
        imported, pair = project.imports.get(), Pair.objects.get(pair_id="2")
        give(pair, ana, "neutral", anybodys=True)
        with pytest.raises(ActionError, match="1 item of this import"):
            undo_import(imported=imported, by=None)
        give(pair, ana, "", "neutral", anybodys=True)
        undo_import(imported=imported, by=None)
        assert not Pair.objects.exists()

    def test_the_published_layout_has_the_pair_once_it_has_a_label(self, ana: User) -> None:
        project = make_project("one", languages=("es",))
        pair = make_pair(project, inference="")
        for segment in (pair.premise, pair.hypothesis):
            make_gold(segment.units.get(), [])
        make_tag(pair, "relevant")
        with pytest.raises(MissingGoldError, match="no inference label"):
            gold_corpora(project, partial=False)
        found = gold_corpora(project, partial=True)
        assert [one.reason for one in found.left_out] == [WhyNotReleased(NotReleased.NO_INFERENCE)]
        assert found.corpora[0].tags == {"es": {}}
        give(pair, ana, "neutral", anybodys=True)
        written = gold_corpora(project, partial=False).corpora[0]
        assert ([one.inference for one in written.pairs], list(written.tags["es"].values())) == (
            ["neutral"],
            ["relevant"],
        )
