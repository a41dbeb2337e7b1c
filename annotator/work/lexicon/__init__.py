"""Words of a project: the index of lemmas, the vocabularies of layers, content words."""
