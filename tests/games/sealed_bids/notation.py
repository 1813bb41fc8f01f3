"""Actions as a line of text: `bid 7` or `hold`."""

from __future__ import annotations

from service.rules.kernel import Unreadable

from .actions import Action, Bid, Hold


def notate(action: Action) -> str:
    """Return the line for an action."""
    return f"bid {action.card}" if isinstance(action, Bid) else "hold"


def parse(text: str) -> Action:
    """Return the action that the line means; a number alone is a bid, and `b` and `h` will do."""
    match text.casefold().split():
        case ["hold" | "h"]:
            return Hold()
        case ["bid" | "b", card] | [card] if card.isascii() and card.isdecimal() and len(card) < 3:
            return Bid(card=int(card))
    raise Unreadable(text)
