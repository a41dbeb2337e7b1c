"""How good engines are.

`scores` has the measures and `calibration` the meaning of probabilities; of the engines both may import
only `base`, so that detectors can use them in training. `experiment` trains and measures detectors, and may import
them.
"""
