"""What is asked of jobs."""

from __future__ import annotations

from rest_framework import serializers

from annotator.domain.states import JobState
from annotator.models import JobKind
from api.pagination import PageQuery


class JobsQuery(PageQuery):
    kind = serializers.ChoiceField(JobKind.choices, required=False, default="", allow_blank=True)
    state = serializers.ChoiceField([state.value for state in JobState], required=False, default="", allow_blank=True)


class JobRequest(serializers.Serializer):
    """Long work that needs nothing but its settings. Other kinds of jobs have addresses of their own."""

    kind = serializers.ChoiceField(
        [JobKind.PREDICT, JobKind.PROJECT, JobKind.TRAIN, JobKind.RELEASE, JobKind.MAP, JobKind.COUNT]
    )
    params = serializers.DictField(
        required=False,
        default=dict,
        help_text="predict: language, detector, only_unprojected; project: source, target, aligner, labels; train: "
        "language, engine, label; release: partial, mapping, sample, seed, uses, splits; map: model, sentences, seed.",
    )
