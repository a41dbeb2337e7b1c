"""The guidelines of a project: read and edited in a language, and their pictures."""

from __future__ import annotations

from django.http import FileResponse, Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.access import project_for
from annotator.core.files.downloads import inline
from annotator.core.files.pictures import MEDIA_TYPES, is_picture_name, picture_file
from annotator.core.files.room import check_room
from annotator.core.files.uploaded import size_of
from annotator.core.permissions import Permission
from annotator.models import Project
from annotator.projects.actions.guideline_proposals import close_proposals, reopen_proposal
from annotator.projects.actions.guidelines import MAX_PICTURE, add_picture, edit_guidelines, fingerprint
from annotator.projects.queries.guideline_proposals import open_proposals, shown_proposal
from annotator.projects.queries.guidelines import guideline_languages
from api.parsers import LimitedJSONParser, LimitedMultiPartParser, LongJSONParser
from api.v1 import part_shapes as p
from api.v1.schema import PICTURE, answers
from api.v1.sending import send
from api.v1.views.base import ProjectView


class GuidelinesView(ProjectView):
    """In which languages the guidelines can be, and are."""

    @extend_schema(operation_id="guidelines", responses=answers(p.GuidelinesAnswer))
    def get(self, request: Request, slug: str) -> Response:
        project = self.access.project
        languages = guideline_languages(project)
        written = [language for language in languages if project.guidelines.get(language)]
        about = {"version": project.guidelines_version, "languages": languages, "written": written}
        return send(p.GuidelinesAnswer, about)


class GuidelinesTextView(ProjectView):
    """The guidelines in one language, as Markdown."""

    parser_classes = [LongJSONParser]

    @extend_schema(operation_id="guidelines_text", responses=answers(p.GuidelinesTextAnswer))
    def get(self, request: Request, slug: str, language: str) -> Response:
        return self._text(self.access.project, language)

    @extend_schema(
        operation_id="edit_guidelines",
        request=p.GuidelinesRequest,
        responses=answers(p.GuidelinesTextAnswer, 400, 409, 413),
    )
    def put(self, request: Request, slug: str, language: str) -> Response:
        """Replaces the text that `before` names. Another text is a new version of the guidelines."""
        self.access.require(Permission.MANAGE)
        project = self.access.project
        self._check(project, language)
        data = self.checked(p.GuidelinesRequest, request.data)
        text = data["text"].replace("\r\n", "\n")
        edit_guidelines(project=project, language=language, text=text, before=data["before"], by=self.user)
        return self._text(project_for(self.user, slug).project, language)

    def _text(self, project: Project, language: str) -> Response:
        self._check(project, language)
        text = project.guidelines.get(language, "")
        about = {"language": language, "version": project.guidelines_version, "text": text, "before": fingerprint(text)}
        return send(p.GuidelinesTextAnswer, about)

    def _check(self, project: Project, language: str) -> None:
        if language not in guideline_languages(project):
            raise Http404(_("The guidelines cannot be in this language."))


class ProposalsView(ProjectView):
    """The open proposals for the guidelines in a language, without those on what the user is still to answer blind."""

    needs = Permission.MANAGE

    @extend_schema(
        operation_id="guideline_proposals", parameters=[p.ProposalsQuery], responses=answers(p.ProposalsAnswer, 400)
    )
    def get(self, request: Request, slug: str) -> Response:
        language = self.asked(p.ProposalsQuery)["language"]
        return send(p.ProposalsAnswer, {"proposals": open_proposals(self.access.project, language, self.user)})


class ProposalView(ProjectView):
    """Ends a proposal, or brings it back."""

    needs = Permission.MANAGE

    @extend_schema(
        operation_id="close_guideline_proposal",
        request=p.CloseProposalRequest,
        responses=answers(p.ClosedProposalAnswer, 400),
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        project, by = self.access.project, self.user
        if shown_proposal(project, pk, by) is None:
            raise Http404(_("There is no such proposed sentence in this project."))
        end = self.checked(p.CloseProposalRequest, request.data)["end"]
        if end == "open":
            changed = reopen_proposal(project=project, proposal=pk, by=by)
        else:
            closing = {"proposals": [pk], "taken": end == "taken", "now": timezone.now()}
            changed = bool(close_proposals(project=project, by=by, **closing))
        return send(p.ClosedProposalAnswer, {"changed": changed})


class PicturesView(ProjectView):
    """Pictures that the guidelines can show."""

    needs = Permission.MANAGE
    parser_classes = [LimitedMultiPartParser, LimitedJSONParser]

    @extend_schema(
        operation_id="add_guidelines_picture",
        request={"multipart/form-data": p.PictureRequest},
        responses=answers(p.PictureAnswer, 400, 413),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Stores one. A text shows it by `markdown`."""
        check_room(by=self.user, more=size_of(request))
        file = self.checked(p.PictureRequest, request.data)["picture"]
        name = add_picture(project=self.access.project, data=file.read(MAX_PICTURE + 1), by=self.user)
        return send(p.PictureAnswer, {"name": name, "markdown": f"![](pictures/{name})"})


class PictureView(ProjectView):
    """A picture of the guidelines."""

    @extend_schema(operation_id="guidelines_picture", responses=PICTURE)
    def get(self, request: Request, slug: str, picture: str) -> FileResponse:
        if not is_picture_name(picture):
            raise Http404(_("The project does not have this picture."))
        return inline(picture_file(self.access.project.pk, picture), media_type=MEDIA_TYPES[picture.rpartition(".")[2]])
