"""What a release says of itself as a dataset: what a project's managers are asked, and what they leave empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True)
class Question:
    """A field of the card. `help`: what belongs there; `lines`: how tall its box is, 1 for a line. `english`: its
    name in the files."""

    name: str
    label: str | _StrPromise
    english: str
    help: str | _StrPromise = ""
    lines: int = 1

    @property
    def most(self) -> int:
        """The most characters."""
        return 300 if self.lines == 1 else 5000


ABOUT: Sequence[Question] = (
    Question("title", _("Title"), "Title", _("Leave empty to use the project’s name.")),
    Question(
        "authors",
        _("Authors"),
        "Authors",
        _("One per line: family name, given name; ORCID; affiliation. The last two can be left out."),
        lines=4,
    ),
    Question(
        "licence_labels",
        _("Licence of the labels"),
        "Licence of the labels",
        _("Its SPDX identifier, such as CC-BY-4.0."),
    ),
    Question(
        "licence_texts",
        _("Licence of the texts"),
        "Licence of the texts",
        _("Where imports state their own licence, the release lists it as well."),
    ),
    Question("doi", _("DOI"), "DOI", _("Such as 10.5281/zenodo.1234567. A reserved DOI is fine.")),
    Question("citation", _("How to cite it"), "How to cite it", _("The paper or entry to cite, as text."), lines=3),
    Question("contact", _("Contact"), "Contact", _("An address for questions and corrections.")),
)
# The questions of a data statement (Bender and Friedman 2018, https://aclanthology.org/Q18-1041/).
STATEMENT: Sequence[Question] = (
    Question("curation", _("Why these texts were chosen"), "Curation rationale", lines=3),
    Question(
        "varieties",
        _("Language varieties"),
        "Language varieties",
        _("Such as es-ES or British English, and how you know."),
        lines=2,
    ),
    Question("speakers", _("Who wrote or spoke the texts"), "Speakers and writers", lines=3),
    Question(
        "annotators",
        _("Who annotated, and with which first languages"),
        "Annotators and their languages",
        _("Describe the group and name nobody: people are pseudonyms in the files."),
        lines=3,
    ),
    Question("training", _("How annotators were trained"), "Training of annotators", lines=3),
    Question("pay", _("How annotators were paid"), "Pay of annotators", lines=2),
    Question(
        "consent",
        _("Consent and ethics review"),
        "Consent and ethics review",
        _("What annotators and authors agreed to, and who reviewed the project."),
        lines=3,
    ),
    Question("situation", _("When and where the texts were produced"), "Situation of the texts", lines=2),
    Question("limits", _("Known limits and biases"), "Known limits and biases", lines=3),
)
QUESTIONS: Sequence[Question] = (*ABOUT, *STATEMENT)
NOT_STATED = "not stated"


@dataclass(frozen=True)
class Author:
    """A person who made the dataset, as they want to be cited."""

    family: str
    given: str = ""
    orcid: str = ""
    affiliation: str = ""

    @property
    def name(self) -> str:
        return f"{self.given} {self.family}".strip()


def authors_of(card: Mapping[str, Any]) -> list[Author]:
    """The authors, a line each."""
    found = []
    for line in filter(None, map(str.strip, card.get("authors", "").splitlines())):
        name, orcid, affiliation = (*(part.strip() for part in line.split(";", 2)), "", "")[:3]
        family, _comma, given = (part.strip() for part in name.partition(","))
        found.append(Author(family, given, orcid, affiliation))
    return found


def empty_questions(card: Mapping[str, Any]) -> list[Question]:
    """The fields without an answer. A dataset always has a title: its project's name."""
    return [one for one in QUESTIONS if one.name != "title" and not card.get(one.name)]
