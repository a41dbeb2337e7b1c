"""Tags of pairs, carried over to another language."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.machines.actions.transfers import transfer_tags
from api.v1.assign_shapes import TransferAnswer, TransferRequest
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import ProjectView


class TransferView(ProjectView):
    """Suggests the tags of one language in another one, to be reviewed there."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="transfer_tags", request=TransferRequest, responses=answers(TransferAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """Changes only what nobody has reviewed. The numbers add up to all pairs."""
        data = self.checked(TransferRequest, request.data)
        return send(TransferAnswer, transfer_tags(project=self.access.project, by=self.user, **data))
