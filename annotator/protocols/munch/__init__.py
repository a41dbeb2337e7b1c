"""MUNCH: words for a metaphor, its files of substitutes and triples, their tables and release parts."""
