from annotator.models.alignment import Alignment
from annotator.models.annotation import Annotation, AnnotationState
from annotator.models.assignment import Assignment, AssignmentState, Mode
from annotator.models.event import AppendOnlyError, Event
from annotator.models.gold import Gold, GoldSource
from annotator.models.job import Job, JobKind, JobState
from annotator.models.job_chunk import ChunkState, JobChunk
from annotator.models.membership import Membership, Role
from annotator.models.pair import Inference, Pair
from annotator.models.pair_tag import PairTag, Tag, TagKind
from annotator.models.prediction import Prediction
from annotator.models.project import Project
from annotator.models.projection import LabelSource, Projection
from annotator.models.release import Release
from annotator.models.segment import Segment, SegmentRole
from annotator.models.sentence import Sentence
from annotator.models.stage import Stage, StageKind
from annotator.models.trained_detector import TrainedDetector
from annotator.models.user import User
from annotator.models.worker import Worker

__all__ = [
    "Alignment",
    "Annotation",
    "AnnotationState",
    "AppendOnlyError",
    "Assignment",
    "AssignmentState",
    "ChunkState",
    "Event",
    "Gold",
    "GoldSource",
    "Inference",
    "Job",
    "JobChunk",
    "JobKind",
    "JobState",
    "LabelSource",
    "Membership",
    "Mode",
    "Pair",
    "PairTag",
    "Prediction",
    "Project",
    "Projection",
    "Release",
    "Role",
    "Segment",
    "SegmentRole",
    "Sentence",
    "Stage",
    "StageKind",
    "Tag",
    "TagKind",
    "TrainedDetector",
    "User",
    "Worker",
]
