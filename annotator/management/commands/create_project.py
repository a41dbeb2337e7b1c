"""Create a project."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from annotator.core.presets import Preset
from annotator.core.starts import PRESETS, STARTS, plain
from annotator.imports.drafts.start_sample import add_sample
from annotator.management.base import Command as BaseCommand
from annotator.management.base import user_named
from annotator.management.jobs import run_jobs
from annotator.models import Project, User
from annotator.projects.actions.projects import check_sources, create_project


class Command(BaseCommand):
    help = "Create a project with its languages, label scheme and stages, from a preset or for any languages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="short name, used in addresses")
        parser.add_argument("--preset", choices=sorted(PRESETS), help="languages, labels and stages in one")
        parser.add_argument(
            "--languages", help="without a preset: language codes separated by commas, the source language first: ca,en"
        )
        parser.add_argument(
            "--sources",
            default="",
            help="languages whose labels are projected onto the others (default: the first one)",
        )
        parser.add_argument("--start", choices=sorted(STARTS), help="with --languages: the template")
        parser.add_argument("--sample", action="store_true", help="with --start: add a few texts to try it with")
        parser.add_argument("--labels", help="without a preset: label names separated by commas: METAPHOR")
        parser.add_argument("--name", default="", help="name that people see (default: the slug)")
        parser.add_argument("--manager", help="username of the first manager")

    def handle(self, *args: Any, **options: Any) -> None:
        if not connection.introspection.table_names():
            self.note("The database is empty: creating its tables.")
            call_command("migrate", verbosity=0, interactive=False)
        by = user_named(options["manager"]) if options["manager"] else None
        project = create_project(slug=options["slug"], name=options["name"], preset=_preset(options), by=by)
        stages = list(project.stages.select_related("layer"))
        self.say(
            f'Created project "{project.slug}": languages {", ".join(project.languages)}; '
            f"labels {', '.join(project.scheme.labels)}; {len(stages)} stages."
        )
        for stage in stages:
            decides = f" ({stage.layer.slug})" if stage.adjudicates else ""
            self.say(f"  {stage.position}. {stage.kind} {stage.language}{decides}")
        if options["sample"]:
            self._add_sample(project, options, by)
        if by is None:
            self.say("It has no manager yet; a site admin can add members.")

    def _add_sample(self, project: Project, options: dict[str, Any], by: User | None) -> None:
        start = STARTS.get(options["start"] or "")
        languages = start.sampled(project.languages) if start else []
        if start is None or not languages:
            self.note("There is no sample for this starting point in these languages.")
            return
        run_jobs(self, add_sample(project=project, start=start, by=by))
        self.say(f"Added a sample in {', '.join(languages)}.")


def _preset(options: dict[str, Any]) -> Preset | str:
    given = options["languages"] or options["labels"] or options["sources"]
    if options["preset"] and not given:
        return str(options["preset"])
    if options["preset"] or not (options["languages"] and (options["labels"] or options["start"])):
        raise CommandError("Give either --preset, or --languages with --labels or --start.")
    languages, sources = _list(options["languages"]), _list(options["sources"])
    check_sources(languages, sources)
    if options["start"]:
        return STARTS[options["start"]].preset(languages, labels=_list(options["labels"] or ""), sources=sources)
    return plain(languages, _list(options["labels"]), sources)


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
