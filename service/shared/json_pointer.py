"""JSON pointers (RFC 6901): where in a document something stands."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 200


def pointer(*path: str) -> str:
    """Return the pointer to a place; it is cut at 200 characters, since its parts may be what somebody has sent."""
    escaped = (part.replace("~", "~0").replace("/", "~1") for part in path)
    return "".join(f"/{part}" for part in escaped)[:LONGEST]
