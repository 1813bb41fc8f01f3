"""The clock of a table: time given to others, and coming back after an absence."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.play import GivenTime, Played, Table
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.moves import shown
from service.handlers.presence import return_to
from service.handlers.time_given import give_time
from service.http.responses import as_json
from service.views.table import spoken, table

clock = Resource("clock", __name__, description="The clock of a table.")
guard(clock)


@clock.operation(
    "/games/<uuid:game_id>/time",
    Answers(status=201, schema=Played),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=GivenTime,
)
def give_more_time(asked: dict[str, Any], game_id: UUID) -> Response:
    """Give another seat that waits its free time once more.

    Each of the others can do so once while the seat waits. Nobody can take time away.
    """
    me = player()
    played = give_time(runtime().games, game_id, me.id, asked["seat"], "api")
    giver = played.position.seat_of(me.id)
    return as_json(shown(played, giver, spoken(played.position, me.language)), 201)


@clock.operation(
    "/games/<uuid:game_id>/back",
    Answers(schema=Table),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
)
def come_back(game_id: UUID) -> Response:
    """Say that one is back, after one's time has run out three times in a row.

    From then on one's moves are waited for again; any move says so too. For a player who was there it changes nothing.
    """
    me = player()
    position = return_to(runtime().games, game_id, me.id, "api")
    return as_json(table(position, position.seat_of(me.id), me.language))
