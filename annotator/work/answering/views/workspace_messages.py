"""The texts of the workspaces' scripts. Gaps are written {name}; the scripts fail on a gap without a value."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotator.core.kind_parts import DOUBT
from annotator.models import Layer
from annotator.work.answering.views.key_messages import key_messages


def workspace_messages(content_type: str, *, adjudicates: bool) -> dict[str, str]:
    """The messages of the shared scripts that such a workspace runs, by name, in the language of the request.

    Kinds of work add their own.
    """
    return {
        **_state(),
        **_empty(),
        **_changes(),
        **_narrowing(),
        **_labelling(),
        **_suggested(),
        **_text(),
        **({} if content_type == Layer.SPANS else {**_choice(), **_words()}),
        **(_adjudication() if adjudicates else {}),
        **_reasons(),
        **_side(),
        **key_messages(adjudicates=adjudicates),
    }


def _state() -> dict[str, str]:
    return {
        "loading": _("Loading…"),
        "loading_next": _("Loading next…"),
        "saving": _("Saving…"),
        "saved": _("Saved {time}"),
        "draft_saved": _("Draft saved {time}"),
        "edited": _("Unsaved changes"),
        "not_saved": _("Not saved: {n}"),
        "no_answer": _("No answer"),
        "retry": _("Try again"),
        "reload": _("Reload the page"),
        "close": _("Close"),
        "network": _("The server cannot be reached."),
        "server": _("The server could not answer."),
        "sign_in": _("Sign in"),
        "signedOut": _("You are signed out. Sign in again in another tab. Your work here is kept."),
        "failing": _("{reason} Nothing is lost. Trying again in {seconds} s."),
        "failing_kept": _(
            "{reason} Nothing is lost. Trying again in {seconds} s. If you close this page, your saves stay in "
            "this browser and are sent when you sign in here again."
        ),
        "failing_open": _(
            "{reason} Trying again in {seconds} s. Keep this page open until then: this browser can't store "
            "all of your changes, so closing the page would lose them."
        ),
        "waiting_details": _("Show pending saves"),
        "progress": _("{done} of {total} done, {mine} by you"),
        "progress_several": _("{done} of {total} done · {mine} answered by you"),
        "progress_blind": _("{done} of {total} done, {mine} by you, {blind} blind items left"),
    }


def _empty() -> dict[str, str]:
    return {
        "empty_title": _("Nothing left in this stage"),
        "empty_text": _("Everything here is done or assigned to other people."),
        "empty_own": _("You wrote the remaining items. Someone else judges them."),
        "kept_title": _("Nothing left for you in this stage"),
        "empty_blind": _(
            "Hidden from you: {n}. These items would reveal answers that you must not see while "
            "annotating blind. They become available once gold is decided, so finish your blind items."
        ),
        "empty_later": _(
            "Pairs available later: {n}. Finish your blind items on their sentences first. Until then, the "
            "sentences are not shown together."
        ),
        "empty_elsewhere": _(
            "Not available to you here: {n}. You answer these items in another stage, and someone else "
            "answers them here."
        ),
        "blind_done_title": _("The blind sample is done"),
        "blind_end_title": _("The blind sample ends here"),
        "blind_done_text": _("You will see suggestions from the next item on."),
        "blind_end_left": _("Skipped in the blind sample: {n}. They come back at the end."),
        "blind_go_on": _("Continue"),
        "none_title": _("Nothing here yet"),
        "none_text": _("This stage has no items yet. The overview shows what to do first."),
        "to_dashboard": _("Go to the overview"),
        "to_import": _("Import"),
        "to_items": _("My work"),
        "next_stage": _("Continue with {name}"),
        "look_again": _("Check again"),
        "error_title": _("Couldn't load items"),
    }


def _changes() -> dict[str, str]:
    return {
        "locked": _("Please wait for the server to answer, or choose between the two versions first."),
        "source_changed": _("The source changed ({language}). It now says:"),
        "source_changed_none": _("The source changed ({language}). It no longer has a label."),
        "source_changed_open": _("The source changed ({language}). It is no longer decided."),
        "source_changed_do": _("Check this item and save it again, even if nothing has to change."),
        "proposals_none": _("You have accepted every label suggested since you started."),
        "proposals_one": _("Suggested since you started: 1 label still to decide"),
        "proposals_several": _("Suggested since you started: {n} labels still to decide"),
        "proposal_add": _("{name}: label as {label}:"),
        "proposal_remove": _("{name}: remove {label}:"),
        "proposal_follow": _("Accept"),
        "proposal_followed": _("Accepted the suggestion of {name}"),
        "undone": _("Undone"),
        "undone_what": _("Undone: {what}"),
        "redone": _("Redone"),
        "redone_what": _("Redone: {what}"),
        "last_save": _("the last save"),
        "undoing": _("Undoing the last save…"),
        "nothing_to_undo": _("Nothing to undo here. Press B to go to the previous item."),
        "undo_before": _("Nothing to undo here. Press B to go to the previous item, then U to undo it."),
        "nothing_to_redo": _("Nothing to redo"),
        "nothing_back": _("There is no previous item."),
        "nothing_forward": _("There is no next item yet."),
        "conflict_title": _("Two versions of {name}"),
        "conflict_notice": _("{name} was changed elsewhere in the meantime. Your version is not saved."),
        "conflict_resolve": _("Compare and choose"),
        "conflict_mine": _("Your version"),
        "conflict_theirs": _("Saved version"),
        "conflict_take_mine": _("Keep your version"),
        "conflict_take_theirs": _("Use the saved version"),
        "conflict_take_both": _("Combine the labels"),
        "differs": _("differs"),
        "named_by": _("“{text}”"),
        "refused_notice": _("{name} was not saved: {reason}"),
        "refused_open": _("Show it"),
        "refused_discard": _("Discard my change"),
        "new_tab": _("opens in a new tab"),
        "characters_of": _("{n} of {most} characters"),
        "too_long": _("Too long: {n} characters. The maximum is {most}."),
        "text_too_long": _("A text is too long. Shorten it first."),
    }


def _labelling() -> dict[str, str]:
    return {
        "role_prem": _("Premise"),
        "role_hyp": _("Hypothesis"),
        "inference_entailment": _("Entailment"),
        "inference_neutral": _("Neutral"),
        "inference_contradiction": _("Contradiction"),
        "sentence": _("Sentence"),
        "tokens_name": _("Words of the sentence: arrows move, Space labels"),
        "context_above": _("Previous sentences"),
        "context_below": _("Next sentences"),
        "announce_sentence": _("{role}: {text} Suggestions: {n}."),
        "announce_sentence_plain": _("{role}: {text}"),
        "chip_labelled": _("labelled {label}"),
        "chip_unit": _("span {n}"),
        "chip_removed": _("suggested, not labelled"),
        "chip_kept": _("suggested"),
        "chip_probability": _("probability {probability}"),
        "now_labelled": _("{text}: labelled {label}"),
        "now_unlabelled": _("{text}: no label"),
        "on_sentence": _("On the sentence"),
        "on_sentence_name": _("Labels on the whole sentence, not on a word"),
        "on_sentence_said": _("{label}: added to the sentence"),
        "off_sentence_said": _("{label}: removed from the sentence"),
        "attributes_title": _("Attributes"),
        "attribute_set": _("{name}: {value}"),
        "attribute_unset": _("{name}: removed"),
        "no_attributes": _("No label here has attributes."),
        "span_removed": _("Removed: “{text}”"),
        "label_search": _("Search labels"),
        "joining_hint": _("Joining to “{word}”: add words with Space or a click. Press M on the last word to finish."),
        "joining_over": _("Finished joining"),
        "another": _("Add another span here"),
        "another_hint": _(
            "Another span on “{word}”, overlapping the current one: add words with Space or a click. Press M on the "
            "last word to finish."
        ),
        "units_name": _("Spans that share this word"),
        "obligatory": _("(required)"),
        "unsaid": _("A label is missing a required attribute."),
        "unsaid_here": _("“{text}”: {name} is required."),
        "doubt": _("Doubt"),
        "doubt_label": str(DOUBT),  # kinds of work have their own word for what it is about
        "doubt_on": _("Doubt flag set"),
        "doubt_off": _("Doubt flag removed"),
        "comment": _("Comment"),
        "comment_edited": _("Comment edited"),
        "comment_placeholder": _("What made you hesitate?"),
        "gold_decided": _("Gold has been decided here, so you can't change anything."),
        "no_content": _("Every content word is labelled."),
        "no_suggestions": _("There are no suggestions or labels here."),
    }


def _suggested() -> dict[str, str]:
    return {
        "suggested_by": _("Suggestions: {name}"),
        "suggested_by_projection": _("Projected, aligned by {name}"),
        "suggested_by_edited_links": _("Projected along links that a person edited"),
        "suggested_by_person": _("Suggested by {name}"),
        "suggested_by_earlier_gold": _("Gold from before the text was edited. Decide again"),
    }


def _narrowing() -> dict[str, str]:
    return {
        "none_narrowed_title": _("Nothing matches"),
        "none_narrowed_text": _("No available items match this filter."),
        "end_narrowing": _("Show all items"),
    }


def _text() -> dict[str, str]:
    return {
        "text_fix": _("Edit the text"),
        "set_aside": _("Set aside"),
        "text_label": _("Sentence text"),
        "text_note": _(
            "Labels on unchanged words are kept. The rest, and gold on this sentence, must be decided again."
        ),
        "text_save": _("Save the text"),
        "text_cancel": _("Cancel"),
        "text_before": _("Restore the previous text"),
        "text_empty": _("A sentence can't be empty."),
        "text_same": _("The text was not changed."),
        "text_blind": _(
            "You are annotating blind here, so you can't edit the text. Say in the comment what is wrong with it."
        ),
        "text_saved": _("The new text is saved."),
        "text_new_suggestions": _("Suggestions for the new text are ready."),
        "text_look_again": _(
            "The text was edited after you answered. Your answer is kept: check that it still fits, and finish "
            "it again."
        ),
        "text_was_fixed": _("The text of this sentence was edited."),
        "text_to_decide": _("Decide again on: {words}."),
        "text_lost": _("Labels that could not be kept: {labels}."),
        "chip_changed": _("to decide again"),
    }


def _choice() -> dict[str, str]:
    return {
        "proposed": _("proposed"),
        "tags_name": _("Tags"),
        "tagged": _("Tagged: {tag}"),
        "no_tag": _("No tag"),
        "choose_tag": _("Choose a tag first (keys: {keys})."),
    }


def _words() -> dict[str, str]:
    return {
        "marked_name": _("Sentence with the marked word"),
        "marked_gone": _("The sentence was replaced. Continue with the next one."),
        "announce_marked": _("{text} Marked: {word}."),
        "no_word_yet": _("Write a word, or say why none fits."),
        "options_name": _("Which word is best here? Choose one, or two that are equally good, or none."),
        "option_none": _("None of them is good"),
        "option_chosen": _("Chosen: {words}"),
        "option_taken_back": _("Nothing is chosen"),
        "options_two": _("You can mark at most two words as equally good. Deselect one first."),
        "options_votes": _("Votes: {n}"),
        "choose_first": _("Choose the best word, or say that none is good."),
        "key_option": _("{name}"),
        "inapt_name": _("Inapt words"),
        "inapt_word": _("Inapt word {n}"),
        "inapt_sense": _("Its sense in the dictionary"),
        "inapt_add": _("Add another word"),
        "inapt_remove": _("Remove word {n}"),
        "inapt_none": _("There is no inapt word here"),
        "inapt_reads": _("It would read:"),
        "inapt_best": _("“{word}” was chosen as the best word for this sentence, so it is apt. Write a different one."),
        "inapt_written": _("Someone wrote this word as a substitute."),
        "inapt_missing": _("Write an inapt word, or say that there is none."),
        "inapt_all_there": _("You have reached the maximum number of words."),
        "key_inapt_none": _("There is no inapt word"),
        "key_inapt_add": _("Add another inapt word"),
        "one_word": _("One word for “{word}”"),
    }


def _adjudication() -> dict[str, str]:
    return {
        "remaining": _("Waiting for a decision: {n}"),
        "empty_adjudicate": _(
            "Nothing here is waiting for your decision. Agreed answers become gold when a manager chooses "
            "“Accept agreed into gold” on the overview."
        ),
        "others_one": _("1 is waiting for someone else"),
        "others_several": _("{n} are waiting for someone else"),
        "barred_blind": _("You labelled them blind: {n}."),
        "barred_own": _("You wrote them: {n}."),
        "barred_answered": _("You labelled them, and in this project someone else must decide: {n}."),
        "barred_nobody": _("Nobody else can decide on them yet. A manager must make someone else an adjudicator."),
        "announce_adjudicate": _("{text} {why}."),
        "agreement_is": _("Agreement {agreement}"),
        "only_doubt": _("Only one answer, in doubt"),
        "all_doubt": _("All answers agree, and all are in doubt"),
        "all_agree": _("All answers agree"),
        "only_answer": _("One answer"),
        "nobody_answered": _("Nobody answered"),
        "blind": _("blind"),
        "remarks": _("Remarks"),
        "differences": _("Differences"),
        "difference_number": _("Difference {n}"),
        "the_answer": _("Answer"),
        "difference_of": _("Difference: {where}"),
        "no_difference": _("The answers do not differ"),
        "take_all": _("Use a whole answer:"),
        "take_from": _("Use the whole answer of {name}"),
        "took": _("The whole answer of {name} is used."),
        "took_there": _("The answer of {name} is used."),
        "majority": _("Majority"),
        "took_majority": _("The majority answer is used."),
        "no_majority": _("No answer has a majority. Choose one for each difference."),
        "took_union": _("All labels used"),
        "took_common": _("Common labels used"),
        "edit": _("Edit"),
        "editing": _("Edit the decision. Press E or Escape to go back to the differences."),
        "left_one": _("1 difference left"),
        "left_several": _("{n} differences left"),
        "decide_next": _("Decide and next"),
        "propose": _("Propose for the guidelines"),
        "proposal_title": _("Propose a sentence for the guidelines"),
        "proposal_label": _("Sentence"),
        "proposal_note": _("Managers see it where they edit the guidelines, and add or dismiss it."),
        "proposal_send": _("Propose"),
        "proposal_sent": _("The sentence was proposed for the guidelines."),
        "choose_answers": _("Choose an answer (keys: {keys}), or edit with E."),
        "choose_edit": _("Nobody answered. Edit with E."),
        "write_text": _("Write a text, or choose an answer."),
        "no_label": _("no label"),
        "no_text": _("no text"),
        "not_inapt": _("not given"),
        "result_name": _("Words of the decision: arrows move, Space labels"),
        "machine": _("Machine suggestions"),
    }


def _reasons() -> dict[str, str]:
    return {
        "reason_title": _("Why they differ"),
        "reason_placeholder": _("In your own words"),
        "reason_needed": _("Nobody gave this answer. Explain your decision."),
        "reason_optional": _("Optional, but it helps to improve the guidelines."),
    }


def _side() -> dict[str, str]:
    return {
        "tabs_name": _("Beside the item"),
        "tab_word": pgettext("tab", "Word"),
        "tab_item": pgettext("tab", "Details"),
        "tab_context": pgettext("tab", "Context"),
        "tab_guidelines": pgettext("tab", "Guidelines"),
        "lemma_title": _("Same lemma elsewhere"),
        "lemma_loading": _("Searching…"),
        "lemma_function": _("Not a content word."),
        "lemma_none": _("Not decided anywhere else yet."),
        "lemma_count": _("Labelled {labelled} of {total} times"),
        "lemma_cut": _("Showing the first {total} decided occurrences. The lemma occurs {all} times in the texts."),
        "lemma_labelled": _("labelled"),
        "lemma_unlabelled": _("not labelled"),
    }
