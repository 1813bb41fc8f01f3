"""Refusals of what operators want to do; they are told on their pages and by their commands, and not by the API."""

from __future__ import annotations

from typing import Literal

from service.shared.refusal import Unavailable


class CannotHandOver(Exception):
    """The table cannot be handed to that player.

    `why` is `host` (the player is the host already), `cancelled`, `player` (the player does not play there, or is
    blocked), or `order` (the table is open, and another player has been there longer).
    """

    def __init__(self, why: Literal["host", "cancelled", "player", "order"]) -> None:
        super().__init__(why)
        self.why = why


class BadAnnouncement(Exception):
    """The announcement ends before it begins or before now (`span`), or lacks a language (`texts`)."""

    def __init__(self, why: Literal["span", "texts"]) -> None:
        super().__init__(why)
        self.why = why


class EffectBusy(Unavailable):
    """The row of the outbox is being carried out, and the process that holds it did not end in time."""
