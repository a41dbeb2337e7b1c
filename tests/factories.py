"""Small builders for tests. Sentences are our own writing."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotator.accounts.actions import create_token
from annotator.core.files.storage import site_files
from annotator.core.kind import is_beside
from annotator.core.presets import StageSpec
from annotator.core.starts import workflow
from annotator.domain.effective_content import Answer
from annotator.domain.labels.spans import Scheme
from annotator.domain.labels.tags import INFERENCES, ROLES, Inference
from annotator.domain.labels.tags import Role as SegmentRole
from annotator.domain.projection.carry import LabelSource, NotCarried, Outcome
from annotator.domain.text.lemmas import content_words, lemmas_of
from annotator.kinds.pair_tags.tags import INTERPRETATION
from annotator.models import (
    AgreementStudy,
    Alignment,
    Annotation,
    AnnotationState,
    ApiToken,
    Archive,
    Assignment,
    AssignmentState,
    BlindMark,
    Counter,
    Gold,
    GoldSource,
    Item,
    Job,
    JobKind,
    JobState,
    Layer,
    Membership,
    Mode,
    Pair,
    Project,
    Release,
    Role,
    Scope,
    Segment,
    Sentence,
    Stage,
    Suggestion,
    SuggestionKind,
    TrainedDetector,
    Unit,
    User,
    Webhook,
    WebhookEvent,
)
from annotator.models.release import release_file
from annotator.projects.actions.projects import add_stage
from annotator.projects.actions.stages import fill_stage, missing_units
from annotator.reports.queries.figures import MAX_INLINE
from annotator.reports.queries.studies.question import Drawing, study_question
from annotator.reports.queries.studies.stored import compute_study
from annotator.webhooks.happened import finished_stages
from annotator.work.blind.actions.blind_marks import mark_blind
from annotator.work.gold.actions.adjudication import close_adjudication, refresh_adjudication
from annotator.work.gold.actions.gold import decide_items
from annotator.work.lexicon.actions.lemmas import index_places, mark_places
from annotator.work.queue.actions.items import change_item, enter_stages, reassign_unstarted

_counter = itertools.count(1)
# What `add_stage` made of the reference workflow for these languages: whether on the layer of tags, and the fields.
# A thousand tests start with it, and nine calls for each take longer than most of them.
_stages: dict[tuple[str, ...], list[tuple[bool, dict[str, Any]]]] = {}


def span(*tokens: int, label: str = "METAPHOR") -> dict[str, Any]:
    """A span as it is stored in JSON."""
    return {"tokens": list(tokens), "label": label, "attributes": {}, "score": None}


def spans(*given: dict[str, Any]) -> dict[str, Any]:
    """A content of the layer of labels."""
    return {"spans": list(given)}


def choice(value: str | None) -> dict[str, Any]:
    """A content of the layer of tags."""
    return {"value": value}


def make_study(project: Project, people: Sequence[User]) -> AgreementStudy:
    """What a study of these people's labels gives now, stored; no event says so."""
    asked = study_question(project, people=people, layer="tokens", drawing=Drawing(resamples=10))
    found = compute_study(asked, now=timezone.now())
    study = AgreementStudy.objects.create(
        project=project, layer=asked.layer, language=asked.language, dimension=asked.dimension, cluster="units", seed=1,
        resamples=10, units=found.units, scheme_version=1, last_event=found.last_event, sha256=found.sha256,
        results=found.results, computed_at=found.at,
    )  # fmt: skip
    for number, person in enumerate(asked.people):
        study.people.create(user=person, number=number)
    return study


def make_user(username: str = "", *, superuser: bool = False) -> User:
    user = User(username=username or f"user{next(_counter)}", is_superuser=superuser, is_staff=superuser)
    user.set_password("correct horse battery")
    user.save()
    return user


def make_project(
    slug: str = "", *, languages: Sequence[str] = ("es", "en"), labels_named: Sequence[str] = ("METAPHOR",)
) -> Project:
    """A project with the reference workflow: its layers and stages."""
    slug = slug or f"project-{next(_counter)}"
    project = Project.objects.create(
        slug=slug, name=slug, languages=list(languages), roles=list(ROLES), inferences=list(INFERENCES)
    )
    labels = Layer(
        project=project,
        slug="labels",
        content_type=Layer.SPANS,
        unit_kind=Segment.SENTENCE,
        scheme_data=Scheme(labels=tuple(labels_named)).to_json(),
    )
    tags = Layer(
        project=project,
        slug=INTERPRETATION.slug,
        content_type=INTERPRETATION.content_type,
        unit_kind=Segment.PAIR,
        scheme_data=dict(INTERPRETATION.scheme),
        position=INTERPRETATION.position,
    )
    Layer.objects.bulk_create([labels, tags])
    key = tuple(languages)
    if key in _stages:
        Stage.objects.bulk_create(
            Stage(project=project, layer=tags if on_tags else labels, **values) for on_tags, values in _stages[key]
        )
        project.label_layer, project.tag_layer = labels, tags
        return project
    made = [
        add_stage(project=project, spec=spec, position=at) for at, spec in enumerate(workflow().each_once(languages))
    ]
    kept = ("kind", "language", "title", "position", "mode", "answers_wanted", "order", "context")
    _stages[key] = [(stage.layer_id == tags.pk, {name: getattr(stage, name) for name in kept}) for stage in made]
    return project


def make_label_layer(project: Project, slug: str, scheme: Scheme) -> Layer:
    """A layer of labels on sentences, after those that the project has."""
    return Layer.objects.create(
        project=project,
        slug=slug,
        content_type=Layer.SPANS,
        unit_kind=Segment.SENTENCE,
        scheme_data=scheme.to_json(),
        position=project.layers.count(),
    )


def filled_stage(*, project: Project, spec: StageSpec, position: int, made_from: Stage | None = None) -> Stage:
    """A new stage with the items of what the project has."""
    stage = add_stage(project=project, spec=spec, position=position, made_from=made_from)
    if not stage.adjudicates:
        fill_stage(stage, list(missing_units(stage).values_list("pk", flat=True)))
    return stage


def make_member(project: Project, role: str = Role.ANNOTATOR, username: str = "") -> User:
    user = make_user(username)
    Membership.objects.create(project=project, user=user, role=role)
    return user


def make_token(
    user: User, scope: str = Scope.MANAGE, project: Project | None = None, days: int | None = None
) -> tuple[ApiToken, str]:
    """An API token and its secret."""
    return create_token(user=user, name="script", scope=scope, project=project, days=days, now=timezone.now())


def make_segment(project: Project, *, role: str = SegmentRole.PREMISE, uid: str = "", group: str = "") -> Segment:
    number = next(_counter)
    uid = uid or f"set:{role}:{number}"
    return Segment.objects.create(
        project=project, uid=uid, role=role, dataset="set", genre="letters", group=group or uid, position=number
    )


def make_sentence(
    project: Project, text: str = "El tiempo vuela", *, language: str = "es", segment: Segment | None = None
) -> Sentence:
    """A sentence with its place in the lemma index and its items in the stages that hold it."""
    tokens = text.split(" ")
    segment = segment or make_segment(project)
    sentence = Sentence.objects.create(
        project=project,
        segment=segment,
        language=language,
        tokens=tokens,
        token_count=len(tokens),
        lemmas=lemmas_of(tokens, language),
        content_words=content_words(tokens, language),
        touches=[segment.pk],
    )
    index_places([sentence])
    enter_stages(project, [sentence])
    return sentence


def make_pair(
    project: Project,
    *,
    inference: str = Inference.NEUTRAL,
    premise: str = "El tiempo vuela",
    hypothesis: str = "Nadie mira el reloj",
    language: str = "es",
) -> Pair:
    """A pair with its two sentences and its unit in one language."""
    first = make_segment(project)
    second = make_segment(project, role=SegmentRole.HYPOTHESIS, group=first.group)
    make_sentence(project, premise, language=language, segment=first)
    make_sentence(project, hypothesis, language=language, segment=second)
    number = next(_counter)
    slot = Segment.objects.create(
        project=project,
        kind=Segment.PAIR,
        uid=f"set:pair:{number}",
        dataset="set",
        genre="letters",
        group=first.group,
        position=number,
    )
    pair = Pair.objects.create(
        project=project,
        segment=slot,
        pair_id=f"{number}_set",
        dataset="set",
        source_dataset="set",
        premise=first,
        hypothesis=second,
        inference=inference,
        position=number,
    )
    make_pair_unit(pair, language)
    return pair


def make_pair_unit(pair: Pair, language: str) -> Unit:
    """The pair in one more language; its sentences are there already."""
    unit = Unit.objects.create(
        project=pair.project,
        segment=pair.segment,
        kind=Segment.PAIR,
        language=language,
        touches=[pair.segment_id, pair.premise_id, pair.hypothesis_id],
    )
    enter_stages(pair.project, [unit])
    return unit


def unit_of(pair: Pair, language: str = "es") -> Unit:
    """The pair's unit in a language."""
    return pair.segment.units.select_related("segment").get(language=language, is_current=True)


def make_prediction(sentence: Unit, spans: list[dict[str, Any]], probabilities: list[float]) -> Suggestion:
    job = Job.objects.create(project=sentence.project, kind=JobKind.PREDICT, state=JobState.DONE)
    Item.objects.filter(unit=sentence, stage__layer=sentence.project.label_layer).update(
        suggested=bool(spans), unlabelled=int(not spans)
    )
    return Suggestion.objects.create(
        project=sentence.project,
        unit=sentence,
        layer=sentence.project.label_layer,
        kind=SuggestionKind.PREDICTION,
        job=job,
        name="crf",
        revision="test",
        threshold=0.5,
        content={"spans": spans},
        probabilities=probabilities,
    )


def make_silver(pair: Pair, tag: str, *, language: str = "en", source: str = "es") -> Suggestion:
    """A tag taken over from another language."""
    unit = unit_of(pair, language)
    return Suggestion.objects.create(
        project=pair.project,
        unit=unit,
        layer=layer_of(unit),
        kind=SuggestionKind.TRANSFER,
        source_language=source,
        content={"value": tag},
    )


def stage_of(project: Project, kind: str, language: str = "es", layer: str = "") -> Stage:
    """The stage of a kind in a language; of the stages that adjudicate, that of the labels unless `layer` is given."""
    stages = project.stages.select_related("project", "layer").filter(kind=kind, language=language)
    if layer:
        stages = stages.filter(layer__slug=layer)
    found = stages.order_by("position").first()
    assert found is not None
    found.project = project
    return found


def layer_of(unit: Unit) -> Layer:
    """The layer that is worked on, on units of this kind."""
    layer = unit.project.tag_layer if unit.kind == Segment.PAIR else unit.project.label_layer
    assert layer is not None
    return layer


def make_item(unit: Unit, stage: Stage) -> Item:
    """The unit's item in the stage, made where no rule of the stage made it."""
    item, _created = Item.objects.get_or_create(
        stage=stage, unit=unit, defaults={"project": stage.project, "reading": unit.segment.position}
    )
    return item


def make_assignment(
    unit: Unit | Pair, user: User, stage: Stage, *, mode: str = Mode.REVIEW, done: bool = False, ahead: bool = False
) -> Assignment:
    """An assignment, counted in its item and stage as the actions count it; `ahead`: a page holds it in advance."""
    if isinstance(unit, Pair):
        unit = unit_of(unit, stage.language)
    item = make_item(unit, stage)
    row = Assignment.objects.create(
        project=stage.project,
        stage=stage,
        item=item,
        unit=unit,
        user=user,
        mode=mode,
        state=AssignmentState.DONE if done else AssignmentState.OPEN,
        reading=item.reading,
        expires_at=timezone.now() + timedelta(hours=1) if ahead else None,
    )
    name = f"{'extra' if is_beside(stage, mode) else 'answers'}_{'done' if done else 'open'}"
    own = f"{'blind' if mode == Mode.BLIND else 'own'}_{'done' if done else 'open'}"
    change_item(item, user=user, own={own: 1}, **{name: 1})
    if mode == Mode.BLIND:
        mark_blind([row], stage)
    return row


def make_annotation(
    unit: Unit,
    user: User,
    spans: Sequence[dict[str, Any]] = (),
    *,
    mode: str = Mode.REVIEW,
    doubt: bool = False,
    comment: str = "",
    state: str = AnnotationState.DONE,
    content: dict[str, Any] | None = None,
    **more: Any,
) -> Annotation:
    """A done annotation of labels (or of `content`), or one in another state; without an assignment."""
    row = Annotation.objects.create(
        project=unit.project,
        unit=unit,
        layer=layer_of(unit),
        user=user,
        mode=mode,
        state=state,
        content=content or {"spans": list(spans)},
        doubt=doubt,
        comment=comment,
        done_at=timezone.now() if state == AnnotationState.DONE else None,
        **more,
    )
    refresh_adjudication(project=unit.project, unit=unit, layer=row.layer)
    _mark_places(unit, row.layer)
    return row


def make_gold(
    unit: Unit,
    spans: Sequence[dict[str, Any]] = (),
    *,
    content: dict[str, Any] | None = None,
    layer: Layer | None = None,
    **more: Any,
) -> Gold:
    """An imported decision, with items, counters and blind marks as the actions leave them."""
    layer = layer or layer_of(unit)
    gold = Gold.objects.create(
        project=unit.project,
        unit=unit,
        layer=layer,
        content=content or {"spans": list(spans)},
        **({"source": GoldSource.IMPORTED} | more),
    )
    items = list(Item.objects.filter(unit=unit, stage__layer=layer).exclude(stage__kind=Stage.ADJUDICATE))
    if items:
        decide_items(items, by=None)
    BlindMark.objects.filter(assignment__unit=unit, layer=layer).update(live=False)
    close_adjudication(project=unit.project, units=[unit.pk], layer=layer, language=unit.language, by=None)
    _mark_places(unit, layer)
    return gold


def _mark_places(unit: Unit, layer: Layer) -> None:
    done = Annotation.objects.filter(unit=unit, layer=layer, state=AnnotationState.DONE).order_by("pk")
    gold = Gold.objects.filter(unit=unit, layer=layer).first()
    answers = [Answer(row.mode, row.content, row.user_id) for row in done]
    mark_places(unit, layer, answers, gold.content if gold else None)


def make_tag(
    pair: Pair, tag: str, *, user: User | None = None, language: str = "es", mode: str = Mode.REVIEW
) -> Annotation | Gold:
    """A person's finished tag where a user is given, else gold."""
    unit = unit_of(pair, language)
    if user is None:
        return make_gold(unit, content={"value": tag})
    return make_annotation(unit, user, content={"value": tag}, mode=mode)


def make_projection(
    source: Unit, target: Unit, spans: list[dict[str, Any]], source_spans: list[dict[str, Any]]
) -> Suggestion:
    """A current projection, span by span; source spans beyond those of the target are unaligned.

    The target's item moves to the stage that reviews projections.
    """
    outcomes = [
        {
            "source": of,
            "outcome": (Outcome.PROJECTED if to else Outcome.UNALIGNED).value,
            "reason": "" if to else NotCarried.UNLINKED.value,
            "target": to,
            "left_out": [],
        }
        for of, to in itertools.zip_longest(source_spans, spans)
        if of
    ]
    job = Job.objects.create(project=target.project, kind=JobKind.PROJECT, state=JobState.DONE)
    alignment = Alignment.objects.create(
        project=target.project,
        job=job,
        source=source,
        target=target,
        aligner="lexical",
        revision="test",
        links=[[0, 0, 0.9]],
    )
    made = Suggestion.objects.create(
        project=target.project,
        unit=target,
        layer=target.project.label_layer,
        kind=SuggestionKind.PROJECTION,
        source_language=source.language,
        source=source,
        job=job,
        alignment=alignment,
        name="lexical",
        revision="test",
        content={"spans": spans},
        detail={"labels": LabelSource.GOLD.value, "rules": {}, "source_spans": source_spans, "outcomes": outcomes},
    )
    reassign_unstarted(target.project, [target.pk], language=target.language)
    return made


def make_trained(
    project: Project, f1: float, *, baseline_f1: float | None = None, active: bool = True
) -> TrainedDetector:
    """A detector trained on the project's Spanish sentences; its files are not there."""
    job = Job.objects.create(project=project, kind=JobKind.TRAIN, state=JobState.DONE, params={"language": "es"})
    measured = baseline_f1 is not None
    return TrainedDetector.objects.create(
        project=project,
        language="es",
        job=job,
        engine="crf",
        label="METAPHOR",
        revision=f"revision{job.pk}",
        folder=f"{project.pk}/{job.pk}",
        sentences=100 * (project.trained_detectors.count() + 1),
        labelled_tokens=20,
        held_out_sentences=25,
        held_out_labelled_tokens=10,
        precision=f1,
        recall=f1,
        f1=f1,
        baseline="crf" if measured else "",
        baseline_revision="shipped" if measured else "",
        baseline_precision=baseline_f1,
        baseline_recall=baseline_f1,
        baseline_f1=baseline_f1,
        active=active,
    )


def store(name: str, content: bytes) -> None:
    """A file of this name in the storage."""
    site_files().here(name).write_bytes(content)
    site_files().publish(name)


def make_release(
    project: Project, *, number: int = 1, content: bytes = b"PK a release", manifest: dict[str, Any] | None = None
) -> Release:
    """A release whose file holds `content`."""
    job = Job.objects.create(project=project, kind=JobKind.RELEASE, state=JobState.DONE)
    name = f"{project.slug}-{number}.zip"
    store(release_file(project, name), content)
    return Release.objects.create(
        project=project,
        number=number,
        job=job,
        file_name=name,
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        manifest=manifest or {},
    )


def make_archive(project: Project, *, content: bytes = b"PK an archive") -> Archive:
    """An archive whose file holds `content`."""
    job = Job.objects.create(project=project, kind=JobKind.ARCHIVE, state=JobState.DONE, params={"pseudonyms": False})
    sha256 = hashlib.sha256(content).hexdigest()
    made = Archive.objects.create(project=project, job=job, sha256=sha256, size=len(content))
    store(made.stored, content)
    return made


def make_export(project: Project) -> Job:
    """The finished job of an export, with its file."""
    job = Job.objects.create(
        project=project, kind=JobKind.EXPORT, state=JobState.DONE, planned=True, params={"format": "jsonl"}
    )
    store(job.exported, b"PK an export")
    return job


def make_webhook(project: Project, *events: str, url: str = "https://program.example/hook") -> Webhook:
    """A webhook that is told of these events, or of all."""
    return Webhook.objects.create(
        project=project,
        url=url,
        events=list(events) or WebhookEvent.values,
        since=timezone.now(),
        finished_stages=sorted(finished_stages(project)),
    )


def enlarge(project: Project) -> None:
    """Have the counters say that the project has more items than a page counts: a job has to."""
    stage = project.stages.earliest("pk")
    Counter.objects.update_or_create(stage=stage, user=None, defaults={"project": project, "total": MAX_INLINE + 1})
