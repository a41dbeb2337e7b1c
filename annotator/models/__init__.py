from annotator.domain.states import AnnotationState, AssignmentState, ItemState, JobState, Mode
from annotator.models.agreement_run import AgreementRun
from annotator.models.agreement_study import AgreementPerson, AgreementStudy
from annotator.models.alignment import Alignment
from annotator.models.annotation import Annotation
from annotator.models.api_token import ApiToken, Scope
from annotator.models.archive import Archive
from annotator.models.archive_upload import ArchiveUpload
from annotator.models.assignment import Assignment
from annotator.models.blind_mark import BlindMark
from annotator.models.comparison import Comparison, ComparisonKind, ComparisonRow
from annotator.models.corpus_import import Import
from annotator.models.counter import Counter
from annotator.models.event import AppendOnlyError, Event
from annotator.models.gold import Gold, GoldSource
from annotator.models.guideline_proposal import GuidelineProposal
from annotator.models.import_draft import ImportDraft, LabelsAs
from annotator.models.invitation import Invitation, InvitationState
from annotator.models.item import Item
from annotator.models.job import Job, JobKind
from annotator.models.job_chunk import ChunkState, JobChunk
from annotator.models.layer import Layer
from annotator.models.lemma_place import LemmaPlace
from annotator.models.membership import Membership, Role
from annotator.models.pair import Pair
from annotator.models.project import Project
from annotator.models.pseudonym import Pseudonym
from annotator.models.release import Release
from annotator.models.repeat import Repeat
from annotator.models.segment import Segment
from annotator.models.sentence_map import SentenceMap
from annotator.models.split import Split, SplitMethod, SplitRow
from annotator.models.stage import Stage
from annotator.models.stored_answer import StoredAnswer
from annotator.models.suggestion import Suggestion, SuggestionKind
from annotator.models.term import Term
from annotator.models.trained_detector import TrainedDetector
from annotator.models.training import Training
from annotator.models.unit import Sentence, Unit
from annotator.models.user import User
from annotator.models.webhook import DeliveryState, Webhook, WebhookDelivery, WebhookEvent
from annotator.models.worker import Worker

__all__ = [
    "AgreementPerson",
    "AgreementRun",
    "AgreementStudy",
    "Alignment",
    "Annotation",
    "AnnotationState",
    "ApiToken",
    "AppendOnlyError",
    "Archive",
    "ArchiveUpload",
    "Assignment",
    "AssignmentState",
    "BlindMark",
    "ChunkState",
    "Comparison",
    "ComparisonKind",
    "ComparisonRow",
    "Counter",
    "DeliveryState",
    "Event",
    "Gold",
    "GoldSource",
    "GuidelineProposal",
    "Import",
    "ImportDraft",
    "Invitation",
    "InvitationState",
    "Item",
    "ItemState",
    "Job",
    "JobChunk",
    "JobKind",
    "JobState",
    "LabelsAs",
    "Layer",
    "LemmaPlace",
    "Membership",
    "Mode",
    "Pair",
    "Project",
    "Pseudonym",
    "Release",
    "Repeat",
    "Role",
    "Scope",
    "Segment",
    "Sentence",
    "SentenceMap",
    "Split",
    "SplitMethod",
    "SplitRow",
    "Stage",
    "StoredAnswer",
    "Suggestion",
    "SuggestionKind",
    "Term",
    "TrainedDetector",
    "Training",
    "Unit",
    "User",
    "Webhook",
    "WebhookDelivery",
    "WebhookEvent",
    "Worker",
]
