"""The texts of the list of keys: what each key does, and how a person changes them."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def key_messages(*, adjudicates: bool) -> dict[str, str]:
    """The messages of the list by name, in the language of the request."""
    return {**_dialog(), **_commands(), **_suggestions(), **(_decisions() if adjudicates else {})}


def _dialog() -> dict[str, str]:
    return {
        "keys_title": _("Keys"),
        "keys_note": _(
            "Keys act on the current item. In a text field, only Ctrl + Enter (done) and Alt + D (doubt) work. "
            "Esc leaves the field."
        ),
        "keys_singles": _("Use single-character keys (letters, numbers, signs)"),
        "keys_change": pgettext("button", "Change"),
        "keys_cancel": pgettext("button", "Cancel"),
        "keys_none": pgettext("button", "No key"),
        "keys_press": _("Press a key"),
        "keys_reset": _("Restore the original keys"),
        "keys_saved": _("Saved. Your keys apply in every workspace."),
        "keys_reserved": _("{key} belongs to the browser or leaves a field. Choose another key."),
        "keys_conflict": _("{key} already has a meaning: {what}. Change that key first, or choose another one."),
        "keys_conflict_elsewhere": _("{key} already has a meaning in another workspace ({where}): {what}."),
        "keys_number": _("Choose an option by its number"),
        "keys_in_labels": pgettext("workspace", "labels on words"),
        "keys_in_review": pgettext("workspace", "review of projections"),
        "keys_in_choices": pgettext("workspace", "choice of a value"),
        "keys_in_adjudication": pgettext("workspace", "adjudication"),
        "space_bar": pgettext("key", "Space"),
        "word_shift": pgettext("key", "Shift"),
        "word_home": pgettext("key", "Home"),
        "word_end": pgettext("key", "End"),
        "word_delete": pgettext("key", "Del"),
        "word_backspace": pgettext("key", "Backspace"),
    }


def _commands() -> dict[str, str]:
    return {
        "key_done": _("Mark as done and go to next"),
        "key_back": _("Previous item"),
        "key_forward": _("Next item, without finishing this one"),
        "key_undo": _("Undo"),
        "key_redo": _("Redo"),
        "key_help": _("This list"),
        "key_guidelines": _("Short guidelines"),
        "key_left": _("Previous word"),
        "key_right": _("Next word"),
        "key_up": _("Line above"),
        "key_down": _("Line below"),
        "key_first": _("First word"),
        "key_last": _("Last word"),
        "key_toggle": _("Label the word, or remove its label"),
        "gesture_toggle": _("or double-click"),
        "gesture_joining": _("or Ctrl + click"),
        "key_stretch": _("Extend the span to that word"),
        "gesture_stretch": _("Shift + click"),
        "key_drag": _("Label several words as one span"),
        "gesture_drag": _("drag over them"),
        "key_next_content": _("Next content word without a label"),
        "key_previous_content": _("Previous content word without a label"),
        "key_likely": _("Most likely word without a label, then the next most likely"),
        "key_next_suggestion": _("Next suggestion or label"),
        "key_previous_suggestion": _("Previous suggestion or label"),
        "key_another": _("Start another span on this word, overlapping the current one"),
        "key_next_unit": _("Select the next span that shares this word"),
        "key_joining": _("Start or finish a span of several words, adjacent or not"),
        "key_edge_left": _("Move the edge of the span to the left"),
        "key_edge_right": _("Move the edge of the span to the right"),
        "key_unit_left": _("Move the whole span to the left"),
        "key_unit_right": _("Move the whole span to the right"),
        "key_split": _("Split the span into words"),
        "key_remove": _("Remove the whole span"),
        "key_label": _("Label {name}"),
        "key_on_sentence": _("Label the whole sentence where no word has the label, or remove that label"),
        "key_attributes": _("Go to the attributes of the span"),
        "key_attribute": _("{name}: next value"),
        "key_doubt": _("Doubt flag"),
        "key_comment": _("Comment"),
        "key_text": _("Edit the text of the sentence"),
    }


def _suggestions() -> dict[str, str]:
    return {
        "key_keep": _("Keep: the projected label is right"),
        "key_lost": _("Lost: remove the label"),
        "key_shift": _("Shift: the label belongs to other words"),
        "key_gained": _("Gained: label the word"),
        "key_links": _("Edit the links of a source word, or finish"),
        "key_span_up": _("Previous source span"),
        "key_span_down": _("Next source span"),
        "key_take_projections": _("Keep all projected labels"),
        "key_take_projection": _("Use the projection from {name}"),
        "key_tag": _("{name}"),
    }


def _decisions() -> dict[str, str]:
    return {
        "key_take": _("Use the answer of {name} for the difference"),
        "key_take_all": _("Use the whole answer of {name}"),
        "key_majority": _("Use the majority answer for each difference"),
        "key_edit": _("Edit the decision"),
        "key_edit_end": _("Back to the differences"),
        "key_row_up": _("Previous difference"),
        "key_row_down": _("Next difference"),
        "key_union": _("All labels"),
        "key_common": _("Common labels"),
        "key_reason": _("Why they differ"),
        "key_propose": _("Propose a sentence for the guidelines"),
    }
