"""JSON Lines: ours, those of hubs, and those of other tools."""
