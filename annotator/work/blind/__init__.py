"""Blind samples: which items two people label without seeing anything, and who must not see what."""
