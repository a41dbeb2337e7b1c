from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from annotator.domain.labels.spans import Scheme
from annotator.domain.projection.carry import ProjectionRules
from annotator.domain.text.function_words import has_beginning, is_function_word, tells_content_words
from annotator.domain.text.languages import dictionaries
from annotator.domain.text.lemmas import content_words
from annotator.domain.text.parts_of_speech import content_by_tag

if TYPE_CHECKING:
    from annotator.models.layer import Layer
    from annotator.models.segment import Segment
    from annotator.models.unit import Sentence


class Project(models.Model):
    """One annotation effort: its languages, layers, stages, guidelines. The first language is labelled first."""

    slug = models.SlugField(_("short name"), unique=True, max_length=50)
    name = models.CharField(_("name"), max_length=200)
    # By language of the interface, as the guidelines.
    descriptions = models.JSONField(_("description"), default=dict, blank=True)
    # What its sentences are (`presets.Texts`); empty: as its stages say.
    texts = models.CharField(max_length=20, blank=True)
    preset = models.CharField(max_length=50, blank=True)
    languages = models.JSONField(_("languages"), default=list)
    # By language, those whose labels are projected onto it (`sources_of`).
    sources = models.JSONField(default=dict, blank=True)
    # The codes of roles and inference labels that this project's segments and pairs may have, in order.
    roles = models.JSONField(default=list)
    inferences = models.JSONField(default=list)
    rules_data = models.JSONField(default=dict)
    guidelines = models.JSONField(_("guidelines"), default=dict, blank=True)
    guidelines_version = models.PositiveIntegerField(default=1)
    # Whether adjudicators may decide on what they annotated themselves.
    adjudicate_own = models.BooleanField(_("adjudicators may decide on their own items"), default=True)
    # A detector is trained after every so many hundred finished sentences of a language; 0: only by hand.
    train_every = models.PositiveSmallIntegerField(_("train after every … hundred sentences done"), default=2)
    # By language: `[{"name", "url"}, …]` with {lemma} in the address, and closed-class words. What is not here is taken
    # from `domain/text/languages.py` and `domain/text/function_words.py`.
    dictionaries = models.JSONField(default=dict, blank=True)
    function_words = models.JSONField(default=dict, blank=True)
    # What its releases say of it as a dataset (`releases/card.py`), and whether they name people.
    dataset_card = models.JSONField(default=dict, blank=True)
    # Archived: it is read, and nothing in it changes (`work/answering/actions/policies.py`).
    archived_at = models.DateTimeField(null=True, blank=True)
    # From here on nobody finds it; a job deletes it.
    deleting_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    # Whose quota it counts in, with the size of the files that came in (`core/files/room.py`). Both are this site's.
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    size = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def source_language(self) -> str:
        return self.languages[0]

    @property
    def target_languages(self) -> list[str]:
        """The languages that labels are projected onto."""
        return [language for language in self.languages if self.sources_of(language)]

    def sources_of(self, language: str) -> list[str]:
        """The languages whose labels are projected onto `language`, in the project's order; none for a source.

        Where the project does not say otherwise, the first language is the source of all others.
        """
        chosen = self.sources.get(language)
        if chosen is None:
            chosen = self.languages[:1]
        return [one for one in self.languages if one in chosen and one != language]

    def is_function_word(self, language: str) -> Callable[[str], bool]:
        """A test for the closed-class words of a language: by the project's own list, or the one that ships.

        What is asked of tokens, no matter by whom: imports, fixed texts, projections.
        """
        return is_function_word(language, self.function_words.get(language))

    def content_words(self, tokens: Sequence[str], language: str, tags: Sequence[str] = ()) -> list[bool]:
        """For each token, whether it is a content word: by its part of speech where the file had one (`tags`)."""
        by_rule = content_words(tokens, language, self.function_words.get(language))
        return content_by_tag(tokens, tags, by_rule) if tags else by_rule

    def has_function_word(self, beginning: str, language: str) -> bool:
        """Whether a function word of the language begins so."""
        return has_beginning(language, beginning, self.function_words.get(language))

    def tells_content_words(self, language: str) -> bool:
        """Whether content words can be told from others: without a list every word would be one."""
        return tells_content_words(language, self.function_words.get(language))

    @property
    def rules(self) -> ProjectionRules:
        return ProjectionRules(**self.rules_data)

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None

    @property
    def description(self) -> str:
        """The description in the language of the page."""
        return self.description_in(get_language() or settings.LANGUAGE_CODE)

    def description_in(self, language: str) -> str:
        """The description in a language of the interface, or in another one that has a text."""
        return self.descriptions.get(language) or next(filter(None, self.descriptions.values()), "")

    def dictionaries_for(self, language: str) -> list[dict[str, str]]:
        """Dictionaries on the web, `{name, url}` each; the page fills {lemma} in. Its own, or the usual ones."""
        return dictionaries(language, self.dictionaries)

    @cached_property
    def label_layer(self) -> Layer:
        """The layer of labels on sentences: what detectors predict and projections carry over."""
        layer = self.layers.filter(content_type=self.layers.model.SPANS).first()
        if layer is None:
            raise LookupError(f"The project {self.slug} has no layer of labels.")
        return layer

    @cached_property
    def tag_layer(self) -> Layer | None:
        """The layer of tags on pairs; None in projects without pairs."""
        return self.layers.filter(unit_kind="pair").first()

    @property
    def scheme(self) -> Scheme:
        """That of the labels on sentences."""
        return self.label_layer.scheme

    @property
    def sentences(self) -> QuerySet[Sentence]:
        """Its sentences in all revisions, those of unfinished imports left out."""
        sentences: QuerySet[Sentence] = apps.get_model("annotator", "Sentence").objects.published()
        return sentences.filter(project=self)

    @property
    def segments(self) -> QuerySet[Segment]:
        """Its slots of sentences, those of unfinished imports left out."""
        return self.slots.filter(kind="sentence").published()
