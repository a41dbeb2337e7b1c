"""The pages of agreement of several people: who sees them, what is computed at once, what a job does, and the files."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.jobs.running import run_job
from annotator.models import AgreementStudy, Annotation, Job, JobKind, Mode, Project, Role, User
from annotator.reports.queries.studies import stored
from tests.factories import (
    make_annotation,
    make_assignment,
    make_member,
    make_project,
    make_sentence,
    make_user,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db

PAGE = reverse("studies", args=["letters"])
COMPUTE = reverse("study-compute", args=["letters"])
CHOICE: dict[str, Any] = {"people": ["ana", "ben", "cai"], "layer": "tokens", "language": "es"}
PARTS = ("coefficients", "people", "strata", "suggestions", "consistency", "words")


@pytest.fixture
def people(project: Project) -> list[User]:
    """Three people who share twelve sentences, in which they differ now and then."""
    found = [make_member(project, username=name) for name in ("ana", "ben", "cai")]
    for number in range(12):
        sentence = make_sentence(project, "Uno corre mientras vuela")
        for at, user in enumerate(found):
            mode = Mode.BLIND if at else Mode.REVIEW
            make_assignment(sentence, user, stage_of(project, "correct"), mode=mode, done=True)
            labels = [span(1), *([span(3)] if (number + at) % 4 == 0 else [])]
            make_annotation(sentence, user, labels, mode=mode)
    return found


@pytest.fixture
def judge(project: Project) -> User:
    return make_member(project, Role.ADJUDICATOR, "judge")


def text_of(client: Client, url: str, **query: str) -> str:
    answer = client.get(url, query)
    assert answer.status_code == 200, answer.content
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.usefixtures("people")
class TestPages:
    def test_few_items_are_computed_at_once_and_stored(self, client: Client, judge: User) -> None:
        client.force_login(judge)
        assert "Compute agreement" in text_of(client, PAGE)
        assert not AgreementStudy.objects.exists()

        answer = client.post(COMPUTE, CHOICE)

        study = AgreementStudy.objects.get()
        assert answer["Location"] == reverse("study", args=["letters", study.pk])
        assert (study.computed_by, study.units, study.seed, study.resamples) == (judge, 12, 1, 1000)
        assert not Job.objects.exists()
        assert "ana, ben, cai" in text_of(client, PAGE)

    def test_each_part_is_a_page_without_scripts(self, client: Client, judge: User) -> None:
        client.force_login(judge)
        url = client.post(COMPUTE, CHOICE)["Location"]
        told = {part: text_of(client, url, part=part) for part in PARTS}
        assert "Krippendorff&#x27;s α" in told["coefficients"]
        assert "Content words" in told["coefficients"]
        assert '<p class="paper" lang="es" translate="no">' in told["coefficients"]
        assert "?a=ana&amp;b=cai&amp;layer=tokens&amp;language=es" in told["people"]
        assert "matrix-kappa" in told["people"]
        assert "Order of work" in told["strata"]
        assert "No item was answered both with and without a suggestion" in told["suggestions"]
        assert "People against themselves" in told["consistency"]
        assert f"{reverse('find', args=['letters'])}?q=volar" in told["words"]
        assert "For a paper" in text_of(client, url, part="nonsense")

    def test_the_paragraph_says_who_and_what_the_figures_rest_on(
        self, client: Client, project: Project, judge: User
    ) -> None:
        """Somebody who has nothing in common with the others is none of the people."""
        make_member(project, username="dan")
        Annotation.objects.filter(user__username="ana", unit__in=project.units.all()[:5]).update(shown=[1])
        client.force_login(judge)
        url = client.post(COMPUTE, {**CHOICE, "people": ["ana", "ben", "cai", "dan"]})["Location"]
        told = text_of(client, url, part="coefficients")
        assert "Agreement of 3 people was measured over 12 items (48 tokens). In 5 of them, somebody had seen" in told
        assert "El acuerdo de 3 personas se midió sobre 12 elementos (48 palabras)." in told

    def test_a_job_computes_many(
        self, client: Client, project: Project, judge: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(stored, "MAX_INLINE", 11)
        client.force_login(judge)
        client.post(COMPUTE, CHOICE)
        (job,) = project.jobs.all()
        assert (job.kind, job.created_by) == (JobKind.STUDY, judge)
        assert "The agreement is being computed." in text_of(client, PAGE)
        client.force_login(User.objects.get(username="ana"))
        told = text_of(client, reverse("job", args=["letters", job.pk]))
        assert "sentences or items" in told
        assert not any(name in told for name in ("cai", str(job.params["people"])))
        client.force_login(judge)

        run_job(job.pk, worker="one")

        study = AgreementStudy.objects.get()
        assert study.units == 12
        monkeypatch.setattr(stored, "MAX_INLINE", 12)
        assert client.post(COMPUTE, CHOICE)["Location"] == reverse("study", args=["letters", study.pk])

    @pytest.mark.parametrize(
        ("wrong", "told"),
        [
            ({"people": ["ana"]}, "Choose from 2 to 20 people"),
            ({"people": ["ana", "nobody"]}, "nobody"),
            ({"resamples": "100000"}, "10000"),
            ({"cluster": "letters"}, "letters"),
        ],
    )
    def test_a_choice_that_makes_no_sense_stores_nothing(
        self, client: Client, judge: User, wrong: dict[str, Any], told: str
    ) -> None:
        client.force_login(judge)
        answer = client.post(COMPUTE, {**CHOICE, **wrong}, follow=True)
        assert told in answer.content.decode()
        assert not AgreementStudy.objects.exists()
        assert not Job.objects.exists()

    def test_files_have_the_numbers_of_the_study(self, client: Client, judge: User) -> None:
        client.force_login(judge)
        client.post(COMPUTE, CHOICE)
        study = AgreementStudy.objects.get()
        files = {
            ending: client.get(reverse(f"study-{ending}", args=["letters", study.pk])).content.decode()
            for ending in ("json", "csv", "tex")
        }
        told = json.loads(files["json"])
        assert told["results"] == study.results
        assert (told["people"], told["sha256"]) == (["ana", "ben", "cai"], study.sha256)
        rows = list(csv.DictReader(io.StringIO(files["csv"])))
        assert len(rows) == len(study.results["rows"])
        assert [float(row["value"]) if row["value"] else None for row in rows] == [
            row["value"] for row in study.results["rows"]
        ]
        assert {(row["first"], row["second"]) for row in rows} >= {("ana", "ben"), ("", "")}
        assert r"\begin{tabular}" in files["tex"]
        assert r"$\kappa$" in files["tex"] and "κ" not in files["tex"]


@pytest.mark.usefixtures("people")
class TestWhoSees:
    def stored(self, judge: User) -> AgreementStudy:
        client = Client()
        client.force_login(judge)
        client.post(COMPUTE, CHOICE)
        return AgreementStudy.objects.get()

    def addresses(self, study: AgreementStudy) -> list[str]:
        files = [reverse(f"study-{ending}", args=["letters", study.pk]) for ending in ("json", "csv", "tex")]
        page = reverse("study", args=["letters", study.pk])
        return [PAGE, *files, *(f"{page}?part={part}" for part in PARTS)]

    def test_nothing_is_told_to_anyone_who_still_answers_blind(
        self, client: Client, project: Project, judge: User
    ) -> None:
        study = self.stored(judge)
        make_assignment(make_sentence(project), judge, stage_of(project, "correct"), mode=Mode.BLIND)
        client.force_login(judge)
        for address in self.addresses(study):
            answer = client.get(address)
            assert answer.status_code == 403, address
            assert not any(told in answer.content.decode() for told in ("ana", "12 items", study.sha256)), address
        assert client.post(COMPUTE, CHOICE).status_code == 403
        assert AgreementStudy.objects.count() == 1

    def test_members_are_refused_and_outsiders_find_nothing(
        self, client: Client, people: list[User], judge: User
    ) -> None:
        study = self.stored(judge)
        for user, status in ((people[0], 403), (make_user(), 404)):
            client.force_login(user)
            assert {client.get(address).status_code for address in self.addresses(study)} == {status}
            assert client.post(COMPUTE, CHOICE).status_code == status

    def test_another_project_has_none_of_it(self, client: Client, judge: User) -> None:
        study = self.stored(judge)
        other = make_project("notes")
        other.memberships.create(user=judge, role=Role.MANAGER)
        client.force_login(judge)
        assert client.get(reverse("study", args=["notes", study.pk])).status_code == 404
