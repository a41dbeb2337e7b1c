"""Storing agreement."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction

from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.verbs import Verb
from annotator.models import AgreementPerson, AgreementRun, AgreementStudy, User
from annotator.reports.queries.agreement_runs import Computed, newest_run
from annotator.reports.queries.stored_agreement import stored
from annotator.reports.queries.studies.question import ComputedStudy


@transaction.atomic
def store_run(*, computed: Computed, by: User | None) -> AgreementRun:
    """Store what was computed, or return the newest run of the question, if it had the same inputs.

    Like the job that leads here, it leaves the project as it is, so a read-only project can have it, too. Raises
    ActionError for a layer that there is not, where nothing was compared.
    """
    asked, inputs = computed.asked, computed.inputs
    if asked.found is None:
        raise ActionError(message(_("This project has no such layer, so there is nothing to store.")))
    lock_project(asked.project)
    newest = newest_run(asked)
    if newest is not None and newest.sha256 == inputs.sha256:
        return newest
    run = AgreementRun.objects.create(
        project=asked.project,
        layer=asked.found,
        language=asked.language,
        a=asked.a,
        b=asked.b,
        dimension=asked.dimension,
        mapping=asked.mapping,
        units=inputs.units,
        blind=inputs.blind,
        scheme_version=inputs.scheme_version,
        last_event=inputs.last_event,
        sha256=inputs.sha256,
        results=stored(computed.agreement, computed.course, computed.places),
        computed_at=computed.at,
        computed_by=by,
    )
    log(project=None, actor=by, verb=Verb.AGREEMENT_STORED, subject=run, after={"sha256": inputs.sha256})
    return run


@transaction.atomic
def store_study(*, computed: ComputedStudy, by: User | None) -> AgreementStudy:
    """Store what was computed, or return the stored one of the same settings and answers.

    It leaves the project as it is, so a read-only project can have it, too.
    """
    asked = computed.asked
    lock_project(asked.project)
    same = AgreementStudy.objects.filter(project=asked.project, sha256=computed.sha256).first()
    if same is not None:
        return same
    study = AgreementStudy.objects.create(
        project=asked.project,
        layer=asked.layer,
        language=asked.language,
        dimension=asked.dimension,
        mapping=asked.mapping,
        **asdict(asked.drawing),
        units=computed.units,
        scheme_version=asked.layer.scheme_version,
        last_event=computed.last_event,
        sha256=computed.sha256,
        results=computed.results,
        computed_at=computed.at,
        computed_by=by,
    )
    AgreementPerson.objects.bulk_create(
        AgreementPerson(study=study, user=person, number=number) for number, person in enumerate(asked.people)
    )
    log(project=None, actor=by, verb=Verb.AGREEMENT_STORED, subject=study, after={"sha256": computed.sha256})
    return study
