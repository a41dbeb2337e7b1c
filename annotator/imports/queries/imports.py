"""What came into a project, and what of it may be published."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import pgettext

from annotator.domain.content import content_types
from annotator.domain.content.several_texts import SeveralTexts
from annotator.formats.registry import formats
from annotator.models import Annotation, Gold, Import, Job, Project, Segment, Suggestion, Unit
from annotator.work.answering.queries.own import anybodys


def imports_of(project: Project) -> QuerySet[Import]:
    """The imports that are published, newest first."""
    return project.imports.filter(published_at__isnull=False).select_related("project", "created_by").order_by("-pk")


def published_by(imported: Import) -> dict[str, int]:
    """By language, how many sentences, or units of other kinds, are in releases or left out of them by what this import
    says: those that came in with it, as it counted them. A text comes in once in each language, and one that is fixed
    stays its import's.
    """
    counts = imported.summary.get("counts", {})
    found = {language: counts.get(f"sentences {language}", {}).get("new", 0) for language in imported.project.languages}
    return {language: number for language, number in found.items() if number}


def brought_texts() -> Q:
    """Whether a text depends on an import: its licence, and whether releases may contain it, are theirs. One that
    brought labels for texts which were there says nothing of these."""
    found = Q(Exists(Unit.objects.filter(imported=OuterRef("pk")).exclude(kind=Segment.PAIR)))
    written = [one.slug for one in content_types() if isinstance(one, SeveralTexts)]
    for model in (Annotation, Gold, Suggestion):
        found |= Q(Exists(model.objects.filter(imported=OuterRef("pk"), layer__content_type__in=written)))
    return found


def with_texts(imports: QuerySet[Import]) -> QuerySet[Import]:
    """Those on which a text depends."""
    return imports.filter(brought_texts())


def languages_of(job: Job) -> set[str]:
    """The languages of what a job imported. One query."""
    found = imports_of(job.project).filter(job_id=job.pk)
    return {language for imported in found for language in published_by(imported)}


def units_by(imported: Import) -> dict[str, dict[str, int]]:
    """As `published_by`, and by language how many units there are of each kind, "" for sentences."""
    kinds = imported.summary.get("units", {})
    return {language: kinds.get(language) or {"": number} for language, number in published_by(imported).items()}


def written_from_withheld(project: Project) -> QuerySet[Unit]:
    """The texts that stand and that people wrote from ones that may not be published, whatever was fixed in these."""
    withheld = Unit.objects.filter(
        segment__units__children=OuterRef("pk"), language=OuterRef("language"), imported__publishable=False
    )
    written = Unit.objects.filter(project=project, is_current=True, author__isnull=False)
    return written.exclude(kind__in=anybodys()).filter(Exists(withheld))


def counted_from_withheld(project: Project) -> dict[str, int]:
    """How many there are of each kind of unit. One query."""
    rows = written_from_withheld(project).order_by("kind").values_list("kind")
    return dict(rows.annotate(number=Count("pk")))


def formats_made_for(project: Project) -> list[str]:
    """The slugs of the formats that say they are made for a kind of work which the project has."""
    kinds = set(project.stages.values_list("kind", flat=True))
    return [slug for slug, one in formats().items() if kinds & set(getattr(one, "kinds", ()))]


def pasted_name(project: Project, files: Sequence[str] = ()) -> str:
    """What pasted text is called unless somebody says otherwise.

    Its dataset is called after it, with the ids in it: so no dataset of the project has that name yet, and none of the
    `files` beside it.
    """
    word = pgettext("name of a file", "pasted")
    taken = set(imports_of(project).filter(dataset__startswith=word).values_list("dataset", flat=True))
    taken |= {name.removesuffix(".txt") for name in files}
    names = (word if number == 1 else f"{word}_{number}" for number in count(1))
    return next(name for name in names if name not in taken) + ".txt"
