"""How much of a property sentences, or marked expressions of them, have: rated one by one on a scale, or compared."""
