"""Words for a marked one: substitutes by many, the best of them by votes or as most wrote, and inapt ones from its
basic sense."""
