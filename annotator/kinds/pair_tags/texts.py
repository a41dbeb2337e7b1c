"""The texts of the pair tags' scripts, and the tags in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotator.domain.labels.tags import Tag


def tags() -> list[dict[str, str]]:
    """The tags as buttons show them: `{value, label, definition}` each, in the language of the request."""
    words = {
        Tag.RELEVANT: (_("Relevant"), _("Misreading the metaphor leads to the wrong inference.")),
        Tag.NON_RELEVANT: (
            _("Non-relevant"),
            _("There is a metaphor, but the inference rests on something else."),
        ),
        Tag.NO_METAPHOR: (_("No metaphor"), _("Neither sentence has a metaphor.")),
        Tag.DISCARDED: (
            _("Discarded"),
            _("Cannot be judged: ambiguous, unintelligible, or too little context."),
        ),
    }
    return [{"value": tag.value, "label": label, "definition": text} for tag, (label, text) in words.items()]


def value_words(_dimension: str, value: str) -> str:
    """A tag; any other value as it is."""
    return next((tag["label"] for tag in tags() if tag["value"] == value), value)


def messages() -> dict[str, str]:
    """Every message by its name, in the language of the request."""
    return {
        "pair": _("Pair"),
        "inference_": _("No inference label"),
        "inference_name": _("Inference label"),
        "inference_given": _("Inference label: {label}"),
        "inference_undone": _("Undone. Inference label: {label}"),
        "key_pair_done": _("Confirm the current or proposed tag and go to next"),
        "announce_pair": _("Premise: {premise} Hypothesis: {hypothesis} {inference}."),
        "labels_gold": _("gold labels"),
        "labels_own": _("your labels"),
        "labels_annotation": _("an annotator's labels"),
        "labels_none": _("not labelled yet"),
        "bulk_title": _("Pairs without any metaphor"),
        "bulk_text": _(
            "Neither sentence has a label. Check the pairs, deselect any that you doubt, and confirm the rest."
        ),
        "bulk_none": _(
            "No pairs are proposed at the moment. A pair is proposed once both its sentences are done without a label."
        ),
        "bulk_more": _("More pairs"),
        "bulk_all": _("All"),
        "bulk_confirm": _("Tag as no metaphor: {n}"),
        "bulk_done": _("Tagged: {n}"),
        "bulk_done_some": _("Tagged: {n}. Skipped because they were tagged in the meantime: {left}"),
    }
