"""A release while gold is missing: what is missing is said before anything starts, and a part can be released."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse

from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Import, JobKind, Project, Release, Role, Unit
from annotator.releases.queries.exports import release_files
from annotator.work.gold.queries.left_out import MissingGoldError
from tests.factories import (
    choice,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_sentence,
    unit_of,
)

# A snapshot is a transaction of its own.
pytestmark = pytest.mark.django_db(transaction=True)
LIST, START = reverse("releases", args=["letters"]), reverse("release-start", args=["letters"])


@pytest.fixture
def started(project: Project) -> Project:
    """Three pairs in Spanish and English: one is decided in both, one in Spanish alone, one not at all."""
    pairs = [make_pair(project) for _number in range(3)]
    for number, pair in enumerate(pairs):
        for segment in (pair.premise, pair.hypothesis):
            spanish = Unit.objects.get(segment=segment, language="es")
            english = make_sentence(project, "Time flies", language="en", segment=segment)
            for sentence in [spanish, english][: 2 - number]:
                make_gold(sentence)
        for unit in [unit_of(pair), make_pair_unit(pair, "en")][: 2 - number]:
            make_gold(unit, content=choice("relevant"))
    return project


@pytest.fixture
def manager(client: Client, started: Project) -> Client:
    client.force_login(make_member(started, Role.MANAGER))
    return client


class TestBefore:
    def test_what_is_missing_is_counted_by_language_with_a_way_to_it(self, manager: Client) -> None:
        page = " ".join(manager.get(LIST).text.split())

        for language, sentences, pairs in (("es", 2, 1), ("en", 4, 2)):
            link = f'href="{reverse("find", args=["letters"])}?language={language}&amp;gold=no"'
            assert f"<a {link}>{sentences} sentences without gold</a>" in page
            assert re.search(rf"\b{pairs} pairs? without gold", page)
            found = manager.get(reverse("find", args=["letters"]), {"language": language, "gold": "no"})
            assert len(found.context["rows"]) == sentences

    def test_a_complete_release_is_not_started_and_a_part_is_offered(self, manager: Client, started: Project) -> None:
        answer = manager.post(START, {"comments": "on"})

        assert answer.status_code == 422
        assert not started.jobs.exists()
        assert "Nothing was started" in answer.text
        assert re.search(r'<button[^>]* name="partial" value="on">Release what is gold</button>', answer.text)
        assert re.search(rf'<a [^>]*href="{LIST}">Cancel</a>', answer.text)
        assert re.search(r'name="comments"[^>]* checked', answer.text)

        manager.post(START, {"partial": "on", "comments": "on"})
        job = started.jobs.get()
        assert (job.params["partial"], job.params["comments"]) == (True, True)

    def test_texts_that_may_not_be_published_are_not_missed(self, manager: Client, started: Project) -> None:
        Import.objects.create(project=started, dataset="set", publishable=False)

        manager.post(START, {})

        assert started.jobs.get().params["partial"] is False

    def test_it_is_for_managers(self, client: Client, started: Project) -> None:
        client.force_login(make_member(started, Role.ADJUDICATOR))

        assert client.post(START, {}).status_code == 403
        assert not started.jobs.exists()


class TestWhereItFailed:
    def test_the_message_counts_and_names_one_of_each(self, started: Project) -> None:
        with pytest.raises(MissingGoldError) as raised:
            release_files(started, partial=False)

        text = str(raised.value)
        assert "4 sentences: set:" in text
        assert "2 pairs: " in text
        assert text.count("set:") == 1

    def test_the_job_leads_to_what_is_missing_and_not_to_the_same_again(
        self, manager: Client, started: Project
    ) -> None:
        job = start_job(project=started, kind=JobKind.RELEASE, params={"partial": False}, by=None)
        run_job(job.pk, worker="one")

        page = manager.get(reverse("job", args=["letters", job.pk])).text

        assert "Gold is not complete" in page
        assert "Go on with it" not in page
        assert f'href="{LIST}">Back to the releases</a>' in page


class TestNumbers:
    def test_page_files_and_readme_say_the_same(self, manager: Client, started: Project) -> None:
        job = start_job(project=started, kind=JobKind.RELEASE, params={"partial": True}, by=None)
        run_job(job.pk, worker="one")
        release = Release.objects.get()
        files = release_files(started, partial=True).files
        readme = files["README.md"].decode()

        assert release.manifest["counts"] == {
            "datasets": ["set"],
            "sentences": {"es": 2, "en": 2},
            "pairs": {"es": 1, "en": 1},
            "gold_sentences": 6,
            "gold_pairs": 2,
            "left_out": 12,
        }
        assert (files["sentences.jsonl"].count(b"\n"), files["pairs.jsonl"].count(b"\n")) == (6, 2)
        assert files["left_out.tsv"].count(b"\n") == 1 + 12
        assert b'"gold": {}' not in files["pairs.jsonl"]
        assert "- es: 2 sentences in `detection/` and 1 pair in `interpretation/`" in readme
        assert "every sentence with gold, 6 (each language counts)" in readme
        assert "every pair with gold, 2 (in one language or more)" in readme
        assert "with the reason: 4 sentences, 2 pairs. It has\na row for each of their languages, 12 in all." in readme
        page = " ".join(manager.get(reverse("release", args=["letters", release.number])).text.split())
        said = Counter(re.findall(r"<dd>([^<(]+)", page))
        assert said["2 sentences with gold in every language "] == 2
        assert said["1 pair with gold in every language "] == 2
        assert said["6 sentences with gold, each language counts"] == 1
        assert said["2 pairs with gold in one language or more"] == 1
        assert "12 rows, by language" in page

    def test_a_part_has_no_file_without_gold(self, project: Project) -> None:
        make_pair(project)
        make_gold(make_sentence(project))

        files = release_files(project, partial=True).files

        readme = files["README.md"].decode()
        assert "pairs.jsonl" not in files
        assert "pairs.jsonl" not in readme
        assert not any(path.startswith("interpretation/") for path in files)
        assert "interpretation/" not in readme
        assert all(files.values())
