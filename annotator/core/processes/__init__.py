"""Processes and threads beside the one that answers a request."""
