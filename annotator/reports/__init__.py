"""The tables of a project, and agreement between people."""
