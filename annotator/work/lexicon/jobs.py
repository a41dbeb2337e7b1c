"""The job that finds the content words of a language again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotator.core.errors import ActionError
from annotator.jobs import running as jobs
from annotator.models import Job
from annotator.work.lexicon.actions.words import CHUNK, changed_sentences, recompute_content_words, sentences_with_words


@dataclass(frozen=True)
class RecomputeWords:
    """Find the content words of a language again after the project's list of closed-class words was changed."""

    user_errors: tuple[type[Exception], ...] = (ActionError,)

    def plan(self, job: Job) -> jobs.Plan:
        units = sentences_with_words(job.project, job.params["language"])
        return jobs.Plan([units[start : start + CHUNK] for start in range(0, len(units), CHUNK)])

    def prepare(self, job: Job) -> None:
        return None

    def work(self, job: Job, items: list[int], engine: None, report: jobs.Progress) -> list[int]:
        return changed_sentences(job.project, items)

    def store(self, job: Job, items: list[int], outcome: list[int], engine: None) -> dict[str, int]:
        return {"sentences": recompute_content_words(project=job.project, units=outcome)}

    def finish(self, job: Job) -> dict[str, Any]:
        return {}
