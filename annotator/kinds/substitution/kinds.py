from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.core.errors import ActionError
from annotator.core.kind import Holds, Json, Kind, MadeUnit
from annotator.core.permissions import Permission
from annotator.domain.content import Content
from annotator.domain.content.best import most_proposed
from annotator.domain.labels.label_uses import replaceable_labels
from annotator.domain.text.marked import mark_token
from annotator.domain.text.tokens import is_punctuation
from annotator.domain.trials import Trial
from annotator.kinds.substitution.fitting import known_words, marked_lemmas
from annotator.kinds.substitution.gathering import decide_by_expert, decide_by_votes, gather, with_decided_words
from annotator.kinds.substitution.proposals import proposals_for
from annotator.kinds.substitution.texts import messages, reasons, why_votes_differ
from annotator.kinds.substitution.trials import set_trial, trial_as_written, trial_of
from annotator.kinds.substitution.units import BEST, INAPT, MARKED, SUBSTITUTES, WORDS, marked_sentences, words_uid
from annotator.models import Annotation, Layer, Project, Stage, Unit, User
from annotator.work.answering.queries.workspace import WorkspaceItem
from annotator.work.derivation.actions.chains import pass_on
from annotator.work.derivation.actions.gathering import make_missing

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.serializers import Serializer


class _OnMarked(Kind):
    """What the three kinds share: the sentence with its marked word, and where units come from."""

    unit_kind = MARKED
    # Slug, content type, position and further fields of the layer.
    fields: Mapping[str, Any]

    def layer(self, project: Project) -> Layer:
        fields = dict(self.fields)
        found, _created = Layer.objects.get_or_create(
            project=project, slug=fields.pop("slug"), defaults={"unit_kind": self.unit_kind, **fields}
        )
        return found

    def holds(self, stage: Stage) -> Holds:
        return Holds.ALL if stage.made_from_id is None else Holds.PASSED

    def texts(self, units: Sequence[Unit]) -> Mapping[int, str]:
        found = marked_sentences(units)
        # Words whose sentence is gone are called by themselves.
        return {unit.pk: found[unit.pk].text if unit.pk in found else " / ".join(unit.tokens) for unit in units}

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        found = marked_sentences([row.unit for row in shown])
        return {row.assignment.pk: {"marked": found.get(row.unit.pk)} for row in shown}

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.substitution.serializers import MarkedPart

        return MarkedPart

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        found = marked_sentences(units)
        return {unit.pk: {"marked": found.get(unit.pk)} for unit in units}

    def adjudication_part(self) -> type[Serializer[Any]]:
        return self.item_part()

    def page(self, stage: Stage) -> Json:
        given: Json = {"messages": messages()}
        return {**given, "around": static("js/components/marked.js")} if stage.adjudicates else given


class Substitute(_OnMarked):
    """A word for the marked one, or why none fits; made from labels, each unit of one word is a sentence to answer."""

    slug = "substitute"
    title = pgettext_lazy("stage", "Substitute a word")
    template = "kinds/substitute.html"
    trial_template = "kinds/substitute_trial.html"
    trial_settings_template = "kinds/substitute_trial_settings.html"
    follows = True
    gathers = True
    comes_first = gettext_lazy("Mark single words first, or import sentences with a marked word.")
    fields = {
        "slug": SUBSTITUTES,
        "content_type": "substitute",
        "scheme_data": {"reasons": ["literal", "fixed", "unclear", "no_word"]},
        # Whoever wrote a word may vote, and find inapt ones, while others still write.
        "shows": [BEST, INAPT],
        "position": 5,
    }

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        lemmas = marked_lemmas([row.unit for row in shown])
        found = super().items(shown, user)
        return {row.assignment.pk: {**found[row.assignment.pk], "lemma": lemmas[row.unit.pk]} for row in shown}

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.substitution.serializers import LemmaPart

        return LemmaPart

    def adjudication_part(self) -> type[Serializer[Any]]:
        return super().item_part()

    def trial(self, stage: Stage) -> Trial | None:
        return trial_of(stage)

    def trial_content(self, sent: Mapping[str, str]) -> Content:
        word = sent.get("word", "")
        if not word.strip():
            # Of an item whose answer is known, nobody says why no word fits.
            raise ActionError(_("Write one word."))
        return {"word": word, "reason": ""}

    def trial_settings(self, stage: Stage) -> Mapping[str, str]:
        return trial_as_written(stage)

    def set_trial(self, stage: Stage, sent: Mapping[str, str], by: User) -> None:
        set_trial(stage=stage, sent=sent, by=by)

    def takes(self, layer: Layer) -> bool:
        return layer.content_type == Layer.SPANS

    def made(self, stage: Stage, annotation: Annotation) -> Sequence[MadeUnit]:
        if "spans" not in annotation.content:
            return ()
        unit = annotation.unit
        source = self.gathers_from(stage)
        labels = replaceable_labels(source.scheme) if source is not None else frozenset()
        spans = [span for span in annotation.content["spans"] if span["label"] in labels]
        words = {span["tokens"][0] for span in spans if len(span["tokens"]) == 1}
        found = []
        for position in sorted(words):
            if is_punctuation(unit.tokens[position]):
                continue
            tokens, spaces, at = mark_token(unit.tokens, unit.spaces, position).tokens()
            found.append(MadeUnit(MARKED, tuple(tokens), tuple(spaces), key=str(at)))
        return found

    def settled(self, stage: Stage, units: Sequence[Unit]) -> Collection[int]:
        """Sentences whose words came in with them. One query."""
        words = {words_uid(unit.segment.uid): unit.pk for unit in units}
        rows = Unit.objects.filter(
            project__in={unit.project_id for unit in units},
            language=stage.language,
            segment__uid__in=words,
            imported__isnull=False,
            is_current=True,
        )
        return [words[uid] for uid in rows.values_list("segment__uid", flat=True)]

    def gather(self, stage: Stage, said: Sequence[tuple[Unit, Content | None]]) -> None:
        make_missing(stage, said)

    def page(self, stage: Stage) -> Json:
        return {**super().page(stage), "reasons": reasons()}

    def final(self, stage: Stage, units: Sequence[Unit]) -> Collection[int]:
        return with_decided_words(units)

    def follow(self, stage: Stage, unit: Unit, by: User | None) -> None:
        """Once all have answered, their words can be voted on and the sentence goes on."""
        if gather(stage, unit, by=by):
            pass_on(stage, unit, by=by)


class ChooseBest(_OnMarked):
    """The words that were written for a sentence: the best, two that are equal, or none."""

    slug = "choose-best"
    title = pgettext_lazy("stage", "Choose the best word")
    unit_kind = WORDS
    template = "kinds/choose_best.html"
    alone = False
    comes_first = gettext_lazy("Words are written first: a sentence is here once all have written theirs.")
    follows = True
    decides = True
    fields = {"slug": BEST, "content_type": "best", "scheme_data": {}, "shows": [INAPT], "position": 6}

    def takes(self, layer: Layer) -> bool:
        return layer.content_type == "substitute"

    def page(self, stage: Stage) -> Json:
        return {**super().page(stage), "why": why_votes_differ()}

    def follow(self, stage: Stage, unit: Unit, by: User | None) -> None:
        decide_by_votes(stage, unit)


class VerifyBest(ChooseBest):
    """The same by one expert, who sees how often each word was written: the one that most wrote is put forward."""

    slug = "verify-best"
    title = pgettext_lazy("stage", "Verify the best word")
    needs = Permission.ADJUDICATE

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        counted, found = proposals_for([row.unit for row in shown]), super().items(shown, user)
        return {
            row.assignment.pk: {
                **found[row.assignment.pk],
                "proposals": [{"word": word, "count": count} for word, count in counted[row.unit.pk]],
                "proposed": most_proposed(counted[row.unit.pk]),
            }
            for row in shown
        }

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.substitution.serializers import ProposalsPart

        return ProposalsPart

    def adjudication_part(self) -> type[Serializer[Any]]:
        return super().item_part()

    def follow(self, stage: Stage, unit: Unit, by: User | None) -> None:
        decide_by_expert(stage, unit)


class InaptWords(_OnMarked):
    """Words from the basic sense of the marked one: grammatical in the sentence, and meaning something else."""

    slug = "inapt"
    waits = True
    title = pgettext_lazy("stage", "Find inapt words")
    template = "kinds/inapt.html"
    comes_first = gettext_lazy("Words are written first: a sentence is here once all have written theirs.")
    needs = Permission.ADJUDICATE
    fields = {"slug": INAPT, "content_type": "inapt", "scheme_data": {}, "shows": [BEST], "position": 7}

    def takes(self, layer: Layer) -> bool:
        return layer.content_type == "substitute"

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        known, found = known_words([row.unit for row in shown]), super().items(shown, user)
        return {row.assignment.pk: found[row.assignment.pk] | asdict(known[row.unit.pk]) for row in shown}

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.substitution.serializers import KnownWordsPart

        return KnownWordsPart

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        known, found = known_words(units), super().adjudication(stage, units, user)
        return {unit.pk: found[unit.pk] | asdict(known[unit.pk]) for unit in units}

    def routes(self) -> Sequence[URLPattern]:
        from annotator.kinds.substitution.api import routes

        return routes
