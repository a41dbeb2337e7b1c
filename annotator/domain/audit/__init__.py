"""How much of the gold can be guessed without understanding it: from parts of each instance, by a simple classifier."""
