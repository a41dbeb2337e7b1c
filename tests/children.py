"""What the process has loaded that children of tests are forked from (tests/conftest.py): training of detectors."""

from mlworkers.engines.detectors import crf
from mlworkers.engines.words import has_frequencies, has_lemmas

__all__ = ["crf"]

# Their dictionaries take most of a second to read.
for language in ("es", "en"):
    has_lemmas(language)
    has_frequencies(language)
