"""The pages behind an invitation's link: GET shows the table, and changes nothing at all; POST takes a seat.

As with the links of turn mails, the link is the only credential: it needs no cookie, no session, no script. Whoever has
signed in at the browser sits down as who they are; whoever is new there is signed in with the seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import Response, request, url_for
from marshmallow import ValidationError
from sqlalchemy import Connection

from schemas.lobby import NewPlayer
from schemas.names import fault_of
from service.handlers.invitations import accept, accept_at_the_door, refuse_mail
from service.handlers.refusals import InvitationOver, NotOpen, UnknownInvitation
from service.handlers.transaction import transaction
from service.mail.harmless import harmless, host_name
from service.shared import clock
from service.store import invitations
from service.store.invitations import Guest, Invitation
from service.store.position import Position
from service.texts.catalog import say
from service.web.blueprint import web
from service.web.nonce import own_nonce
from service.web.page import answer, runtime, unknown_page, visitor_language
from service.web.pressed import ONE_CLICK, PRESS, only_pressed
from service.web.session import LANGUAGE_NAMES, LIVELY, Visitor, from_elsewhere, genuine, go_to, remember, visitor

_CLOSED: Final = {"running": "join-started", "finished": "join-started", "cancelled": "join-cancelled"}
_PROFILE: Final = NewPlayer(only=("name", "language"))


@dataclass(frozen=True, slots=True)
class Call:
    """An invitation that somebody has opened, and the game that it is to."""

    invitation: Invitation
    guest: Guest
    position: Position

    @property
    def language(self) -> str:
        """The language of the player who is invited, or else the visitor's."""
        return self.guest.language or visitor_language()

    @property
    def known(self) -> Visitor | None:
        """Who has signed in at the browser, if the invitation may be theirs."""
        there = visitor()
        return there if there is not None and self.invitation.player_id in {None, there.id} else None

    @property
    def closed(self) -> str | None:
        """Why no seat can be taken, as the name of a notice."""
        if not self.invitation.is_good(clock.now()):
            return "join-over"
        return _CLOSED.get(self.position.game.status)


@web.get("/join/<token>")
def show_invitation(token: str) -> Response:
    """Show the game, who sits there, and a form to sit down; or why there is no seat to take."""
    with transaction(runtime().games.engine) as db:
        call = _call(db, token)
    if call is None:
        return unknown_page()
    return _seat_taken(call) or _page(call, 200)


@web.post("/join/<token>")
@only_pressed(show_invitation, "nonce", "name")
def take_seat(token: str) -> Response:
    """Take a seat: as the player who has signed in or is invited, or else as a new one, by `name` and `language`."""
    with transaction(runtime().games.engine) as db:
        call = _call(db, token)
    if call is None:
        return unknown_page()
    if from_elsewhere():
        return answer("notice.html", call.language, 403, notice="form-refused")
    try:
        return _seated(call, token)
    except ValidationError as refusal:
        return _page(call, 422, say(call.language, fault_of(refusal) or "join-bad-name"))
    except InvitationOver:
        return answer("notice.html", call.language, 410, notice="join-over")
    except NotOpen as refusal:
        return answer("notice.html", call.language, 409, notice=f"join-{refusal.reason}")


def _seated(call: Call, token: str) -> Response:
    there = call.known
    if there is None or not genuine(there):
        return _welcome(call, token)
    game, _ = accept(runtime().games, token, there.id, clock.now(), nonce=own_nonce())
    return go_to(url_for("web.show_game", game_id=game))


def _welcome(call: Call, token: str) -> Response:
    """Seat whoever has nothing but the link, and sign the browser of a new player in."""
    name, language = _profile(call)
    _, seat, secret = accept_at_the_door(runtime().games, token, name, language, clock.now(), own_nonce())
    onward = go_to(url_for("web.show_invitation", token=token, seat=seat + 1))
    return onward if secret is None else remember(onward, secret)


def _seat_taken(call: Call) -> Response | None:
    """Lead whoever sits there already to the table, and tell a browser without cookies that its `seat` is taken."""
    there, position = visitor(), call.position
    if there is not None and position.seat_of(there.id) is not None:
        return go_to(url_for("web.show_game", game_id=position.game.id))
    number = request.args.get("seat", 0, type=int)
    if number - 1 not in {row.seat for row in position.seats}:
        return None
    return answer(
        "joined.html",
        call.language,
        number=number,
        begun=position.state is not None,
        mailed=call.invitation.email or call.guest.name,
    )


@web.get("/join/<token>/never")
def show_refusal(token: str) -> Response:
    """Show a button by which an address gets no more invitations."""
    with transaction(runtime().games.engine) as db:
        call = _call(db, token)
    if call is None or call.guest.address is None:
        return unknown_page()
    return answer("never.html", call.language, action=request.path)


@web.post("/join/<token>/never")
@only_pressed(show_refusal, PRESS, ONE_CLICK)
def refuse_invitations(token: str) -> Response:
    """See to it that the address gets no more invitations; for the page's button, and for one click (RFC 8058)."""
    try:
        refuse_mail(runtime().games, token, clock.now())
    except UnknownInvitation:
        return unknown_page()
    return answer("notice.html", visitor_language(), notice="never-done")


def _call(db: Connection, token: str) -> Call | None:
    invitation = invitations.resolve(db, token)
    if invitation is None:
        return None
    position = runtime().games.open(db, invitation.game_id)
    return Call(invitation, invitations.guest_of(db, invitation.id), position)


def _profile(call: Call) -> tuple[str, str]:
    """Return name and language of whoever is to sit down; ValidationError."""
    guest = call.guest
    if guest.name is not None and guest.language is not None:
        return guest.name, guest.language
    sent = {name: value for name, value in request.form.items() if name in ("name", "language")}
    profile = _PROFILE.load(sent)
    return profile["name"], profile.get("language", call.language)


def _page(call: Call, status: int, refusal: str | None = None) -> Response:
    position, closed = call.position, call.closed
    if closed is not None:
        return answer("notice.html", call.language, 410, notice=closed)
    taken = {seat.seat: seat.name for seat in position.seats}
    page = answer(
        "join.html",
        call.language,
        status,
        title=position.ruleset.meta.title,
        name=position.game.terms.name,
        host=host_name(position, call.language),
        message=harmless(call.invitation.message or ""),
        seats=[taken.get(seat) for seat in range(position.game.seats)],
        full=len(taken) == position.game.seats,
        forked=position.game.forked_from is not None,
        guest=call.guest.name,
        known=None if call.known is None else call.known.name,
        form_key=None if call.known is None else call.known.form_key,
        languages=LANGUAGE_NAMES,
        refusal=refusal,
        action=request.path,
        written=request.form.get("name", "")[:60],
        mailed=call.invitation.email is not None and call.invitation.email not in {row.email for row in position.seats},
    )
    page.headers["Content-Security-Policy"] = LIVELY
    return page
