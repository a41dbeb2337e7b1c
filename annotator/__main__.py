"""Command line of Translatio: `translatio`, `python -m annotator`, `manage.py`."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")
    from django.core.management import execute_from_command_line
    from environs import EnvError

    try:
        execute_from_command_line(sys.argv)
    except EnvError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
