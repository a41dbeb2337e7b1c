"""Programs that are told of events of a project: signed messages to an address."""
