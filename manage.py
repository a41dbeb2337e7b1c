#!/usr/bin/env python
"""Command line of Translatio."""

from annotator.__main__ import main

if __name__ == "__main__":
    main()
