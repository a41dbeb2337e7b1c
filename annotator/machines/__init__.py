"""What models say: storing predictions and projections, and detectors that learn from a project."""
