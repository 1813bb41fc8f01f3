"""Conformance of games, anybody's among them: checks on random games."""
