"""Labels on the tokens of sentences: correct what a detector suggests, or label from scratch."""
