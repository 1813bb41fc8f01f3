"""Checks of the database against its own logs and records: chains, lobbies, seals, and derived tables."""
