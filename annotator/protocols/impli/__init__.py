"""IMPLI: pairs for inference from figurative sentences, its files, dictionary, tables and release part."""
