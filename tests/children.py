"""What the process has loaded that children of tests are forked from (tests/conftest.py): training of detectors."""

from mlworkers.engines.detectors import crf
from mlworkers.engines.words import Words

__all__ = ["crf"]

# Their dictionaries take most of a second to read.
for language in ("es", "en"):
    words = Words(language)
    words.lemma("casa"), words.zipf("casa")
