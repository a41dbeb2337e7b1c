"""Imports that are being prepared: their files, how these are read, and a preview."""
