"""Pages behind the link of an invitation: GET shows the table and changes nothing; POST takes a seat.

The link is the only credential, as with turn mails: no cookie, no session, no script. A signed-in visitor takes the
seat as that player. Anybody else becomes a new player and is signed in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import Response, request, url_for
from marshmallow import ValidationError
from sqlalchemy import Connection

from schemas.names import fault_of
from schemas.people import NewPlayer
from service.handlers.invitations import accept, accept_at_the_door, refuse_mail
from service.handlers.people import Arrival
from service.handlers.refusals import (
    CannotTakeOver,
    InvitationOver,
    NotOpen,
    NotRunning,
    SeatAttended,
    UnknownInvitation,
)
from service.handlers.transaction import transaction
from service.mail.strip_links import host_name, strip_links
from service.shared import clock
from service.shared.refusal import Refusal
from service.store import lobby
from service.store.games import Position
from service.store.lobby import Guest, Invitation
from service.texts.catalog import say
from service.texts.games import full_title, pace_text
from service.texts.names import display_name
from service.views.table import view_of_game
from service.web.access.arrival import arrival, own_nonce
from service.web.blueprint import web
from service.web.pace import length_sentence, lengths_here
from service.web.page import current_runtime, render, unknown_page, visitor_language
from service.web.play.guide import board_of
from service.web.post_guard import BUTTON_FIELD, ONE_CLICK, requires_form
from service.web.session import (
    SCRIPT_POLICY,
    Visitor,
    current_visitor,
    is_cross_site,
    language_names,
    passes_csrf_check,
    see_other,
    set_session_cookie,
)

_CLOSED: Final = {"running": "join-started", "finished": "join-started", "cancelled": "join-cancelled"}
_PROFILE: Final = NewPlayer(only=("name", "language"))


@dataclass(frozen=True, slots=True)
class OpenedInvitation:
    """Invitation whose link was opened, with its game."""

    invitation: Invitation
    guest: Guest
    position: Position

    @property
    def language(self) -> str:
        """Return the language of the invited player, else the visitor's."""
        return self.guest.language or visitor_language()

    @property
    def eligible_visitor(self) -> Visitor | None:
        """Return the signed-in visitor if the invitation is for that player or for anybody; else None."""
        visitor = current_visitor()
        return visitor if visitor is not None and self.guest.player in {None, visitor.id} else None

    @property
    def closed(self) -> str | None:
        """Return the key of the notice that says why no seat can be taken; None if a seat can be taken."""
        if not self.invitation.is_good(clock.now()):
            return "join-over"
        if self.invitation.seat is not None:
            return None if self.invitation.seat in self.position.unattended else "substitute-over"
        return _CLOSED.get(self.position.game.status)


@web.get("/join/<token>")
def show_invitation(token: str) -> Response:
    """Show the game, its players and the form to take a seat; or the reason why no seat can be taken."""
    with transaction(current_runtime().games.engine) as db:
        opened = _open_invitation(db, token)
    if opened is None:
        return unknown_page()
    return _seat_taken(opened) or _page(opened, 200)


@web.post("/join/<token>")
@requires_form(show_invitation, "nonce", "name")
def take_seat(token: str) -> Response:
    """Take a seat as the signed-in or invited player, or as a new player with the form's `name` and `language`."""
    with transaction(current_runtime().games.engine) as db:
        opened = _open_invitation(db, token)
    if opened is None:
        return unknown_page()
    if is_cross_site():
        return render("notice.html", opened.language, 403, notice="form-refused")
    try:
        return _seated(opened, token)
    except ValidationError as refusal:
        return _page(opened, 422, say(opened.language, fault_of(refusal) or "join-bad-name"))
    except (InvitationOver, NotOpen, CannotTakeOver, NotRunning, SeatAttended) as refusal:
        return render("notice.html", opened.language, refusal.status, notice=_notice(refusal))


def _notice(refusal: Refusal) -> str:
    if isinstance(refusal, NotOpen):
        return f"join-{refusal.reason}"
    if isinstance(refusal, CannotTakeOver):
        return f"substitute-{refusal.reason}"
    return "join-over" if isinstance(refusal, InvitationOver) else "substitute-over"


def _seated(opened: OpenedInvitation, token: str) -> Response:
    visitor = opened.eligible_visitor
    if visitor is None or not passes_csrf_check(visitor):
        return _seat_guest(opened, token)
    game, _ = accept(current_runtime().games, token, visitor.id, clock.now(), nonce=own_nonce())
    return see_other(url_for("web.show_game", game_id=game))


def _seat_guest(opened: OpenedInvitation, token: str) -> Response:
    """Seat the invited or a new player with the link as the only credential; sign a new player in."""
    now = clock.now()
    _, seat, secret = accept_at_the_door(current_runtime().games, token, _profile(opened), now, own_nonce())
    response = see_other(url_for("web.show_invitation", token=token, seat=seat + 1))
    return response if secret is None else set_session_cookie(response, secret)


def _seat_taken(opened: OpenedInvitation) -> Response | None:
    """Redirect a player of the game to the table; without cookies, confirm the seat just taken (`seat`)."""
    visitor, position = current_visitor(), opened.position
    if visitor is not None and position.seat_of(visitor.id) is not None:
        return see_other(url_for("web.show_game", game_id=position.game.id))
    number = request.args.get("seat", 0, type=int)
    if number - 1 not in {row.seat for row in position.seats}:
        return None
    return render(
        "lobby/joined.html",
        opened.language,
        number=number,
        begun=position.state is not None,
        mailed=opened.invitation.email or opened.guest.name,
    )


@web.get("/join/<token>/never")
def show_refusal(token: str) -> Response:
    """Show the button to opt an address out of invitations."""
    with transaction(current_runtime().games.engine) as db:
        opened = _open_invitation(db, token)
    if opened is None or opened.guest.address is None:
        return unknown_page()
    return render("lobby/never_invite.html", opened.language, action=request.path)


@web.post("/join/<token>/never")
@requires_form(show_refusal, BUTTON_FIELD, ONE_CLICK)
def refuse_invitations(token: str) -> Response:
    """Opt the address out of invitations; for the button, and for one click (RFC 8058)."""
    try:
        refuse_mail(current_runtime().games, token, clock.now())
    except UnknownInvitation:
        return unknown_page()
    return render("notice.html", visitor_language(), notice="never-done")


def _open_invitation(db: Connection, token: str) -> OpenedInvitation | None:
    invitation = lobby.resolve_invitation(db, token)
    if invitation is None:
        return None
    position = current_runtime().games.open(db, invitation.game_id)
    return OpenedInvitation(invitation, lobby.guest_of(db, invitation.id), position)


def _profile(opened: OpenedInvitation) -> Arrival:
    """Return the profile of a new player; ValidationError for a form that lacks a required name."""
    if opened.guest.name is not None:
        return arrival(opened.language)
    sent = {name: value for name, value in request.form.items() if name in ("name", "language")}
    profile = _PROFILE.load(sent)
    return arrival(profile.get("language", opened.language), profile["name"])


def _length(position: Position, spoken: str) -> str:
    game = position.game
    return length_sentence(lengths_here().of(position.ruleset.meta, game.seats, game.options, game.terms.pace), spoken)


def _page(opened: OpenedInvitation, status: int, refusal: str | None = None) -> Response:
    position, closed = opened.position, opened.closed
    if closed is not None:
        return render("notice.html", opened.language, 410, notice=closed)
    taken = {seat.seat: display_name(seat.name, opened.language) for seat in position.seats}
    email = opened.invitation.email
    # The link suffices to take over the seat and to see more, so a spectator's view of the board is safe.
    board = None if opened.invitation.seat is None else view_of_game(position, None, opened.language).board()
    response = render(
        "lobby/invitation.html",
        opened.language,
        status,
        title=full_title(position.ruleset.meta, position.game.options, opened.language),
        name=position.game.terms.name,
        host=host_name(position, opened.language),
        message=strip_links(opened.invitation.message or ""),
        seats=[taken.get(seat) for seat in range(position.game.seats)],
        full=opened.invitation.seat is None and len(taken) == position.game.seats,
        substitute=opened.invitation.seat,
        board=board,
        picture=None if board is None else board_of(board),
        pace=pace_text(opened.language, position.game.terms.pace) if position.game.seats > 1 else None,
        length="" if opened.invitation.seat is not None else _length(position, opened.language),
        forked=position.game.forked_from is not None,
        guest=opened.guest.name,
        known=None if opened.eligible_visitor is None else opened.eligible_visitor.name,
        form_key=None if opened.eligible_visitor is None else opened.eligible_visitor.form_key,
        languages=language_names(),
        refusal=refusal,
        action=request.path,
        written=request.form.get("name", "")[:60],
        mailed=email is not None and email not in {row.email for row in position.seats},
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response
