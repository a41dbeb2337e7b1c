"""What happened in a project that webhooks tell of, found in the rows that say so: no action calls this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse

from annotator.core.kind import is_open_ended, kind_of
from annotator.models import Job, Project, Stage, Webhook, WebhookEvent
from annotator.work.queue.queries.progress import project_progress, public_progress

# How far back rows are looked at: workers may have been away.
LOOK_BACK = timedelta(days=1)


@dataclass(frozen=True)
class Happened:
    """An event, its time, and what a message says of it: IDs, kinds and links. No texts, labels or numbers of
    answers: whoever runs the program may answer blind."""

    key: str
    event: WebhookEvent
    at: datetime
    about: Mapping[str, Any]
    links: Mapping[str, str] = field(default_factory=dict)

    def body(self, project: Project) -> dict[str, Any]:
        """The message, but for its ID."""
        return {
            "event": self.event.value,
            "time": self.at.isoformat(),
            "project": project.slug,
            **self.about,
            "links": dict(self.links),
        }


def happened(webhook: Webhook, now: datetime) -> Iterator[Happened]:
    """What a webhook tells of, but for stages, oldest first of each sort."""
    since = max(webhook.since, now - LOOK_BACK)
    project = webhook.project
    if WebhookEvent.JOB_ENDED in webhook.events:
        for job in project.jobs.filter(finished_at__gte=since).order_by("finished_at"):
            yield _job(project, job)
    if WebhookEvent.IMPORT_FINISHED in webhook.events:
        for one in project.imports.filter(published_at__gte=since).order_by("published_at"):
            links = {"api": _api("import", project, pk=one.pk)}
            imported = {"import": {"id": one.pk, "job": one.job_id}}
            yield Happened(f"import:{one.pk}", WebhookEvent.IMPORT_FINISHED, one.published_at or now, imported, links)
    if WebhookEvent.RELEASE_MADE in webhook.events:
        for release in project.releases.filter(created_at__gte=since).order_by("created_at"):
            links = {
                "api": _api("release-file", project, number=release.number),
                "page": reverse("release", args=[project.slug, release.number]),
            }
            about = {"release": {"number": release.number, "sha256": release.sha256, "job": release.job_id}}
            yield Happened(f"release:{release.pk}", WebhookEvent.RELEASE_MADE, release.created_at, about, links)


def finished_stages(project: Project) -> dict[int, Stage]:
    """The stages that have items, all of them done, by ID. A stage in which people write as they like never ends."""
    found = {}
    for stage, numbers in project_progress(project):
        told = public_progress(stage, numbers)
        ends = stage.adjudicates or not is_open_ended(kind_of(stage))
        if ends and told.total and told.done >= told.total and not told.waiting:
            found[stage.pk] = stage
    return found


def stage_finished(project: Project, stage: Stage, now: datetime) -> Happened:
    """That a stage is finished since now. It may be finished again later."""
    about = {"stage": {"id": stage.pk, "kind": stage.kind, "language": stage.language, "layer": stage.layer.slug}}
    links = {"api": _api("project", project), "page": reverse("project", args=[project.slug])}
    return Happened(f"stage:{stage.pk}:{now.timestamp():.6f}", WebhookEvent.STAGE_FINISHED, now, about, links)


def _job(project: Project, job: Job) -> Happened:
    links = {"api": _api("job", project, pk=job.pk), "page": reverse("job", args=[project.slug, job.pk])}
    about = {"job": {"id": job.pk, "kind": job.kind, "state": job.state}}
    at = job.finished_at or job.created_at
    # One that is retried ends again.
    return Happened(f"job:{job.pk}:{at.timestamp():.6f}", WebhookEvent.JOB_ENDED, at, about, links)


def _api(name: str, project: Project, **more: Any) -> str:
    return reverse(f"api:{name}", kwargs={"slug": project.slug, **more})
