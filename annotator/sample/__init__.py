"""The sample project: its texts, and how it is made."""
