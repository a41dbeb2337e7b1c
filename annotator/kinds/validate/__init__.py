"""Judging what other people wrote: accepted, rejected with a reason, or corrected. The majority decides."""
