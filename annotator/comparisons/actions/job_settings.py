"""The settings of the job that compares labels: checked, and made exact, when it is started."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.comparisons.queries.sources import GOLD, PERSON, RELEASE, SOURCES, TIME
from annotator.core.errors import ActionError
from annotator.domain.comparing.versions import has_labels
from annotator.models import Annotation, ComparisonKind, Layer, Project


def exact_comparison(project: Project, params: Mapping[str, Any]) -> dict[str, Any]:
    """What stands left and right. Raises ActionError for what cannot be compared."""
    if params["kind"] not in ComparisonKind:
        raise ActionError(_("Unknown comparison “%(kind)s”.") % {"kind": params["kind"]})
    layer = project.layers.filter(pk=params["layer"]).first()
    if layer is None or not has_labels(layer.content_type):
        raise ActionError(_("There is no such layer of labels in this project."))
    if params["kind"] == ComparisonKind.LANGUAGES:
        if layer.content_type != Layer.SPANS:
            raise ActionError(_("Languages are compared by labelled words. Choose a layer that has them."))
        languages = [side.get("language") for side in (params["left"], params["right"])]
        if languages[0] == languages[1] or not all(language in project.languages for language in languages):
            raise ActionError(_("Choose two different languages of this project."))
        return {"left": {"language": languages[0]}, "right": {"language": languages[1]}}
    left, right = (_exact(project, layer, side) for side in (params["left"], params["right"]))
    if left == right:
        raise ActionError(_("Choose two different versions."))
    return {"left": left, "right": right}


def _exact(project: Project, layer: Layer, side: Mapping[str, Any]) -> dict[str, Any]:
    source = side.get("source")
    if source == GOLD:
        return {"source": GOLD}
    if source == TIME:
        return {"source": TIME, "at": _moment(side.get("at")).isoformat()}
    if source == RELEASE:
        if not project.releases.filter(number=side.get("number") or 0).exists():
            raise ActionError(_("There is no such release in this project."))
        return {"source": RELEASE, "number": side["number"]}
    if source == PERSON:
        answers = Annotation.objects.filter(project=project, layer=layer, user=side.get("person") or 0)
        if not answers.exists():
            raise ActionError(_("This person has no answers in this layer."))
        return {"source": PERSON, "person": side["person"]}
    raise ActionError(_("A version must be one of: %(names)s.") % {"names": ", ".join(SOURCES)})


def _moment(given: Any) -> datetime:
    """A time in the past, with its zone; that of the site where it has none."""
    try:
        at = datetime.fromisoformat(given)
    except (TypeError, ValueError) as error:
        raise ActionError(_("Enter the date of the earlier gold.")) from error
    at = at if at.tzinfo else timezone.make_aware(at)
    if at > timezone.now():
        raise ActionError(_("The date of the earlier gold must be in the past."))
    return at
