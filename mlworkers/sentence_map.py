"""The job that draws a map of a project's sentences."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotator.domain.leaving_out import Skipped
from annotator.domain.messages import Message, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.plane import centred, fitted
from annotator.domain.sentence_map import MIN_POINTS, Drawn, stored
from annotator.domain.text.tokens import text_of, tokenise
from annotator.jobs import handlers as jobs
from annotator.models import Job, Unit
from annotator.search.actions.sentence_map import store_map
from annotator.search.queries.sentence_map import to_map
from mlworkers.engines.base import Embedder, EngineError, Floats
from mlworkers.engines.plane import in_plane
from mlworkers.engines.registry import embedded_languages, load_embedder
from mlworkers.labelling import notes_of
from mlworkers.training import check_nobodys

# Sentences embedded between two reports.
BLOCK = 64


@dataclass(frozen=True)
class Mapped:
    """The points of a map as they are stored, by what method they lie there, and what the embedder met."""

    points: list[list[int]]
    method: str
    notes: Mapping[str, Any]


class DrawMap(jobs.Handler):
    """Embed some sentences of each language, and find their places in a plane: one part, since all go together."""

    user_errors = (EngineError,)

    def plan(self, job: Job) -> jobs.Plan:
        params = job.params
        check_nobodys(params["model"])
        languages = embedded_languages(params["model"])
        found = to_map(job.project, wanted=params["sentences"], seed=params["seed"], languages=languages)
        if len(found.sentences) < MIN_POINTS:
            elsewhere = found.counts["skipped"].get(Skipped.OTHER_LANGUAGE, 0)
            enough = len(found.sentences) + elsewhere >= MIN_POINTS
            raise EngineError(_nothing(job, known=languages if enough else None))
        return jobs.Plan([found.sentences], found.counts)

    def prepare(self, job: Job) -> Embedder:
        return load_embedder(job.params["model"])

    def work(self, job: Job, items: list[list[Any]], engine: Embedder, report: jobs.Progress) -> Mapped:
        sentences = [Drawn(*item) for item in items]
        units = Unit.objects.filter(pk__in={one.unit for one in sentences})
        rows = {pk: row for pk, *row in units.values_list("pk", "language", "tokens", "spaces")}
        # A sentence may have been taken back meanwhile.
        there = [(one, *rows[one.unit]) for one in sentences if one.unit in rows]
        if len(there) < MIN_POINTS:
            raise EngineError(_nothing(job, known=None))
        vectors: list[Floats] = []
        notes: dict[str, Any] = {}
        for start in range(0, len(there), BLOCK):
            report(start)
            vectors.append(engine.embed([_tokens(one.line, *text) for one, _, *text in there[start : start + BLOCK]]))
            notes = jobs.added(notes, notes_of(engine))
        found = centred(np.concatenate(vectors), np.array([language for _one, language, *_text in there]))
        places, method = in_plane(found, seed=job.params["seed"])
        points = [stored(one, place) for (one, *_row), place in zip(there, fitted(places), strict=True)]
        return Mapped(points, method, notes)

    def store(self, job: Job, items: list[list[Any]], outcome: Mapped, engine: Embedder) -> dict[str, Any]:
        store_map(job=job, points=outcome.points)
        return {**outcome.notes, "model": engine.name, "revision": engine.revision, "method": outcome.method}


def _tokens(line: int | None, tokens: Sequence[str], spaces: Sequence[str]) -> Sequence[str]:
    """Those of a unit's text, or of one of its lines."""
    return tokens if line is None else tokenise(text_of(tokens, spaces).split("\n")[line])


def _nothing(job: Job, *, known: Collection[str] | None) -> Message:
    if known is None:
        return message(_("A map needs at least %(number)s sentences that can be published."), number=MIN_POINTS)
    return message(
        _(
            "The project has fewer than %(number)s publishable sentences in the languages that the "
            "model “%(model)s” knows (%(known)s). Use another model: transformers: and a folder."
        ),
        model=job.params["model"],
        known=", ".join(sorted(known)),
        number=MIN_POINTS,
    )
