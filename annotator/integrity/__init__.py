"""Check the integrity of a site without changing it: `manage.py check_integrity`."""
