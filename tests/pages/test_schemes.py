"""What pages make of schemes: comparing and releasing under a mapping, the vocabulary, the legend."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.domain.labels.shipped_schemes import MIPVU, conceptual_domains
from annotator.models import Annotation, Job, Layer, Project, Role, Term, User
from annotator.work.lexicon.actions.terms import count_terms
from tests.factories import (
    make_annotation,
    make_gold,
    make_label_layer,
    make_member,
    make_project,
    make_sentence,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = make_project()
    Layer.objects.filter(pk=project.label_layer.pk).update(scheme_data=MIPVU.to_json())
    return Project.objects.get(pk=project.pk)


@pytest.fixture
def mara(project: Project, client: Client) -> User:
    user = make_member(project, Role.MANAGER, "mara")
    client.force_login(user)
    return user


def get(client: Client, name: str, project: Project, **query: str) -> str:
    answer = client.get(reverse(name, args=[project.slug]), query)
    assert answer.status_code == 200
    return answer.content.decode()


class TestAgreement:
    @pytest.fixture(autouse=True)
    def _two(self, project: Project) -> None:
        sentence = make_sentence(project)
        make_annotation(sentence, make_member(project, username="ana"), [span(1, label="DIRECT")])
        make_annotation(sentence, make_member(project, username="ben"), [span(1, label="INDIRECT")])

    def ask(self, client: Client, project: Project, **more: str) -> str:
        return get(client, "agreement", project, a="ana", b="ben", language="es", **more)

    def test_labels_are_taken_for_what_the_mapping_says_and_the_page_says_so(
        self, client: Client, project: Project, mara: User
    ) -> None:
        page = self.ask(client, project, layer="tokens", mapping="metaphor")
        assert "DIRECT → METAPHOR" in page
        assert "MFLAG → –" in page
        assert "DIRECT → METAPHOR" not in self.ask(client, project, layer="tokens")

    def test_a_mapping_of_another_layer_is_refused_in_words(self, client: Client, project: Project, mara: User) -> None:
        assert "does not apply to what is compared" in self.ask(client, project, layer="pairs", mapping="metaphor")
        assert "does not apply to what is compared" in self.ask(client, project, layer="pairs", dimension="sentence")

    def test_a_plain_scheme_has_nothing_to_choose(self, client: Client) -> None:
        plain = make_project()
        client.force_login(make_member(plain, Role.MANAGER))
        page = get(client, "agreement", plain)
        assert 'name="mapping"' not in page
        assert 'name="dimension"' not in page


def test_a_release_is_started_under_a_mapping(client: Client, project: Project, mara: User) -> None:
    make_gold(make_sentence(project))
    assert 'name="mapping"' in get(client, "releases", project)
    address = reverse("release-start", args=[project.slug])
    client.post(address, {"partial": "on", "mapping": "other"})
    assert not Job.objects.exists()
    client.post(address, {"partial": "on", "mapping": "metaphor"})
    params = Job.objects.get().params
    assert (params["partial"], params["mapping"]) == (True, "metaphor")


def test_the_workspace_explains_every_label_and_links_to_the_guidelines(
    client: Client, project: Project, mara: User
) -> None:
    data = MIPVU.to_json()
    data["details"]["DIRECT"]["anchor"] = "section-3"
    Layer.objects.filter(project=project, slug="labels").update(scheme_data=data)
    stage = stage_of(project, "correct")
    page = client.get(reverse("work", args=[project.slug, stage.pk])).content.decode()
    assert "similes, analogies" in page
    assert f"{reverse('guidelines', args=[project.slug])}#section-3" in page
    assert 'data-colour="violet"' in page


class TestVocabulary:
    @pytest.fixture
    def domains(self, project: Project) -> Layer:
        layer = make_label_layer(project, "domains", conceptual_domains())
        for source in ("Journey", "JOURNEY", "JOURNEY", "WAR"):
            said = {**span(0, label="CONCEPTUAL"), "attributes": {"source": source}}
            Annotation.objects.create(
                project=project,
                unit=make_sentence(project),
                layer=layer,
                user=make_member(project),
                content={"spans": [said]},
            )
            count_terms(layer, None, {"spans": [said]})
        return layer

    def merge(self, client: Client, project: Project, **asked: str) -> Any:
        address = reverse("terms-merge", args=[project.slug, "domains"])
        return client.post(address, {"attribute": "source", **asked}, follow=True).content.decode()

    def test_near_duplicates_are_offered_to_managers_and_merged(
        self, client: Client, project: Project, mara: User, domains: Layer
    ) -> None:
        assert get(client, "guidelines", project).count(reverse("terms", args=[project.slug])) == 1
        assert "Merge “Journey” into “JOURNEY”" in get(client, "terms", project)
        page = self.merge(client, project, term="Journey", into="JOURNEY")
        assert "Labels: 1, answers: 1, gold: 0." in page
        assert "Similar terms" not in page
        assert dict(Term.objects.values_list("text", "uses")) == {"JOURNEY": 3, "WAR": 1}

    def test_a_term_that_is_not_there_changes_nothing(
        self, client: Client, project: Project, mara: User, domains: Layer
    ) -> None:
        before = list(Annotation.objects.values())
        assert "“PEACE” is not in the vocabulary." in self.merge(client, project, term="WAR", into="PEACE")
        assert list(Annotation.objects.values()) == before

    def test_members_read_and_do_not_merge(self, client: Client, project: Project, domains: Layer) -> None:
        client.force_login(make_member(project))
        page = get(client, "terms", project)
        assert "Similar terms" in page
        assert "<form" not in page.split('id="main"')[1]
