"""Releases and exports: gold as files that do not change any more."""
