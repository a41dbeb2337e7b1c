"""Pairs and triples of sentences, as their datasets have them."""
