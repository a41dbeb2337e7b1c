"""Drawing literal uses to set beside metaphors."""
