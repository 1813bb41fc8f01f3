"""Checks of the database against its own logs and records: chains, lobbies, seals, and the tables derived from them."""
