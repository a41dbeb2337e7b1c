"""The records of files under the IDs of a project, and everything that is checked before they are written."""
