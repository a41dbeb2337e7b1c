"""Projects and their members."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import asdict
from itertools import chain, count

from anyascii import anyascii
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.files.room import check_projects
from annotator.core.kind import further_layer, kind_named, layer_for
from annotator.core.policies import check_one_line
from annotator.core.presets import LABELS, Preset, StageSpec, Start
from annotator.core.starts import PRESETS
from annotator.domain.verbs import Verb
from annotator.models import Assignment, AssignmentState, Layer, Membership, Project, Role, Segment, Stage, User
from annotator.work.queue.actions.giving_back import give_back

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_MAX_IN_SLUG = 50
# Of a project. Even a hundred languages have less than so many stages.
MAX_LAYERS = 50
MAX_STAGES = 1000
MAX_MEMBERS = 2000
# Addresses of pages that stand where short names do.
RESERVED = frozenset({"new"})


@transaction.atomic
def create_project(*, slug: str, name: str = "", preset: str | Preset, by: User | None) -> Project:
    """Create a project with the languages, scheme and stages of `preset` (a name in `PRESETS`, or a `Preset`).

    `by` becomes its manager. Raises ActionError for an unknown preset, a slug that is taken or cannot be one.
    """
    start = _preset(preset)
    for language in start.languages:
        check_language(language)
    if len(set(start.languages)) != len(start.languages):
        raise ActionError(_("Each language can be listed only once."))
    project = Project(
        slug=slug,
        name=name or slug,
        descriptions={"en": start.description} if start.description else {},
        texts=start.texts,
        preset=start.name,
        languages=list(start.languages),
        sources={language: list(found) for language, found in start.sources.items()},
        roles=list(start.roles),
        inferences=list(start.inferences),
        rules_data=asdict(start.rules),
        guidelines=start.guideline_texts(),
        created_by=by,
    )
    new_project(project)
    Layer.objects.create(
        project=project,
        slug=LABELS,
        content_type=Layer.SPANS,
        unit_kind=Segment.SENTENCE,
        scheme_data=start.scheme.to_json(),
    )
    for position, spec in enumerate(start.stages, start=1):
        add_stage(project=project, spec=spec, position=position)
    log(
        project=project,
        actor=by,
        verb=Verb.PROJECT_CREATE,
        subject=project,
        after={
            "slug": slug,
            "preset": start.name,
            "languages": project.languages,
            **({"sources": project.sources} if project.sources else {}),
            "layers": [{"slug": layer.slug, "scheme": layer.scheme_data} for layer in project.layers.all()],
            "rules": project.rules_data,
        },
    )
    if by is not None:
        add_member(project=project, user=by, role=Role.MANAGER, by=by)
    return project


def new_project(project: Project) -> Project:
    """Store a project that is new. Raises ActionError for a slug that is taken or cannot be one, and where whoever
    creates it has as many as an account can have."""
    _check(project)
    check_projects(by=project.created_by)
    try:
        with transaction.atomic():
            project.save(force_insert=True)
    except IntegrityError:
        # Somebody took the name between the look and the write.
        raise ActionError(_taken(project.slug)) from None
    return project


def free_slug(name: str) -> str:
    """A short name for a project called `name` that none has yet: in Latin letters, with a number where it is taken.

    >>> free_slug("Metàfora Català–Español")  # doctest: +SKIP
    'metafora-catala-espanol'
    """
    base = slugify(anyascii(name.replace("–", "-").replace("—", "-")))[: _MAX_IN_SLUG - 4].strip("-_") or "project"
    taken = set(Project.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{number}" for number in count(2))
    return next(slug for slug in chain([base], numbered) if slug not in taken | RESERVED)


def check_number(number: int, most: int, text: str) -> None:
    """Raise ActionError with `text`, which says `most`, where there would be more."""
    if number > most:
        raise ActionError(text % {"most": most})


def check_language(language: str) -> None:
    """Whether a text can be the tag of a language. Raises ActionError."""
    if not _LANGUAGE.fullmatch(language):
        raise ActionError(
            _("“%(language)s” is not a language code. Use a code such as “es” or “pt-BR”.") % {"language": language}
        )


def check_sources(languages: Sequence[str], sources: Collection[str]) -> None:
    """Whether labels of `sources` can be projected onto the other languages. Raises ActionError."""
    if odd := [language for language in sources if language not in languages]:
        raise ActionError(
            _("The project does not have the language “%(language)s”. Available: %(languages)s.")
            % {"language": odd[0], "languages": ", ".join(languages)}
        )
    if len(languages) > 1 and set(sources) == set(languages):
        raise ActionError(_("Keep at least one target language for projection."))


@transaction.atomic
def add_stage(*, project: Project, spec: StageSpec, position: int, made_from: Stage | None = None) -> Stage:
    """Add a stage without items: `projects/actions/stages.py: fill_stage` makes those of units that are there.

    The layer that its kind works on is made where the project does not have it yet. `made_from`: the stage whose
    answers become this one's units; by default the one that `spec` names. Raises ActionError when there is no stage of
    the kind that `spec` names in the language.
    """
    if made_from is None and spec.made_from:
        made_from = _stage_before(project, spec, position)
    if spec.layer:
        there = project.layers.filter(slug=spec.layer).first()
        layer = there or further_layer(kind_named(spec.kind), project, spec.layer)
    elif made_from is not None:
        layer = layer_for(kind_named(spec.kind), project, made_from=made_from)
    else:
        layer = layer_for(kind_named(spec.kind), project)
    check_number(project.layers.count(), MAX_LAYERS, _("A project can have at most %(most)d layers."))
    check_number(project.stages.count() + 1, MAX_STAGES, _("A project can have at most %(most)d stages."))
    return Stage.objects.create(
        project=project,
        kind=spec.kind,
        layer=layer,
        language=spec.language,
        position=position,
        order=spec.order,
        mode=spec.mode,
        answers_wanted=spec.answers_wanted,
        context=spec.context,
        made_from=made_from,
    )


@transaction.atomic
def add_member(
    *, project: Project, user: User, role: str, languages: Sequence[str] = (), by: User | None
) -> Membership:
    """Make `user` a member of `project`, who works in `languages` (none: in all). Raises ActionError when they are one
    already."""
    check_role(role)
    _members(project)
    if Membership.objects.filter(project=project, user=user).exists():
        raise ActionError(_("%(user)s is already a member of this project. Change the role instead.") % {"user": user})
    number = Membership.objects.filter(project=project).count() + 1
    check_number(number, MAX_MEMBERS, _("A project can have at most %(most)d members."))
    membership = Membership.objects.create(project=project, user=user, role=role, languages=list(languages))
    log(
        project=project,
        actor=by,
        verb=Verb.MEMBER_ADD,
        subject=membership,
        after={"user": user.pk, "role": membership.role, **({"languages": list(languages)} if languages else {})},
    )
    return membership


@transaction.atomic
def change_role(*, membership: Membership, role: str, by: User | None) -> Membership:
    """Give a member another role. Raises ActionError when the project would be left without a manager."""
    check_role(role)
    membership = _locked(membership)
    if membership.role == role:
        return membership
    if role != Role.MANAGER:
        _keep_a_manager(membership)
    before = membership.role
    membership.role = role
    membership.save(update_fields=["role"])
    user = membership.user_id
    log(
        project=membership.project,
        actor=by,
        verb=Verb.MEMBER_ROLE,
        subject=membership,
        before={"user": user, "role": before},
        after={"user": user, "role": role},
    )
    return membership


@transaction.atomic
def change_languages(*, membership: Membership, languages: Sequence[str], by: User | None) -> Membership:
    """Set in which languages a member is given work (none: in all). What they have open in others is free again.

    Raises ActionError for a language that the project does not have.
    """
    membership = _locked(membership)
    check_languages(membership.project, languages)
    before = membership.languages
    if before == list(languages):
        return membership
    membership.languages = list(languages)
    membership.save(update_fields=["languages"])
    log(
        project=membership.project,
        actor=by,
        verb=Verb.MEMBER_LANGUAGES,
        subject=membership,
        before={"user": membership.user_id, "languages": before},
        after={"user": membership.user_id, "languages": membership.languages},
    )
    if languages:
        unfinished = Assignment.objects.filter(
            project=membership.project, user=membership.user, state=AssignmentState.OPEN
        ).exclude(stage__language__in=languages)
        give_back(list(unfinished.values_list("pk", flat=True)), by=by, verb=Verb.ASSIGNMENT_FREED)
    return membership


@transaction.atomic
def remove_member(*, membership: Membership, by: User | None) -> None:
    """Take a member out of the project. Their finished work stays; what they had open is free for others again.

    Raises ActionError when the project would be left without a manager.
    """
    membership = _locked(membership)
    _keep_a_manager(membership)
    project, user = membership.project, membership.user
    unfinished = Assignment.objects.filter(project=project, user=user, state=AssignmentState.OPEN)
    freed = list(unfinished.values("stage", "unit", "mode"))
    log(
        project=project,
        actor=by,
        verb=Verb.MEMBER_REMOVE,
        subject=membership,
        before={"user": user.pk, "role": membership.role, "open_assignments": freed},
    )
    give_back(list(unfinished.values_list("pk", flat=True)), by=by, verb=Verb.ASSIGNMENT_FREED)
    membership.delete()


def _preset(preset: str | Preset) -> Preset:
    if isinstance(preset, Preset):
        return preset
    try:
        return PRESETS[preset]
    except KeyError:
        raise ActionError(
            _("Unknown template “%(preset)s”. Available: %(known)s.") % {"preset": preset, "known": ", ".join(PRESETS)}
        ) from None


def _stage_before(project: Project, spec: StageSpec, position: int) -> Stage:
    earlier = project.stages.filter(kind=spec.made_from, language=spec.language, position__lt=position)
    found = earlier.order_by("position", "pk").last()
    if found is None:
        raise ActionError(
            _("The stage “%(kind)s” needs a stage “%(other)s” before it, in the same language.")
            % {"kind": spec.kind, "other": spec.made_from}
        )
    return found


def _check(project: Project) -> None:
    check_one_line(project.name)
    try:
        project.full_clean(
            exclude=["languages", "sources", "guidelines", "roles", "inferences", "rules_data", "preset"],
            validate_unique=False,
        )
    except ValidationError as error:
        raise ActionError(" ".join(error.messages)) from None
    if project.slug in RESERVED or Project.objects.filter(slug=project.slug).exists():
        raise ActionError(_taken(project.slug))


def _taken(slug: str) -> str:
    return _("A project “%(slug)s” already exists. Choose another short name.") % {"slug": slug}


def check_languages(project: Project, languages: Sequence[str]) -> None:
    """Raise ActionError for a language that the project does not have."""
    unknown = [language for language in languages if language not in project.languages]
    if unknown:
        raise ActionError(_("The project does not have the language “%(language)s”.") % {"language": unknown[0]})


def check_role(role: str) -> None:
    """Raise ActionError for what is not a role."""
    if role not in Role.values:
        raise ActionError(
            _("Unknown role “%(role)s”. Available: %(known)s.") % {"role": role, "known": ", ".join(Role.values)}
        )


def _members(project: Project) -> list[Membership]:
    """The memberships of `project`, locked: "is there another manager" must still hold when we write."""
    return list(Membership.objects.select_for_update(no_key=True).filter(project=project).order_by("pk"))


def _locked(membership: Membership) -> Membership:
    for current in _members(membership.project):
        if current.pk == membership.pk:
            return current
    raise ActionError(_("This person is no longer a member of the project."))


def _keep_a_manager(membership: Membership) -> None:
    others = Membership.objects.filter(project=membership.project, role=Role.MANAGER).exclude(pk=membership.pk)
    if membership.role == Role.MANAGER and not others.exists():
        raise ActionError(
            _("%(user)s is the only manager of this project. Make someone else a manager first.")
            % {"user": membership.user}
        )


def check_sample(start: Start, languages: Sequence[str]) -> None:
    """Whether a starting point has a sample in one of the languages. Raises ActionError where it has none."""
    if not start.samples:
        raise ActionError(_("This template has no sample."))
    if not start.sampled(languages):
        raise ActionError(
            _("A sample exists only in these languages: %(languages)s. Choose from them, or leave the sample out.")
            % {"languages": ", ".join(start.samples)}
        )
