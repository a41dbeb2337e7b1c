"""What a person can correct of an import before it is started: one form, sent whole whenever something changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms
from django.urls import reverse
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from annotator.domain.content import VERDICT
from annotator.formats.columns.columns import BY_LANGUAGE, OF_ROW
from annotator.formats.conll.token_choice import Punctuation
from annotator.formats.registry import brings_units, formats
from annotator.formats.tables.sheets import has_workbook_name
from annotator.formats.text.positions import CHARACTERS, UNITS
from annotator.imports.drafts.sources import LEFT_OUT, file_format
from annotator.imports.forms.labels import LabelMap
from annotator.models import ImportDraft, LabelsAs, Project, Segment, User
from annotator.templatetags.imports import ENCODINGS, format_name, meaning_name
from annotator.templatetags.pages import group_name
from annotator.templatetags.words import language
from annotator.work.queue.actions.items import entered

# The id of the form to which the controls belong, wherever on the page they stand.
FORM = "correct"
TABLES = ("csv", "tsv", "xlsx")
# Formats with positions of labels that do not say how these count.
_WITH_POSITIONS = ("jsonl", "doccano", "label-studio")
_POSITIONS = [
    ("", _("Detect automatically")),
    (CHARACTERS, _("Count as one (characters)")),
    (UNITS, _("Count as two (UTF-16 units)")),
]
_DELIMITERS = [
    (",", _("Comma")),
    (";", _("Semicolon")),
    ("\t", _("Tab")),
    ("|", _("Vertical bar")),
]
_LABELS_AS = [
    (LabelsAs.GOLD, _("Gold: decided labels")),
    (LabelsAs.PERSON, _("One person's annotations")),
    (LabelsAs.MODEL, _("A model's suggestions")),
    (LabelsAs.FILE, _("As stated in the files")),
]
# Of units of a format's own: pairs that are accepted, words that are the best ones.
_DECIDED_AS = [
    (LabelsAs.GOLD, _("Gold: decided")),
    (LabelsAs.PERSON, _("One person's answers")),
    (LabelsAs.MODEL, _("A model's suggestions")),
]


def _why_tokens(tokens: Mapping[str, Any] | None) -> str:
    """Why text is split as it is, from `TokensShown` of a preview; "" where the format says it."""
    if not tokens or not tokens["attached"] + tokens["apart"]:
        return ""
    gaps = {**tokens, "number": tokens["attached"] + tokens["apart"]}
    if Punctuation(tokens["attached"], tokens["apart"]).tokens == "words":
        found = gettext(
            "Punctuation is attached to words in the text, as in “%(example)s” (%(attached)d of %(number)d sentences "
            "checked). With the tokens as given, a label on the word would cover it."
        )
    else:
        found = gettext(
            "Punctuation is separate in the text (%(apart)d of %(number)d sentences checked), so it is already split "
            "into tokens."
        )
    by = gettext("Chosen by you.") if tokens["chosen"] else gettext("Chosen from the text. You can change it.")
    return f"{by} {found % gaps}"


def _left_out(project: Project, preview: Mapping[str, Any]) -> str:
    """What leaving the labels out means: what is done here with the units that come in, in the stages they enter."""
    brought = {
        (language, kind or Segment.SENTENCE)
        for language, kinds in preview.get("counts", {}).get("kinds", {}).items()
        for kind in kinds
    }
    layers = [stage.layer for stage in entered(project) if (stage.language, stage.layer.unit_kind) in brought]
    if any(layer.content_type == VERDICT.slug for layer in layers):
        return gettext("Left out: it will be validated here")
    # Sentences enter stages of other layers, too, such as ratings: their labels are nothing to those.
    if any(layer.unit_kind != Segment.SENTENCE or layer == project.label_layer for layer in layers):
        return gettext("Left out: it will be labelled here")
    return pgettext("labels", "Left out")


# Controls of other steps than the one of formats and languages.
_APART: Mapping[str, Sequence[str]] = {"check": ("option-parallel",), "licence": ("licence", "publishable")}
_OF_DATASET = ("option-match", "option-originals")
# Files, at most, of which each has a format of its own: of more the page would be too long.
MAX_FORMATS = 50


class DraftForm(forms.Form):
    """The choices of a draft. `changes` are those that were sent and are not as they were."""

    def __init__(self, data: Any = None, *, draft: ImportDraft, preview: Mapping[str, Any]) -> None:
        super().__init__(data, auto_id="correct-%s")
        self.draft = draft
        self._files = preview.get("files", ())
        self.columns = [column["number"] for column in preview.get("columns", ())]
        answers = preview.get("counts", {}).get("says", ())
        self.people = sorted({one["name"] for one in answers if one["says"] == LabelsAs.PERSON and one["name"]})
        self._url = reverse("import-draft", args=[draft.project.slug, draft.pk])
        self._add_files(preview)
        self._add_columns(preview)
        self._add_options(preview)
        self.label_map: LabelMap | None = None
        if answers or preview.get("counts", {}).get("categories") or draft.labels_as != LabelsAs.NONE:
            self._add_labels(preview)
        if draft.labels_as != LabelsAs.NONE:
            self.label_map = LabelMap(draft, preview, self._add)
        self._add("licence", forms.CharField(label=_("Licence of the texts"), max_length=200, required=False))
        publish = forms.BooleanField(
            label=_("Releases can contain the text"),
            required=False,
            help_text=_(
                "Tick this if the licence allows you to share the text. Otherwise, releases leave out these texts "
                "and everything attached to them. You can change it later."
            ),
        )
        self._add("publishable", publish, draft.publishable)
        datasets = forms.TextInput(attrs={"list": "import-datasets"})
        self._add("dataset", forms.CharField(label=_("Dataset"), max_length=100, widget=datasets))

    def changes(self) -> dict[str, Any]:
        """What `change_draft` is to change. A form that is not valid changes what is valid of it."""
        found: dict[str, Any] = {}
        sent = set(self.data.get("shown", "").split()) & set(self.changed_data)
        changed = {name: self.cleaned_data[name] for name in self.fields if name in sent & self.cleaned_data.keys()}
        mapped = {name: changed.pop(name) for name in list(changed) if name.startswith(("map-", "mapattr-"))}
        if mapped and self.label_map is not None:
            found["options"] = {"label_map": self.label_map.changed(mapped)}
        for name, value in changed.items():
            head, _dash, rest = name.partition("-")
            if head == "file":
                file, _dash, what = rest.partition("-")
                found.setdefault("files", {}).setdefault(file, {})[what] = value
            elif head == "option":
                found.setdefault("options", {})[rest] = value
            elif head == "column":
                columns = {str(number): self.cleaned_data.get(f"column-{number}", "") for number in self.columns}
                found.setdefault("options", {})["columns"] = columns
            elif name in ("labels_person", "labels_model"):
                found["labels_name"] = value
            elif head == "person":
                found.setdefault("people", dict(self.draft.people))[self.people[int(rest)]] = value
            else:
                found[name] = value
        if "option-parallel" in changed:
            found["options"]["parallel"] = "accepted" if changed["option-parallel"] else "checked"
        if "labels_as" in found and found["labels_as"] != LabelsAs.PERSON and self.draft.labels_as == LabelsAs.PERSON:
            # A person's name is not a model's.
            found["labels_name"] = ""
        return found

    def of_files(self) -> list[dict[str, Any]]:
        """The draft's files with their controls, None where there is nothing to choose, and how much they hold."""
        names = ("format", "language", *(["role"] if self.has_roles else []), "encoding")
        counted = {one["id"]: one for one in self._files}
        return [
            {
                **one,
                "lines": counted.get(one["id"], {}).get("lines"),
                "sentences": counted.get(one["id"], {}).get("sentences", {}),
                "controls": [
                    self[f"file-{one['id']}-{name}"] if f"file-{one['id']}-{name}" in self.fields else None
                    for name in names
                ],
            }
            for one in self.draft.files
        ]

    def of_columns(self) -> list[forms.BoundField]:
        """The controls of a table's columns, in order."""
        return [self[f"column-{number}"] for number in self.columns]

    def of_options(self) -> list[forms.BoundField]:
        """How the text is read."""
        apart = ("option-parallel", "option-header", *_OF_DATASET)
        return [self[name] for name in self.fields if name.startswith("option-") and name not in apart]

    def of_format(self) -> forms.BoundField | None:
        """The format of all files, where there are several."""
        return self["format"] if "format" in self.fields else None

    def of_dataset(self) -> list[forms.BoundField]:
        """Which of the dataset's texts the files have."""
        return [self[name] for name in _OF_DATASET if name in self.fields]

    def of_header(self) -> forms.BoundField | None:
        """Whether the first row of a table names its columns."""
        return self["option-header"] if "option-header" in self.fields else None

    def of_parallel(self) -> forms.BoundField | None:
        """Whether lines go together although they do not seem to, where that is asked."""
        return self["option-parallel"] if "option-parallel" in self.fields else None

    def of_labels(self) -> list[forms.BoundField]:
        """What becomes of the labels in the files."""
        return [self[name] for name in self.fields if name.startswith(("labels_", "person-"))]

    def of_label_map(self) -> list[dict[str, Any]]:
        """What each label of the files becomes, where labels come in."""
        rows = self.label_map.rows if self.label_map is not None else []
        return [
            {
                "name": row.name,
                "count": row.count,
                "field": self[row.control],
                "attributes": [self[name] for name in row.attributes],
            }
            for row in rows
        ]

    def shown(self, step: str = "") -> str:
        """The names of all controls, or of those of a step, sent along: a box that is not ticked is not sent itself."""
        apart = {name: of for of, names in _APART.items() for name in names}
        return " ".join(name for name in self.fields if not step or apart.get(name, "format") == step)

    def _add(self, name: str, field: forms.Field, initial: Any = None) -> None:
        field.initial = getattr(self.draft, name, "") if initial is None else initial
        # A choice that is made while the one before is on its way takes its place: the form is sent whole. What waited
        # for an answer would be gone with the page that the answer replaces.
        field.widget.attrs |= {"form": FORM, "hx-post": self._url, "hx-sync": f"#{FORM}:replace"}
        self.fields[name] = field

    def _choice(self, name: str, label: Any, choices: Sequence[tuple[str, Any]], initial: str) -> None:
        known = [value for value, _words in choices]
        extra = [] if initial in known else [(initial, initial)]
        field = forms.ChoiceField(label=label, choices=[*choices, *extra], required=False)
        self._add(name, field, initial)

    def _add_files(self, preview: Mapping[str, Any]) -> None:
        draft = self.draft
        found = [guess["slug"] for guess in preview.get("formats", ()) if guess["slug"]]
        slugs = list(dict.fromkeys([*found, *formats()]))
        choices = [(slug, format_name(slug)) for slug in slugs]
        if not draft.format:
            choices.insert(0, ("", str(_("Not recognised: choose one"))))
        if len(draft.files) > 1:
            self._choice("format", _("Format of all files"), choices, draft.format)
        codes = draft.project.languages
        languages: list[tuple[str, Any]] = [("", _("In the file")), *((code, language(code)) for code in codes)]
        self.has_roles = bool(draft.project.roles) and (
            any(one["role"] for one in draft.files) or draft.project.layers.filter(unit_kind=Segment.PAIR).exists()
        )
        roles: list[tuple[str, Any]] = [("", _("No role")), *((role, group_name(role)) for role in draft.project.roles)]
        for one in draft.files:
            if len(draft.files) <= MAX_FORMATS:
                self._add_format(one, [choice for choice in choices if choice[0]])
            self._choice(f"file-{one['id']}-language", _("Language"), languages, one["language"])
            if self.has_roles:
                self._choice(f"file-{one['id']}-role", _("Role"), roles, one["role"])
            if not has_workbook_name(one["name"]):
                self._choice(f"file-{one['id']}-encoding", _("Encoding"), ENCODINGS, one["encoding"])

    def _add_format(self, one: Mapping[str, Any], choices: Sequence[tuple[str, str]]) -> None:
        read = file_format(self.draft, one)
        nothing = _("Detect automatically") if read else _("Not read")
        if not self.draft.format:
            nothing = _("Not recognised: choose one")
        chosen = LEFT_OUT if one.get("format") == LEFT_OUT else read
        every = [("", nothing), *choices, (LEFT_OUT, _("Leave this file out"))]
        self._choice(f"file-{one['id']}-format", _("Format"), every, chosen)

    def _add_columns(self, preview: Mapping[str, Any]) -> None:
        codes = self.draft.project.languages
        choices = [("", meaning_name("")), *((name, meaning_name(name)) for name in OF_ROW)]
        for name in BY_LANGUAGE:
            choices += [(f"{name}:{code}", meaning_name(f"{name}:{code}")) for code in codes]
        # With a column that says the language of its row.
        choices += [(name, meaning_name(name)) for name in BY_LANGUAGE]
        for column in preview.get("columns", ()):
            label = _("Column %(number)d") % {"number": column["number"] + 1}
            self._choice(f"column-{column['number']}", label, choices, column["meaning"])

    def _add_options(self, preview: Mapping[str, Any]) -> None:
        options = self.draft.options
        tokens = [
            ("given", _("As given in the files")),
            ("spaces", _("Split at spaces")),
            ("words", _("Punctuation split off")),
        ]
        if not options:
            return
        if not brings_units(self.draft.format):
            self._choice("option-tokens", _("Tokens"), tokens, options["tokens"])
            self.fields["option-tokens"].help_text = _why_tokens(preview.get("tokens"))
            self._flag("sentences", _("Split running text into sentences"))
            self._flag("widen", _("Widen labels that cut a token"))
        if self.draft.format in _WITH_POSITIONS:
            self._choice("option-positions", _("Emoji in label positions"), _POSITIONS, options.get("positions", ""))
        if self.draft.format in TABLES:
            self._flag("header", _("The first row is a header"))
        if self.draft.format == "csv":
            self._choice("option-delimiter", _("Column separator"), _DELIMITERS, options["delimiter"])
        if self.draft.project.slots.published().exists():
            match = [
                ("id", _("New, or matched by ID")),
                ("order", _("Those of the dataset, in order")),
            ]
            self._choice("option-match", _("The sentences are"), match, options["match"])
        originals = options.get("originals", "")
        if options["match"] == "order" and (originals or len(self.draft.project.languages) > 2):
            codes = [(code, language(code)) for code in self.draft.project.languages]
            every = ("", _("All of them"))
            self._choice("option-originals", _("Only those of the dataset in"), [every, *codes], originals)
        accepted = options["parallel"] == "accepted"
        if any(one["acceptable"] and (accepted or not one["in_step"]) for one in preview.get("parallel", ())):
            field = forms.BooleanField(label=_("The lines are aligned anyway"), required=False)
            self._add("option-parallel", field, accepted)

    def _flag(self, name: str, label: Any) -> None:
        self._add(f"option-{name}", forms.BooleanField(label=label, required=False), self.draft.options[name])

    def _add_labels(self, preview: Mapping[str, Any]) -> None:
        draft = self.draft
        is_of_units = brings_units(draft.format)
        choices = [(LabelsAs.NONE, _left_out(draft.project, preview)), *(_DECIDED_AS if is_of_units else _LABELS_AS)]
        name = _("Import decisions in the files as") if is_of_units else _("The labels in the files are")
        self._choice("labels_as", name, choices, draft.labels_as)
        if draft.labels_as == LabelsAs.PERSON:
            self._choice("labels_person", pgettext_lazy("labels", "Annotator"), self._members(), draft.labels_name)
        if draft.labels_as == LabelsAs.MODEL:
            self._add(
                "labels_model",
                forms.CharField(label=_("Name of the model"), max_length=200, required=False),
                draft.labels_name,
            )
            self._add(
                "labels_revision", forms.CharField(label=_("Revision of the model"), max_length=100, required=False)
            )
        if draft.labels_as == LabelsAs.FILE:
            for number, name in enumerate(self.people):
                label = _("%(name)s in the files is") % {"name": name}
                self._choice(f"person-{number}", label, self._members(), draft.people.get(name, name))

    def _members(self) -> list[tuple[str, Any]]:
        people = User.objects.filter(memberships__project=self.draft.project).order_by("username")
        return [("", _("Choose a person")), *((user.username, str(user)) for user in people)]


class TermsForm(forms.Form):
    """What is said of a text that came in, and can turn out otherwise."""

    licence = forms.CharField(
        label=_("Licence of the texts"), max_length=200, required=False, help_text=_("For example CC BY 4.0.")
    )
    publishable = forms.BooleanField(label=_("Releases can contain the text"), required=False)
    original_language = forms.ChoiceField(
        label=_("Original language of the texts"),
        required=False,
        help_text=_("The language they were written in. Agreement can then be compared between originals."),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ChoiceField", self.fields["original_language"])
        field.choices = [("", _("Not known")), *((code, language(code)) for code in project.languages)]
