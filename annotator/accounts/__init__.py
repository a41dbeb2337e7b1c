"""Accounts: signing in, registering, passwords, email."""
