"""The settings of jobs that release and export: checked, and made exact, when a job is started."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.domain.labels.label_uses import LabelUseError, checked_uses
from annotator.domain.mapping import MappingError, mapping_named
from annotator.models import Project
from annotator.releases.actions.label_exports import checked_choice, choice_of
from annotator.splits.queries.stored import splits_in


def exact_release(project: Project, params: Mapping[str, Any]) -> dict[str, Any]:
    """What the labels of a release with a sample are uses of. Raises ActionError where that is not known, for splits
    that there are not, and for a stand-off release with what needs texts."""
    known = set(splits_in(project).values_list("pk", flat=True))
    if any(pk not in known for pk in params["splits"]):
        raise ActionError(_("There is no such split in this project. Choose again."))
    if params["standoff"] and (params["comments"] or params["sample"] or params["mapping"]):
        raise ActionError(_("A stand-off release cannot have comments, a sample or a mapping. Leave them out."))
    try:
        mapping = mapping_named(project.scheme, params["mapping"]) if params["mapping"] else None
        if not params["sample"]:
            return {"uses": {}}
        uses = checked_uses(project.scheme, params["uses"], mapping)
    except (MappingError, LabelUseError) as error:
        raise ActionError(error.message) from error
    return {"uses": {label: use.value for label, use in uses.items()}}


def exact_export(project: Project, params: Mapping[str, Any]) -> dict[str, Any]:
    """The languages of an export by name. Raises ActionError for what cannot be exported."""
    return {"languages": list(checked_choice(project, choice_of(params)).languages)}
