"""Gold: what annotators agree on, what adjudicators decide, and taking a decision back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from annotator.actions.errors import ActionError, ConflictError
from annotator.actions.events import log, log_many
from annotator.domain.spans import Span, SpanError, check_spans
from annotator.models import (
    Annotation,
    AnnotationState,
    Assignment,
    AssignmentState,
    Event,
    Gold,
    GoldSource,
    Mode,
    Pair,
    PairTag,
    Project,
    Sentence,
    Tag,
    TagKind,
    User,
)
from annotator.queries.blind import is_blind, is_blind_on_pair

ACCEPTED = "gold.accepted"
DECIDED = "gold.decided"
REOPENED = "gold.reopened"
TAG_ACCEPTED = "gold_tag.accepted"
TAG_DECIDED = "gold_tag.decided"
TAG_REOPENED = "gold_tag.reopened"


@dataclass(frozen=True)
class AcceptSummary:
    """What became of the sentences (or pairs) that somebody has done and that had no gold."""

    accepted: int = 0
    differing: int = 0  # left to adjudication
    doubtful: int = 0  # one person's only, with a doubt flag: left to adjudication
    waiting: int = 0  # somebody still works on it, or one person did, blind: its review is to come


@transaction.atomic
def accept_agreed(*, project: Project, language: str, by: User | None) -> AcceptSummary:
    """Make gold of every current sentence in the language on which all done annotations agree.

    One reviewed annotation agrees with itself, unless it is flagged as doubtful; a blind one is there
    to be compared, so alone it waits for the review. Labels agree when tokens
    and label of all spans do. Nothing is accepted while somebody still works on the sentence.
    """
    sentences = Sentence.objects.filter(
        ~Exists(Gold.objects.filter(sentence=OuterRef("pk"))), project=project, language=language, is_current=True
    )
    worked_on = Exists(Annotation.objects.filter(sentence=OuterRef("pk"), state=AnnotationState.DONE))
    # The lock keeps a save and this decision from crossing; gold is looked up again once it is held.
    list(sentences.filter(worked_on).select_for_update(no_key=True).order_by("pk").values_list("pk"))
    done: dict[int, list[Annotation]] = {}
    for annotation in (
        Annotation.objects.filter(sentence__in=sentences, state=AnnotationState.DONE)
        .order_by(
            "-mode", "pk"
        )  # "review" before "blind": the reviewer's first: of equal labels, theirs are kept with their attributes
        .select_related("sentence")
    ):
        done.setdefault(annotation.sentence_id, []).append(annotation)
    waiting = _open(Assignment.objects.filter(sentence__in=sentences), "sentence_id")
    counts = dict.fromkeys(AcceptSummary.__dataclass_fields__, 0)
    agreed: list[Annotation] = []
    for sentence, rows in done.items():
        first = rows[0]
        if sentence in waiting or _only_blind(rows):
            counts["waiting"] += 1
        elif any(_labels(other.spans) != _labels(first.spans) for other in rows[1:]):
            counts["differing"] += 1
        elif len(rows) == 1 and first.doubt:
            counts["doubtful"] += 1
        else:
            counts["accepted"] += 1
            agreed.append(first)
    versions = next_versions(project, "sentence", [row.sentence_id for row in agreed])
    golds = Gold.objects.bulk_create(
        [
            Gold(
                project=project,
                sentence=row.sentence,
                spans=row.spans,
                source=GoldSource.AGREED,
                decided_by=by,
                version=versions.get(row.sentence_id, 1),
            )
            for row in agreed
        ],
        batch_size=500,
    )
    log_many(
        project=project,
        actor=by,
        verb=ACCEPTED,
        changes=[(gold.sentence, None, gold_content(gold)) for gold in golds],
    )
    return AcceptSummary(**counts)


def _only_blind(rows: Sequence[Annotation] | Sequence[PairTag]) -> bool:
    return len(rows) == 1 and rows[0].mode == Mode.BLIND


@transaction.atomic
def decide_gold(*, sentence: Sentence, version: int, spans: Iterable[Span], reason: str = "", by: User | None) -> Gold:
    """Decide the gold labels of a sentence over the version that was seen (0: none yet).

    Raises ConflictError when `version` is no longer the newest, ActionError when the spans break the
    scheme's rules, somebody still works on the sentence, its text was replaced, or `by` is blind on it.
    """
    sentence = Sentence.objects.select_for_update(no_key=True).get(pk=sentence.pk)
    if not sentence.is_current:
        raise ActionError(_("The text of this sentence was replaced; decide on its new revision."))
    if by is not None and is_blind(by, sentence.segment):
        raise ActionError(_("You labelled this sentence blind, so somebody else has to decide on it."))
    if _open(Assignment.objects.filter(sentence=sentence), "sentence_id"):
        raise ActionError(_("Somebody still works on this sentence; it can be decided when all are done."))
    try:
        checked = check_spans(spans, length=sentence.token_count, scheme=sentence.project.scheme)
    except SpanError as error:
        raise ActionError(str(error)) from error
    stored = [{**span.to_json(), "score": None} for span in checked]
    standing = Gold.objects.filter(sentence=sentence).first()
    before = gold_content(standing)
    if standing is not None and (standing.spans, standing.reason) == (stored, reason):
        return standing
    if version != (standing.version if standing else 0):
        raise ConflictError(
            _("Somebody else decided on this sentence after you opened it; nothing was overwritten."),
            theirs=before or {"version": 0, "spans": [], "reason": "", "source": ""},
            mine={"version": version, "spans": stored, "reason": reason},
        )
    if standing is None:
        number = next_versions(sentence.project, "sentence", [sentence.pk]).get(sentence.pk, 1)
        standing = Gold(project=sentence.project, sentence=sentence, version=number)
    else:
        standing.version += 1
    standing.spans, standing.reason = stored, reason
    standing.source, standing.decided_by = GoldSource.ADJUDICATED, by
    standing.save()
    log(
        project=sentence.project,
        actor=by,
        verb=DECIDED,
        subject=sentence,
        before=before,
        after=gold_content(standing),
    )
    return standing


@transaction.atomic
def reopen_gold(*, sentence: Sentence, version: int, by: User | None) -> None:
    """Take a gold decision back, so that the sentence can be worked on again.

    Raises ActionError when there is none, ConflictError when `version` is no longer the newest.
    """
    sentence = Sentence.objects.select_for_update(no_key=True).get(pk=sentence.pk)
    standing = Gold.objects.filter(sentence=sentence).first()
    if standing is None:
        raise ActionError(_("No gold is decided on this sentence."))
    if by is not None and is_blind(by, sentence.segment):
        raise ActionError(_("You labelled this sentence blind, so somebody else has to decide on it."))
    before = gold_content(standing)
    if version != standing.version:
        raise ConflictError(
            _("Somebody else decided on this sentence after you opened it; nothing was overwritten."),
            theirs=before or {},
            mine={"version": version},
        )
    standing.delete()
    log(project=sentence.project, actor=by, verb=REOPENED, subject=sentence, before=before)


@transaction.atomic
def accept_agreed_tags(*, project: Project, language: str, by: User | None) -> AcceptSummary:
    """Make gold of every pair on which all persons' tags in the language agree.

    One reviewed tag agrees with itself; a blind one alone waits for the review.
    """
    decided = PairTag.objects.filter(project=project, language=language, kind=TagKind.GOLD).values("pair")
    tags = PairTag.objects.filter(project=project, language=language, kind=TagKind.PERSON).exclude(pair__in=decided)
    tagged = Pair.objects.filter(pk__in=tags.values("pair"))
    list(tagged.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    by_pair: dict[int, list[PairTag]] = {}
    for row in tags.order_by("-mode", "pk").select_related("pair"):
        by_pair.setdefault(row.pair_id, []).append(row)
    waiting = _open(Assignment.objects.filter(project=project, stage__language=language, pair__isnull=False), "pair_id")
    counts = dict.fromkeys(AcceptSummary.__dataclass_fields__, 0)
    agreed: list[PairTag] = []
    for pair, rows in by_pair.items():
        if pair in waiting or _only_blind(rows):
            counts["waiting"] += 1
        elif len({row.tag for row in rows}) > 1:
            counts["differing"] += 1
        else:
            counts["accepted"] += 1
            agreed.append(rows[0])
    versions = next_versions(project, "pair", [row.pair_id for row in agreed], language)
    golds = PairTag.objects.bulk_create(
        [
            PairTag(
                project=project,
                pair=row.pair,
                language=language,
                kind=TagKind.GOLD,
                tag=row.tag,
                user=by,
                source=GoldSource.AGREED,
                version=versions.get(row.pair_id, 1),
            )
            for row in agreed
        ],
        batch_size=500,
    )
    log_many(
        project=project,
        actor=by,
        verb=TAG_ACCEPTED,
        changes=[(gold.pair, None, gold_tag_content(gold)) for gold in golds],
    )
    return AcceptSummary(**counts)


@transaction.atomic
def decide_gold_tag(*, pair: Pair, language: str, version: int, tag: str, reason: str = "", by: User | None) -> PairTag:
    """Decide the gold tag of a pair in a language over the version that was seen (0: none yet).

    Raises ConflictError when `version` is no longer the newest, ActionError for an unknown tag or
    language, while somebody still works on the pair, or when `by` is blind on it.
    """
    pair = Pair.objects.select_for_update(no_key=True).get(pk=pair.pk)
    if tag not in Tag.values:
        raise ActionError(
            _("“%(tag)s” is not a tag; choose one of %(tags)s.") % {"tag": tag, "tags": ", ".join(Tag.values)}
        )
    if language not in pair.project.languages:
        raise ActionError(
            _("The project has no language “%(language)s”; it has %(languages)s.")
            % {"language": language, "languages": ", ".join(pair.project.languages)}
        )
    if by is not None and is_blind_on_pair(by, pair):
        raise ActionError(_("You tagged this pair blind, so somebody else has to decide on it."))
    if _open(Assignment.objects.filter(pair=pair, stage__language=language), "pair_id"):
        raise ActionError(_("Somebody still works on this pair; it can be decided when all are done."))
    standing = PairTag.objects.filter(pair=pair, language=language, kind=TagKind.GOLD).first()
    before = gold_tag_content(standing)
    if standing is not None and (standing.tag, standing.comment) == (tag, reason):
        return standing
    if version != (standing.version if standing else 0):
        raise ConflictError(
            _("Somebody else decided on this pair after you opened it; nothing was overwritten."),
            theirs=before or {"version": 0, "tag": None, "reason": "", "source": ""},
            mine={"version": version, "tag": tag, "reason": reason},
        )
    if standing is None:
        number = next_versions(pair.project, "pair", [pair.pk], language).get(pair.pk, 1)
        standing = PairTag(project=pair.project, pair=pair, language=language, kind=TagKind.GOLD, version=number)
    else:
        standing.version += 1
    standing.tag, standing.comment, standing.source, standing.user = tag, reason, GoldSource.ADJUDICATED, by
    standing.save()
    log(
        project=pair.project,
        actor=by,
        verb=TAG_DECIDED,
        subject=pair,
        before=before,
        after=gold_tag_content(standing),
    )
    return standing


@transaction.atomic
def reopen_gold_tag(*, pair: Pair, language: str, version: int, by: User | None) -> None:
    """Take the gold tag of a pair in a language back. Raises like `reopen_gold`."""
    pair = Pair.objects.select_for_update(no_key=True).get(pk=pair.pk)
    standing = PairTag.objects.filter(pair=pair, language=language, kind=TagKind.GOLD).first()
    if standing is None:
        raise ActionError(_("No gold is decided on this pair."))
    if by is not None and is_blind_on_pair(by, pair):
        raise ActionError(_("You tagged this pair blind, so somebody else has to decide on it."))
    before = gold_tag_content(standing)
    if version != standing.version:
        raise ConflictError(
            _("Somebody else decided on this pair after you opened it; nothing was overwritten."),
            theirs=before or {},
            mine={"version": version},
        )
    standing.delete()
    log(project=pair.project, actor=by, verb=TAG_REOPENED, subject=pair, before=before)


def gold_content(gold: Gold | None) -> dict[str, Any] | None:
    """A gold decision as events and conflicts tell it; None stays None."""
    if gold is None:
        return None
    return {"version": gold.version, "spans": gold.spans, "reason": gold.reason, "source": str(gold.source)}


def gold_tag_content(tag: PairTag | None) -> dict[str, Any] | None:
    """A gold tag as events and conflicts tell it; None stays None."""
    if tag is None:
        return None
    return {
        "version": tag.version,
        "language": tag.language,
        "tag": str(tag.tag),
        "reason": tag.comment,
        "source": str(tag.source),
    }


def _labels(spans: list[dict[str, Any]]) -> set[tuple[tuple[int, ...], str]]:
    return {(tuple(span["tokens"]), span["label"]) for span in spans}


def _open(assignments: models.QuerySet[Assignment], field: str) -> set[int]:
    return set(assignments.filter(state=AssignmentState.OPEN).order_by().values_list(field, flat=True))


def next_versions(project: Project, subject_type: str, ids: list[int], language: str = "") -> dict[int, int]:
    """The version with which gold starts where it was reopened: counting goes on, so old windows never fit."""
    reopened = Event.objects.filter(
        project=project, subject_type=subject_type, verb__in=(REOPENED, TAG_REOPENED)
    ).values_list("subject_id", "before")
    wanted = set(ids)
    return {
        pk: before["version"] + 1
        for pk, before in reopened.order_by("pk")
        if before is not None and pk in wanted and (not language or before["language"] == language)
    }
