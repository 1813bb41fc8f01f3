"""Shapes of what the service takes in and what its API promises."""
