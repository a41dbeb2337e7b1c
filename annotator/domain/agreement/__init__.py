"""How far people agree, and how reliable scores are."""
