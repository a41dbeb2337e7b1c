"""Parsers: they split texts into words with parts of speech and dependencies, for pairs that are made by rule.

Both are optional and need a model of the language; the small one, `annotator/domain/silver/small_parser.py`, needs
neither. A parser may import `packages` and the shared modules one level up; neither another parser nor the registry.
"""
