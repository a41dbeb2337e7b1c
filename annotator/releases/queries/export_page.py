"""The page for a new export: choices, numbers of what it would write, and existing exports.

The page does not read a corpus: it counts at most MAX_COUNTED rows per number, and shows larger numbers as "more".
"""

from __future__ import annotations

from collections import Counter as Numbers
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, QuerySet, Sum

from annotator.core.access import Access
from annotator.formats.common.protocol import Format
from annotator.jobs.queries import JobProgress, jobs_of, progress_of_all
from annotator.models import Counter, Gold, JobKind, Layer, Project, Segment, Stage, Unit, User
from annotator.releases.queries.export_room import is_written, why_not_written
from annotator.releases.queries.label_export import MAX_KEPT, Whose, answers_in, predictions_in, writers
from annotator.releases.queries.releases import why_not_while_blind
from annotator.work.blind.queries.blind import has_blind_work

MAX_COUNTED = 10_000


@dataclass(frozen=True, slots=True)
class Asked:
    """The choices in the address, or None if it has no value. `source`: whose labels, as "gold", "person:" with a
    username, or "model:" with a name."""

    layer: str | None = None
    source: str = ""
    languages: Sequence[str] | None = None
    format: str = ""
    undecided: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """Whose labels can be exported. `name`: of the person or the model; `count`: of how many items, None where that is
    not counted here."""

    whose: Whose
    name: str
    title: str
    count: int | None = None

    @property
    def value(self) -> str:
        return f"{self.whose}:{self.name}" if self.whose != Whose.GOLD else str(self.whose)


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """A language: whether it is chosen, and how many items of it would be written. None: more than are counted."""

    code: str
    chosen: bool
    count: int | None


@dataclass(frozen=True, slots=True)
class ExportPage:
    """`layers`: those that files have room for; `layer`: the chosen one, None for the text alone. `formats`: those that
    can hold what is chosen; `refused`: the others, each with the reason.

    `hidden`: why the reader cannot export, and sees no numbers; empty where they can. `jobs`: the latest exports.
    """

    layers: Sequence[Layer]
    layer: Layer | None
    sources: Sequence[Source]
    source: Source | None
    languages: Sequence[LanguageCount]
    formats: Sequence[Format]
    format: Format | None
    refused: Sequence[tuple[Format, str]]
    undecided: bool
    jobs: Sequence[JobProgress]
    hidden: str = ""

    @property
    def chosen(self) -> list[str]:
        return [one.code for one in self.languages if one.chosen]

    @property
    def total(self) -> int | None:
        """How many items would be written; None for more than are counted."""
        counts = [one.count for one in self.languages if one.chosen]
        return None if None in counts else sum(count or 0 for count in counts)

    @property
    def running(self) -> bool:
        return any(not one.job.finished for one in self.jobs)

    @property
    def ready(self) -> bool:
        """Whether it can be started."""
        return bool(self.chosen and self.format and (self.layer is None or self.source))


def export_page(access: Access, asked: Asked) -> ExportPage:
    """The choices of the page, given those in the address. A few statements."""
    project = access.project
    jobs = progress_of_all(jobs_of(project).filter(kind=JobKind.EXPORT)[:MAX_KEPT])
    if has_blind_work(access.user, project):
        return ExportPage([], None, [], None, [], [], None, [], False, jobs, why_not_while_blind(project))
    layers = [layer for layer in project.layers.all() if is_written(layer)]
    layer = _layer(layers, asked)
    sources = _sources(project, layer) if layer is not None else []
    source = next((one for one in sources if one.value == asked.source), sources[0] if sources else None)
    languages = list(project.languages if asked.languages is None else asked.languages)
    counts, is_cut = _counts(project, layer, source, undecided=asked.undecided)
    chosen = [code for code in project.languages if code in languages]
    fitting, refused = _formats(layer, chosen, undecided=asked.undecided)
    return ExportPage(
        layers=layers,
        layer=layer,
        sources=sources,
        source=source,
        languages=[
            LanguageCount(code, code in chosen, None if is_cut else counts.get(code, 0)) for code in project.languages
        ],
        formats=fitting,
        format=next((one for one in fitting if one.slug == asked.format), fitting[0] if fitting else None),
        refused=refused,
        undecided=asked.undecided,
        jobs=jobs,
    )


def _layer(layers: Sequence[Layer], asked: Asked) -> Layer | None:
    if asked.layer is None:
        return layers[0] if layers else None
    return next((layer for layer in layers if layer.slug == asked.layer), None)


def _sources(project: Project, layer: Layer) -> list[Source]:
    """Gold, people with finished answers, and models: those that have anything."""
    found = [Source(Whose.GOLD, "", "")] if Gold.objects.filter(project=project, layer=layer).exists() else []
    answered = Counter.objects.filter(project=project, stage__layer=layer, user__isnull=False)
    done = dict(
        answered.exclude(stage__kind=Stage.ADJUDICATE)
        .values_list("user")
        .annotate(done=Sum(F("own_done") + F("blind_done")))
        .filter(done__gt=0)
    )
    for user in User.objects.filter(pk__in=done).order_by("username"):
        found.append(Source(Whose.PERSON, user.username, str(user), done[user.pk]))
    names = Numbers(predictions_in(layer, "").values_list("name", flat=True)[:MAX_COUNTED])
    found += [Source(Whose.MODEL, name, name) for name in sorted(names)]
    if len(names) > 1:
        found.append(Source(Whose.MODEL, "", ""))
    return found


def _counts(
    project: Project, layer: Layer | None, source: Source | None, *, undecided: bool
) -> tuple[Mapping[str, int], bool]:
    """By language, how many sentences or pairs would be written; and whether there are more than are counted."""
    kind = layer.unit_kind if layer is not None else Segment.SENTENCE
    if layer is None or undecided:
        return _units(project, kind)
    if source is None:
        return {}, False
    rows: QuerySet = {
        Whose.GOLD: lambda: Gold.objects.filter(project=project, layer=layer, unit__is_current=True),
        Whose.PERSON: lambda: answers_in(layer).filter(user__username=source.name),
        Whose.MODEL: lambda: predictions_in(layer, source.name).filter(unit__is_current=True),
    }[source.whose]()
    standing = rows.filter(unit__segment__set_aside_reason="").values_list("unit__language", flat=True)
    return _numbers(standing.order_by()[: MAX_COUNTED + 1])


def _units(project: Project, kind: str) -> tuple[Mapping[str, int], bool]:
    found: dict[str, int] = {}
    for language in project.languages:
        rows = Unit.objects.published().filter(project=project, kind=kind, language=language, is_current=True)
        found[language] = rows.order_by()[: MAX_COUNTED + 1].count()
    return found, any(count > MAX_COUNTED for count in found.values())


def _numbers(languages: Iterable[str]) -> tuple[Mapping[str, int], bool]:
    found = Numbers(languages)
    return found, found.total() > MAX_COUNTED


def _formats(
    layer: Layer | None, languages: Sequence[str], *, undecided: bool
) -> tuple[list[Format], list[tuple[Format, str]]]:
    reasons = [(one, why_not_written(one, layer, languages, undecided=undecided)) for one in writers().values()]
    return [one for one, reason in reasons if not reason], [(one, reason) for one, reason in reasons if reason]
