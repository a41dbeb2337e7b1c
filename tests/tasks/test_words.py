"""A project's own closed-class words: one answer for imports, fixed texts and projections; told anew after a change."""

from __future__ import annotations

import pytest

from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Job, JobKind, JobState, LemmaPlace, Project, Suggestion, Unit
from annotator.projects.actions.project_settings import change_settings
from annotator.revisions.revisions import revise_text
from tests.factories import make_annotation, make_gold, make_member, make_project, make_segment, make_sentence, span
from tests.work.test_counters import check

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def change(project: Project, language: str, *words: str) -> list[Job]:
    """Sets the list, and does what follows."""
    before = set(project.jobs.values_list("pk", flat=True))
    words_now = {**project.function_words, language: list(words)} if words else {}
    change_settings(project=project, changes={"function_words": words_now}, by=None)
    project.refresh_from_db()
    made = list(project.jobs.exclude(pk__in=before).order_by("pk"))
    for job in made:
        run_job(job.pk, worker="one")
        job.refresh_from_db()
        assert job.state == JobState.DONE, job.error
    return made


def content(unit: Unit) -> list[str]:
    unit.refresh_from_db()
    return [token for token, is_content in zip(unit.tokens, unit.content_words, strict=True) if is_content]


def places(unit: Unit) -> list[tuple[str, bool | None]]:
    rows = LemmaPlace.objects.filter(unit=unit).order_by("index")
    return [(row.form, row.labelled) for row in rows]


class TestAfterAChange:
    def test_words_and_their_places_are_told_anew(self, project: Project) -> None:
        decided, answered, untouched = (make_sentence(project) for _ in range(3))
        make_gold(decided, [span(2)])
        make_annotation(answered, make_member(project), [span(1)])
        assert content(untouched) == ["tiempo", "vuela"]

        [job] = change(project, "es", "vuela")

        assert (job.kind, job.result) == (JobKind.WORDS, {"sentences": 3})
        assert content(untouched) == ["El", "tiempo"]
        assert places(untouched) == [("el", None), ("tiempo", None)]
        assert places(decided) == [("el", False), ("tiempo", False)]
        assert places(answered) == [("el", False), ("tiempo", True)]
        check(project)

        # Without a list of its own the project has the one that ships again.
        change(project, "es")
        assert content(decided) == ["tiempo", "vuela"]
        assert places(decided) == [("tiempo", False), ("vuela", True)]

    def test_other_languages_and_replaced_texts_stay(self, project: Project) -> None:
        spanish = make_sentence(project)
        english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
        old = make_sentence(project)
        revise_text(project=project, unit=old.pk, text="El tiempo vuela ya", by=None, anybodys=True)
        change(project, "es", "vuela")
        assert content(english) == ["Time", "flies"]
        assert content(old) == ["tiempo", "vuela"]

    def test_what_a_file_said_of_a_words_class_counts_more(self, project: Project) -> None:
        unit = make_sentence(project)
        unit.parts_of_speech = ["DET", "NOUN", "VERB"]
        unit.save()
        change(project, "es", "vuela", "tiempo")
        assert content(unit) == ["tiempo", "vuela"]

    def test_nothing_follows_where_nothing_is_there_or_nothing_changed(self, project: Project) -> None:
        assert change(project, "en", "the") == []
        make_sentence(project)
        assert change(project, "en", "the") == []
        assert len(change(project, "es", "el")) == 1
        assert change(project, "es", "el") == []

    def test_a_second_change_before_the_first_is_done_wins(self, project: Project) -> None:
        unit = make_sentence(project)
        for words in (["vuela"], ["tiempo"]):
            change_settings(project=project, changes={"function_words": {"es": words}}, by=None)
        first, second = project.jobs.order_by("pk")
        run_job(second.pk, worker="one")
        run_job(first.pk, worker="two")
        assert content(unit) == ["El", "vuela"]


class TestOneAnswer:
    def test_a_fixed_text(self, project: Project) -> None:
        change(project, "es", "vuela")
        unit = make_sentence(project)
        fixed = revise_text(project=project, unit=unit.pk, text="El tiempo vuela ya", by=None, anybodys=True)
        assert content(fixed.unit) == ["El", "tiempo", "ya"]

    def test_a_projection(self, project: Project) -> None:
        """The projected label leaves out the words that this project calls closed."""
        project.rules_data = {"skip_function_words": True}
        project.save()
        pairs = [("Cantan", "They sing"), ("Cantan ya", "They sing now"), ("Duermen", "They sleep")]
        for spanish, english in pairs:
            segment = make_segment(project)
            source = make_sentence(project, spanish, segment=segment)
            make_sentence(project, english, language="en", segment=segment)
            if spanish == "Cantan":
                make_gold(source, [span(0)])

        def projected() -> list[list[int]]:
            job = start_job(project=project, kind=JobKind.PROJECT, params={"source": "es", "target": "en"}, by=None)
            run_job(job.pk, worker="one")
            found = Suggestion.objects.get(is_current=True)
            return [one["tokens"] for one in found.content["spans"]]

        ships = projected()
        change(project, "en", "sing")
        assert ships == [[1]]
        assert projected() != ships
