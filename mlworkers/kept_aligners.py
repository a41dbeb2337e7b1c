"""The lexical aligner of a project and two languages, kept on disk once it is trained.

Training reads all of the project's parallel text and takes seconds to a minute; one sentence whose text was fixed
changes next to nothing of what is learnt. So the model that last aligned the whole text aligns that sentence, too,
until the text has grown or shrunk by more than GROWN. What is kept is a copy: without it, training makes it again.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from django.conf import settings

from annotator.models import Project, Unit
from mlworkers.engines.aligners.lexical.aligner import LexicalAligner
from mlworkers.engines.base import Aligner, EngineError

# Share of the pairs that it was trained on.
GROWN = 0.1
FOLDER = "aligners"


def keep(aligner: Aligner, project: Project, *, source: str, target: str, pairs: int) -> None:
    """Keep a lexical aligner that was trained on so many pairs; others cannot be kept. Raises nothing for a full disk.

    It takes the earlier one's place.
    """
    if not isinstance(aligner, LexicalAligner):
        return
    folder = _folder(project)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        handle, made = tempfile.mkstemp(dir=folder, suffix=".npz")
        os.close(handle)
        aligner.save(made)
        earlier = list(folder.glob(_name(source, target, "*")))
        Path(made).replace(folder / _name(source, target, str(pairs)))
        for path in earlier:
            if path.name != _name(source, target, str(pairs)):
                path.unlink(missing_ok=True)


def kept(project: Project, *, source: str, target: str) -> Aligner | None:
    """The aligner that was kept, where it still fits the project's text. One query that counts."""
    found = sorted(_folder(project).glob(_name(source, target, "*")))
    if not found:
        return None
    trained_on = int(found[-1].stem.rpartition(".")[2])
    if abs(parallel_sentences(project, source, target) - trained_on) > GROWN * trained_on:
        return None
    try:
        return LexicalAligner.load(found[-1])
    except EngineError:
        # Damaged, or of another version.
        return None


def parallel_sentences(project: Project, source: str, target: str) -> int:
    """How many sentences are there in both languages."""
    there = Unit.objects.filter(project=project, is_current=True, language=source, kind="sentence")
    return project.sentences.filter(language=target, is_current=True, segment__in=there.values("segment")).count()


def _folder(project: Project) -> Path:
    # Deleted with the project, as all that lies in its folder of models. A number may be another project's later, where
    # a database is set up anew over files that stayed.
    return Path(settings.MODELS_DIR) / str(project.pk) / f"{FOLDER}-{project.created_at:%Y%m%d%H%M%S%f}"


def _name(source: str, target: str, pairs: str) -> str:
    return f"{source}.{target}.{pairs}.npz"
