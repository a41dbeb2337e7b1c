"""Language codes."""

from __future__ import annotations


def base_language(language: str) -> str:
    """The language without its region, in lower case: "es" for "es-MX"."""
    return language.replace("_", "-").split("-")[0].lower()
