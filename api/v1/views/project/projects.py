from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.access import Access, project_for, projects_for
from annotator.core.errors import ActionError, translate
from annotator.core.permissions import Permission
from annotator.core.starts import STARTS
from annotator.domain.labels.spans import SpanError
from annotator.domain.text.language_tags import UnknownLanguageError, find_language
from annotator.imports.drafts.start_sample import add_sample
from annotator.models import Project
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.delete_project import delete_project
from annotator.projects.actions.project_settings import archive_project, change_settings, restore_project
from annotator.projects.actions.projects import check_sample, check_sources, create_project, free_slug
from annotator.work.derivation.queries.source_changes import changed_in
from annotator.work.queue.queries.progress import project_progress, public_progress
from api.pagination import PageQuery, page_of
from api.v1.answers import DeletedAnswer, ErrorAnswer, ProjectDetailAnswer, ProjectsAnswer, SettingsAnswer
from api.v1.requests import CopyRequest, DeleteRequest, NewProjectRequest, SettingsRequest
from api.v1.schema import IF_MATCH, answers
from api.v1.sending import send
from api.v1.strict import checked
from api.v1.views.base import NO_BODY, ApiView, ProjectView, creator


class ProjectsView(ApiView):
    """The projects of the user."""

    @extend_schema(
        operation_id="projects",
        parameters=[PageQuery],
        responses={
            200: ProjectsAnswer,
            400: OpenApiResponse(ErrorAnswer, "The cursor or the page size is not valid."),
            401: OpenApiResponse(ErrorAnswer, "Nobody is signed in."),
        },
    )
    def get(self, request: Request) -> Response:
        rows, following = page_of(projects_for(request.user), request, ("name", "pk"))
        return send(ProjectsAnswer, {"results": rows, "next": following})

    @extend_schema(
        operation_id="create_project", request=NewProjectRequest, responses=answers(ProjectDetailAnswer, 400)
    )
    def post(self, request: Request) -> Response:
        """Creates a project; the user becomes its manager."""
        user = creator(request)
        data = checked(NewProjectRequest, request.data)
        try:
            languages = [find_language(one) for one in data["languages"]]
            sources = [find_language(one) for one in data["sources"]]
            check_sources(languages, sources)
            start = STARTS[data["start"]]
            if data["sample"]:
                check_sample(start, languages)
            preset = start.preset(
                languages,
                texts=data["texts"] or "",
                labels=data["labels"],
                steps=data["steps"],
                sources=sources,
            )
        except UnknownLanguageError as error:
            raise ActionError(_("Unknown language “%(text)s”.") % {"text": error.text}) from error
        except SpanError as error:
            raise ActionError(translate(error)) from error
        slug = data["slug"] or free_slug(data["name"])
        project = create_project(slug=slug, name=data["name"], preset=preset, by=user)
        if data["sample"]:
            add_sample(project=project, start=start, by=user)
        return _shown(project_for(user, project.slug))


class ProjectDetailView(ProjectView):
    """A project with its stages and their progress."""

    @extend_schema(operation_id="project", responses=answers(ProjectDetailAnswer))
    def get(self, request: Request, slug: str) -> Response:
        return _shown(self.access)


class SettingsView(ProjectView):
    """What a project is called and how it is worked in."""

    needs = Permission.MANAGE

    def guarded(self, **address: Any) -> QuerySet[Project]:
        return Project.objects.filter(pk=self.access.project.pk)

    @extend_schema(operation_id="settings", responses=answers(SettingsAnswer))
    def get(self, request: Request, slug: str) -> Response:
        return send(SettingsAnswer, self.guarded().get())

    @extend_schema(
        operation_id="change_settings",
        request=SettingsRequest,
        parameters=[IF_MATCH],
        responses=answers(ProjectDetailAnswer, 400, 412),
    )
    def post(self, request: Request, slug: str) -> Response:
        changes = self.checked(SettingsRequest, request.data)
        change_settings(project=self.access.project, changes=changes, by=self.user)
        return _shown(project_for(self.user, slug))


class ArchiveView(ProjectView):
    """Archives a project: it is read from here on, and nothing in it changes."""

    needs = Permission.MANAGE

    bodyless = NO_BODY

    @extend_schema(operation_id="archive_project", request=None, responses=answers(ProjectDetailAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        archive_project(project=self.access.project, by=self.user)
        return _shown(project_for(self.user, slug))


class RestoreView(ProjectView):
    """Brings an archived project back."""

    needs = Permission.MANAGE

    bodyless = NO_BODY

    @extend_schema(operation_id="restore_project", request=None, responses=answers(ProjectDetailAnswer))
    def post(self, request: Request, slug: str) -> Response:
        restore_project(project=self.access.project, by=self.user)
        return _shown(project_for(self.user, slug))


class CopyView(ProjectView):
    """Creates a project with the settings of this one; with `texts`, a job brings its texts, without labels."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="copy_project", request=CopyRequest, responses=answers(ProjectDetailAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        data = self.checked(CopyRequest, request.data)
        creator(request)
        data["slug"] = data["slug"] or free_slug(data["name"])
        made = copy_project(project=self.access.project, by=self.user, **data)
        return _shown(project_for(self.user, made.slug))


class DeleteView(ProjectView):
    """Deletes a project for good, as a job."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="delete_project", request=DeleteRequest, responses=answers(DeletedAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        data = self.checked(DeleteRequest, request.data)
        delete_project(project=self.access.project, by=self.user, **data)
        return send(DeletedAnswer, {"slug": slug})


def shown(access: Access) -> dict[str, Any]:
    """What a project's answer is made of."""
    project = access.project
    stages = project_progress(project, access.user)
    changed = changed_in([stage for stage, _progress in stages], access.user)
    return {
        "project": project,
        "role": access.role,
        "layers": list(project.layers.all()),
        "stages": [
            {"stage": stage, "progress": public_progress(stage, progress), "source_changed": changed[stage.pk]}
            for stage, progress in stages
        ],
    }


def _shown(access: Access) -> Response:
    return send(ProjectDetailAnswer, shown(access))
