"""Small pieces that several pages show: states, numbers, times."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.core.unit_kinds import counted_units, unit_title
from annotator.models import Job, Segment
from annotator.templatetags.words import SKIPPED
from annotator.work.queue.queries.progress import Progress

register = template.Library()


@register.filter
def when(at: datetime | None, style: str) -> str:
    """A time in one of Django's styles, which scripts bring to the reader's own zone; until then it says the server's
    (`static/site/logic/times.js`)."""
    if at is None:
        return ""
    return format_html('<time datetime="{}" data-when="{}">{}</time>', at.isoformat(), style, when_said(at, style))


@register.filter
def when_said(at: datetime, style: str) -> str:
    """The same as plain text: with the zone, where it has a time of the day."""
    local = timezone.localtime(at)
    name = local.tzname() or ""
    # Some zones have no name but their distance.
    zone = f"UTC{name}" if name[:1] in ("+", "-") else name
    return f"{date_format(local, style)} {zone}" if "TIME" in style else date_format(local, style)


@register.filter
def ago(at: datetime) -> str:
    """How long ago a time was, which is the same in every zone."""
    return str(naturaltime(at))


@register.filter
def percent(part: float, whole: float) -> float:
    """Share of `whole` in percent, 0 of nothing."""
    return round(100 * part / whole, 2) if whole else 0.0


@register.filter
def get_item(numbers: Mapping[str, int], name: str) -> int:
    """The number under a name; 0 where there is none."""
    return numbers.get(name, 0)


@register.filter
def value_name(value: str, names: Mapping[str, str]) -> str:
    """What a value is called; itself where it has no name."""
    return names.get(value, value)


@register.filter
def duration(seconds: float | None) -> str:
    """A duration in words short enough for a table."""
    if seconds is None:
        return ""
    seconds = round(seconds)
    if seconds < 60:
        return _("%(seconds)d s") % {"seconds": seconds}
    minutes, rest = divmod(seconds, 60)
    if minutes < 60:
        return _("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": rest}
    hours, minutes = divmod(minutes, 60)
    return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}


@register.filter
def state_class(state: str) -> str:
    """The badge of a job's or an item's state."""
    return {
        "running": "badge-info",
        "open": "badge-info",
        "done": "badge-good",
        "failed": "badge-bad",
        "cancelled": "badge-warn",
    }.get(state, "")


_GROUPS = {
    "prem": gettext_lazy("Premises"),
    "hyp": gettext_lazy("Hypotheses"),
    "entailment": gettext_lazy("Entailment"),
    "neutral": gettext_lazy("Neutral"),
    "contradiction": gettext_lazy("Contradiction"),
    "all": gettext_lazy("All"),
}


@register.filter
def group_name(group: str) -> str:
    """A role, an inference label, or "all"; anything else as it is."""
    return str(_GROUPS.get(group, group))


_RESULT_WORDS = {
    **SKIPPED,
    "sentences": gettext_lazy("Sentences"),
    "tokens": gettext_lazy("Tokens"),
    "labelled_sentences": gettext_lazy("Sentences with a label"),
    "part": gettext_lazy("Part"),
    "items": gettext_lazy("Items"),
    "labelled_tokens": gettext_lazy("Labelled tokens"),
    "skipped": gettext_lazy("Left out"),
    "detector": gettext_lazy("Detector"),
    "mapping": gettext_lazy("Labels treated as"),
    "dimension": gettext_lazy("Dimension to compare"),
    "aligner": gettext_lazy("Aligner"),
    "unit": gettext_lazy("Unit"),
    "projections": gettext_lazy("Projections"),
    "revision": gettext_lazy("Revision"),
    "language": gettext_lazy("Language"),
    "only_unprojected": gettext_lazy("Only sentences without a projection"),
    "source": gettext_lazy("From"),
    "target": gettext_lazy("To"),
    "labels": gettext_lazy("Labels"),
    "uses": gettext_lazy("Use of each label"),
    "partial": gettext_lazy("Partial"),
    "dataset": gettext_lazy("Dataset"),
    "number": gettext_lazy("Release"),
    "file": gettext_lazy("File"),
    "size": gettext_lazy("Bytes"),
    "sha256": "SHA-256",
    "pseudonyms": gettext_lazy("People by pseudonym"),
    "missing_releases": gettext_lazy("Releases without a file"),
    "role": gettext_lazy("Role"),
    "inference": gettext_lazy("Inference label"),
    "relevant": gettext_lazy("Relevant"),
    "non_relevant": gettext_lazy("Non-relevant"),
    "no_metaphor": gettext_lazy("No metaphor"),
    "total": gettext_lazy("Total"),
    "predicted": gettext_lazy("Predicted"),
    "removed": gettext_lazy("Removed"),
    "added": gettext_lazy("Added"),
    "revised": gettext_lazy("Revised"),
    "left_out": gettext_lazy("Left out"),
    "pairs": gettext_lazy("Pairs"),
    "expressions": gettext_lazy("Expressions"),
    "units": gettext_lazy("Units"),
    "segments": gettext_lazy("Segments"),
    "datasets": gettext_lazy("Datasets"),
    "gold labels": gettext_lazy("Gold labels"),
    "gold categories": gettext_lazy("Gold categories"),
    "gold pair tags": gettext_lazy("Gold pair tags"),
    "gold_sentences": gettext_lazy("Sentences with gold"),
    "gold_pairs": gettext_lazy("Pairs with gold"),
    "source_spans": gettext_lazy("Labels in the source"),
    "target_spans": gettext_lazy("Projected labels"),
    "outcomes": gettext_lazy("Outcomes"),
    "projected": gettext_lazy("projected"),
    "unaligned": gettext_lazy("unaligned"),
    "dropped": gettext_lazy("dropped"),
    "kept_for_people": gettext_lazy("Earlier projections kept, as people work on them"),
    "withdrawn": gettext_lazy("Withdrawn, as the source no longer has labels"),
    "sentence": gettext_lazy("Sentence"),
    "pair": gettext_lazy("Pair"),
    "discarded": gettext_lazy("Discarded"),
    "notes": gettext_lazy("Notes"),
    "figures": gettext_lazy("Figures"),
    "tokens that the tokenizer made nothing of": gettext_lazy("tokens that the tokenizer dropped"),
    "tokens cut, longer than half the model's window": gettext_lazy("tokens cut, longer than half the model's window"),
    "sentences longer than the model's window": gettext_lazy("sentences longer than the model's window"),
    "pairs with more than 1023 words in a sentence, which eflomal cannot align": gettext_lazy(
        "pairs with more than 1023 words in a sentence, which eflomal cannot align"
    ),
    "engine": gettext_lazy("Engine"),
    "label": gettext_lazy("Label"),
    "learnt_from": gettext_lazy("Training sentences"),
    "held_out": gettext_lazy("Sentences held out for evaluation"),
    "f1": gettext_lazy("F1"),
    "f1_of_the_one_in_use": gettext_lazy("F1 of the active detector"),
    "active": gettext_lazy("Became active"),
    "of": gettext_lazy("Sentences in total"),
    "model": gettext_lazy("Model"),
    "method": gettext_lazy("Method"),
    "seed": gettext_lazy("Seed"),
    "cluster": gettext_lazy("Intervals over"),
    "resamples": gettext_lazy("Resamples"),
    "pre_labelled_again_by_job": gettext_lazy("Pre-labelling with it: job"),
    "finished_sentences": gettext_lazy("Sentences done at the start"),
    "annotations changed": gettext_lazy("Annotations changed"),
    "gold changed": gettext_lazy("Gold changed"),
    "gold reopened": gettext_lazy("Gold reopened"),
    "stage": gettext_lazy("Stage"),
    "layer": gettext_lazy("Layer"),
    "rule": gettext_lazy("Rule"),
    "sample": gettext_lazy("Sample of literal uses"),
    "comments": gettext_lazy("Annotators' comments"),
}


@register.filter
def left_out_name(kind: str) -> str:
    """What a release leaves out: a sentence, a pair, a label, or a unit of another kind."""
    return in_words(kind) if kind in _RESULT_WORDS else unit_title(kind)


@register.filter
def in_words(name: str) -> str:
    """The name of a column, setting or count as people read it; "outer: inner" part by part, "word es" by its word."""

    def known(part: str) -> str:
        if part in _RESULT_WORDS:
            return str(_RESULT_WORDS[part])
        word, _space, rest = part.rpartition(" ")
        return f"{_RESULT_WORDS[word]} ({rest})" if word in _RESULT_WORDS else part.replace("_", " ")

    return ": ".join(known(part) for part in str(name).split(": "))


@register.inclusion_tag("dashboard/includes/stage_bar.html")
def stage_bar(progress: Progress) -> dict[str, str]:
    """Done and open items of a stage as one bar; its numbers stand beside it in words."""
    done = percent(progress.done, progress.total)
    return {"done": f"{done}%", "open": f"{percent(progress.open, progress.total)}%"}


@register.filter
def job_seconds(job: Job) -> float | None:
    """How long a finished job took."""
    if job.started_at is None or job.finished_at is None:
        return None
    return (job.finished_at - job.started_at).total_seconds()


@register.filter
def unit_numbers(kinds: Mapping[str, int]) -> str:
    """How many units of each kind, "" for sentences: "12 sentences, 6 figurative pairs"."""
    return ", ".join(counted_units(kind or Segment.SENTENCE, number) for kind, number in kinds.items())
