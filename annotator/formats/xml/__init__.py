"""XML from strangers, and XML as text."""
