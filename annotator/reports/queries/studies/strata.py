"""The groups of items that a study has besides those that items bring."""

from __future__ import annotations

# The first shared items, which people get used to the work with.
FIRST = 100
# Parts of the shared items in the order in which they were finished, for drift.
PARTS = 5
# Strata that a study compares, each with another of its dimension.
EXPERIENCE, PART, SUGGESTIONS = "experience", "part", "suggestions"
COMPARED = (
    ((SUGGESTIONS, "with"), (SUGGESTIONS, "without")),
    ((EXPERIENCE, "later"), (EXPERIENCE, "first")),
    ((PART, str(PARTS)), (PART, "1")),
)
