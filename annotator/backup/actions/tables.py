"""The tables of an archive, in the order in which they can be restored: each row comes after those that it names.

Jobs and trained detectors are not among them: a job does something, and the files of a detector are code as good as
any. What they left behind is there, and a detector is trained again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Field, ForeignKey, JSONField, Model, Q, QuerySet

from annotator.domain.text.lookup import indexed
from annotator.models import (
    Alignment,
    Annotation,
    Assignment,
    BlindMark,
    Counter,
    Event,
    Gold,
    Import,
    Item,
    Layer,
    LemmaPlace,
    Membership,
    Pair,
    Project,
    Pseudonym,
    Release,
    Repeat,
    Segment,
    Split,
    SplitRow,
    Stage,
    Suggestion,
    Term,
    Unit,
    User,
)
from annotator.models.corpus_import import PUBLISHED

# A release's manifest is not among them: it is what was published.
NAMING: Mapping[type[Model], tuple[str, ...]] = {
    Event: ("before", "after"),
    Gold: ("chosen",),
    Suggestion: ("name",),
}

Values = dict[str, Any]


def as_it_is(values: Values) -> None:
    """Nothing is changed."""


@dataclass(frozen=True)
class Table:
    """The rows of one model in an archive.

    `manager` and `which`: the rows of a project. `names`: fields without a foreign key that hold an id, or a list of
    ids, of another model. `left_out`: fields that are made again. `change`: what is written otherwise than it
    stands, and looked at again when it is restored.
    """

    model: type[Model]
    manager: str = "_base_manager"
    which: Callable[[Project], Q] = field(default=lambda project: Q(project=project))
    names: Mapping[str, type[Model]] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    change: Callable[[Values], None] = as_it_is

    @property
    def name(self) -> str:
        """How the archive calls it."""
        return str(self.model._meta.model_name)

    def rows(self, project: Project) -> QuerySet[Any]:
        """The project's rows, in the order in which they were made."""
        return getattr(self.model, self.manager).filter(self.which(project)).order_by("pk")

    def fields(self) -> list[Field[Any, Any]]:
        """What is written of a row: not its id, which its place says, and not the project."""
        left_out = {"id", "project", *self.left_out}
        return [one for one in self.model._meta.concrete_fields if one.name not in left_out]

    def references(self) -> dict[str, type[Model]]:
        """By column, the model whose ids it holds."""
        found = {
            one.attname: one.related_model
            for one in self.fields()
            if isinstance(one, ForeignKey) and one.related_model is not User
        }
        return {**found, **self.names}

    def own(self, project: Project) -> dict[str, int]:
        """The column that says whose row it is, where there is one."""
        names = {one.name for one in self.model._meta.concrete_fields}
        return {"project_id": project.pk} if "project" in names else {}

    def people(self) -> list[str]:
        """The columns that name a person."""
        return [one.attname for one in self.fields() if isinstance(one, ForeignKey) and one.related_model is User]

    def lists(self) -> list[str]:
        """The columns that hold a list of ids."""
        return [column for column in self.names if isinstance(self.model._meta.get_field(column), JSONField)]

    def contents(self) -> list[str]:
        """The columns of JSON that do not hold a list of ids."""
        return [one.attname for one in self.fields() if isinstance(one, JSONField) and one.attname not in self.names]

    def takes_names(self) -> list[str]:
        """The columns in which rows of other tables are named inside of JSON, or as "trained:7"."""
        return [one.attname for one in self.fields() if one.name in NAMING.get(self.model, ())]


def settings_fields() -> list[Field[Any, Any]]:
    """The fields of the project itself. Whose it is and what it takes on the disk differ from site to site."""
    left_out = {"id", "deleting_at", "created_by", "size"}
    return [one for one in Project._meta.concrete_fields if one.name not in left_out]


def _published(project: Project) -> Q:
    return Q(project=project) & PUBLISHED


def _indexed(values: Values) -> None:
    """Archives of before may have words as their files spelt them."""
    values["lemma"], values["form"] = indexed(values["lemma"]), indexed(values["form"])


_JOB = frozenset({"job"})

TABLES: tuple[Table, ...] = (
    Table(Layer),
    Table(Term, which=lambda project: Q(layer__project=project)),
    Table(Stage),
    Table(
        Import,
        which=lambda project: Q(project=project, published_at__isnull=False),
        left_out=frozenset({"holder", "seen_at", "job_id"}),
    ),
    Table(Segment, which=_published),
    Table(Unit, which=_published, names={"touches": Segment}),
    Table(Pair, which=_published),
    Table(Alignment, left_out=_JOB),
    Table(Suggestion, which=_published, left_out=_JOB),
    Table(Item, which=_published),
    Table(Assignment, names={"shown": Suggestion}),
    Table(Repeat),
    Table(Annotation, which=_published, names={"shown": Suggestion, "undo_event": Event}),
    Table(Gold, manager="all_rows", which=_published),
    Table(BlindMark),
    Table(Counter),
    Table(LemmaPlace, which=lambda project: Q(project=project) & _of_published_units(), change=_indexed),
    Table(Event, left_out=frozenset({"restored_at"})),
    Table(
        Split,
        which=lambda project: Q(project=project, published_at__isnull=False),
        names={"last_event": Event},
        left_out=_JOB,
    ),
    Table(SplitRow, which=lambda project: Q(split__project=project, split__published_at__isnull=False)),
    Table(Release, left_out=frozenset({"file_name", "job"})),
    Table(Pseudonym),
    # Last: until then nobody sees what is being restored.
    Table(Membership),
)


def _of_published_units() -> Q:
    return Q(unit__imported__isnull=True) | Q(unit__imported__published_at__isnull=False)
