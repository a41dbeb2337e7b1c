"""Aligners: they link the tokens of sentence pairs.

A module or a package for each: `lexical` is the default, `simalign` and `eflomal` are optional. An aligner may import
the shared modules one level up; neither another aligner, nor detectors, nor the registry.
"""
