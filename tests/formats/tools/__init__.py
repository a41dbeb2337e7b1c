"""What other tools make of the files that are written here, and what they write of it again; see README.md."""
