"""JSON piece by piece: items, faults, and how other tools spell spans and states."""
