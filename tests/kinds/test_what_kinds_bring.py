"""What a package of kinds may bring beside its kinds: starting points, file formats, parts of releases, tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.core.kind import kind_named, kinds
from annotator.core.permissions import Permission
from annotator.core.presets import LABELS, StageSpec, Start
from annotator.core.starts import STARTS, plain
from annotator.imports.drafts.preview import make_preview
from annotator.jobs import running as jobs
from annotator.models import Gold, Import, Item, JobState, Project, Role, Unit
from annotator.projects import jobs as project_jobs
from annotator.projects.actions import stages
from annotator.projects.actions.project_settings import add_language
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.tables import FURTHER
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.gold.queries.left_out import MissingGoldError
from annotator.work.queue.queries.progress import stage_progress
from tests.clients import client_of
from tests.drafts import draft_of, everything, load
from tests.factories import make_gold, make_member, make_sentence, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy_kinds")]


@pytest.fixture(autouse=True)
def folder_for_uploads(uploads: Path) -> None:
    """Drafts of imports are kept there."""


@pytest.fixture
def start() -> Start:
    return STARTS["toy-texts"]


def test_every_kind_that_is_made_from_another_says_what_comes_first() -> None:
    made = [kind.slug for kind in kinds() if not kind.intake.standalone and not kind.slug.startswith("toy-")]
    assert "categories" in made
    assert [slug for slug in made if not kind_named(slug).intake.empty_reason] == []


def test_a_starting_point_brings_its_stages_in_every_language(start: Start) -> None:
    project = create_project(slug="toys", preset=start.preset(["es", "en"]), by=None)
    stages = project.stages.values_list("kind", "language", "made_from__kind", "answers_wanted", "layer__slug")
    assert list(stages) == [
        (kind, language, before, wanted, layer)
        for language in ("es", "en")
        for kind, before, wanted, layer in (
            ("toy-write", None, 1, "texts"),
            ("toy-vote", "toy-write", 2, "votes"),
            ("adjudicate", None, 1, "votes"),
        )
    ]
    add_language(project=project, language="ca", by=None)
    further = project.stages.filter(language="ca").values_list("kind", "made_from__kind", "made_from__language")
    assert list(further) == [("toy-write", None, None), ("toy-vote", "toy-write", "ca"), ("adjudicate", None, None)]


def test_the_form_for_a_new_project_offers_it_and_draws_its_stages(start: Start, client: Client) -> None:
    client.force_login(make_user("mara"))
    page = client.get(reverse("new-project"), {"start": "toy-texts"}).content.decode()
    assert "Written, voted on." in page
    sent = {"start": "toy-texts", "source": "es"}
    drawn = client.get(reverse("new-project"), sent, headers={"HX-Request": "true"}).content.decode()
    assert "by 2 people" in drawn
    assert drawn.index("Write</th>") < drawn.index("Vote</th>") < drawn.index("Adjudicate</th>")
    assert "Kind of texts" not in drawn, "there is nothing to choose"
    made = client.post(
        reverse("new-project"), {**sent, "name": "Toys", "steps": ["correct"], "choices_of": "toy-texts"}
    )
    assert made.status_code == 302
    assert [stage.kind for stage in Project.objects.get().stages.all()] == ["toy-write", "toy-vote", "adjudicate"]


class TestAStageMadeFromAnother:
    @pytest.fixture
    def project(self) -> Project:
        project = create_project(slug="toys", preset=plain(["es", "en"], ["METAPHOR"]), by=None)
        add_stages(project=project, specs=[StageSpec("toy-write", "es")], by=None)
        return project

    def test_it_is_added_in_the_settings_with_what_was_answered_before(self, project: Project, client: Client) -> None:
        ana, mara = make_member(project), make_member(project, Role.MANAGER)
        make_sentence(project, "El tiempo vuela")
        write = project.stages.get(kind="toy-write")
        call = client_of(ana).post(f"/api/v1/projects/toys/stages/{write.pk}/claim/", {"count": 1}).json()["items"]
        (item,) = [row["id"] for row in call]
        text = {"text": "Corre"}
        save_annotation(
            project=project, assignment=item, version=0, content=text, done=True, by=ana, now=timezone.now()
        )
        client.force_login(mara)
        page = client.get(reverse("settings-stages", args=["toys"])).content.decode()
        assert "Vote, made from: Write" in page
        assert '<option value="toy-vote">' not in page, "it cannot stand by itself"
        sent: dict[str, str | int] = {"what": "toy-vote<toy-write", "language": "es", "answers_wanted": 2}
        assert client.get(reverse("settings-stage-add", args=["toys"]), sent).status_code == 200
        client.post(reverse("settings-stage-add", args=["toys"]), sent)
        vote = project.stages.get(kind="toy-vote")
        assert vote.made_from == write
        assert [row.unit.tokens for row in Item.objects.filter(stage=vote)] == [["Corre"]]

    @pytest.mark.django_db(transaction=True)
    def test_many_answers_become_its_units_in_a_job(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stages, "MAX_INLINE", 2)
        monkeypatch.setattr(project_jobs, "MAKE_CHUNK", 2)
        ana = make_member(project)
        texts = ("Corre", "Anda", "Vuela")
        for text in texts:
            make_sentence(project, f"El tiempo pasa: {text}")
        write = project.stages.get(kind="toy-write")
        path = f"/api/v1/projects/toys/stages/{write.pk}/claim/"
        for text, row in zip(texts, client_of(ana).post(path, {"count": 3}).json()["items"], strict=True):
            save_annotation(
                project=project,
                assignment=row["id"],
                version=0,
                content={"text": text},
                done=True,
                by=ana,
                now=timezone.now(),
            )
        job = add_stages(project=project, specs=[StageSpec("toy-vote", "es", made_from="toy-write")], by=None)
        assert job is not None
        vote = project.stages.get(kind="toy-vote")
        assert not Item.objects.filter(stage=vote).exists()
        jobs.run_job(job.pk, worker="test")
        job.refresh_from_db()
        assert (job.state, job.error) == (JobState.DONE, "")
        made = Unit.objects.filter(kind="text", is_current=True).order_by("pk")
        assert [unit.text for unit in made] == list(texts)
        assert list(Item.objects.filter(stage=vote).order_by("pk").values_list("unit", flat=True)) == [
            unit.pk for unit in made
        ]
        assert stage_progress(vote).total == 3

    @pytest.mark.parametrize(
        ("spec", "why"),
        [
            (StageSpec("toy-vote", "es"), "Choose the stage"),
            (StageSpec("toy-vote", "en", made_from="toy-write"), "cannot be made from"),
            (StageSpec("toy-vote", "es", made_from="correct"), "cannot be made from"),
        ],
    )
    def test_it_is_refused_where_nothing_fits(self, project: Project, spec: StageSpec, why: str) -> None:
        with pytest.raises(ActionError, match=why):
            add_stages(project=project, specs=[spec], by=None)
        assert not project.stages.filter(kind="toy-vote").exists()


class TestAFileFormat:
    @pytest.fixture
    def project(self, start: Start) -> Project:
        return create_project(slug="toys", preset=start.preset(["es"]), by=None)

    def test_its_rows_become_units_of_its_kind_with_gold(self, project: Project) -> None:
        load(project, {"a.voted": "Las horas corren\tgood\r\nNadie habla\tbad\r\n"}, files={"1": {"language": "es"}})
        units = list(Unit.objects.filter(project=project).order_by("pk"))
        assert [(unit.kind, unit.segment.kind, unit.text) for unit in units] == [
            ("text", "text", "Las horas corren"),
            ("text", "text", "Nadie habla"),
        ]
        golds = Gold.objects.filter(layer__slug="votes").order_by("unit")
        assert [(gold.source, gold.content) for gold in golds] == [
            ("imported", {"value": "good"}),
            ("imported", {"value": "bad"}),
        ]
        (file,) = Import.objects.get().files
        assert (file["format"], file["layout"]) == ("toy-voted", {"ends": "\r\n"})
        assert not Item.objects.filter(stage__kind="toy-write").exists()

    def test_a_layer_that_is_not_there_is_said_to_be_left_out(self, project: Project) -> None:
        other = create_project(slug="other", preset=plain(["es"], ["METAPHOR"]), by=None)
        draft = draft_of(other, {"a.voted": "Las horas corren\tgood\n"}, files={"1": {"language": "es"}})
        assert "votes: 1" in json.dumps(make_preview(draft)["problems"])

    def test_what_its_content_type_refuses_is_named_with_file_and_line(self, project: Project) -> None:
        before = everything()
        with pytest.raises(ActionError, match=r"a\.voted.*“great” cannot be chosen") as refused:
            load(project, {"a.voted": "Corre\tgood\nAnda\tgreat\n"}, files={"1": {"language": "es"}})
        assert ":2:" in str(refused.value)
        assert everything() == before


class TestReleases:
    @pytest.fixture
    def project(self, start: Start) -> Project:
        project = create_project(slug="toys", preset=start.preset(["es"]), by=None)
        load(project, {"a.voted": "Corre\tgood\n"}, files={"1": {"language": "es"}})
        return project

    def test_a_part_is_released_where_nothing_is_labelled(self, project: Project) -> None:
        released = release_files(project, partial=False)
        assert released.files["votes.tsv"] == b"Corre\tgood\n"
        assert "| `votes.tsv` | texts with their votes |" in released.files["README.md"].decode()
        assert not any(path.startswith(("detection/", "hub/")) for path in released.files)
        assert released.manifest["files"]["votes.tsv"]["bytes"] == 11

    def test_what_is_not_decided_makes_it_incomplete(self, project: Project) -> None:
        load(project, {"b.voted": "Anda\tgood\n"}, files={"1": {"language": "es"}}, labels_as="none", dataset="b")
        with pytest.raises(MissingGoldError, match="Gold is not complete"):
            release_files(project, partial=False)
        released = release_files(project, partial=True)
        assert [one["id"] for one in released.left_out] == [Unit.objects.get(tokens=["Anda"]).segment.uid]
        assert b"no vote" in released.files["left_out.tsv"]

    def test_labels_are_still_asked_for_where_there_are_some(self, project: Project) -> None:
        make_gold(make_sentence(project, "El tiempo vuela", language="es"))
        assert any(path.startswith("detection/") for path in release_files(project, partial=True).files)
        Gold.objects.filter(layer__slug=LABELS).delete()
        assert not any(path.startswith("detection/") for path in release_files(project, partial=True).files)


def test_a_table_is_shown_and_released_where_it_has_rows(start: Start, client: Client) -> None:
    project = create_project(slug="toys", preset=start.preset(["es"]), by=None)
    client.force_login(make_member(project))
    address = reverse("reports", args=["toys"])
    assert "How many there are." not in client.get(address).content.decode()
    load(project, {"a.voted": "Corre\tgood\n"}, files={"1": {"language": "es"}})
    assert "How many there are." in client.get(address).content.decode()
    assert client.get(reverse("report-json", args=["toys", "toy-votes"])).json() == [{"name": "all", "texts": 1}]
    assert json.loads(release_files(project, partial=True).files["statistics/toy-votes.json"])[0]["texts"] == 1


AFTER_ADJUDICATION = {
    "category-agreement", "validation", "valid-pairs", "repeated", "ratings", "expression-ratings", "best-worst",
    "expression-best-worst", "both", "toy-agreement",
}  # fmt: skip


def test_tables_that_tell_what_others_answered_are_for_those_who_adjudicate(start: Start, client: Client) -> None:
    assert {kind for kind, one in FURTHER.items() if one.needs == Permission.ADJUDICATE} == AFTER_ADJUDICATION
    project = create_project(slug="toys", preset=start.preset(["es"]), by=None)
    page = reverse("reports", args=["toys"])
    files = [reverse(name, args=["toys", "toy-agreement"]) for name in ("report-json", "report-csv", "report-tex")]
    for role, status in ((Role.ANNOTATOR, 403), (Role.ADJUDICATOR, 200), (Role.MANAGER, 200)):
        client.force_login(make_member(project, role))
        assert ("What others chose." in client.get(page).content.decode()) == (status == 200)
        assert [client.get(file).status_code for file in files] == [status] * 3
    client.force_login(make_user())
    assert [client.get(file).status_code for file in files] == [404] * 3
