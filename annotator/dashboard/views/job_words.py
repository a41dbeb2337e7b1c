"""What a job was started with and what came of it, in the words of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.formats import localize
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from annotator.core.counts import grouped
from annotator.imports.queries.drafts import draft_of_job
from annotator.imports.views.words import SENTENCES, words_of
from annotator.jobs.queries import JobProgress
from annotator.models import Job
from annotator.reports.forms import CLUSTERS, DIMENSIONS
from annotator.reports.queries.agreement import public_name
from annotator.templatetags.pages import in_words
from annotator.templatetags.words import LABEL_USES, compared_name, language, stage_name
from annotator.work.gold.forms.agreed import RULES

# Where an upload lies on disk is nobody's business, and whose agreement is computed is not everybody's; the rest is for
# workers.
_HIDDEN = frozenset(
    {
        *("path", "chunk", "draft", "check", "fingerprint", "upload", "from", "interface", "change", "words"),
        *("a", "b", "people"),
        # Of gold by rule: its result has a row for each layer.
        *("layers", "dry_run"),
    }
)
_LONGEST_TEXT = 80

Named = list[tuple[str, str]]


def settings_of(job: Job) -> Named:
    """What the job was started with: the names of settings, and their values; what is off or empty is left out."""
    found = []
    for name, value in job.params.items():
        # Whose the labels are is among the choices of the draft.
        if name in _HIDDEN or (name == "labels" and job.params.get("draft")) or value in ("", False, [], {}):
            continue
        if shown := _SETTINGS.get(name, _plain)(job, value):
            found.append((in_words(name), shown))
    return found


def _plain(job: Job, value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return _("yes") if value is True else str(value)


def _labels(job: Job, value: str) -> str:
    return {"annotations": _("finished annotations"), "gold": _("gold"), "none": _("none")}.get(value, value)


def _stage(job: Job, value: int) -> str:
    stage = job.project.stages.select_related("layer").filter(pk=value).first()
    return stage_name(stage) if stage is not None else ""


def _layer(job: Job, value: int) -> str:
    layer = job.project.layers.filter(pk=value).first()
    return compared_name(public_name(job.project, layer)) if layer is not None else ""


def _unit(job: Job, value: int) -> str:
    unit = job.project.units.filter(pk=value).first()
    return Truncator(unit.text).chars(_LONGEST_TEXT) if unit is not None else ""


def _projections(job: Job, value: list[dict[str, Any]]) -> str:
    return "; ".join(f"{language(one['source'])} → {language(one['target'])}" for one in value)


def _uses(job: Job, value: dict[str, str]) -> str:
    return "; ".join(f"{label}: {LABEL_USES.get(use, use)}" for label, use in value.items())


def _language(job: Job, value: str) -> str:
    return language(value)


def _dimension(job: Job, value: str) -> str:
    return str(DIMENSIONS.get(value, value))


def _cluster(job: Job, value: str) -> str:
    return str(CLUSTERS.get(value, value))


def _count(job: Job, value: int) -> str:
    return grouped(value)


def _rule(job: Job, value: dict[str, Any]) -> str:
    return str(dict(RULES)[value["name"]])


_SETTINGS: dict[str, Callable[[Job, Any], str]] = {
    "labels": _labels,
    "language": _language,
    "source": _language,
    "target": _language,
    "stage": _stage,
    "layer": _layer,
    "dimension": _dimension,
    "cluster": _cluster,
    "unit": _unit,
    "projections": _projections,
    "sentences": _count,
    "uses": _uses,
    "rule": _rule,
}


def numbers_of(progress: JobProgress) -> Named:
    """The result of a job in words, but for what has a table of its own: datasets of an import, layers of gold."""
    return _numbers({name: value for name, value in progress.result.items() if name not in ("datasets", "layers")})


def _numbers(result: dict[str, Any], path: str = "") -> Named:
    """Dicts inside a result as "outer: inner"."""
    found: Named = []
    for name, value in result.items():
        full = f"{path}: {name}" if path else name
        if isinstance(value, dict):
            found += _numbers(value, full)
        else:
            found.append((in_words(full), language(value) if name == "language" else _value(value)))
    return found


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return grouped(value) if isinstance(value, int) else str(localize(value))


def datasets_of(job: Job) -> list[dict[str, Any]]:
    """What an import brought, dataset by dataset; `rows`: name, new, and what was there before."""
    found: list[dict[str, Any]] = job.result.get("datasets", [])
    draft = draft_of_job(job) if found else None
    counted = (words_of(draft.format) if draft is not None else SENTENCES).slug
    return [
        {
            **one,
            "missing_languages": [language(code) for code in one.get("missing_languages", ())],
            "rows": [
                (_counted(name, counted), tally["new"], tally["known"])
                for name, tally in one.get("counts", {}).items()
                if tally["new"] or tally["known"]
            ],
        }
        for one in found
    ]


def _counted(name: str, sentences: str) -> str:
    """What `ImportSummary` counts under a name. `sentences`: the word for what sentences are in the import's format."""
    what, _space, of = name.rpartition(" ")
    match what.split(" "):
        case ["gold", "categories", layer]:
            return _("Gold in “%(layer)s”: %(language)s") % {"layer": compared_name(layer), "language": language(of)}
        case ["gold", *_labels]:
            return f"{in_words(what)}: {language(of)}"
        case ["sentences"]:
            return f"{in_words(sentences)}: {language(of)}"
        case ["annotations", "by", *_more]:
            return _("Annotations by %(name)s") % {"name": name.removeprefix("annotations by ")}
        case ["suggestions", "by", *_more]:
            return _("Suggestions by %(name)s") % {"name": name.removeprefix("suggestions by ")}
        case _:
            return in_words(name)
