"""People at work on items: answering, the queue, blind samples, gold, and what is derived from answers."""
