"""Detectors: they say for every token how likely it is to be labelled.

`crf` is the default, with its `features`; the `transformers_…` modules, `training_folder` and `int8` are for
checkpoints of transformers; `spans` makes suggestions of predictions. A detector may import the shared modules one
level up, `evaluation.scores` and `evaluation.calibration`; neither aligners nor the registry. What needs torch imports
it inside functions.
"""
