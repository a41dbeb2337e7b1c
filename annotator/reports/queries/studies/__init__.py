"""Agreement of any set of people, with intervals and strata: what is asked, read, computed and stored."""
