"""What is asked and answered where sentences are searched, looked at and changed many at a time."""

from __future__ import annotations

from rest_framework import serializers

from annotator.search.actions.many import MAX_SENTENCES, MAX_WORDS
from annotator.search.files import FORMATS
from annotator.search.queries.find import LONGEST
from annotator.search.queries.pairs import ANSWERS, GOLD
from api.pagination import MAX_PAGE
from api.v1.shapes import MAX_ID, Content, Numbers, PagedAnswer, Strings, identifier


def _filter(help_text: str = "") -> serializers.CharField:
    return serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST, help_text=help_text)


class FiltersQuery(serializers.Serializer):
    """The filters of the page; empty ones let all through, and so do those that the user may not use."""

    q = _filter("Words, the beginning of one with “*”, or an ID.")
    language = _filter()
    dataset = _filter()
    role = _filter()
    document = _filter()
    marked = _filter("labelled or unlabelled: the words that were found, without `q` the sentence.")
    label = _filter()
    attribute = _filter("name:value")
    stage = _filter("ID.")
    state = _filter("free, taken, done or decided.")
    person = _filter("ID, with “:blind” or “:review” behind it for the answers of one mode. For adjudicators.")
    doubt = _filter("yes")
    comment = _filter("yes")
    gold = _filter("yes or no.")
    disagreement = _filter("yes. For adjudicators.")
    suggestion = _filter("A kind of suggestion, such as prediction or proposal.")


class SentencesQuery(FiltersQuery):
    cursor = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=40,
        help_text="From the address in `next`; empty: the first page.",
    )
    page_size = serializers.IntegerField(required=False, default=50, min_value=1, max_value=MAX_PAGE)


class SentencesFileQuery(FiltersQuery):
    file_format = serializers.ChoiceField(list(FORMATS), required=False, default="csv")


class OtherTextAnswer(serializers.Serializer):
    unit = serializers.IntegerField(source="pk")
    language = serializers.CharField()
    text = serializers.CharField()


class SuggestedLabelAnswer(serializers.Serializer):
    name = serializers.CharField(help_text="Of the person.")
    label = serializers.CharField(source="detail.label")


class SentenceRowAnswer(serializers.Serializer):
    """A text of the list, with the labels that the user may see."""

    id = serializers.IntegerField(help_text="Of the sentence, in all its languages.")
    unit = serializers.IntegerField(help_text="Of this text.")
    uid = serializers.CharField()
    language = serializers.CharField()
    text = serializers.CharField()
    tokens = Strings()
    hits = Numbers(help_text="The tokens that were found.")
    dataset = serializers.CharField()
    role = serializers.CharField()
    document = serializers.CharField()
    content = Content(allow_null=True)
    labels_from = serializers.CharField(help_text="gold, own or answer: whose the content is; empty without one.")
    state = serializers.CharField(help_text="own, free, others, gold, closed, done, ahead or aside; can be empty.")
    seen = serializers.CharField(help_text="For the calls that change many sentences; empty: they cannot change it.")
    stage = serializers.IntegerField(allow_null=True)
    assignment = serializers.IntegerField(allow_null=True, help_text="The user's.")
    suggested = SuggestedLabelAnswer(allow_null=True, help_text="A label that a person suggested.")
    others = OtherTextAnswer(many=True, help_text="In the other languages.")


class FoundAnswer(PagedAnswer):
    """A page of the list. It can have fewer rows than asked for, even none, although there is a next one."""

    total = serializers.IntegerField(allow_null=True, help_text="Null: not counted.")
    capped = serializers.BooleanField(help_text="There are more than were looked at.")
    unknown = Strings(help_text="Words that no sentence has; they were ignored.")
    results = SentenceRowAnswer(many=True)


class DecidedAnswer(serializers.Serializer):
    source = serializers.CharField()
    decided_by = serializers.CharField(source="decided_by.username", default=None, allow_null=True)
    reason = serializers.CharField()
    updated_at = serializers.DateTimeField()


class AnsweredAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    user = serializers.CharField(source="user.username")
    mode = serializers.CharField()
    state = serializers.CharField()
    doubt = serializers.BooleanField()
    comment = serializers.CharField()
    version = serializers.IntegerField()
    updated_at = serializers.DateTimeField()


class SuggestedAnswer(serializers.Serializer):
    kind = serializers.CharField()
    name = serializers.CharField()
    source_language = serializers.CharField()
    source_changed = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class ReadingAnswer(serializers.Serializer):
    """A content, and all that says it."""

    content = Content()
    golds = DecidedAnswer(many=True)
    answers = AnsweredAnswer(many=True)
    suggestions = SuggestedAnswer(many=True)


class LayerOnAnswer(serializers.Serializer):
    layer = serializers.CharField(source="layer.slug")
    readings = ReadingAnswer(many=True)


class TextOnAnswer(serializers.Serializer):
    """A text, and its readings by layer."""

    unit = serializers.IntegerField(source="unit.pk")
    language = serializers.CharField(source="unit.language")
    revision = serializers.IntegerField(source="unit.revision")
    text = serializers.CharField(source="unit.text")
    tokens = Strings(source="unit.tokens")
    layers = LayerOnAnswer(many=True)


class RevisionAnswer(serializers.Serializer):
    unit = serializers.IntegerField(source="pk")
    language = serializers.CharField()
    revision = serializers.IntegerField()
    text = serializers.CharField()
    is_current = serializers.BooleanField()
    author = serializers.CharField(source="author.username", default=None, allow_null=True)
    created_at = serializers.DateTimeField()


class PairOnAnswer(serializers.Serializer):
    id = serializers.CharField(source="shown.pair.pair_id")
    premise = serializers.IntegerField(source="shown.pair.premise_id")
    hypothesis = serializers.IntegerField(source="shown.pair.hypothesis_id")
    inference = serializers.CharField(source="shown.inference", help_text="Empty: none, or hidden from the user.")
    texts = TextOnAnswer(many=True)


class PlaceAnswer(serializers.Serializer):
    stage = serializers.IntegerField(source="stage.pk")
    state = serializers.CharField()


class HappeningAnswer(serializers.Serializer):
    at = serializers.DateTimeField()
    act = serializers.CharField(help_text="A verb of the log, “imported”, “aligned”, or a kind of suggestion.")
    by = serializers.CharField()
    whose = serializers.CharField(help_text="Whose item or answer it is, where somebody else did it.")
    unit = serializers.IntegerField(source="unit.pk", default=None, allow_null=True)
    stage = serializers.IntegerField(source="stage.pk", default=None, allow_null=True)
    layer = serializers.CharField(source="layer.slug", default=None, allow_null=True)
    name = serializers.CharField(help_text="The machine, dataset or language that it came from.")
    state = serializers.CharField()
    times = serializers.IntegerField(help_text="How often in a row.")


# What of the page is told as it is.
OF_PAGE = ("whole", "units", "history", "more_history", "previous", "next")


class SentenceAnswer(serializers.Serializer):
    """A sentence in all its languages, as far as the user may see it."""

    id = serializers.IntegerField(source="whole.segment.pk")
    uid = serializers.CharField(source="whole.uid")
    dataset = serializers.CharField(source="whole.segment.dataset")
    role = serializers.CharField(source="whole.segment.role")
    document = serializers.CharField(source="whole.group")
    set_aside = serializers.CharField(source="whole.segment.set_aside_reason", help_text="Why; empty: it is not.")
    texts = TextOnAnswer(many=True)
    made = TextOnAnswer(many=True, help_text="Texts made from them.")
    pairs = PairOnAnswer(many=True)
    places = PlaceAnswer(source="whole.places", many=True)
    revisions = RevisionAnswer(source="units", many=True, help_text="All texts, the earlier ones included.")
    history = HappeningAnswer(many=True, help_text="The newest first.")
    more_history = serializers.BooleanField()
    previous = serializers.IntegerField(source="previous.pk", default=None, allow_null=True)
    next = serializers.IntegerField(source="next.pk", default=None, allow_null=True)


class RowRequest(serializers.Serializer):
    """A row of the list."""

    unit = identifier()
    tokens = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MAX_ID),
        required=False,
        default=list,
        max_length=MAX_WORDS,
        help_text="Which words: `hits` of the row, or others.",
    )
    seen = serializers.CharField(max_length=40, help_text="As the row had it.")


class LabelManyRequest(serializers.Serializer):
    rows = serializers.ListField(child=RowRequest(), min_length=1, max_length=MAX_SENTENCES)
    label = serializers.CharField(max_length=100)
    remove = serializers.BooleanField(required=False, default=False, help_text="Remove the label from these words.")


class AssignManyRequest(serializers.Serializer):
    rows = serializers.ListField(child=RowRequest(), min_length=1, max_length=MAX_SENTENCES)
    stage = identifier()
    user = serializers.CharField(max_length=150, help_text="Username. Managers can assign to all members.")


class NotChangedAnswer(serializers.Serializer):
    unit = serializers.IntegerField(source="unit.pk")
    reason = serializers.CharField()
    text = serializers.CharField(help_text="In words, where the reason is a rule.")


class UndoneManyAnswer(serializers.Serializer):
    restored = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    returned = serializers.IntegerField()
    kept = NotChangedAnswer(many=True)


class ManyAnswer(serializers.Serializer):
    """What was done with chosen rows."""

    key = serializers.UUIDField(source="operation", help_text="For the undo.")
    saved = serializers.IntegerField()
    claimed = serializers.IntegerField(help_text="Of the saved ones, items that were free before.")
    proposed = serializers.IntegerField(help_text="Suggested to the people who have the items.")
    assigned = serializers.IntegerField()
    same = serializers.IntegerField(help_text="They were so already.")
    refused = NotChangedAnswer(many=True)
    undone = UndoneManyAnswer(allow_null=True)


class GiveAgainRequest(serializers.Serializer):
    """Which pairs, and who looks at them again."""

    stage = identifier()
    tag = serializers.CharField(max_length=100)
    whose = serializers.ChoiceField([GOLD, ANSWERS], required=False, default="", allow_blank=True)
    user = serializers.CharField(max_length=150, help_text="Username.")


class TaggedPairsQuery(GiveAgainRequest):
    user = serializers.CharField(max_length=150, required=False, default="", allow_blank=True, help_text="Username.")


class TaggedPairAnswer(serializers.Serializer):
    unit = serializers.IntegerField(source="unit.pk")
    id = serializers.CharField(source="pair.pair_id")
    premise = serializers.CharField()
    hypothesis = serializers.CharField()
    is_gold = serializers.BooleanField()
    people = Strings(help_text="Names of those who answered it.")


class SecondLookAnswer(serializers.Serializer):
    """What becomes of the pairs when they are given to the person, in numbers."""

    own = serializers.IntegerField(help_text="Their answers, which are opened again.")
    given = serializers.IntegerField(help_text="Assigned to them beside others' answers.")
    gold = serializers.IntegerField(help_text="Of both, those whose gold is reopened.")
    at_work = serializers.IntegerField(help_text="Left out: someone has them open.")
    hidden = serializers.IntegerField(help_text="Left out: the person may not see them, or has them elsewhere.")
    more = serializers.IntegerField(help_text="Left out: more than 100.")


class TaggedPairsAnswer(serializers.Serializer):
    total = serializers.IntegerField()
    pairs = TaggedPairAnswer(many=True)
    look = SecondLookAnswer(allow_null=True, help_text="Null without `user`.")


class GivenAgainAnswer(serializers.Serializer):
    key = serializers.UUIDField(help_text="For the undo.")


class GivenBackAnswer(serializers.Serializer):
    restored = serializers.IntegerField()
    kept = serializers.IntegerField(help_text="They were worked on since.")


class MapPointAnswer(serializers.Serializer):
    sentence = serializers.IntegerField(source="point.segment")
    unit = serializers.IntegerField(source="point.unit")
    language = serializers.CharField(source="point.language")
    x = serializers.IntegerField(source="point.x")
    y = serializers.IntegerField(source="point.y")
    text = serializers.CharField()
    meaning = serializers.CharField()


class MapAnswer(serializers.Serializer):
    """The newest map of the project's sentences."""

    job = serializers.IntegerField(allow_null=True, help_text="That drew it; null: there is no map.")
    gone = serializers.IntegerField(help_text="Sentences that were replaced since, or must not be shown.")
    points = MapPointAnswer(many=True)
