"""Engines by name, as projects, jobs and commands write them."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path

from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.languages import base_language
from annotator.domain.text.parsed import Parse
from mlworkers.engines.base import DATA, Aligner, Detector, Embedder, EngineError, SentencePair, TextParser
from mlworkers.engines.torch_runtime import import_transformers


def load_detector(spec: str, *, language: str, labels: Sequence[str] = ()) -> Detector:
    """Return the detector that `spec` names, for sentences in `language`.

    `encoder`: the shipped neural one. `crf`: the shipped model of the language. `crf:FOLDER`, or just a
    folder holding `model.json`: a trained model. `transformers:PRESET`, `transformers:FOLDER`,
    `transformers:HUB_ID@REVISION`, each with `:LABEL_0=B-METAPHOR,…` behind it or without: a
    token-classification checkpoint; of several
    labels it predicts the one that is in `labels` (the project's). Raises EngineError when there is no
    such engine, no model for the language, the folder holds no model, or its model is for another
    language; and what `transformers_detector.load_spec` raises.
    """
    from mlworkers.engines.detectors.crf import CrfDetector

    name, _colon, rest = spec.partition(":")
    if name == "transformers":
        from mlworkers.engines.detectors.transformers_detector import load_spec

        return load_spec(rest, language=language, labels=labels)
    if spec == "encoder":
        from mlworkers.engines.detectors.encoder.detector import EncoderDetector

        return EncoderDetector.load(DATA / spec, language=language)
    folder = _crf_folder(spec, language)
    detector = CrfDetector.load(folder)
    if base_language(detector.language) != base_language(language):
        raise EngineError(
            _(
                "The model in %(folder)s is for the language “%(theirs)s”, not for “%(language)s”. "
                "Choose a model for “%(language)s”."
            ),
            folder=folder,
            theirs=detector.language,
            language=language,
        )
    return detector


def _crf_folder(spec: str, language: str) -> Path:
    """The folder of the crf model that `spec` names. Raises EngineError where it names none."""
    if spec == "crf":
        folder = DATA / f"crf-{base_language(language)}"
        if folder.is_dir():
            return folder
        raise EngineError(
            _(
                "No crf detector is shipped for the language “%(language)s” (shipped: %(shipped)s). Train "
                "one with train_detector and give its folder instead."
            ),
            language=language,
            shipped=", ".join(shipped_detectors()),
        )
    name, _colon, rest = spec.partition(":")
    if name == "crf" and rest:
        return Path(rest)
    if (Path(spec) / "model.json").is_file():
        return Path(spec)
    if (Path(spec) / "config.json").is_file():
        raise EngineError(
            _("The folder %(spec)s contains a transformers checkpoint. Write transformers:%(spec)s."), spec=spec
        )
    if name == "trained":
        raise EngineError(
            _("“%(spec)s” is a detector of a project, and only jobs of that project know it. Pre-label with it there."),
            spec=spec,
        )
    raise EngineError(
        _(
            "Unknown detector “%(spec)s”, which is not a folder with model.json. Use “crf” or "
            "“encoder” for the shipped models, the folder that train_detector wrote, or "
            "transformers:NAME for a checkpoint."
        ),
        spec=spec,
    )


def load_embedder(spec: str) -> Embedder:
    """Return the embedder that `spec` names.

    `encoder`: the shipped one. `transformers:FOLDER`, `transformers:HUB_ID@REVISION`: any encoder of transformers.
    Raises EngineError when there is no such engine, or it cannot be had.
    """
    name, _colon, rest = spec.partition(":")
    if name == "transformers" and rest:
        import_transformers()
        from mlworkers.engines.transformers_embedder import TransformersEmbedder

        return TransformersEmbedder.load(rest)
    if spec != "encoder":
        raise EngineError(
            _(
                "Unknown sentence model “%(spec)s”. Use encoder (built in), transformers: and a folder, "
                "or transformers:name/model@revision."
            ),
            spec=spec,
        )
    from mlworkers.engines.detectors.encoder.detector import EncoderDetector

    # Whichever of its languages: vectors are the same.
    return EncoderDetector.load(DATA / spec, language="es")


def embedded_languages(spec: str) -> Collection[str] | None:
    """The languages that an embedder knows; None where nobody can say. Raises EngineError as `load_embedder` does."""
    if spec != "encoder":
        return None
    from mlworkers.engines.detectors.encoder.detector import read_settings

    languages: dict[str, object] = read_settings(DATA / spec)["languages"]
    return list(languages)


def load_aligner(spec: str, *, source: str, target: str, corpus: Sequence[SentencePair]) -> Aligner:
    """Return the aligner that `spec` names, for `source` to `target` (language codes).

    `lexical` is trained on `corpus` (source and target tokens of each pair), starting from the
    shipped translation table where there is one for the two languages, in either direction.
    `simalign`, `simalign:FOLDER` or `simalign:HUB_ID@REVISION`, each with `?method=inter&layer=8` and
    the like behind it or without: by the embeddings of a model; see `simalign_aligner.Settings`.
    `eflomal`: trained on `corpus` by the program of that name. Raises EngineError when there is no such
    engine, it is not installed, or its model cannot be had.
    """
    name = re.split("[:?]", spec, maxsplit=1)[0]
    if name == "simalign":
        import_transformers()
        from mlworkers.engines.aligners.simalign.aligner import SimAligner

        return SimAligner.load(spec)
    if name == "eflomal":
        from mlworkers.engines.aligners.eflomal import EflomalAligner

        return EflomalAligner.train(spec, corpus, source=source, target=target)
    if spec != "lexical":
        raise EngineError(
            _("Unknown aligner “%(spec)s”. Use “lexical”, “simalign” or “simalign:” and a model, or “eflomal”."),
            spec=spec,
        )
    from mlworkers.engines.aligners.lexical.aligner import LexicalAligner
    from mlworkers.engines.aligners.lexical.prior import Prior

    return LexicalAligner.train(corpus, source=source, target=target, prior=Prior.shipped(source, target))


def load_parser(spec: str, *, language: str) -> TextParser:
    """Return the parser that `spec` names, for texts in `language`.

    `spacy`, or `spacy:` and names of packages with commas between them: of these the one for the language, else its
    small one. `stanza`, or `stanza:FOLDER`. Raises EngineError when there is no such parser, it is not installed, or
    its model is not there.
    """
    name, _colon, rest = spec.partition(":")
    if name == "spacy":
        from mlworkers.engines.parsers.spacy_parser import SpacyParser

        return SpacyParser.load(rest, language=language)
    if name == "stanza":
        from mlworkers.engines.parsers.stanza_parser import StanzaParser

        return StanzaParser.load(rest, language=language)
    raise EngineError(_("Unknown parser “%(spec)s”. Set PARSER to small, spacy or stanza."), spec=spec)


_loaded = lru_cache(maxsize=1)(load_parser)


def parses(question: tuple[str, str, Sequence[str]]) -> list[Parse]:
    """What the parser of a spec and language says of texts, in one call for a process of its own; it stays loaded."""
    spec, language, texts = question
    return _loaded(spec, language=language).parse(texts)


def shipped_detectors() -> list[str]:
    """Return the languages for which a crf detector is shipped, sorted."""
    return sorted(
        folder.name.removeprefix("crf-") for folder in DATA.glob("crf-*") if (folder / "model.json").is_file()
    )
