from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.models import Job, JobKind, JobState, Project, Role
from tests.factories import make_member, make_project, make_sentence, stage_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(client: Client) -> Project:
    project = make_project("letters")
    client.force_login(make_member(project, Role.MANAGER))
    return project


def make_job(project: Project, state: str, **more: object) -> Job:
    return Job.objects.create(project=project, kind=JobKind.PREDICT, state=state, **more)


def url(job: Job, name: str = "job") -> str:
    return reverse(name, args=[job.project.slug, job.pk])


def test_a_running_job_shows_progress_speed_and_time_left(client: Client, project: Project) -> None:
    job = make_job(project, JobState.RUNNING, total=1000, done=500, started_at=timezone.now() - timedelta(seconds=100))

    page = client.get(url(job)).content.decode()

    assert "500 / 1,000" in page
    assert "a second" in page
    # By the clock: where a page takes its time, it is a little more.
    assert re.search(r"1 min 4\d s left", page)
    assert 'hx-trigger="every 2s"' in page


def test_the_page_is_loaded_anew_when_its_job_ends(client: Client, project: Project) -> None:
    running, ended = make_job(project, JobState.RUNNING), make_job(project, JobState.DONE)

    assert "HX-Refresh" not in client.get(url(running), headers={"HX-Request": "true"}).headers
    assert client.get(url(ended), headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    assert "hx-trigger" not in client.get(url(ended)).content.decode()


def test_a_waiting_job_says_that_nobody_listens(client: Client, project: Project) -> None:
    page = client.get(url(make_job(project, JobState.QUEUED))).content.decode()

    assert "No worker listens" in page


def test_a_failed_job_says_why_and_can_be_gone_on_with(client: Client, project: Project) -> None:
    job = make_job(project, JobState.FAILED, error="detection/es/a_prem.tsv:3: expected a tab")

    page = client.get(url(job)).content.decode()
    client.post(url(job, "job-retry"))

    assert "detection/es/a_prem.tsv:3: expected a tab" in page
    assert url(job, "job-retry") in page
    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.QUEUED, "")


def test_cancelling_stops_a_running_job_and_a_finished_one_says_no(client: Client, project: Project) -> None:
    running, done = make_job(project, JobState.RUNNING), make_job(project, JobState.DONE)

    client.post(url(running, "job-cancel"))
    refused = client.post(url(done, "job-cancel"), follow=True).content.decode()

    running.refresh_from_db()
    done.refresh_from_db()
    assert (running.state, done.state) == (JobState.CANCELLED, JobState.DONE)
    assert "cannot be cancelled" in refused


def test_an_import_lists_numbers_and_warnings(client: Client, project: Project) -> None:
    dataset = {
        "dataset": "letters_dev",
        "changed": True,
        "counts": {"sentences es": {"new": 12, "known": 3}},
        "differing": ["letters:prem:1"],
        "outdated": [],
        "missing_languages": ["en"],
        "warnings": ["a.tsv:7: CR LF"],
    }
    job = Job.objects.create(project=project, kind=JobKind.IMPORT, state=JobState.DONE, result={"datasets": [dataset]})

    page = client.get(url(job)).content.decode()

    for words in ("letters_dev", "12", "letters:prem:1", "a.tsv:7: CR LF", "no sentences in: English (en)"):
        assert words in page


def words_of(page: str, tag: str) -> list[str]:
    return [unescape(found).strip() for found in re.findall(rf"<{tag}[^>]*>([^<]*)</{tag}>", page)]


def test_what_an_import_brought_is_named_in_words(client: Client, project: Project) -> None:
    names = ("segments", "sentences es", "gold labels es", "gold categories inapt en", "gold pair tags es",
             "annotations by ana maria", "suggestions by crf")  # fmt: skip
    counts = {name: {"new": 1450, "known": 0} for name in names} | {"pairs": {"new": 0, "known": 0}}
    dataset = {"dataset": "own", "changed": True, "counts": counts, "missing_languages": ["en"]}
    job = Job.objects.create(project=project, kind=JobKind.IMPORT, state=JobState.DONE, result={"datasets": [dataset]})

    page = client.get(url(job)).content.decode()

    assert words_of(page, "th")[3:] == [
        "Segments", "Sentences: Spanish (es)", "Gold labels: Spanish (es)", "Gold in “Inapt words”: English (en)",
        "Gold pair tags: Spanish (es)", "Annotations by ana maria", "Suggestions by crf",
    ]  # fmt: skip
    assert words_of(page, "td") == ["1,450", "0"] * len(names)
    assert "no sentences in: English (en)" in page


def test_settings_and_results_are_in_words(client: Client, project: Project) -> None:
    def told(kind: JobKind, params: dict[str, object], result: dict[str, object]) -> dict[str, str]:
        job = Job.objects.create(project=project, kind=kind, state=JobState.DONE, params=params, result=result)
        page = client.get(url(job)).content.decode()
        return dict(zip(words_of(page, "dt"), words_of(page, "dd"), strict=True))

    stage, sentence = stage_of(project, "correct"), make_sentence(project)
    assert told(JobKind.FILL, {"stage": stage.pk}, {"total": 1450}) == {
        "Stage": "Correct labels (es)",
        "Total": "1,450",
    }
    changed = {"annotations changed": 2, "gold changed": 1, "gold reopened": 0}
    assert told(JobKind.RELABEL, {"layer": stage.layer_id, "change": {"mapping": {"A": "B"}}}, changed) == {
        "Annotations changed": "2", "Gold changed": "1", "Gold reopened": "0", "Layer": "Labels on tokens",
    }  # fmt: skip
    route = {"source": "es", "target": "en", "aligner": "lexical", "labels": "gold"}
    assert told(JobKind.REVISE, {"unit": sentence.pk, "detector": "", "projections": [route]}, {}) == {
        "Unit": sentence.text, "Projections": "Spanish (es) → English (en)",
    }  # fmt: skip
    assert told(JobKind.TRAIN, {"language": "es", "engine": "crf"}, {"finished_sentences": 1450, "f1": 64.5}) == {
        "Sentences done at the start": "1,450", "F1": "64.5", "Language": "Spanish (es)", "Engine": "crf",
    }  # fmt: skip
    assert told(JobKind.WORDS, {"language": "es", "words": "5d41"}, {"sentences": 3}) == {
        "Sentences": "3", "Language": "Spanish (es)",
    }  # fmt: skip
    # What the settings name may be gone.
    assert told(JobKind.FILL, {"stage": 0}, {}) == {}


def test_where_an_upload_lies_is_not_shown(client: Client, project: Project) -> None:
    job = Job.objects.create(
        project=project, kind=JobKind.IMPORT, params={"path": "0f3a.zip", "labels": "gold", "dataset": ""}
    )

    page = client.get(url(job)).content.decode()

    assert "0f3a.zip" not in page
    assert "gold" in page


def test_the_list_has_the_newest_first_and_pages(client: Client, project: Project) -> None:
    jobs = [make_job(project, JobState.DONE) for _number in range(26)]
    address = reverse("jobs", args=["letters"])

    first, second = client.get(address).content.decode(), client.get(address + "?page=2").content.decode()

    assert f"#{jobs[-1].pk}<" in first
    assert f"#{jobs[0].pk}<" not in first
    assert f"#{jobs[0].pk}<" in second
