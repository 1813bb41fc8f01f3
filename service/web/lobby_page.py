"""The page of a game that has not begun: who sits there, who is invited, and what one may do about it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError
from sqlalchemy import Connection

from schemas.lobby import NewInvitation
from service.audit.lobby_log import last_of_lobby
from service.handlers import invitations, lobby, seats
from service.handlers.invitations import ByLink, ByMail, Words
from service.handlers.refusals import NoMail, NotHost, NotOpen, NotOver, NotSeated, UnknownGame, UnknownInvitation
from service.handlers.rematch import rematch
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.budget import MailsSpent
from service.store.invitations import link_token
from service.store.position import Position
from service.store.visibility import require_known
from service.texts.names import shown
from service.views.invitations import invitations as given
from service.views.table import first_spoken, shown_seats
from service.web.blueprint import web
from service.web.nonce import own_nonce
from service.web.page import admitted, budget, runtime
from service.web.session import LIVELY, Visitor, go_to, language, missing_page, page, signed_in, visitor

_INVITATION = NewInvitation()
_REFUSED = (NotOpen, NotHost, NotOver, NotSeated, NoMail, MailsSpent, UnknownInvitation, ValidationError)
Deed = Callable[[Visitor, UUID], Response | None]


def show(
    db: Connection,
    position: Position,
    status: int = 200,
    refusal: str | None = None,
    link: str | None = None,
    template: str = "lobby/page.html",
) -> Response:
    """Show an open or cancelled game to a visitor who may know of it; `link` is an invitation just made."""
    there, spoken, game = visitor(), language(), position.game
    own = None if there is None else position.seat_of(there.id)
    hosting = there is not None and game.host == there.id
    meta = position.ruleset.meta
    chosen = [(first_spoken(each.describe, spoken), game.options.get(each.name)) for each in meta.options]
    answer = page(
        template,
        status,
        game=game,
        meta=meta,
        summary=first_spoken(meta.summary, spoken),
        options=chosen,
        seats=shown_seats(position, spoken),
        full=len(position.seats) == game.seats,
        own=own,
        host=position.seat_of(game.host),
        hosting=hosting,
        invited=given(db, game.id, spoken) if hosting else [],
        proven=game.status == "cancelled" and last_of_lobby(db, game.id) is not None,
        refusal=refusal,
        link=link,
        present=[shown(row.name, spoken) for row in position.seats],
    )
    answer.headers["Content-Security-Policy"] = LIVELY
    return answer


def show_live(db: Connection, position: Position) -> Response:
    """Show what of the page may have changed."""
    return show(db, position, template="lobby/live.html")


def deed(act: Deed) -> Callable[..., Response]:
    """Let the visitor do something at the table and show it again; what is refused is explained there."""

    @wraps(act)
    @signed_in
    def done(there: Visitor, game_id: UUID) -> Response:
        try:
            return act(there, game_id) or go_to(url_for("web.show_game", game_id=game_id))
        except UnknownGame:
            return missing_page()
        except _REFUSED as refusal:
            return _again(there, game_id, _reason(refusal))

    return done


@web.post("/games/<uuid:game_id>/join", endpoint="game-join")
@deed
def join(there: Visitor, game_id: UUID) -> None:
    """Take the lowest free seat."""
    lobby.join(runtime().games, game_id, there.id, clock.now(), nonce=own_nonce())


@web.post("/games/<uuid:game_id>/leave", endpoint="game-leave")
@deed
def leave(there: Visitor, game_id: UUID) -> Response:
    """Free one's own seat."""
    seats.leave(runtime().games, game_id, there.id)
    return go_to(url_for("web.my_games"))


@web.post("/games/<uuid:game_id>/kick", endpoint="game-kick")
@deed
def kick(there: Visitor, game_id: UUID) -> None:
    """Free somebody else's `seat`."""
    seats.kick(runtime().games, game_id, request.form.get("seat", -1, type=int), there.id)


@web.post("/games/<uuid:game_id>/start", endpoint="game-start")
@deed
def start(there: Visitor, game_id: UUID) -> None:
    """Start the game."""
    lobby.start(runtime().games, game_id, there.id, clock.now())


@web.post("/games/<uuid:game_id>/cancel", endpoint="game-cancel")
@deed
def cancel(there: Visitor, game_id: UUID) -> None:
    """Call the game off."""
    seats.cancel(runtime().games, game_id, there.id)


@web.post("/games/<uuid:game_id>/invite", endpoint="game-invite")
@deed
def invite(there: Visitor, game_id: UUID) -> Response | None:
    """Have an invitation mailed to the `email` of the form, or show a link to pass on, once.

    It is in the `language` of the form, with a line of the host's (`message`), if there are any.
    """
    house, now = runtime(), clock.now()
    sent = {name: request.form.get(name, "").strip() for name in ("email", "language", "message")}
    wanted = _INVITATION.load({name: value for name, value in sent.items() if value})
    words = Words(wanted.get("language"), wanted.get("message"))
    if "email" in wanted:
        invitations.invite(house.games, game_id, there.id, ByMail(wanted["email"]), now, None, words, budget())
        return None
    secret = secrets.token_hex(16)
    made = invitations.invite(house.games, game_id, there.id, ByLink(secret), now, None, words)
    link = f"{house.settings.base_url}/join/{link_token(made.id, secret)}"
    with transaction(house.games.engine) as db:
        return show(db, house.games.open(db, game_id), link=link)


@web.post("/games/<uuid:game_id>/take-back", endpoint="game-take-back")
@deed
def take_back(there: Visitor, game_id: UUID) -> None:
    """Take the `invitation` of the form back."""
    try:
        invitation = UUID(request.form.get("invitation", ""))
    except ValueError:
        raise UnknownInvitation from None
    invitations.revoke(runtime().games, game_id, invitation, there.id, clock.now())


@web.post("/games/<uuid:game_id>/play-again", endpoint="game-play-again")
@deed
def play_again(there: Visitor, game_id: UUID) -> Response:
    """Ask the others of a finished game for another, and go there."""
    if not admitted("games", there.id):
        return page("notice.html", 429, notice="too-often")
    position = rematch(runtime().games, game_id, there.id, clock.now(), budget=budget())
    return go_to(url_for("web.show_game", game_id=position.game.id))


def _again(there: Visitor, game_id: UUID, reason: str) -> Response:
    games = runtime().games
    with transaction(games.engine) as db:
        position = games.open(db, game_id)
        try:
            require_known(db, position, there.id)
        except UnknownGame:
            return missing_page()
        if position.state is None:
            return show(db, position, 429 if reason == "lobby-mail-budget" else 409, refusal=reason)
    if reason == "lobby-mail-budget":
        return page("notice.html", 429, notice="mail-budget")
    return page("notice.html", 409, notice=reason if reason == "lobby-not-over" else "lobby-started")


def _reason(refusal: Any) -> str:
    """Return the name of the text that explains a refusal."""
    if isinstance(refusal, NotOpen):
        return f"lobby-{refusal.reason}"
    if isinstance(refusal, ValidationError):
        return "lobby-bad-address" if "email" in refusal.messages_dict else "lobby-bad-message"
    names = {
        NotHost: "not-host",
        NotOver: "not-over",
        NotSeated: "not-seated",
        NoMail: "no-mail",
        MailsSpent: "mail-budget",
    }
    return f"lobby-{names.get(type(refusal), 'no-invitation')}"
