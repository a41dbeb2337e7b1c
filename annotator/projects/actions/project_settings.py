"""What managers change about a project once it is there: names, languages, rules of work; archiving it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core.errors import ActionError, translate
from annotator.core.events import log
from annotator.core.policies import check_one_line, check_open
from annotator.core.presets import StageSpec
from annotator.core.starts import workflow
from annotator.domain.labels.schemes import Label
from annotator.domain.labels.spans import Scheme, SpanError
from annotator.domain.verbs import Verb
from annotator.jobs.actions import ACTIVE, active_job, start_job
from annotator.machines.actions.training import check_train_every
from annotator.models import (
    Job,
    JobKind,
    Layer,
    Project,
    Segment,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)
from annotator.projects.actions.projects import MAX_LAYERS, check_language, check_number
from annotator.projects.actions.stages import add_stages, remove_stage
from annotator.projects.queries.project_settings import stages_for_language
from annotator.work.lexicon.actions.words import words_hash

_LAYER = re.compile(r"[a-z][a-z0-9-]{0,49}")
# What a layer's labels are about: words; words, or the sentence where no word bears them; or each sentence has one.
WORDS, SENTENCE, CATEGORIES = "words", "sentence", "categories"
ABOUT = (WORDS, SENTENCE, CATEGORIES)
MAX_NAME = 200
MAX_WORDS = 5000
MAX_DICTIONARIES = 10
# Of a dictionary's address, where the word goes.
GAP = "{lemma}"


@transaction.atomic
def change_settings(*, project: Project, changes: Mapping[str, Any], by: User | None) -> Project:
    """Set some of: `name`, `descriptions` and `dictionaries` and `function_words` (by language), `adjudicate_own`,
    `train_every`, `sources` (by language, those whose labels are projected onto it; languages that are left out keep
    theirs). One event says what was different before.

    A language that gets its first source gets a stage for reviewing projections, where it has none. Where closed-class
    words change, a job tells the content words of its sentences again. Raises ActionError, with nothing
    changed, for what is not among them or cannot be.
    """
    row = _locked(project)
    checked = {name: _checked(row, name, value) for name, value in changes.items()}
    different = {name: value for name, value in checked.items() if getattr(row, name) != value}
    if not different:
        return row
    before = {name: getattr(row, name) for name in different}
    for name, value in different.items():
        setattr(row, name, value)
    row.save(update_fields=list(different))
    log(project=row, actor=by, verb=Verb.PROJECT_SETTINGS, subject=row, before=before, after=different)
    if "sources" in different:
        _add_reviews(row, by)
    if "function_words" in different:
        _tell_words_anew(row, before["function_words"], by)
    return row


def _add_reviews(project: Project, by: User | None) -> None:
    review = workflow().review
    reviewed = set(project.stages.filter(kind=review).values_list("language", flat=True))
    specs = [StageSpec(review, one) for one in project.target_languages if one not in reviewed]
    # A project without any review projects nothing, and its languages have the default all the same.
    if specs and project.sources:
        add_stages(project=project, specs=[spec for spec in specs if spec.language in project.sources], by=by)


def _tell_words_anew(project: Project, before: Mapping[str, list[str]], by: User | None) -> None:
    for language in project.languages:
        words = project.function_words.get(language)
        there = Unit.objects.filter(project=project, language=language, kind=Segment.SENTENCE)
        if words != before.get(language) and there.exists():
            params = {"language": language, "words": words_hash(words)}
            # One that is under way reads the list part by part, and so does what follows it.
            if active_job(project=project, kind=JobKind.WORDS, params=params) is None:
                start_job(project=project, kind=JobKind.WORDS, params=params, by=by)


@transaction.atomic
def add_language(*, project: Project, language: str, by: User | None) -> tuple[Project, Job | None]:
    """Add a language, with the stages that the other languages have. Returns the job that fills them, if they are many.

    Raises ActionError for what is not a language tag, and for a language that is there already.
    """
    row = _locked(project)
    check_language(language)
    if language in row.languages:
        raise ActionError(_("The project already has this language."))
    specs: list[StageSpec] = stages_for_language(row, language)
    row.languages = [*row.languages, language]
    row.save(update_fields=["languages"])
    log(project=row, actor=by, verb=Verb.PROJECT_LANGUAGE_ADD, subject=row, after={"language": language})
    job = add_stages(project=row, specs=specs, by=by)
    return row, job


@transaction.atomic
def remove_language(*, project: Project, language: str, by: User | None) -> Project:
    """Take a language without sentences out of the project, with its stages; the original language of imports that
    name it is not known then.

    Raises ActionError while there are sentences in it, and for the only language.
    """
    row = _locked(project)
    if language not in row.languages:
        raise ActionError(_("The project does not have this language."))
    if len(row.languages) == 1:
        raise ActionError(_("A project must have at least one language. Add another one first."))
    if number := Unit.objects.filter(project=row, language=language).count():
        raise ActionError(
            ngettext(
                "There is %(number)d sentence or pair in this language. Undo its import first.",
                "There are %(number)d sentences and pairs in this language. Undo their imports first.",
                number,
            )
            % {"number": number}
        )
    for stage in Stage.objects.filter(project=row, language=language).order_by("-position", "-pk"):
        remove_stage(stage=stage, by=by)
    row.languages = [one for one in row.languages if one != language]
    row.sources = _without(row.sources, language)
    row.save(update_fields=["languages", "sources"])
    originals = list(row.imports.filter(original_language=language).values_list("pk", flat=True))
    row.imports.filter(pk__in=originals).update(original_language="")
    before = {"language": language, "original_of": originals}
    log(project=row, actor=by, verb=Verb.PROJECT_LANGUAGE_REMOVE, subject=row, before=before)
    return row


@transaction.atomic
def add_layer(*, project: Project, slug: str, labels: Sequence[str], about: str = WORDS, by: User | None) -> Layer:
    """Add a layer of labels on sentences; stages that work on it are added as others are
    (`projects/actions/stages.py`).

    `about`: one of ABOUT. Categories have no stages: they are imported, and go out in releases.
    Raises ActionError for a short name that is taken or cannot be one, and for labels that cannot be labels.
    """
    row = _locked(project)
    if not _LAYER.fullmatch(slug) or row.layers.filter(slug=slug).exists():
        raise ActionError(
            _(
                "“%(slug)s” cannot be the short name of a layer. Use lowercase letters, digits and hyphens, and a "
                "name that no other layer has."
            )
            % {"slug": slug}
        )
    if about not in ABOUT:
        raise ActionError(_("Unknown kind of labels. Available: %(known)s.") % {"known": ", ".join(ABOUT)})
    try:
        details = {label: Label(tokenless=True) for label in labels if about == SENTENCE}
        # Categories are spelled as labels are.
        scheme = Scheme(labels=tuple(labels), details=details)
    except SpanError as error:
        raise ActionError(translate(error)) from error
    chosen = about == CATEGORIES
    check_number(row.layers.count() + 1, MAX_LAYERS, _("A project can have at most %(most)d layers."))
    last = row.layers.aggregate(last=Max("position"))["last"] or 0
    layer = Layer.objects.create(
        project=row,
        slug=slug,
        content_type=Layer.CHOICE if chosen else Layer.SPANS,
        unit_kind=Segment.SENTENCE,
        scheme_data={"values": list(scheme.labels)} if chosen else scheme.to_json(),
        position=last + 1,
    )
    log(
        project=row,
        actor=by,
        verb=Verb.LAYER_ADD,
        subject=layer,
        after={"slug": slug, "scheme": layer.scheme_data},
    )
    return layer


@transaction.atomic
def archive_project(*, project: Project, by: User | None) -> Project:
    """From here on the project is read, and nothing in it changes. Raises ActionError while a job is under way."""
    row = _locked(project)
    check_open(row)
    if job := row.jobs.filter(state__in=ACTIVE).first():
        raise ActionError(
            _("%(job)s is running. Wait until it ends or cancel it, then archive the project.") % {"job": job}
        )
    log(project=row, actor=by, verb=Verb.PROJECT_ARCHIVE, subject=row)
    row.archived_at = timezone.now()
    row.save(update_fields=["archived_at"])
    return row


@transaction.atomic
def restore_project(*, project: Project, by: User | None) -> Project:
    """Bring an archived project back to work."""
    row = _locked(project)
    if row.is_archived:
        row.archived_at = None
        row.save(update_fields=["archived_at"])
        log(project=row, actor=by, verb=Verb.PROJECT_RESTORE, subject=row)
    return row


def _without(sources: Mapping[str, list[str]], language: str) -> dict[str, list[str]]:
    """What had this source alone has none chosen any more, which is not the same as none."""
    return {
        target: [one for one in found if one != language]
        for target, found in sources.items()
        if target != language and found != [language]
    }


def _locked(project: Project) -> Project:
    return Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def _checked(project: Project, name: str, value: Any) -> Any:
    match name:
        case "name":
            return _name(value)
        case "descriptions":
            return {str(language): str(text).strip() for language, text in value.items() if str(text).strip()}
        case "adjudicate_own":
            return bool(value)
        case "train_every":
            check_train_every(value)
            return value
        case "dictionaries":
            return {
                language: _dictionaries(found) for language, found in value.items() if language in project.languages
            }
        case "sources":
            return _sources(project, value)
        case "function_words":
            return {language: _words(found) for language, found in value.items() if language in project.languages}
        case _:
            raise ActionError(_("Unknown project setting “%(name)s”.") % {"name": name})


def _name(value: str) -> str:
    name = value.strip()
    if not name or len(name) > MAX_NAME:
        raise ActionError(_("The name of a project must have 1 to %(most)d characters.") % {"most": MAX_NAME})
    check_one_line(name)
    return name


def _sources(project: Project, value: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """All that is chosen, once `value` is."""
    for language in {*value, *chain.from_iterable(value.values())}:
        if language not in project.languages:
            raise ActionError(
                _("The project does not have the language “%(language)s”. Available: %(languages)s.")
                % {"language": language, "languages": ", ".join(project.languages)}
            )
    chosen = {
        language: [one for one in project.languages if one in found and one != language]
        for language, found in {**project.sources, **value}.items()
    }
    after = Project(languages=project.languages, sources=chosen)
    check_no_circle(after)
    for language in project.languages:
        gone = [one for one in project.sources_of(language) if one not in after.sources_of(language)]
        standing = Suggestion.objects.filter(
            project=project, kind=SuggestionKind.PROJECTION, unit__language=language, is_current=True
        )
        if number := standing.filter(source_language__in=gone, unit__is_current=True).count():
            raise ActionError(
                ngettext(
                    "%(number)d projection onto %(target)s comes from %(sources)s, so it stays a source.",
                    "%(number)d projections onto %(target)s come from %(sources)s, so it stays a source.",
                    number,
                )
                % {"number": number, "target": language, "sources": ", ".join(gone)}
            )
    return chosen


def check_no_circle(project: Project) -> None:
    """Check that no language gets labels, by whatever way, that were projected from itself. Raises ActionError."""
    for language in project.languages:
        reached = set(project.sources_of(language))
        while more := set(chain.from_iterable(map(project.sources_of, reached))) - reached:
            reached |= more
        if language in reached:
            raise ActionError(
                _("The labels of %(language)s would be projected back onto it. Choose other source languages.")
                % {"language": language}
            )


def _dictionaries(found: list[dict[str, str]]) -> list[dict[str, str]]:
    if len(found) > MAX_DICTIONARIES:
        raise ActionError(_("A language can have at most %(most)d dictionaries.") % {"most": MAX_DICTIONARIES})
    for one in found:
        check_dictionary(one)
    return [{"name": one["name"].strip(), "url": one["url"]} for one in found]


def check_dictionary(one: Mapping[str, str]) -> None:
    """Whether pages may lead to a dictionary, `name` and `url`. Raises ActionError."""
    url = urlsplit(one["url"])
    if not one["name"].strip() or url.scheme not in ("http", "https") or not url.netloc or GAP not in one["url"]:
        raise ActionError(
            _(
                "A dictionary needs a name and an address that begins with https:// and has {lemma} in place of "
                "the word. This one does not: %(line)s"
            )
            % {"line": f"{one['name']} {one['url']}".strip()}
        )


def _words(found: list[str]) -> list[str]:
    words = list(dict.fromkeys(word.strip().lower() for word in found if word.strip()))
    if len(words) > MAX_WORDS:
        raise ActionError(_("A list of closed-class words can have at most %(most)d words.") % {"most": MAX_WORDS})
    return words
