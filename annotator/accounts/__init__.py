"""Accounts: signing in, registering, passwords, e-mail."""
