"""Parallel text and word alignment: Moses, TMX, Pharaoh."""
