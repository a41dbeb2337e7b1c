"""The texts of the workspaces' scripts. Gaps are written {name}; the scripts fail on a gap without a value."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotator.core.kind_parts import DOUBT


def workspace_messages() -> dict[str, str]:
    """Every message of the shared scripts by its name, in the language of the request; kinds of work add their own."""
    return {
        **_state(),
        **_empty(),
        **_changes(),
        **_narrowing(),
        **_labelling(),
        **_text(),
        **_choice(),
        **_words(),
        **_adjudication(),
        **_keys(),
    }


def _state() -> dict[str, str]:
    return {
        "loading": _("Loading…"),
        "loading_next": _("Loading next…"),
        "saving": _("Saving…"),
        "saved": _("Saved {time}"),
        "edited": _("Changed, not saved yet"),
        "not_saved": _("Not saved: {n}"),
        "no_answer": _("No answer"),
        "retry": _("Try again"),
        "reload": _("Reload the page"),
        "close": _("Close"),
        "network": _("The server cannot be reached."),
        "server": _("The server could not answer."),
        "sign_in": _("Sign in"),
        "signedOut": _("You are signed out. Sign in again in another tab; what you did here is kept."),
        "failing": _("{reason} Nothing is lost: it is tried again in {seconds} s."),
        "progress": _("{done} of {total} done, {mine} by you"),
        "progress_several": _("{done} of {total} complete · {mine} answered by you"),
        "progress_blind": _("{done} of {total} done, {mine} by you; blind answers that wait for you: {blind}"),
    }


def _empty() -> dict[str, str]:
    return {
        "empty_title": _("Nothing left in this stage"),
        "empty_text": _("Everything here is done or in somebody else's hands."),
        "empty_own": _("What is left was written by you; somebody else judges it."),
        "kept_title": _("Nothing left for you in this stage"),
        "empty_blind": _(
            "Not given to you here: {n}. It would show what others answered where you work blind. Finish your blind "
            "work; this is open to you once gold is decided there."
        ),
        "empty_later": _(
            "Pairs that come later: {n}. Finish your blind work on their sentences first. Until then they are not "
            "shown together."
        ),
        "empty_elsewhere": _("Not given to you here: {n}. You answer it in another stage; here somebody else does."),
        "blind_done_title": _("The blind sample is done"),
        "blind_end_title": _("The blind sample ends here"),
        "blind_done_text": _("From the next item on you see suggestions."),
        "blind_end_left": _("Skipped in the blind sample: {n}. They come back at the end."),
        "blind_go_on": _("Go on"),
        "none_title": _("Nothing is here yet"),
        "none_text": _("This stage has nothing to work on so far. The dashboard says what comes first."),
        "to_dashboard": _("To the dashboard"),
        "to_import": _("Import"),
        "to_items": _("Your own work in this stage"),
        "look_again": _("Look again"),
        "error_title": _("No work could be fetched"),
    }


def _changes() -> dict[str, str]:
    return {
        "locked": _("One moment: the server is still answering, or two versions wait for your decision."),
        "source_changed": _("The source changed ({language}). It now says:"),
        "source_changed_none": _("The source changed ({language}). It has no label now."),
        "source_changed_open": _("The source changed ({language}). Nothing is decided there now."),
        "source_changed_do": _("Check this item and save it again, even if nothing has to change."),
        "undone": _("Undone"),
        "redone": _("Done again"),
        "undoing": _("Undoing the last save…"),
        "nothing_to_undo": _("Nothing to undo here. B goes back to the one before."),
        "undo_before": _("Nothing is shown that could be undone. B goes back to the one before; U undoes it there."),
        "nothing_to_redo": _("Nothing to redo"),
        "nothing_back": _("There is nothing before this one."),
        "nothing_forward": _("There is nothing to go on to yet."),
        "conflict_title": _("Two versions of {name}"),
        "conflict_notice": _("{name} was changed elsewhere in the meantime; your version is not saved."),
        "conflict_resolve": _("Compare and choose"),
        "conflict_mine": _("Yours"),
        "conflict_theirs": _("Saved in the meantime"),
        "conflict_take_mine": _("Take yours"),
        "conflict_take_theirs": _("Take the saved one"),
        "conflict_take_both": _("Labels of both"),
        "differs": _("differs"),
        "named_by": _("“{text}”"),
        "refused_notice": _("{name} was not saved: {reason}"),
        "refused_open": _("Show it"),
        "refused_discard": _("Give up my change"),
        "new_tab": _("opens in a new tab"),
        "characters_of": _("{n} of {most} characters"),
        "too_long": _("Too long: it has {n} characters, and at most {most} are kept."),
        "text_too_long": _("A text is too long. Shorten it first."),
        "keys_title": _("Keys"),
        "keys_note": _(
            "Keys act on what is shown. In a field only Ctrl + Enter (done) and Alt + D (doubt) act; Esc leaves it."
        ),
        "keys_singles": _("Keys of one letter, number or sign act at once"),
        "space_bar": pgettext("key", "Space"),
        "word_shift": pgettext("key", "Shift"),
        "word_home": pgettext("key", "Home"),
        "word_end": pgettext("key", "End"),
        "word_delete": pgettext("key", "Del"),
        "word_backspace": pgettext("key", "Backspace"),
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
        "context_above": _("Sentences before"),
        "context_below": _("Sentences after"),
        "suggested_by": _("Suggestions: {name}"),
        "suggested_by_projection": _("Projected, aligned by {name}"),
        "suggested_by_earlier_gold": _("Gold before the text was fixed; decide again"),
        "announce_sentence": _("{role}: {text} Suggestions: {n}."),
        "announce_sentence_plain": _("{role}: {text}"),
        "chip_labelled": _("labelled {label}"),
        "chip_unit": _("unit {n}"),
        "chip_removed": _("suggested, not labelled"),
        "chip_kept": _("suggested"),
        "chip_probability": _("probability {probability}"),
        "now_labelled": _("{text}: labelled {label}"),
        "now_unlabelled": _("{text}: no label"),
        "on_sentence": _("On the sentence"),
        "on_sentence_name": _("Labels on the sentence, where no word bears them"),
        "on_sentence_said": _("{label}: put on the sentence"),
        "off_sentence_said": _("{label}: taken off the sentence"),
        "attributes_title": _("Attributes"),
        "attribute_set": _("{name}: {value}"),
        "attribute_unset": _("{name}: taken away"),
        "no_attributes": _("No label with attributes is here."),
        "joining_hint": _("Joining to “{word}”: choose the other words with Space or a click; M ends."),
        "joining_over": _("Joining is over"),
        "another": _("Another unit here"),
        "another_hint": _(
            "A further unit on “{word}”, over what is there: choose its other words with Space or a click; M ends."
        ),
        "units_name": _("Units that share this word"),
        "obligatory": _("(obligatory)"),
        "unsaid": _("A label says nothing of an obligatory attribute."),
        "unsaid_here": _("“{text}”: {name} is obligatory."),
        "doubt": _("Doubt"),
        # Kinds of work have their own word for what it is about.
        "doubt_label": str(DOUBT),
        "doubt_on": _("Doubt flag set"),
        "doubt_off": _("Doubt flag taken off"),
        "comment": _("Comment"),
        "comment_placeholder": _("What made you hesitate?"),
        "gold_decided": _("Gold is decided here, so nothing can be changed any more."),
        "no_content": _("Every content word is labelled."),
        "no_suggestions": _("There are no suggestions or labels here."),
        "lemma_title": _("Same lemma elsewhere"),
        "lemma_loading": _("Looking it up…"),
        "lemma_function": _("Not a content word."),
        "lemma_none": _("Not decided anywhere else yet."),
        "lemma_count": _("Labelled {labelled} of {total} times"),
        "lemma_cut": _("These are the first {total} decided places. The lemma stands {all} times in the texts."),
        "lemma_labelled": _("labelled"),
        "lemma_unlabelled": _("not labelled"),
    }


def _narrowing() -> dict[str, str]:
    return {
        "none_narrowed_title": _("Nothing matches"),
        "none_narrowed_text": _("No item that you could take is left of those that you narrowed the queue to."),
        "end_narrowing": _("Show all items"),
    }


def _text() -> dict[str, str]:
    return {
        "text_fix": _("Fix the text"),
        "set_aside": _("Set aside"),
        "text_label": _("The text of the sentence"),
        "text_note": _(
            "Labels on words that stay as they are stay, too. Other words are to be decided anew, and gold that was "
            "decided on this sentence is opened again."
        ),
        "text_save": _("Save the text"),
        "text_cancel": _("Cancel"),
        "text_before": _("Bring back the text before"),
        "text_empty": _("A sentence needs a text."),
        "text_same": _("The text is as it was."),
        "text_blind": _("You work blind here, so the text stays as it is. Say in the comment what is wrong with it."),
        "text_saved": _("The text is fixed."),
        "text_new_suggestions": _("Suggestions for the new text are there."),
        "text_look_again": _(
            "The text was fixed after you answered. Your answer is kept: see if it still fits, and finish it again."
        ),
        "text_was_fixed": _("The text of this sentence was fixed."),
        "text_to_decide": _("To be decided anew: {words}."),
        "text_lost": _("Labels that could not stay: {labels}."),
        "chip_changed": _("to be decided anew"),
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
        "marked_gone": _("The sentence was replaced; go on to the next one."),
        "announce_marked": _("{text} Marked: {word}."),
        "no_word_yet": _("Write a word, or say why none fits."),
        "options_name": _("Which word is best here? Choose one, or two that are equally good, or none."),
        "option_none": _("None of them is good"),
        "option_chosen": _("Chosen: {words}"),
        "option_taken_back": _("Nothing is chosen"),
        "options_two": _("At most two words can stand as equally good; take one back first."),
        "options_votes": _("Votes: {n}"),
        "choose_first": _("Choose the best word, or say that none is good."),
        "key_option": _("{name}"),
        "inapt_name": _("Inapt words"),
        "inapt_word": _("Inapt word {n}"),
        "inapt_sense": _("Sense it comes from (dictionary)"),
        "inapt_add": _("Add another word"),
        "inapt_remove": _("Remove word {n}"),
        "inapt_none": _("There is no inapt word here"),
        "inapt_reads": _("It would read:"),
        "inapt_best": _("“{word}” was chosen as the best word for this sentence, so it is apt. Write another one."),
        "inapt_written": _("Somebody wrote this word as a substitute."),
        "inapt_missing": _("Write an inapt word, or say that there is none."),
        "inapt_all_there": _("There are as many words as can be."),
        "key_inapt_none": _("There is no inapt word"),
        "key_inapt_add": _("A further inapt word"),
        "one_word": _("One word for “{word}”"),
    }


def _adjudication() -> dict[str, str]:
    return {
        "remaining": _("Waiting for a decision: {n}"),
        "empty_adjudicate": _(
            "Nothing here waits for your decision. What people agree on becomes gold when a manager chooses "
            "“Accept agreed into gold” on the dashboard."
        ),
        "others_one": _("1 waits for somebody else"),
        "others_several": _("{n} wait for somebody else"),
        "barred_blind": _("You labelled them blind: {n}."),
        "barred_own": _("You wrote them: {n}."),
        "barred_answered": _("You labelled them, and in this project somebody else decides then: {n}."),
        "barred_nobody": _("Nobody else can decide on them yet. A manager has to make somebody else an adjudicator."),
        "announce_adjudicate": _("{text} {why}."),
        "agreement_is": _("Agreement {agreement}"),
        "only_doubt": _("One answer only, in doubt"),
        "all_doubt": _("All answers agree, and all are in doubt"),
        "all_agree": _("All answers agree"),
        "only_answer": _("One answer"),
        "no_answer": _("Nobody answered"),
        "blind": _("blind"),
        "answers": _("Answers"),
        "differences": _("Differences"),
        "difference_number": _("Difference {n}"),
        "the_answer": _("Answer"),
        "difference_of": _("Difference: {where}"),
        "no_difference": _("The answers do not differ"),
        "take_all": _("All of one answer:"),
        "take_from": _("Take all of the answer of {name}"),
        "took": _("All of the answer of {name} taken."),
        "took_there": _("Answer of {name} taken."),
        "took_union": _("Labels of all taken"),
        "took_common": _("Common labels taken"),
        "edit": _("Edit"),
        "editing": _("Edit what is decided. E or Escape leads back to the differences."),
        "left_one": _("1 difference left"),
        "left_several": _("{n} differences left"),
        "decide_next": _("Decide and next"),
        "choose_answers": _("Choose an answer (keys: {keys}), or edit with E."),
        "choose_edit": _("Nobody answered. Edit with E."),
        "write_text": _("Write a text, or choose an answer."),
        "no_label": _("no label"),
        "no_text": _("no text"),
        "not_inapt": _("not given"),
        "result_name": _("Words of the decision: arrows move, Space labels"),
        "machine": _("What the machine suggested"),
        "reason_title": _("Why they differ"),
        "reason_placeholder": _("In your own words"),
        "reason_needed": _("Nobody answered this way. Say why you decide so."),
        "reason_optional": _("Optional, but it makes the guidelines better."),
    }


def _keys() -> dict[str, str]:
    return {
        "key_done": _("Done, and on to the next"),
        "key_back": _("Back to the one before"),
        "key_forward": _("On to the next without finishing this one"),
        "key_undo": _("Undo"),
        "key_redo": _("Redo"),
        "key_help": _("This list"),
        "key_guidelines": _("Guidelines in short"),
        "key_left": _("Previous word"),
        "key_right": _("Next word"),
        "key_up": _("Line above"),
        "key_down": _("Line below"),
        "key_first": _("First word"),
        "key_last": _("Last word"),
        "key_toggle": _("Label the word, or take its label off"),
        "key_next_content": _("Next content word without a label"),
        "key_previous_content": _("Previous content word without a label"),
        "key_likely": _("Likeliest word without a label, then the next likely"),
        "key_next_suggestion": _("Next suggestion or label"),
        "key_previous_suggestion": _("Previous suggestion or label"),
        "key_another": _("Begin a further unit on this word, over the one that is there"),
        "key_next_unit": _("Choose the next of the units that share this word"),
        "key_joining": _("Start or end a unit of several words, neighbours or not"),
        "key_edge_left": _("Move the edge of the unit to the left"),
        "key_edge_right": _("Move the edge of the unit to the right"),
        "key_unit_left": _("Move the whole unit to the left"),
        "key_unit_right": _("Move the whole unit to the right"),
        "key_split": _("Split the unit into its words"),
        "key_remove": _("Take the whole unit away"),
        "key_label": _("Label {name}"),
        "key_on_sentence": _("Label the sentence where no word bears the label, or take that off"),
        "key_attributes": _("To the attributes of the unit"),
        "key_attribute": _("{name}: next value"),
        "key_doubt": _("Doubt flag"),
        "key_comment": _("Comment"),
        "key_text": _("Fix the text of the sentence"),
        "key_keep": _("Keep: the projected label is right"),
        "key_lost": _("Lost: take the label away"),
        "key_gained": _("Gained: label the word"),
        "key_tag": _("{name}"),
        "key_take": _("Take the answer of {name} for the difference"),
        "key_take_all": _("Take all of the answer of {name}"),
        "key_edit": _("Edit what is decided"),
        "key_edit_end": _("Back to the differences"),
        "key_row_up": _("Difference above"),
        "key_row_down": _("Difference below"),
        "key_union": _("Labels of all"),
        "key_common": _("Labels that all have"),
        "key_reason": _("Why they differ"),
    }
