"""What is loaded in processes that others are forked from (tests/forks.py, tests/conftest.py): the training of
detectors, and word lists of the languages of most tests, which take a second to read.
"""

from annotator.domain.text.lemmas import lemma_of
from mlworkers.engines.detectors import crf
from mlworkers.engines.words import Words

__all__ = ["crf"]

for language in ("es", "en"):
    words = Words(language)
    words.lemma("casa"), words.zipf("casa"), lemma_of("casa", language)
