"""Detectors and aligners, how they are trained, and how they are measured.

`base` has their interfaces, `registry` loads them by name. `words` is shared by all of them; `torch_runtime`,
`subwords`, `windows` and `acceleration` by those that run on torch. Nothing here may import Django, Celery, or the
parts of `annotator` other than its domain.
"""
