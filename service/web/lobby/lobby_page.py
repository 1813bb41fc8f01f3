"""Page of a game that has not begun: seats, invitations, and the forms of its host and its players."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Final
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError
from sqlalchemy import Connection

from schemas.lobby import NewInvitation
from schemas.names import fault_of
from schemas.play import NewComputer
from service.audit.log import last_of_lobby
from service.handlers import computers, invitations, lobby
from service.handlers.invitations import ByLink, ByMail, Words, rematch
from service.handlers.mail_preferences import note_looked
from service.handlers.refusals import (
    NoMail,
    NoSuchLevel,
    NotHost,
    NotOpen,
    NotOver,
    NotSeated,
    UnknownInvitation,
)
from service.handlers.transaction import transaction
from service.players.levels import levels_for
from service.shared import clock
from service.store.games import Position, require_known
from service.store.lobby import invitation_token
from service.store.quotas import MailsSpent
from service.texts.games import in_language, pace_text
from service.texts.names import display_name
from service.views.lobby import invitations as given
from service.views.lobby import usual_lengths
from service.views.operation import acts_at_table
from service.views.table import shown_seats
from service.web.access.arrival import keep_own_name, own_nonce
from service.web.blueprint import web
from service.web.pace import of_table
from service.web.page import admitted, budget, current_runtime
from service.web.play.computers import usual_level
from service.web.session import (
    SCRIPT_POLICY,
    Visitor,
    current_visitor,
    language,
    page,
    see_other,
    signed_in,
)

_COMPUTER = NewComputer()
_INVITATION = NewInvitation()
MOST_AT_ONCE: Final = 20
"""Maximum number of invitations mailed with a new table; more can be sent from the table's page."""
_REFUSED = (NotOpen, NoSuchLevel, NotHost, NotOver, NotSeated, NoMail, MailsSpent, UnknownInvitation, ValidationError)
LobbyForm = Callable[[Visitor, UUID], Response | None]


def show(
    db: Connection,
    position: Position,
    status: int = 200,
    refusal: str | None = None,
    link: str | None = None,
    template: str = "lobby/page.html",
) -> Response:
    """Show an open or cancelled game; `link` is that of a new invitation, shown only once."""
    visitor, spoken, game = current_visitor(), language(), position.game
    own = None if visitor is None else position.seat_of(visitor.id)
    if visitor is not None and own is not None and not current_runtime().mode.read_only:
        # Record the visit now, since the game may begin while the page is open.
        note_looked(db, game.id, visitor.id, None)
    hosting = visitor is not None and game.host == visitor.id
    meta = position.ruleset.meta
    chosen = [(in_language(each.describe, spoken), game.options.get(each.name)) for each in meta.options]
    levels = levels_for(position.ruleset, game.seats) if hosting else ()
    response = page(
        template,
        status,
        game=game,
        meta=meta,
        summary=in_language(meta.summary, spoken),
        options=chosen,
        pace=pace_text(spoken, game.terms.pace),
        length=of_table(usual_lengths(db), meta, game.seats, game.options, game.terms.pace),
        seats=shown_seats(position, spoken),
        full=len(position.seats) == game.seats,
        own=own,
        host=position.seat_of(game.host),
        hosting=hosting,
        invited=given(db, game.id, spoken, unanswered=clock.now()) if hosting else [],
        proven=game.status == "cancelled" and last_of_lobby(db, game.id) is not None,
        acts=acts_at_table(db, position, spoken),
        refusal=refusal or ("lobby-missed" if hosting and "missed" in request.args else None),
        link=link,
        levels=levels,
        usual=usual_level(levels) if levels else None,
        present=[display_name(row.name, spoken) for row in position.seats],
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


def show_live(db: Connection, position: Position) -> Response:
    """Show the parts of the page that may have changed."""
    return show(db, position, template="lobby/live.html")


def lobby_form(act: LobbyForm) -> Callable[..., Response]:
    """Carry out a lobby form for the signed-in visitor, and show the page again, with the reason of a refusal."""

    @wraps(act)
    @signed_in
    def guarded(visitor: Visitor, game_id: UUID) -> Response:
        try:
            return act(visitor, game_id) or see_other(url_for("web.show_game", game_id=game_id))
        except _REFUSED as refusal:
            return _again(visitor, game_id, _reason(refusal))

    return guarded


@web.post("/games/<uuid:game_id>/join")
@lobby_form
def join_game(visitor: Visitor, game_id: UUID) -> None:
    lobby.join(current_runtime().games, game_id, visitor.id, clock.now(), nonce=own_nonce())


@web.post("/games/<uuid:game_id>/leave")
@lobby_form
def leave_game(visitor: Visitor, game_id: UUID) -> Response:
    lobby.leave_table(current_runtime().games, game_id, visitor.id)
    return see_other(url_for("web.my_games"))


@web.post("/games/<uuid:game_id>/computers")
@lobby_form
def add_computer(visitor: Visitor, game_id: UUID) -> None:
    """Give the lowest free seat to a computer player of the `level` of the form; host only."""
    level = _COMPUTER.load({"level": request.form.get("level", "")})["level"]
    computers.fill(current_runtime().games, game_id, visitor.id, level, clock.now())


@web.post("/games/<uuid:game_id>/kick")
@lobby_form
def kick_player(visitor: Visitor, game_id: UUID) -> None:
    """Free the `seat` of another player; host only."""
    lobby.kick_player(current_runtime().games, game_id, request.form.get("seat", -1, type=int), visitor.id)


@web.post("/games/<uuid:game_id>/start")
@lobby_form
def start_game(visitor: Visitor, game_id: UUID) -> None:
    lobby.start(current_runtime().games, game_id, visitor.id, clock.now())


@web.post("/games/<uuid:game_id>/cancel")
@lobby_form
def cancel_game(visitor: Visitor, game_id: UUID) -> None:
    lobby.cancel_game(current_runtime().games, game_id, visitor.id)


@web.post("/games/<uuid:game_id>/invite")
@lobby_form
def invite(visitor: Visitor, game_id: UUID) -> Response | None:
    """Mail an invitation to the `email` of the form; without an address, show a link to pass on, once.

    The form may name the invitation's `language`, and a `message` of the host.
    """
    runtime, now = current_runtime(), clock.now()
    sent = {name: request.form.get(name, "").strip() for name in ("email", "language", "message")}
    wanted = _INVITATION.load({name: value for name, value in sent.items() if value})
    words = Words(wanted.get("language"), wanted.get("message"))
    keep_own_name(visitor)
    if "email" in wanted:
        invitations.invite(runtime.games, game_id, visitor.id, ByMail(wanted["email"]), now, None, words, budget())
        return None
    secret = secrets.token_hex(16)
    made = invitations.invite(runtime.games, game_id, visitor.id, ByLink(secret), now, None, words)
    link = f"{runtime.settings.base_url}/join/{invitation_token(made.id, secret)}"
    with transaction(runtime.games.engine) as db:
        return show(db, runtime.games.open(db, game_id), link=link)


def invite_all(visitor: Visitor, game_id: UUID, addresses: Sequence[str]) -> Response:
    """Mail an invitation to each address and go to the table, which says if an invitation was not sent."""
    missed, spending = len(addresses) > MOST_AT_ONCE, budget()
    for address in addresses[:MOST_AT_ONCE]:
        try:
            whom = ByMail(_INVITATION.load({"email": address})["email"])
            invitations.invite(current_runtime().games, game_id, visitor.id, whom, clock.now(), None, budget=spending)
        except (NoMail, MailsSpent, ValidationError):
            missed = True
    return see_other(url_for("web.show_game", game_id=game_id, missed="" if missed else None))


@web.post("/games/<uuid:game_id>/take-back")
@lobby_form
def revoke_invitation(visitor: Visitor, game_id: UUID) -> None:
    """Revoke the `invitation` of the form."""
    try:
        invitation = UUID(request.form.get("invitation", ""))
    except ValueError:
        raise UnknownInvitation from None
    invitations.revoke(current_runtime().games, game_id, invitation, visitor.id, clock.now())


@web.post("/games/<uuid:game_id>/play-again")
@lobby_form
def play_again(visitor: Visitor, game_id: UUID) -> Response:
    """Open a rematch of a finished game, invite its other players, and go to the new table."""
    if not admitted("games", visitor.id):
        return page("notice.html", 429, notice="too-often")
    position = rematch(current_runtime().games, game_id, visitor.id, clock.now(), budget=budget())
    return see_other(url_for("web.show_game", game_id=position.game.id))


def _again(visitor: Visitor, game_id: UUID, reason: str) -> Response:
    games = current_runtime().games
    with transaction(games.engine) as db:
        position = games.open(db, game_id)
        require_known(db, position, visitor.id)
        if position.state is None:
            return show(db, position, 429 if reason == "lobby-mail-budget" else 409, refusal=reason)
    if reason == "lobby-mail-budget":
        return page("notice.html", 429, notice="mail-budget")
    return page("notice.html", 409, notice=reason if reason == "lobby-not-over" else "lobby-started")


def _reason(refusal: Any) -> str:
    """Return the key of the text that explains a refusal."""
    if isinstance(refusal, NotOpen):
        return f"lobby-{refusal.reason}"
    if isinstance(refusal, NoSuchLevel) or (isinstance(refusal, ValidationError) and "level" in refusal.messages_dict):
        return "lobby-no-level"
    if isinstance(refusal, ValidationError) and "name" in refusal.messages_dict:
        return fault_of(refusal) or "join-bad-name"
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
