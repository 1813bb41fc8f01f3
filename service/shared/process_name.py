"""The name under which this process shows itself to servers: that of its part (`relay`, PART), or of its command."""

from __future__ import annotations

_name = "command"


def take(name: str) -> None:
    """Give this process a name; sessions that have begun keep the one before."""
    global _name  # noqa: PLW0603 - a process has one
    _name = name


def own() -> str:
    """Return the name of this process."""
    return _name
