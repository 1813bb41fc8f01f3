"""Name of this process in its sessions at servers: its part (`relay`, PART), or its command."""

from __future__ import annotations

_name = "command"


def take(name: str) -> None:
    """Name this process; existing sessions keep the former name."""
    global _name  # noqa: PLW0603 - a process has one
    _name = name


def own() -> str:
    return _name
