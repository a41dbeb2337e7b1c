"""Every call of the API, by the name of its address, with a request that reaches the view's work."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLPattern, URLResolver, reverse
from django.utils import timezone
from rest_framework.response import Response
from rest_framework.test import APIClient

from annotator.core.files.pictures import name_of, picture_file
from annotator.core.permissions import Permission
from annotator.core.presets import StageSpec
from annotator.domain.labels.shipped_schemes import conceptual_domains
from annotator.models import (
    AgreementStudy,
    Archive,
    Assignment,
    Comparison,
    GuidelineProposal,
    Import,
    ImportDraft,
    Invitation,
    Job,
    JobKind,
    Layer,
    Membership,
    Mode,
    Pair,
    Project,
    Release,
    Repeat,
    Role,
    Segment,
    Sentence,
    Split,
    Stage,
    Training,
    Unit,
    User,
    Webhook,
)
from annotator.projects.actions.guidelines import fingerprint
from api.v1 import urls
from tests.comparisons.making import stored_comparison
from tests.drafts import SPANISH, draft_of
from tests.factories import (
    filled_stage,
    make_archive,
    make_assignment,
    make_export,
    make_member,
    make_pair,
    make_project,
    make_release,
    make_study,
    make_webhook,
    stage_of,
    store,
    unit_of,
)
from tests.splits.making import stored_split

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(20)
# A decision that nothing was chosen for.
BY_HAND = {"chosen": {"answers": [], "edited": True}}
# Addresses that have nothing of a project in them.
OUTSIDE = {
    "keys", "token", "projects", "schema", "docs", "nothing", "archive-uploads", "archive-upload", "archive-restore",
}  # fmt: skip


@dataclass
class Scene:
    """A project with one item of everything, worked on by `user`."""

    project: Project = field(default_factory=make_project)
    user: User = field(init=False)
    pair: Pair = field(init=False)
    pair_unit: Unit = field(init=False)
    sentence: Sentence = field(init=False)
    stage: Stage = field(init=False)
    tagging: Stage = field(init=False)
    judging: Stage = field(init=False)
    judging_tags: Stage = field(init=False)
    writing: Stage = field(init=False)
    validating: Stage = field(init=False)
    rating: Stage = field(init=False)
    domains: Layer = field(init=False)
    finding: Stage = field(init=False)
    defining: Stage = field(init=False)
    of_sentence: Assignment = field(init=False)
    of_pair: Assignment = field(init=False)
    job: Job = field(init=False)
    draft: ImportDraft = field(init=False)
    dropped: ImportDraft = field(init=False)
    imported: Import = field(init=False)
    archive: Archive = field(init=False)
    export: Job = field(init=False)
    invitation: Invitation = field(init=False)
    picture: str = name_of(PNG, "png")
    hook: Webhook = field(init=False)
    split: Split = field(init=False)
    release: Release = field(init=False)
    member: Membership = field(init=False)
    comparison: Comparison = field(init=False)
    study: AgreementStudy = field(init=False)
    training: Training = field(init=False)
    mode: str = Mode.REVIEW
    role: str = Role.MANAGER

    def __post_init__(self) -> None:
        self.user = make_member(self.project, self.role)
        self.pair = make_pair(self.project)
        self.pair_unit = unit_of(self.pair)
        self.sentence = sentence_of(self.pair.premise)
        self.stage = stage_of(self.project, "correct")
        self.project.stages.update(context="inference")
        self.stage.refresh_from_db()
        self.tagging = stage_of(self.project, "pair-tag")
        self.judging = stage_of(self.project, Stage.ADJUDICATE, layer="labels")
        self.judging_tags = stage_of(self.project, Stage.ADJUDICATE, layer="interpretation")
        self.writing = filled_stage(project=self.project, spec=StageSpec("write-pair", "es"), position=30)
        chained = StageSpec("validate", "es", made_from="write-pair")
        self.validating = filled_stage(project=self.project, spec=chained, position=31)
        self.finding = filled_stage(project=self.project, spec=StageSpec("inapt", "es"), position=32)
        self.defining = filled_stage(project=self.project, spec=StageSpec("define", "es"), position=33)
        self.rating = filled_stage(project=self.project, spec=StageSpec("rate", "es"), position=34)
        self.domains = Layer.objects.create(
            project=self.project,
            slug=f"domains-{self.project.pk}",
            content_type=Layer.SPANS,
            unit_kind=Segment.SENTENCE,
            scheme_data=conceptual_domains().to_json(),
            position=9,
        )
        self.of_sentence = make_assignment(self.sentence, self.user, self.stage, mode=self.mode)
        self.of_pair = make_assignment(self.pair, self.user, self.tagging, mode=self.mode)
        self.job = Job.objects.create(project=self.project, kind=JobKind.PREDICT)
        self.draft = draft_of(self.project, {"es.txt": SPANISH})
        self.dropped = draft_of(self.project, {})
        self.imported = Import.objects.create(project=self.project, dataset="set", published_at=timezone.now())
        self.archive = make_archive(self.project)
        self.export = make_export(self.project)
        self.split = stored_split(self.project)
        self.comparison = stored_comparison(self.project)
        self.invitation = Invitation.objects.create(
            project=self.project, secret_hash=Invitation.hashed(self.project.slug), role=Role.ANNOTATOR,
            languages=["es"], expires_at=timezone.now() + timedelta(days=7),
        )  # fmt: skip
        store(picture_file(self.project.pk, self.picture), PNG)
        self.hook = make_webhook(self.project)
        # Its number is nothing in another project of the tests.
        self.release = make_release(self.project, number=100 + self.project.pk)
        colleague = make_member(self.project)
        self.member = self.project.memberships.get(user=colleague)
        self.study = make_study(self.project, [self.user, colleague])
        self.proposal = GuidelineProposal.objects.create(
            project=self.project, unit=self.sentence, layer=self.stage.layer, language="en", text="Idioms count.",
            created_by=self.user,
        )  # fmt: skip
        self.repeat = Repeat.objects.create(
            project=self.project,
            stage=self.stage,
            assignment=self.of_sentence,
            user=self.user,
            after=1,
            first={"spans": []},
        )
        self.training = Training.objects.create(
            project=self.project,
            stage=self.stage,
            user=self.user,
            number=1,
            items=[{"unit": self.sentence.pk, "gold": {"spans": []}, "answer": None}],
        )


def sentence_of(segment: Segment, language: str = "es") -> Sentence:
    """The current sentence of a segment."""
    return Sentence.objects.select_related("segment").get(segment=segment, language=language, is_current=True)


@dataclass(frozen=True)
class Call:
    name: str
    method: str
    needs: Permission
    path: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    query: str = ""
    format: str | None = None

    def address(self, slug: str) -> str:
        return reverse(f"api:{self.name}", kwargs={"slug": slug, **self.path}) + self.query

    def send(self, client: APIClient, slug: str) -> Response:
        return getattr(client, self.method)(
            self.address(slug), self.body, **({"format": self.format} if self.format else {})
        )


def calls(scene: Scene, other: User | None = None) -> list[Call]:
    """One call or more to every address inside a project, in an order in which each does its work."""
    view, annotate, adjudicate, manage = Permission
    stage, tagging, judging, judging_tags = (
        {"stage": row.pk} for row in (scene.stage, scene.tagging, scene.judging, scene.judging_tags)
    )
    sentence, pair = {"pk": scene.of_sentence.pk}, {"pk": scene.of_pair.pk}
    unit, pair_unit = {"pk": scene.sentence.pk}, {"pk": scene.pair_unit.pk}
    label = {"spans": [{"tokens": [0], "label": "METAPHOR"}]}
    draft = {"pk": scene.draft.pk}
    names = f"?a={scene.user.username}&b={other.username if other else 'nobody'}"
    compared = {
        "a": scene.user.username, "b": other.username if other else "nobody", "layer": "tokens", "language": "es",
    }  # fmt: skip
    return [
        Call("project", "get", view),
        Call("claim", "post", annotate, stage, {"count": 5}),
        Call("claim", "post", annotate, tagging, {"count": 5}),
        Call("items", "get", annotate, stage),
        Call("items", "get", annotate, tagging),
        Call("assignment", "get", annotate, sentence),
        Call("assignment", "get", annotate, pair),
        Call("save", "post", annotate, sentence, {"version": 0, "content": {"spans": []}, "done": True}),
        Call("save", "post", annotate, sentence, {"version": 0, "content": label, "done": True}),
        Call("save", "post", annotate, sentence, {"version": 1, "content": label, "done": True}),
        Call("undo", "post", annotate, sentence, {"version": 2}),
        Call("undo", "post", annotate, sentence, {"version": 1}),
        Call(
            "edit-link", "post", annotate, sentence,
            {"suggestion": 1, "source_token": 0, "target_token": 0, "linked": True},
        ),
        Call("save", "post", annotate, pair, {"version": 0, "content": {"value": "relevant"}, "done": True}),
        Call("save", "post", annotate, pair, {"version": 7, "content": {"value": "discarded"}, "done": True}),
        Call("undo", "post", annotate, pair, {"version": 1}),
        Call("repeat", "get", annotate, {"pk": scene.repeat.pk}),
        Call(
            "repeat-save", "post", annotate, {"pk": scene.repeat.pk}, {"version": 0, "content": label, "done": False}
        ),
        Call("repeat-save", "post", annotate, {"pk": scene.repeat.pk}, {"version": 1, "content": label, "done": True}),
        Call("repeat-undo", "post", annotate, {"pk": scene.repeat.pk}, {"version": 2}),
        Call("train-claim", "post", annotate, {"batch": scene.training.pk, **stage}, {"count": 5}),
        Call(
            "train-save", "post", annotate, {"batch": scene.training.pk, "pk": 1},
            {"version": 0, "content": label, "done": True},
        ),
        Call("train-item", "get", annotate, {"batch": scene.training.pk, "pk": 1}),
        Call("train-items", "get", annotate, {"batch": scene.training.pk, **stage}),
        Call("train-undo", "post", annotate, {"batch": scene.training.pk, "pk": 1}, {"version": 1}),
        Call("training", "get", annotate, stage),
        Call("training", "post", annotate, stage),
        Call("training-finish", "post", annotate, stage),
        Call("training-settings", "get", manage, stage),
        Call("training-settings", "put", manage, stage, {"count": 2, "threshold": 0.5}),
        Call("training-people", "get", manage, stage),
        Call("training-people", "post", manage, stage, {"user": scene.user.username, "let_in": True}),
        Call("training-settings", "put", manage, stage, {"count": 0}),
        Call("no-metaphor", "get", annotate, tagging),
        Call("no-metaphor", "post", annotate, tagging, {"pairs": [scene.pair.pk]}),
        Call(
            "inference-label", "post", annotate, {**tagging, "pair": scene.pair.pk},
            {"inference": "neutral", "seen": "neutral"},
        ),
        Call("similar-pairs", "post", annotate, {"stage": scene.writing.pk}, {"first": "El tiempo vuela"}),
        Call("another-pair", "post", annotate, {"stage": scene.writing.pk}),
        Call("source-changed", "get", view, stage),
        Call("left-texts", "get", manage, {"stage": scene.writing.pk}),
        Call("left-text-hand-over", "post", manage, {"stage": scene.writing.pk, "answer": 1}, {"to": "nobody"}),
        Call("left-text-give-up", "post", manage, {"stage": scene.writing.pk, "answer": 1}, {"reason": "Nobody can."}),
        Call("pair-target", "post", manage, {"stage": scene.writing.pk}, {"target": 3}),
        Call(
            "second-question", "post", manage, {"stage": scene.validating.pk},
            {"question": "Does it follow?", "values": ["yes", "no"]},
        ),
        Call(
            "scale", "post", manage, {"stage": scene.rating.pk},
            {"question": "How new is it?", "high": "New", "low": "Old", "points": 7},
        ),
        Call("lemmas", "get", annotate, query="?language=es&lemma=vuela"),
        Call("lemmas", "get", annotate, query="?language=en&lemma=flies"),
        Call("senses", "get", adjudicate, {"stage": scene.finding.pk}, query="?word=vuela"),
        Call("bring-pairs", "post", manage, {"stage": scene.defining.pk}, {"what": "expressions", "after": 0}),
        Call("terms", "get", annotate, {"layer": scene.domains.slug}, query="?attribute=source"),
        Call(
            "terms-merge", "post", manage, {"layer": scene.domains.slug},
            {"attribute": "source", "term": "journey", "into": "travel"},
        ),
        Call("adjudicate", "get", adjudicate, judging),
        Call("adjudicate", "get", adjudicate, judging_tags),
        Call("gold", "post", adjudicate, unit, {"layer": "labels", "version": 9, "content": {"spans": []}, **BY_HAND}),
        Call("reopen", "post", adjudicate, unit, {"layer": "labels", "version": 9}),
        Call("propose-guideline", "post", adjudicate, unit, {"layer": "labels", "text": "Idioms count."}),
        Call(
            "gold", "post", adjudicate, pair_unit,
            {"layer": "interpretation", "version": 9, "content": {"value": "relevant"}, **BY_HAND},
        ),
        Call("reopen", "post", adjudicate, pair_unit, {"layer": "interpretation", "version": 9}),
        Call("gold-open", "post", adjudicate, unit, {"layer": "labels"}),
        Call("agreement", "get", adjudicate, query=f"{names}&layer=tokens&language=es"),
        Call("agreement", "get", adjudicate, query=f"{names}&layer=pairs&language=es"),
        Call("agreement", "post", adjudicate, body=compared),
        Call("studies", "get", adjudicate),
        Call("studies", "post", adjudicate, body={"people": [compared["a"], compared["b"]], "layer": "tokens"}),
        Call("study", "get", adjudicate, {"pk": scene.study.pk}),
        Call("study-file", "get", adjudicate, {"pk": scene.study.pk}),
        Call("jobs", "get", view),
        Call("job", "get", view, {"pk": scene.job.pk}),
        Call("jobs", "post", manage, body={"kind": "predict", "params": {"language": "es", "detector": "lexical"}}),
        Call("job-retry", "post", manage, {"pk": scene.job.pk}),
        Call("job-cancel", "post", manage, {"pk": scene.job.pk}),
        Call("progress", "get", manage),
        Call("assign", "get", manage, stage),
        Call(
            "assign", "post", manage, stage,
            {"users": [scene.user.username], "amount": "all", "dry_run": True},
        ),
        Call("assign", "post", manage, stage, {"users": [scene.user.username], "amount": "number", "number": 1}),
        Call("assign-move", "post", manage, stage, {"user": scene.user.username, "mode": "review", "to": None}),
        Call("return", "post", annotate, tagging, {"assignment": scene.of_pair.pk}),
        Call("unassign", "post", manage, tagging, {"user": scene.user.username, "mode": "review"}),
        Call("assign-undo", "post", manage, {**stage, "key": uuid.UUID(int=1)}),
        Call("blind", "post", manage, stage, {"users": [scene.user.username], "count": 5, "dry_run": True}),
        Call("blind", "post", manage, stage, {"users": [scene.member.user.username], "count": 5}),
        Call("releases", "get", view),
        Call("release", "get", view, {"number": scene.release.number}),
        Call("release-file", "get", view, {"number": scene.release.number}),
        Call("imports", "get", manage),
        Call("import", "get", manage, {"pk": scene.imported.pk}),
        Call("import", "patch", manage, {"pk": scene.imported.pk}, {"licence": "CC0"}),
        Call("import-take-back", "post", manage, {"pk": scene.imported.pk}),
        Call("drafts", "get", manage),
        Call("drafts", "post", manage, body={"dataset": "news"}),
        Call("draft", "get", manage, draft),
        Call("draft", "patch", manage, draft, {"licence": "CC0", "files": {"1": {"language": "es"}}}),
        Call("draft-files", "post", manage, draft, {"files": [upload()]}, format="multipart"),
        Call("draft-file", "delete", manage, {**draft, "file": "2"}),
        Call("draft-text", "post", manage, draft, {"text": "Una frase pegada ."}),
        Call("draft-preview", "get", manage, draft),
        Call("draft-problems", "get", manage, draft),
        Call("draft-sentences", "get", manage, draft),
        Call(
            "draft-sentences", "post", manage, draft,
            {"paragraph": "0123456789abcdef", "place": 3, "correction": "split"},
        ),
        Call("draft-tokens", "post", manage, draft, {"key": "0123456789abcdef", "place": 3, "correction": "split"}),
        Call("draft-check", "post", manage, draft),
        Call("draft-start", "post", manage, draft),
        Call("draft", "delete", manage, {"pk": scene.dropped.pk}),
        Call("accept", "post", adjudicate, judging),
        Call("accept", "post", adjudicate, judging_tags),
        Call("set-aside", "post", annotate, unit, {"reason": "garbled"}),
        Call("set-aside", "delete", annotate, unit),
        Call("text", "post", annotate, unit, {"text": "El tiempo huye", "stage": scene.stage.pk}),
        Call("text", "post", annotate, unit, {"text": "El tiempo corre"}),
        Call("settings", "post", manage, body={"train_every": 3}),
        Call("card", "get", manage),
        Call("card", "put", manage, body={"answers": {"authors": "Ana Ruiz"}}),
        Call(
            "labels", "post", manage,
            {"layer": "labels"}, {"version": 1, "labels": [{"old": "METAPHOR", "code": "X"}]},
        ),
        Call(
            "attributes", "post", manage, {"layer": scene.domains.slug},
            {"version": 1, "attributes": [{"old": "source", "code": ""}, {"old": "target", "vocabulary": True}]},
        ),
        Call(
            "rules", "post", manage, {"layer": "labels"},
            {"version": 1, "discontinuous": False, "overlaps": False, "several": False},
        ),
        Call("report", "get", view, {"kind": "detection"}),
        Call("members", "get", view),
        Call("members", "post", manage, body={"username": "nobody", "languages": ["es"]}),
        Call("member", "get", view, {"pk": scene.member.pk}),
        Call("member", "patch", manage, {"pk": scene.member.pk}, {"languages": ["es"]}),
        Call("member", "delete", manage, {"pk": scene.member.pk}),
        Call("invitations", "get", manage),
        Call("invitations", "post", manage, body={"role": "annotator", "languages": ["es"], "days": 3}),
        Call("invitation-renew", "post", manage, {"pk": scene.invitation.pk}),
        Call("invitation-revoke", "post", manage, {"pk": scene.invitation.pk}),
        Call("guidelines", "get", view),
        Call("guidelines-text", "get", view, {"language": "es"}),
        Call(
            "guidelines-text", "put", manage, {"language": "es"}, {"text": "# Qué es", "before": fingerprint("")},
        ),
        Call("guideline-proposals", "get", manage, query="?language=en"),
        Call("guideline-proposal", "post", manage, {"pk": scene.proposal.pk}, {"end": "dismissed"}),
        Call("guidelines-pictures", "post", manage, body={"picture": upload()}, format="multipart"),
        Call("guidelines-picture", "get", view, {"picture": scene.picture}),
        Call("transfer", "post", manage, body={"source": "es", "target": "en"}),
        Call("languages", "get", manage),
        Call("languages", "post", manage, body={"language": "eu"}),
        Call("language", "delete", manage, {"tag": "eu"}),
        Call("layers", "post", manage, body={"slug": "more", "labels": ["A"]}),
        Call("stages", "post", manage, body={"kind": "correct", "language": "es", "layer": scene.domains.slug}),
        Call("stage-order", "post", manage, body={"stages": [scene.stage.pk]}),
        Call("stage", "get", manage, stage),
        Call("stage", "patch", manage, stage, {"context": "nothing"}),
        Call("stage", "delete", manage, stage),
        Call("copy", "post", manage, body={"name": "Copy"}),
        Call("archives", "get", manage),
        Call("archives", "post", manage, body={"pseudonyms": True}),
        Call("archive-file", "get", manage, {"pk": scene.archive.pk}),
        Call("archive-file", "delete", manage, {"pk": scene.archive.pk}),
        Call("exports", "post", manage, body={"format": "jsonl", "layer": "labels"}),
        Call("export-file", "get", manage, {"pk": scene.export.pk}),
        Call("webhooks", "get", manage),
        Call("webhooks", "post", manage, body={"url": "https://program.example/", "events": ["job.ended"]}),
        Call("webhook", "get", manage, {"pk": scene.hook.pk}),
        Call("webhook", "patch", manage, {"pk": scene.hook.pk}, {"events": ["release.made"]}),
        Call("webhook-secret", "post", manage, {"pk": scene.hook.pk}),
        Call("webhook-test", "post", manage, {"pk": scene.hook.pk}),
        Call("webhook", "delete", manage, {"pk": scene.hook.pk}),
        Call("comparisons", "get", adjudicate),
        Call(
            "comparisons", "post", adjudicate,
            body={"kind": "languages", "layer": "labels", "left": {"language": "es"}, "right": {"language": "en"}},
        ),
        Call("comparison", "get", adjudicate, {"pk": scene.comparison.pk}),
        Call("comparison-rows", "get", adjudicate, {"pk": scene.comparison.pk}),
        Call("comparison-file", "get", adjudicate, {"pk": scene.comparison.pk}),
        Call("sentences", "get", view),
        Call("sentences", "get", view, query="?q=vuela&page_size=1"),
        Call("sentences-file", "get", view, query="?q=vuela"),
        Call("sentence", "get", view, {"pk": scene.sentence.segment_id}),
        Call(
            "label-many", "post", annotate,
            body={"rows": [{"unit": scene.sentence.pk, "tokens": [1], "seen": "free"}], "label": "METAPHOR"},
        ),
        Call(
            "assign-many", "post", annotate,
            body={
                "rows": [{"unit": scene.sentence.pk, "seen": "free"}],
                "stage": scene.stage.pk, "user": scene.user.username,
            },
        ),
        Call("map", "get", view),
        Call("pairs", "get", manage, query=f"?stage={scene.tagging.pk}&tag=relevant&user={scene.user.username}"),
        Call(
            "pairs-give", "post", manage,
            body={"stage": scene.tagging.pk, "tag": "relevant", "user": scene.user.username},
        ),
        Call("pairs-undo", "post", manage, {"key": uuid.UUID(int=1)}),
        Call("undo-many", "post", annotate, {"key": uuid.UUID(int=1)}),
        Call("splits", "get", adjudicate),
        Call("splits", "post", manage, body={"name": "ours", "layer": "labels"}),
        Call(
            "split-import", "post", manage,
            body={"name": "theirs", "layer": "labels", "files": [upload()]}, format="multipart",
        ),
        Call("split", "get", adjudicate, {"pk": scene.split.pk}),
        Call("split-file", "get", adjudicate, {"pk": scene.split.pk}),
        Call("split", "delete", manage, {"pk": scene.split.pk}),
        Call("archive", "post", manage),
        Call("restore", "post", manage),
        Call("delete", "post", manage, body={"name": "not this one"}),
    ]  # fmt: skip


def operation_of(call: Call, slug: str, schema: dict[str, Any]) -> dict[str, Any]:
    """What the schema says of a call. Where several addresses fit, the one with the fewest gaps is meant."""
    address = replace(call, query="").address(slug)
    [operation, *_others] = [
        operations[call.method]
        for path, operations in sorted(schema["paths"].items(), key=lambda item: item[0].count("{"))
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), address) and call.method in operations
    ]
    return dict(operation)


def upload() -> SimpleUploadedFile:
    """A file to be sent."""
    return SimpleUploadedFile("more.txt", b"Otra frase .\n")


def names_of_addresses() -> set[str]:
    """The names of all addresses of the API."""

    def names(patterns: list[URLPattern | URLResolver]) -> set[str]:
        found: set[str] = set()
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                found |= names(pattern.url_patterns)
            else:
                found.add(str(pattern.name))
        return found

    return names(urls.urlpatterns)
