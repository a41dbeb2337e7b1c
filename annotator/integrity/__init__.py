"""Find by reading what must not be in a site: `manage.py check_integrity`."""
