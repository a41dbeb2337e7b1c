"""What all formats share: their protocol, records, errors, and how files begin."""
