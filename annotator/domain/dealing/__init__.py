"""How items of a stage are dealt to people: which are drawn, and who gets which."""
