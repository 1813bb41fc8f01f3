"""Refusals of passkeys; they are told on pages, and not by the API."""

from __future__ import annotations


class BadPasskey(Exception):
    """The answer of the browser does not fit: unknown, forged, too late, given before, or from another site."""


class PasskeyCopied(Exception):
    """The passkey's counter did not go up, so somebody may have a copy; it signs nobody in any more."""


class UnknownPasskey(Exception):
    """The player has no such passkey, or no longer."""
