from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotator.domain.text.tokens import text_of
from annotator.models.corpus_import import PUBLISHED, Import
from annotator.models.project import Project
from annotator.models.segment import Segment


class UnitQuerySet(models.QuerySet["Unit"]):
    def published(self) -> UnitQuerySet:
        """Those that no unfinished import hides."""
        return self.filter(PUBLISHED)


class Unit(models.Model):
    """What can be answered: a segment in one language and one revision.

    Tokens never change: a new text is a new revision. A pair has no tokens of its own; its segments do.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="units")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, db_index=False, related_name="units")
    kind = models.CharField(max_length=20, default=Segment.SENTENCE)
    language = models.CharField(max_length=20)
    revision = models.PositiveIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    tokens = models.JSONField(default=list)
    # The white space before each token and after the last one; empty where single spaces join them.
    spaces = models.JSONField(default=list)
    token_count = models.PositiveIntegerField(default=0)
    # Worked out once, when the text is imported: one lemma per token, and whether it is a content word.
    lemmas = models.JSONField(default=list)
    content_words = models.JSONField(default=list)
    # One a token, as the file had them; empty where it had none.
    parts_of_speech = models.JSONField(default=list)
    # The segments that it tells something about: its own, and those that it was made from. Blind work asks.
    touches = models.JSONField(default=list)
    parents = models.ManyToManyField("self", symmetrical=False, related_name="children")
    # The segment with which it left the corpus (`revisions/set_aside.py`): its own, or one that it contains.
    set_aside_with = models.ForeignKey(Segment, null=True, on_delete=models.PROTECT, related_name="units_aside")
    # Who made it: a person, an import, or a rule (named).
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="units")
    imported = models.ForeignKey(Import, null=True, on_delete=models.PROTECT, related_name="units")
    # Where it stood: which of the import's files (from 0), and its line (from 1).
    origin_file = models.PositiveSmallIntegerField(null=True)
    origin_line = models.PositiveIntegerField(null=True)
    rule = models.CharField(max_length=50, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = UnitQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["segment", "language", "revision"], name="unit_revision_once"),
            models.UniqueConstraint(
                fields=["segment", "language"], condition=Q(is_current=True), name="unit_one_current_revision"
            ),
        ]
        indexes = [models.Index(fields=["project", "kind", "language", "is_current"])]

    def __str__(self) -> str:
        return f"{self.segment.uid} [{self.language}.{self.revision}]"

    @property
    def text(self) -> str:
        """The original text, white space included."""
        return text_of(self.tokens, self.spaces)


class SentenceManager(models.Manager["Sentence"]):
    def get_queryset(self) -> Any:
        return UnitQuerySet(self.model, using=self._db).filter(kind=Segment.SENTENCE)

    def published(self) -> Any:
        """Those that no unfinished import hides."""
        return self.get_queryset().published()


class Sentence(Unit):
    """A unit of the kind *sentence*."""

    objects = SentenceManager()  # type: ignore[assignment, misc]  # narrower on purpose

    class Meta:
        proxy = True
