"""What events say was done: one code for each act that people are told of. The codes are stored; their words are in
`templatetags/words.py`."""

from __future__ import annotations

from enum import StrEnum


class Verb(StrEnum):
    """Of an event; the part before the dot is what was acted on."""

    ANNOTATION_SAVED = "annotation.saved"
    ANNOTATION_UNDONE = "annotation.undone"
    ANNOTATION_KEPT = "annotation.kept"
    ANNOTATION_RETURNED = "annotation.returned"  # what was made from it was rejected
    ANNOTATION_RETURN_UNDONE = "annotation.return_undone"  # that was a slip
    ANNOTATION_HANDED_OVER = "annotation.handed_over"  # what its writer left is somebody else's to mend
    ANNOTATION_GIVEN_UP = "annotation.given_up"  # nobody is to mend it
    ANNOTATION_CARRIED = "annotation.carried"
    ANNOTATION_RELABELLED = "annotation.relabelled"
    ANNOTATION_TERMS_MERGED = "annotation.terms_merged"
    TEXT_REVISED = "text.revised"
    PAIR_LABELLED = "pair.labelled"  # an inference label was given, changed or removed
    SENTENCE_SET_ASIDE = "sentence.set_aside"
    SENTENCE_RESTORED = "sentence.restored"
    # Of units that were made from a text that was fixed.
    UNIT_REWORDED = "unit.reworded"
    UNIT_CLOSED = "unit.closed"

    ASSIGNMENT_CLAIMED = "assignment.claimed"
    ASSIGNMENT_GIVEN = "assignment.given"
    ASSIGNMENT_BLIND = "assignment.blind"
    ASSIGNMENT_SAMPLE = "assignment.sample"
    # Many items of a stage were given to people at once, and the undo of that; not-started work went to somebody else.
    ASSIGNMENT_DEALT = "assignment.dealt"
    ASSIGNMENT_DEALT_UNDONE = "assignment.dealt_undone"
    ASSIGNMENT_MOVED = "assignment.moved"
    ASSIGNMENT_EXPIRED = "assignment.expired"
    ASSIGNMENT_HANDED_BACK = "assignment.handed_back"
    ASSIGNMENT_FREED = "assignment.freed"

    TRIAL_SOLVED = "trial.solved"
    STAGE_AGAIN = "stage.again"  # how often items are given again
    ITEM_GIVEN_AGAIN = "item.given_again"
    STAGE_TRAINING = "stage.training"  # what a stage asks for before work
    TRAINING_STARTED = "training.started"
    TRAINING_FINISHED = "training.finished"
    TRAINING_LET_IN = "training.let_in"
    TRAINING_LET_OUT = "training.let_out"

    GOLD_DECIDED = "gold.decided"
    GOLD_ACCEPTED = "gold.accepted"
    GOLD_REOPENED = "gold.reopened"
    GOLD_RELABELLED = "gold.relabelled"
    GOLD_TERMS_MERGED = "gold.terms_merged"

    PAIRS_MADE = "pairs.made"  # by rule, from definitions
    PAIRS_OUTDATED = "pairs.outdated"  # something changed, and the rules would make others
    SUGGESTION_TRANSFERRED = "suggestion.transferred"
    ALIGNMENT_EDITED = "alignment.edited"  # a word link, by a person
    SUGGESTION_PROPOSED = "suggestion.proposed"  # a label on words of somebody else's item
    SUGGESTION_WITHDRAWN = "suggestion.withdrawn"
    # One act on many sentences, and its undo.
    SENTENCES_LABELLED = "sentences.labelled"
    SENTENCES_UNLABELLED = "sentences.unlabelled"
    SENTENCES_ASSIGNED = "sentences.assigned"
    SENTENCES_UNDONE = "sentences.undone"
    # Pairs with a tag were given to somebody to look at again, and its undo.
    PAIRS_GIVEN_AGAIN = "pairs.given_again"
    PAIRS_GIVEN_AGAIN_UNDONE = "pairs.given_again_undone"

    IMPORT = "import"
    IMPORT_TAKEN_BACK = "import.taken_back"
    IMPORT_TERMS = "import.terms"  # licence, whether it may be published
    RELEASE_CREATE = "release.create"
    RELEASE_PUBLISHED = "release.published"  # uploaded to a repository or a hub
    WEBHOOK_CHANGE = "webhook.change"  # added, changed, removed
    SPLIT_CREATE = "split.create"
    SPLIT_DELETE = "split.delete"
    COMPARISON_STORED = "comparison.stored"
    AGREEMENT_STORED = "agreement.stored"

    JOB_START = "job.start"
    JOB_CANCEL = "job.cancel"
    JOB_RETRY = "job.retry"
    DETECTOR_TRAIN = "detector.train"

    STAGE_ADD = "stage.add"
    STAGE_CONTEXT = "stage.context"  # what is shown around its sentences
    STAGE_ORDER = "stage.order"
    STAGE_REMOVE = "stage.remove"
    LAYER_ADD = "layer.add"
    SCHEME_CHANGE = "scheme.change"
    TERMS_MERGED = "terms.merged"

    PROJECT_CREATE = "project.create"
    PROJECT_SETTINGS = "project.settings"
    PROJECT_LANGUAGE_ADD = "project.language_add"
    PROJECT_LANGUAGE_REMOVE = "project.language_remove"
    PROJECT_ARCHIVE = "project.archive"
    PROJECT_RESTORE = "project.restore"  # out of the archived ones
    PROJECT_RESTORED = "project.restored"  # from a file
    PROJECT_COPY = "project.copy"
    PROJECT_DELETE = "project.delete"
    ARCHIVE_WRITTEN = "archive.written"
    ARCHIVE_DELETED = "archive.deleted"
    PROJECT_TRAIN_EVERY = "project.train_every"
    PROJECT_ADJUDICATE_OWN = "project.adjudicate_own"
    GUIDELINES_EDIT = "guidelines.edit"
    MEMBER_ADD = "member.add"
    MEMBER_ROLE = "member.role"
    MEMBER_REMOVE = "member.remove"
    MEMBER_LANGUAGES = "member.languages"
    MEMBER_MAPPED = "member.mapped"  # somebody in a project backup is this account
    INVITATION_CREATE = "invitation.create"
    INVITATION_RENEW = "invitation.renew"
    INVITATION_SENT = "invitation.sent"
    INVITATION_REVOKE = "invitation.revoke"
    INVITATION_ACCEPT = "invitation.accept"

    GUIDELINES_PROPOSED = "guidelines.proposed"  # an adjudicator proposed a sentence
    GUIDELINES_PROPOSAL_TAKEN = "guidelines.proposal_taken"
    GUIDELINES_PROPOSAL_DISMISSED = "guidelines.proposal_dismissed"
    GUIDELINES_PROPOSAL_REOPENED = "guidelines.proposal_reopened"
    GUIDELINES_PICTURE = "guidelines.picture"  # a picture for them was uploaded
    USER_CREATE = "user.create"  # by a manager, who adds them as a member
    USER_RESET = "user.password"  # a manager set a new one for a member
    USER_CREATED = "user.created"  # with the demo
    USER_REGISTER = "user.register"  # by themselves
    USER_CHANGE = "user.change"
    API_TOKEN_CREATE = "api_token.create"  # noqa: S105  # what was done
    API_TOKEN_REVOKE = "api_token.revoke"  # noqa: S105  # what was done
    SAMPLE_LOADED = "sample.loaded"
    STORAGE_MARKED = "storage.marked"  # its files are there from now on


# What the page about a person tells of them; claims and the like are left out.
WORK = (
    Verb.ANNOTATION_SAVED, Verb.ANNOTATION_UNDONE, Verb.ANNOTATION_KEPT, Verb.TEXT_REVISED, Verb.GOLD_DECIDED,
    Verb.GOLD_REOPENED, Verb.SENTENCE_SET_ASIDE, Verb.SENTENCE_RESTORED,
)  # fmt: skip
# After these a release that was made before is no longer up to date, and after an import that brought gold.
CHANGES_A_RELEASE = (
    Verb.GOLD_DECIDED, Verb.GOLD_ACCEPTED, Verb.GOLD_REOPENED, Verb.GOLD_RELABELLED, Verb.GOLD_TERMS_MERGED,
    Verb.IMPORT_TAKEN_BACK, Verb.IMPORT_TERMS, Verb.SENTENCE_SET_ASIDE, Verb.SENTENCE_RESTORED, Verb.PAIR_LABELLED,
)  # fmt: skip
# After these, too, where answers are released as they are.
CHANGES_ANSWERS = (Verb.ANNOTATION_SAVED, Verb.ANNOTATION_UNDONE, Verb.TEXT_REVISED)
