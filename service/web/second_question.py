"""The question before an action that shows something hidden, which a player can switch off."""

from __future__ import annotations

from flask import Response, request, url_for

from service.handlers.players import change
from service.shared import clock
from service.store.position import Position
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.session import Visitor, see_other, signed_in


def asks_twice(position: Position, seat: int) -> bool:
    """Return whether the seat's player is asked once more before an action that shows something hidden.

    A player without other people at the table never is: nobody else's game goes on from what was shown.
    """
    people = any(row.computer is None for row in position.seats if row.seat != seat)
    return people and position.seats[seat].asked_twice


@web.post("/settings/second-question")
@signed_in
def choose_second_question(visitor: Visitor) -> Response:
    """Ask the player twice (`asked` in the form), or no longer."""
    change(current_runtime().games, visitor.id, {"asked_twice": "asked" in request.form}, clock.now())
    return see_other(url_for("web.settings", saved=""))
