"""Several source languages: chosen for a new project, changed in the settings, and what the next step makes of them."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotator.core.access import project_for
from annotator.core.errors import ActionError
from annotator.dashboard.queries.next_step import NextStep, Step, next_step
from annotator.models import Event, Project, Role, User
from annotator.projects.actions.project_settings import add_language, change_settings, remove_language
from annotator.work.queue.queries.progress import project_progress
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_projection,
    make_segment,
    make_sentence,
    make_user,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def project() -> Project:
    return make_project(languages=("es", "en", "ca"))


@pytest.fixture
def mia(project: Project) -> User:
    return make_member(project, Role.MANAGER)


def change(project: Project, **sources: list[str]) -> Project:
    return change_settings(project=project, changes={"sources": sources}, by=None)


class TestNewProject:
    def test_two_of_three_languages_are_sources(self) -> None:
        form = {
            "name": "Three", "source": "es", "targets": ["en", "ca"], "start": "parallel", "sources": ["es", "en"],
            "choices_of": "",
        }  # fmt: skip
        answer = signed_in(make_user(superuser=True)).post(reverse("new-project"), form)
        assert answer.status_code == 302
        made = Project.objects.get(slug="three")
        assert {one: made.sources_of(one) for one in made.languages} == {"es": [], "en": [], "ca": ["es", "en"]}
        assert made.target_languages == ["ca"]
        reviewed = made.stages.filter(kind="project-review").values_list("language", flat=True)
        assert list(reviewed) == ["ca"]

    def test_without_a_choice_the_first_language_is_the_source(self) -> None:
        form = {"name": "Plain", "source": "es", "targets": ["en", "ca"], "start": "parallel", "choices_of": ""}
        signed_in(make_user(superuser=True)).post(reverse("new-project"), form)
        made = Project.objects.get(slug="plain")
        assert (made.sources, made.target_languages) == ({}, ["en", "ca"])

    def test_one_is_left_to_project_onto(self) -> None:
        form = {
            "name": "All", "source": "es", "targets": ["en", "ca"], "start": "parallel", "choices_of": "",
            "sources": ["es", "en", "ca"],
        }  # fmt: skip
        answer = signed_in(make_user(superuser=True)).post(reverse("new-project"), form)
        assert answer.status_code == 422
        assert "Keep at least one target language for projection." in answer.content.decode()
        assert not Project.objects.exists()

    def test_they_are_offered_where_there_is_a_choice(self) -> None:
        client = signed_in(make_user(superuser=True))

        def asked(**given: object) -> str:
            query = {"source": "es", "start": "parallel", "choices_of": "", **given}
            return client.get(reverse("new-project"), query, headers={"HX-Request": "true"}).content.decode()

        assert 'name="sources"' not in asked(targets=["ca"])
        assert 'id="sources-ca" value="ca"' in asked(targets=["en", "ca"])
        assert 'name="sources"' not in asked(targets=["en", "ca"], start="labels")

    def test_through_the_api_and_by_command(self) -> None:
        client = signed_in(make_user(superuser=True))
        sent = {"name": "Api", "languages": ["Spanish", "en", "ca"], "start": "parallel", "sources": ["es", "en"]}
        answer = client.post("/api/v1/projects/", sent, content_type="application/json")
        assert (answer.status_code, answer.json()["sources"]) == (200, {"es": [], "en": [], "ca": ["es", "en"]})
        sent |= {"name": "All", "sources": ["es", "en", "ca"]}
        refused = client.post("/api/v1/projects/", sent, content_type="application/json")
        assert refused.status_code == 400
        call_command("create_project", "cmd", languages="es,en,ca", labels="M", sources="es,en")
        made = Project.objects.get(slug="cmd")
        assert made.target_languages == ["ca"]
        stages = made.stages.filter(layer__slug="labels").exclude(kind="adjudicate").order_by("position")
        assert [(stage.kind, stage.language) for stage in stages] == [
            ("correct", "es"),
            ("correct", "en"),
            ("project-review", "ca"),
            ("correct", "ca"),
        ]
        assert set(Project.objects.values_list("slug", flat=True)) == {"api", "cmd"}


class TestSettings:
    def test_a_target_gets_a_second_source(self, project: Project, mia: User) -> None:
        client = signed_in(mia)
        url = reverse("settings-language", args=[project.slug, "ca"])
        page = client.get(url).content.decode()
        assert 'value="es"' in page
        answer = client.post(url, {"sources": ["es", "en"], "dictionaries": "", "function_words": ""})
        assert answer.status_code == 302
        project.refresh_from_db()
        assert project.sources_of("ca") == ["es", "en"]
        assert project.sources_of("en") == ["es"]
        event = Event.objects.get(verb="project.settings")
        assert event.after["sources"] == {"ca": ["es", "en"]}

    def test_a_language_without_sources_is_labelled_from_the_start(self, project: Project) -> None:
        after = change(project, en=[])
        assert (after.sources_of("en"), after.target_languages) == ([], ["ca"])

    def test_a_first_source_brings_a_stage_to_review(self, project: Project) -> None:
        after = change(project, en=[], es=["en"])
        assert after.target_languages == ["es", "ca"]
        assert project.stages.filter(kind="project-review", language="es").count() == 1

    @pytest.mark.parametrize(
        ("sources", "words"),
        [
            ({"ca": ["oc"]}, "not have the language “oc”"),
            ({"oc": ["es"]}, "not have the language “oc”"),
            ({"es": ["en"]}, "projected back onto it"),
            ({"es": ["ca"], "ca": ["en"]}, "projected back onto it"),
        ],
    )
    def test_what_cannot_be_is_refused(self, project: Project, sources: dict[str, list[str]], words: str) -> None:
        with pytest.raises(ActionError, match=words):
            change(project, **sources)
        project.refresh_from_db()
        assert project.sources == {}

    def test_a_source_whose_projections_stand_stays(self, project: Project) -> None:
        source = make_sentence(project)
        target = make_sentence(project, "El temps vola", language="ca", segment=source.segment)
        made = make_projection(source, target, [span(2)], [span(2)])
        with pytest.raises(ActionError, match="1 projection onto ca comes from es"):
            change(project, ca=["en"])
        made.is_current = False
        made.save()
        assert change(project, ca=["en"]).sources_of("ca") == ["en"]

    def test_a_language_that_goes_is_no_source_any_more(self, project: Project) -> None:
        change(project, en=[], ca=["es", "en"])
        after = remove_language(project=project, language="en", by=None)
        assert after.sources == {"ca": ["es"]}
        after, _job = add_language(project=project, language="gl", by=None)
        assert after.sources_of("gl") == ["es"]


class TestNextStep:
    def step(self, user: User, project: Project) -> NextStep:
        project = Project.objects.get(pk=project.pk)
        return next_step(project_for(user, project.slug), project_progress(project, user), {})

    def test_each_source_that_is_corrected_waits_to_be_projected(self, project: Project, mia: User) -> None:
        project.sources = {"en": [], "ca": ["es", "en"]}
        project.save()
        ana = make_member(project)
        segment = make_segment(project)
        spanish = make_sentence(project, segment=segment)
        english = make_sentence(project, "Time flies", language="en", segment=segment)
        catalan = make_sentence(project, "El temps vola", language="ca", segment=segment)
        make_assignment(english, ana, stage_of(project, "correct", "en"), done=True)
        make_annotation(english, ana, [span(1)])
        assert self.step(mia, project) == NextStep(Step.PROJECT, language="ca", source="en")

        make_projection(english, catalan, [span(2)], [span(1)])
        assert self.step(mia, project).step != Step.PROJECT
        make_assignment(spanish, ana, stage_of(project, "correct", "es"), done=True)
        make_annotation(spanish, ana, [span(2)])
        assert self.step(mia, project) == NextStep(Step.PROJECT, language="ca", source="es")
        page = signed_in(mia).get(reverse("project", args=[project.slug])).content.decode()
        assert "All sentences in Spanish (es) are corrected" in page

        make_projection(spanish, catalan, [span(2)], [span(2)])
        assert self.step(mia, project).step != Step.PROJECT
        make_gold(catalan, [span(2)])
        assert self.step(mia, project).step != Step.PROJECT
