"""What the page of a game says of moves given ahead, and of decisions that are answered for players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from service.views.orders import dropped_now, orders_of
from service.views.table import View
from service.web.sitting import Sitting


@dataclass(frozen=True, slots=True)
class OwnOrders:
    """The viewer's orders that wait (as views.orders has them), and why others were dropped at this decision."""

    waiting: Sequence[View] = ()
    dropped: Sequence[str] = ()


NO_ORDERS: Final = OwnOrders()


def own_orders(sitting: Sitting) -> OwnOrders:
    """Return the orders of the viewer, who has a seat."""
    position, seat, language = sitting.position, sitting.seat, sitting.language
    if seat is None:
        return NO_ORDERS
    waiting = orders_of(sitting.db, position, seat, language)["orders"]
    return OwnOrders(waiting, dropped_now(sitting.db, position, seat, language) if sitting.awaited else ())


def answered_for(sitting: Sitting) -> list[tuple[str, str]]:
    """Return who at the table has decisions answered, and which: everybody sees it (T-34)."""
    position, language = sitting.position, sitting.rules_language
    if position.game.status != "running":
        return []
    offered = {each.name: each.describe[language] for each in position.ruleset.auto_answers}
    return [
        (sitting.named([row.seat]), ", ".join(offered[name] for name in row.auto_answers if name in offered))
        for row in position.seats
        if row.auto_answers and row.seat not in position.resigned
    ]
