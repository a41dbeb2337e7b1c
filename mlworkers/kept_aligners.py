"""The lexical aligner of a project and two languages, kept in the storage once it is trained.

Training reads all of the project's parallel text and takes seconds to a minute; one sentence whose text was fixed
changes next to nothing of what is learnt. So the model that last aligned the whole text aligns that sentence, too,
until the text has grown or shrunk by more than GROWN. What is kept is a copy: without it, training makes it again.
"""

from __future__ import annotations

import contextlib
from pathlib import PurePosixPath

from annotator.core.files.part_file import written
from annotator.core.files.storage import site_files
from annotator.models import Project, Unit
from annotator.models.trained_detector import models_of
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
    with contextlib.suppress(OSError):
        earlier = _kept(project, source, target)
        made = written(aligner.save)
        name = f"{_folder(project)}/{source}.{target}.{pairs}.npz"
        made.name(name)
        for old in earlier:
            if old != name:
                site_files().delete(old)


def kept(project: Project, *, source: str, target: str) -> Aligner | None:
    """The aligner that was kept, where it still fits the project's text. One query that counts."""
    found = _kept(project, source, target)
    if not found:
        return None
    trained_on = int(PurePosixPath(found[-1]).stem.rpartition(".")[2])
    if abs(parallel_sentences(project, source, target) - trained_on) > GROWN * trained_on:
        return None
    try:
        [path] = site_files().fetch(found[-1])
        return LexicalAligner.load(path)
    except (EngineError, FileNotFoundError):
        # Damaged, of another version, or replaced meanwhile.
        return None


def parallel_sentences(project: Project, source: str, target: str) -> int:
    """How many sentences are there in both languages."""
    there = Unit.objects.filter(project=project, is_current=True, language=source, kind="sentence")
    return project.sentences.filter(language=target, is_current=True, segment__in=there.values("segment")).count()


def _kept(project: Project, source: str, target: str) -> list[str]:
    """The names in the storage of what was kept, which is one as a rule."""
    files = site_files().files(_folder(project))
    return sorted(file.name for file in files if PurePosixPath(file.name).name.startswith(f"{source}.{target}."))


def _folder(project: Project) -> str:
    # Deleted with the project, as all that lies in its folder of models. A number may be another project's later, where
    # a database is set up again over files that stayed.
    return f"{models_of(project.pk)}/{FOLDER}-{project.created_at:%Y%m%d%H%M%S%f}"
