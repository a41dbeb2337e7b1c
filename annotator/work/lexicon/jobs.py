"""The job that finds the content words of a language again."""

from __future__ import annotations

from annotator.jobs import handlers as jobs
from annotator.models import Job
from annotator.work.lexicon.actions.words import CHUNK, changed_sentences, recompute_content_words, sentences_with_words


class RecomputeWords(jobs.Handler):
    """Find the content words of a language again after the project's list of closed-class words was changed."""

    def plan(self, job: Job) -> jobs.Plan:
        units = sentences_with_words(job.project, job.params["language"])
        return jobs.Plan([units[start : start + CHUNK] for start in range(0, len(units), CHUNK)])

    def work(self, job: Job, items: list[int], engine: None, report: jobs.Progress) -> list[int]:
        return changed_sentences(job.project, items)

    def store(self, job: Job, items: list[int], outcome: list[int], engine: None) -> dict[str, int]:
        return {"sentences": recompute_content_words(project=job.project, units=outcome)}
