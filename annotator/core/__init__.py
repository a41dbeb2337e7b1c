"""What every capability builds on: errors, events, permissions, access to rows, the protocol of kinds."""
