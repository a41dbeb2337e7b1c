from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.domain.projection import ProjectionRules
from annotator.domain.spans import Scheme


class Project(models.Model):
    """One annotation effort: its languages, label scheme, guidelines. The first language is the source."""

    slug = models.SlugField(_("short name"), unique=True, max_length=50)
    name = models.CharField(_("name"), max_length=200)
    description = models.TextField(_("description"), blank=True)
    preset = models.CharField(max_length=50, blank=True)
    languages = models.JSONField(_("languages"), default=list)
    scheme_data = models.JSONField(default=dict)
    rules_data = models.JSONField(default=dict)
    guidelines = models.JSONField(_("guidelines"), default=dict, blank=True)
    # A detector is trained after every so many hundred finished sentences of a language; 0: only by hand.
    train_every = models.PositiveSmallIntegerField(_("train after every … hundred finished sentences"), default=2)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def source_language(self) -> str:
        return self.languages[0]

    @property
    def target_languages(self) -> list[str]:
        return self.languages[1:]

    @property
    def scheme(self) -> Scheme:
        return Scheme.from_json(self.scheme_data)

    @property
    def rules(self) -> ProjectionRules:
        return ProjectionRules(**self.rules_data)
