"""What the calls that change the parts of a project take and answer: members, invitations, guidelines, webhooks,
languages, stages, schemes."""

from __future__ import annotations

from django.utils.translation import gettext as _
from rest_framework import serializers

from annotator.domain.context import Context
from annotator.models import DeliveryState, InvitationState, Mode, Role, Stage, WebhookEvent
from annotator.projects.actions.guideline_proposals import MAX_PROPOSAL
from annotator.projects.actions.guidelines import MAX_TEXT
from annotator.projects.actions.invitations import MAX_VALIDITY
from annotator.projects.actions.project_settings import ABOUT, WORDS
from annotator.projects.actions.stages import MAX_ANSWERS
from annotator.releases.card import QUESTIONS
from api.v1.answers import LabelsAnswer, ProjectDetailAnswer
from api.v1.requests import _version
from api.v1.shapes import PagedAnswer, Strings


class LanguageRequest(serializers.Serializer):
    language = serializers.CharField(max_length=100, help_text="By tag or name.")


_LEVELS = [level.value for level in Context]
_CONTEXT = (
    "What is shown around a sentence: nothing, its neighbours, also the other side of its pairs, or that with the "
    "inference label."
)


class StageRequest(serializers.Serializer):
    kind = serializers.CharField(max_length=50, help_text="A kind of work, or adjudicate.")
    language = serializers.CharField(max_length=20)
    layer = serializers.CharField(
        max_length=50, required=False, default="", allow_blank=True, help_text="Default: the one that the kind is for."
    )
    mode = serializers.ChoiceField(choices=[mode.value for mode in Mode], required=False, default=Mode.REVIEW.value)
    order = serializers.ChoiceField(choices=Stage.Order.values, required=False, default=Stage.Order.READING)
    answers_wanted = serializers.IntegerField(required=False, default=1, min_value=1, max_value=MAX_ANSWERS)
    context = serializers.ChoiceField(  # type: ignore[assignment]  # DRF takes fields off the class
        choices=_LEVELS, required=False, default=Context.NEIGHBOURS.value, help_text=_CONTEXT
    )
    made_from = serializers.CharField(
        max_length=50,
        required=False,
        default="",
        allow_blank=True,
        help_text="The kind of the stage whose answers or decisions its units come from, in the same language.",
    )


class StageContextRequest(serializers.Serializer):
    context = serializers.ChoiceField(choices=_LEVELS, help_text=_CONTEXT)  # type: ignore[assignment]  # DRF takes it off


class StageOrderRequest(serializers.Serializer):
    stages = serializers.ListField(
        child=serializers.IntegerField(), max_length=500, help_text="The ids of all stages, in their order."
    )


class LayerRequest(serializers.Serializer):
    slug = serializers.CharField(max_length=50)
    labels = serializers.ListField(child=serializers.CharField(max_length=100), min_length=1, max_length=500)
    about = serializers.ChoiceField(
        choices=ABOUT,
        required=False,
        default=WORDS,
        help_text="Labels on words; on words, or the sentence alone; or categories, of which each sentence has one.",
    )


class ValueRowRequest(serializers.Serializer):
    old = serializers.CharField(
        max_length=200, required=False, default="", allow_blank=True, help_text="Empty: a new value."
    )
    value = serializers.CharField(
        max_length=200, required=False, default="", allow_blank=True, help_text="Empty: it is removed."
    )


class AttributeRowRequest(serializers.Serializer):
    """An attribute; without values it is free text."""

    old = serializers.CharField(
        max_length=100, required=False, default="", allow_blank=True, help_text="Empty: a new attribute."
    )
    code = serializers.CharField(
        max_length=100, required=False, default="", allow_blank=True, help_text="Empty: it is removed."
    )
    values = ValueRowRequest(many=True, required=False, default=list)
    labels = serializers.ListField(
        child=serializers.CharField(max_length=100), required=False, default=list, help_text="Empty: for all labels."
    )
    name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    key = serializers.CharField(max_length=1, required=False, default="", allow_blank=True)
    description = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)
    vocabulary = serializers.BooleanField(required=False, default=False)
    obligatory = serializers.BooleanField(required=False, default=False)
    translation = serializers.BooleanField(
        required=False, default=False, help_text="Asked of each source span when projections are reviewed."
    )


class _Change(serializers.Serializer):
    version = _version()
    apply = serializers.BooleanField(
        required=False, default=False, help_text="False: only what it would do, in numbers."
    )


class AttributesRequest(_Change):
    attributes = AttributeRowRequest(many=True)


class RulesRequest(_Change):
    """How units may lie."""

    discontinuous = serializers.BooleanField(help_text="They may leave out words.")
    overlaps = serializers.BooleanField(help_text="They may share words.")
    several = serializers.BooleanField(help_text="One may have several labels.")


class LanguageAnswer(serializers.Serializer):
    tag = serializers.CharField()
    sentences = serializers.IntegerField()
    pairs = serializers.IntegerField()
    stages = serializers.IntegerField()


class MemberChangeRequest(serializers.Serializer):
    """What is left out stays."""

    role = serializers.ChoiceField(Role.choices, required=False)
    languages = serializers.ListField(
        child=serializers.CharField(max_length=20),
        max_length=100,
        required=False,
        help_text="In which the member is given work; empty: in all.",
    )


class MemberRequest(serializers.Serializer):
    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(Role.choices, required=False, default=Role.ANNOTATOR.value)
    languages = serializers.ListField(
        child=serializers.CharField(max_length=20), max_length=100, required=False, default=list
    )


class MemberAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    username = serializers.CharField(source="user.username")
    name = serializers.CharField(source="user")
    role = serializers.CharField()
    languages = Strings()


class MembersAnswer(PagedAnswer):
    members = MemberAnswer(many=True)


class RemovedMemberAnswer(serializers.Serializer):
    id = serializers.IntegerField()


class LanguagesAnswer(serializers.Serializer):
    languages = LanguageAnswer(many=True)


class StageConsequencesAnswer(serializers.Serializer):
    """What hangs on a stage; answers and decisions keep it where it is."""

    items = serializers.IntegerField()
    open = serializers.IntegerField()
    answers = serializers.IntegerField()
    decisions = serializers.IntegerField()


class ChangedProjectAnswer(ProjectDetailAnswer):
    job = serializers.IntegerField(allow_null=True, help_text="The job that creates the items of what was added.")


class ValueUsesAnswer(serializers.Serializer):
    attribute = serializers.CharField()
    value = serializers.CharField(help_text="Empty: free texts.")
    annotations = serializers.IntegerField()
    gold = serializers.IntegerField()
    suggestions = serializers.IntegerField()


class SchemeAnswer(LabelsAnswer):
    """What a change of a layer's scheme does, in numbers; `applied`: whether it is done, or `job` does it."""

    values = ValueUsesAnswer(many=True, source="consequences.values")
    answers_changed = serializers.IntegerField(source="consequences.answers_changed")
    gold_changed = serializers.IntegerField(source="consequences.gold_changed")
    units = serializers.IntegerField(
        source="consequences.units", help_text="Labels in annotations that are shortened or removed so that they fit."
    )
    lacking = serializers.IntegerField(
        source="consequences.lacking", help_text="Answers and gold without a value for what becomes required."
    )


class WebhookRequest(serializers.Serializer):
    url = serializers.CharField(max_length=2000, help_text="Begins with https://.")
    events = serializers.ListField(child=serializers.ChoiceField(choices=WebhookEvent.values), max_length=10)


class ChangeWebhookRequest(serializers.Serializer):
    """What is left out stays as it is."""

    url = serializers.CharField(max_length=2000, required=False)
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=WebhookEvent.values), max_length=10, required=False
    )
    is_active = serializers.BooleanField(required=False)


class WebhookAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.CharField())
    is_active = serializers.BooleanField()
    error = serializers.CharField(source="error_shown", help_text="Why it was switched off, or empty.")
    created_at = serializers.DateTimeField()


class WebhooksAnswer(serializers.Serializer):
    webhooks = WebhookAnswer(many=True)


class WebhookSecretAnswer(WebhookAnswer):
    secret = serializers.CharField(help_text="What messages are signed with. It is in no other answer.")


class DeliveryAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    event = serializers.CharField(source="body.event")
    state = serializers.ChoiceField(choices=DeliveryState.values)
    attempts = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True, help_text="The HTTP status of the last answer.")
    error = serializers.CharField(source="error_shown", help_text="Why the last attempt failed, or empty.")
    created_at = serializers.DateTimeField()


class WebhookDetailAnswer(WebhookAnswer):
    deliveries = DeliveryAnswer(many=True, source="newest_deliveries", help_text="The newest ones.")


class DeletedWebhookAnswer(serializers.Serializer):
    id = serializers.IntegerField()


class InvitationRequest(serializers.Serializer):
    role = serializers.ChoiceField(Role.choices, required=False, default=Role.ANNOTATOR.value)
    languages = serializers.ListField(
        child=serializers.CharField(max_length=20),
        max_length=100,
        required=False,
        default=list,
        help_text="In which the person is given work; empty: in all.",
    )
    email = serializers.EmailField(
        max_length=254, required=False, default="", allow_blank=True, help_text="A note for managers: no email is sent."
    )
    days = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_VALIDITY.days, help_text="How long the link is valid."
    )


class InvitationAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    role = serializers.CharField()
    languages = Strings()
    email = serializers.CharField()
    state = serializers.CharField(help_text=", ".join(InvitationState))
    invited_by = serializers.CharField(allow_null=True, help_text="Username.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(allow_null=True)
    accepted_by = serializers.CharField(allow_null=True, help_text="Username.")
    accepted_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class InvitationsAnswer(serializers.Serializer):
    invitations = InvitationAnswer(many=True)


class InvitationLinkAnswer(InvitationAnswer):
    link = serializers.CharField(
        help_text="By which one person joins, once. It is told in this answer only; empty where the call is repeated."
    )


class GuidelinesAnswer(serializers.Serializer):
    version = serializers.IntegerField()
    languages = Strings(help_text="In which the guidelines can be.")
    written = Strings(help_text="In which they are.")


class GuidelinesTextAnswer(serializers.Serializer):
    language = serializers.CharField()
    version = serializers.IntegerField(help_text="Of the guidelines in all languages.")
    text = serializers.CharField(help_text="Markdown; empty where there is none.")
    before = serializers.CharField(help_text="What a call that edits this text sends.")


class GuidelinesRequest(serializers.Serializer):
    text = serializers.CharField(max_length=MAX_TEXT, allow_blank=True, trim_whitespace=False)
    before = serializers.CharField(max_length=64, help_text="As it was read with the text that is replaced.")


class GuidelineProposalRequest(serializers.Serializer):
    layer = serializers.CharField(max_length=50)
    text = serializers.CharField(
        max_length=MAX_PROPOSAL,
        # The action says what is wrong then.
        allow_blank=True,
        help_text="The sentence, for the guidelines in the language of the call.",
    )


class ProposalsQuery(serializers.Serializer):
    language = serializers.CharField(max_length=20, help_text="Of the guidelines.")


class OpenProposalAnswer(serializers.Serializer):
    """A sentence that an adjudicator proposed for the guidelines, from the decision on a unit."""

    id = serializers.IntegerField(source="pk")
    text = serializers.CharField()
    unit = serializers.IntegerField(source="unit_id")
    uid = serializers.CharField(source="unit.segment.uid")
    layer = serializers.CharField(source="layer.slug")
    created_by = serializers.CharField(source="created_by.username")
    created_at = serializers.DateTimeField()


class ProposalsAnswer(serializers.Serializer):
    proposals = OpenProposalAnswer(many=True)


class CloseProposalRequest(serializers.Serializer):
    end = serializers.ChoiceField(["taken", "dismissed", "open"], help_text="`open` brings a closed one back.")


class ClosedProposalAnswer(serializers.Serializer):
    changed = serializers.BooleanField(help_text="False: it had ended, or was open, before.")


class PictureRequest(serializers.Serializer):
    picture = serializers.FileField(help_text="PNG, JPEG, GIF or WebP.")


class PictureAnswer(serializers.Serializer):
    name = serializers.CharField()
    markdown = serializers.CharField(help_text="Shows it in the text of the guidelines.")


class CardRequest(serializers.Serializer):
    answers = serializers.DictField(
        child=serializers.CharField(max_length=max(one.most for one in QUESTIONS), allow_blank=True),
        help_text=f"By question: {', '.join(one.name for one in QUESTIONS)}.",
    )
    names = serializers.BooleanField(required=False, default=False, help_text="Name people in releases.")

    def validate_answers(self, value: dict[str, str]) -> dict[str, str]:
        """Refuses questions that the card does not have, and answers that are too long."""
        most = {one.name: one.most for one in QUESTIONS}
        for name, text in value.items():
            if name not in most:
                raise serializers.ValidationError({name: [_("This field does not exist.")]})
            if len(text) > most[name]:
                raise serializers.ValidationError(
                    {name: [_("Each text can have at most %(most)d characters.") % {"most": most[name]}]}
                )
        return value


class CardAnswer(serializers.Serializer):
    answers = serializers.DictField(child=serializers.CharField(), help_text="By question; empty where unanswered.")
    names = serializers.BooleanField(help_text="Whether releases name people.")
