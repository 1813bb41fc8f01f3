"""Players: guests are created, and the asking player's own account."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Response

from schemas.access import SignInUsed
from schemas.people import Confirmed, Export, Me, NewPlayer, ProfileChanged, Registered
from service.api.auth import guard, player, runtime, token
from service.api.conditional import tagged
from service.api.contract import PREFIX, Answers, Resource
from service.handlers import farewell
from service.handlers.players import Arrival, change, register
from service.handlers.refusals import BotsMayNot
from service.handlers.sign_in import tie
from service.handlers.tell_owner import tell_of_export
from service.handlers.transaction import transaction
from service.http.limits import budget, limits
from service.http.request import spoken_language
from service.http.responses import PRIVATE, as_json
from service.shared import clock
from service.shared.refusal import Invalid
from service.store.access import PlayerRow
from service.texts.names import display_name
from service.views.account import account_row, profile, token_known
from service.views.export import export

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
    """Create a player without signing in: a guest.

    The token in the answer is shown only this once. With `email` a mail goes there that asks whether it is the
    player's: no other does before somebody there has said so. One that was asked within the last 30 days, for whomever,
    is not asked again. Signing in with the address leads to an account of its own, unless one ties it to this one
    (POST /me/email), which confirms it, too.
    """
    name, email, zone = posted["name"], posted.get("email"), posted.get("time_zone", "UTC")
    arrival = Arrival(posted.get("language") or spoken_language(), name, zone, email)
    player_id, text = register(runtime().games, arrival, clock.now(), budget())
    made = PlayerRow(player_id, name, email, arrival.language, False, zone, None, None)
    answer = as_json({**profile(made), "token": text}, 201)
    answer.headers["Location"] = f"{PREFIX}/me"
    return answer


@players.operation("/me", Answers(schema=Me), scope="profile:read")
def get_me() -> Response:
    """Show whose token it is, what it is good for, and where the account stands with the limits."""
    return _me(player())


@players.operation(
    "/me", Answers(schema=Me), method="PATCH", refuses=(409,), scope="profile:write", json=ProfileChanged
)
def update_me(posted: dict[str, Any]) -> Response:
    """Change one's name, handle, language, time zone, who sees one's profile, or whether pages ask twice.

    What is not sent stays. No two handles look alike: `0` counts as `o`, `1` and `i` as `l`, `m` as `rn`, and `w` as
    `vv`. One that is given back or changed is kept for its former owner for a year, leads nowhere, and may be changed
    three times in 30 days.
    """
    change(runtime().games, player().id, posted, clock.now())
    return _me(replace(player(), **posted))


@players.operation(
    "/me/email", Answers(schema=Me), method="POST", refuses=(404, 409), scope="profile:write", json=SignInUsed
)
def tie_email(posted: dict[str, Any]) -> Response:
    """Use the link of a mail up to give its address to one's own account, if that is a guest's.

    Ask for the mail with POST /sign-in. From then on signing in with the address leads to this account: name, games and
    tokens stay, and mails go there. It is refused where the address has an account already, or one's own has an address
    with which one signs in; then the link still works. If the answer gets lost, GET /me tells whether it was done.
    """
    arrival = Arrival(player().language, zone=posted.get("time_zone"))
    tie(runtime().games, posted["sign_in"], player(), arrival, clock.now())
    with transaction(runtime().games.engine) as db:
        return _me(account_row(db, player().id))


@players.operation("/me", Answers(status=204), method="DELETE", scope="profile:write", json=Confirmed)
def delete_me(posted: dict[str, Any]) -> Response:
    """Delete one's account, with its bots; only a person may, and not a bot.

    Name, address, tokens, links, webhooks and notes are gone for good, those of the bots as well. The games stay whole:
    others see a former player there, and what one has said at a table stays to be read by those who sit there. Seats in
    open games become free; an open game of one's own goes to the next player in it, or is cancelled where there is
    none. Running games are given up, as by `POST /games/{game_id}/resignation`: where the table says so, or only one
    player is left, the game ends, else the others play on. All of it happens, or nothing.
    """
    if player().owner is not None:
        raise BotsMayNot
    if posted["confirm"] not in {player().name, display_name(player().name, player().language)}:
        raise Invalid(errors=[{"pointer": "/confirm", "detail": "Not the name of this account."}])
    farewell.leave(runtime().games, player().id, "api", clock.now())
    return Response(status=204, headers=PRIVATE)


@players.operation(
    "/me/export", Answers(schema=Export), scope="profile:read games:read games:create webhooks:manage account:read"
)
def export_me() -> Response:
    """Show all that is kept about oneself.

    That is the profile, tokens, revoked ones too, and webhooks, both without their secrets, bots, apps that one has
    registered and those that may act for one, games as one sees them, notes, what one has said at tables, wishes about
    mails, absences, invitations given and received, and challenges. What is kept about a bot its own token shows.
    """
    with transaction(runtime().games.engine) as db:
        kept = export(db, runtime().games, player(), runtime().settings.mail_delay, clock.now())
    if not runtime().mode.read_only:
        tell_of_export(runtime().games, player().id, clock.now())
    return as_json(kept)


def _me(asking: PlayerRow) -> Response:
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
    known = {**profile(asking), "token": token_known(token())}
    # This very request counts for the limits: with them, nothing would ever be as it was.
    return tagged(as_json({**known, "limits": allowances}), known)
