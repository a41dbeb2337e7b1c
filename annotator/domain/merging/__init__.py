"""Rules by which answers become gold without a person for each item."""
