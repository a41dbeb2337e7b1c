"""Gold: what answers agree on, what adjudicators decide, and what stands on a unit."""
