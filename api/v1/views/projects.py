from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.models import Project
from annotator.queries.access import projects_for
from annotator.queries.progress import project_progress
from api.v1 import serializers as s
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import ProjectView


class ProjectsView(ListAPIView[Project]):
    """The projects of the user."""

    serializer_class = s.ProjectAnswer
    queryset = Project.objects.none()

    def get_queryset(self) -> Any:
        return projects_for(self.request.user)

    @extend_schema(
        operation_id="projects",
        responses={200: s.ProjectAnswer(many=True), 401: OpenApiResponse(s.ErrorAnswer, "Nobody is signed in.")},
    )
    def get(self, request: Request) -> Response:
        return super().get(request)


class ProjectDetailView(ProjectView):
    """A project with its stages and their progress."""

    @extend_schema(operation_id="project", responses=answers(s.ProjectDetailAnswer))
    def get(self, request: Request, slug: str) -> Response:
        project = self.access.project
        return send(
            s.ProjectDetailAnswer,
            {
                "project": project,
                "role": self.access.role,
                "layers": list(project.layers.all()),
                "stages": [
                    {"stage": stage, "progress": progress} for stage, progress in project_progress(project, self.user)
                ],
            },
        )
