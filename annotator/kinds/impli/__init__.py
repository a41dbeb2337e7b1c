"""Figurative sentences and what follows from them: rewritten by people, or made by rule from definitions (IMPLI)."""
