"""Items in stages: who gets which, who gives them back, and how far each stage is."""
