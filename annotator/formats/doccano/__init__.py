"""doccano's JSON Lines."""
