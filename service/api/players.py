"""Players and their tokens."""

from __future__ import annotations

from typing import Any

from flask import Response

from schemas.lobby import Me, NewPlayer, Registered
from service import clock
from service.api.answers import as_json
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.api.limits import limits
from service.handlers.players import register

DEFAULT_LANGUAGE = "en"

players = Resource("players", __name__, description="Who plays.")
guard(players)


@players.operation(
    "/players",
    Answers(status=201, schema=Registered, headers={"Location": "Where the player is found."}),
    method="POST",
    public=True,
    bucket="players",
    json=NewPlayer,
)
def create_player(posted: dict[str, Any]) -> Response:
    """Create a player.

    The token in the answer is shown only this once. Turn mails go to `email`, if there is one.
    """
    profile = {
        "name": posted["name"],
        "email": posted.get("email"),
        "language": posted.get("language", DEFAULT_LANGUAGE),
    }
    player_id, token = register(runtime().games, **profile, now=clock.now())
    answer = as_json({"id": str(player_id), **profile, "token": token}, 201)
    answer.headers["Location"] = f"{PREFIX}/me"
    return answer


@players.operation("/me", Answers(schema=Me))
def get_me() -> Response:
    """Show whose token it is, and where that account stands with the limits."""
    asking = player()
    allowances = [
        {
            "bucket": each.limit.bucket,
            "quota": each.limit.quota,
            "window": each.limit.window,
            "left": each.left,
            "reset": each.reset,
        }
        for each in limits().of_account(asking.id)
    ]
    shown = {"id": str(asking.id), "name": asking.name, "email": asking.email, "language": asking.language}
    return as_json({**shown, "limits": allowances})
