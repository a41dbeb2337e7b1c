"""Kinds of work, one folder each: how a layer is worked on, its workspace's template and controller.

A kind may import the core (`annotator.work`, the other capabilities, what is below them) and no other kind;
`settings.KINDS` lists those that are installed. docs/kinds.md says how to add one.
"""
