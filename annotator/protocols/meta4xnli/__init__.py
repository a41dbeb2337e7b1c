"""Meta4XNLI: labels that are projected onto other languages, and tagged premise–hypothesis pairs."""
