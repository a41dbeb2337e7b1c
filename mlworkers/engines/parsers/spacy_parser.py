"""spaCy's pipelines as parsers. They are packages of their own, beside the extra `spacy`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.languages import base_language
from annotator.domain.text.parsed import Parse, Word
from mlworkers.engines.base import EngineError
from mlworkers.engines.parsers.packages import import_parser

# Small models are named after the texts they were trained on; those of other languages after news.
_TEXTS = {"en": "web", "zh": "web"}


def package_of(names: str, language: str) -> str:
    """The package with the model of a language: of `names`, with commas between them, else its small one.

    >>> package_of("es_core_news_md", "es"), package_of("es_core_news_md", "en-GB")
    ('es_core_news_md', 'en_core_web_sm')
    """
    base = base_language(language)
    given = [name.strip() for name in names.split(",")]
    small = f"{base}_core_{_TEXTS.get(base, 'news')}_sm"
    return next((name for name in given if name.startswith(f"{base}_")), small)


class SpacyParser:
    """A pipeline with a tagger and a parser."""

    def __init__(self, pipeline: Any, package: str) -> None:
        self._pipeline = pipeline
        self.name = f"spacy:{package}"

    @classmethod
    def load(cls, names: str, *, language: str) -> SpacyParser:
        """Raises EngineError that says what to install, or which model to choose."""
        spacy = import_parser("spacy")
        package = package_of(names, language)
        if not spacy.util.is_package(package):
            raise EngineError(
                _(
                    "spaCy's model “%(package)s” is not installed. Run this where the web process runs: python "
                    "-m spacy download %(package)s. Or set PARSER to spacy:NAME for another model, or to small "
                    "for none."
                ),
                package=package,
            )
        return cls(spacy.load(package, exclude=["ner"]), package)

    def parse(self, texts: Sequence[str]) -> list[Parse]:
        """Raises EngineError where the pipeline has no parser."""
        found = []
        for doc in self._pipeline.pipe(texts):
            if len(doc) and not (doc.has_annotation("POS") and doc.has_annotation("DEP")):
                raise EngineError(
                    _("The model “%(name)s” has no parts of speech or no parser. Set another one in PARSER."),
                    name=self.name,
                )
            found.append(tuple(Word(one.idx, one.idx + len(one.text), one.pos_, one.head.i, one.dep_) for one in doc))
        return found
