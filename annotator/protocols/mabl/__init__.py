"""MABL: its files in and out, its tables, and a starting point."""
