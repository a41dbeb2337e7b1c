"""The lexical aligner: a statistical model of the project's own parallel text.

`aligner` loads and applies the model that `training` makes; each other module is one part of it, over the arrays of
`candidate_links`. NumPy only: nothing here may import torch.
"""
