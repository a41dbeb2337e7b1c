from __future__ import annotations

from django.db import models

from annotator.domain.labels.spans import Scheme
from annotator.models.project import Project


class Layer(models.Model):
    """One sort of content on units of one kind: metaphor labels, MIPVU categories, interpretation tags.

    The content type says what a content looks like under the layer's scheme (`annotator.domain.content`).
    """

    SPANS = "spans"
    CHOICE = "choice"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="layers")
    slug = models.SlugField(max_length=50)
    content_type = models.CharField(max_length=50)
    unit_kind = models.CharField(max_length=20)
    scheme_data = models.JSONField(default=dict)
    # Every annotation says under which version it was made.
    scheme_version = models.PositiveIntegerField(default=1)
    # Slugs of other layers whose content somebody who is blind in this one may still see.
    shows = models.JSONField(default=list)
    position = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["project", "slug"], name="layer_slug_once")]

    def __str__(self) -> str:
        return self.slug

    @property
    def scheme(self) -> Scheme:
        """The label scheme of a layer of spans."""
        return Scheme.from_json(self.scheme_data)
