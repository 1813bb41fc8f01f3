"""The forms about substitutes on the page of a game: the host invites, a stranger asks, a player there answers."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.computers import SubstituteComputer
from schemas.invitations import NewInvitation
from service.handlers import computers, invitations, seat_requests
from service.handlers.invitations import ByLink, ByMail, Words
from service.handlers.refusals import NotSeated, UnknownGame
from service.handlers.seat_requests import Answering, SeatWanted
from service.http.problem_texts import detail
from service.shared import clock
from service.shared.refusal import Refusal
from service.store.invitations import link_token
from service.texts.catalog import say
from service.web.blueprint import web
from service.web.page import admitted, budget, current_runtime
from service.web.session import Visitor, language, missing_page, page, see_other, signed_in
from service.web.table_forms import refused_page

_COMPUTER = SubstituteComputer()
_INVITATION = NewInvitation(only=("email", "seat"))


def _form(act: Callable[..., Response | None]) -> Callable[..., Response]:
    """Carry out a form for the signed-in visitor and show the table again, with the reason of a refusal."""

    @wraps(act)
    @signed_in
    def guarded(visitor: Visitor, game_id: UUID, **place: object) -> Response:
        if not admitted("writing", visitor.id):
            return page("notice.html", 429, notice="too-often")
        try:
            done = act(visitor, game_id, **place)
        except (UnknownGame, NotSeated):
            return missing_page()
        except ValidationError as refusal:
            wrong = "lobby-no-level" if "level" in refusal.messages_dict else "lobby-bad-address"
            return refused_page(visitor, game_id, 422, lambda sitting: say(sitting.language, wrong))
        except Refusal as refusal:
            reason = detail(language(), refusal.code, refusal.case, refusal.members)
            return refused_page(visitor, game_id, refusal.status, lambda _: reason)
        return done or see_other(url_for("web.show_game", game_id=game_id) + "#substitutes")

    return guarded


@web.post("/games/<uuid:game_id>/substitutes")
@_form
def invite_substitute(visitor: Visitor, game_id: UUID) -> Response:
    """Invite the reader of the `email` of the form to its `seat`; without an address, show a link to pass on, once."""
    runtime, now = current_runtime(), clock.now()
    wanted = _INVITATION.load({"seat": _seat()} | ({"email": email} if (email := _email()) else {}))
    words, secret = Words(seat=wanted["seat"]), secrets.token_hex(16)
    whom = ByMail(wanted["email"]) if "email" in wanted else ByLink(secret)
    made = invitations.invite(runtime.games, game_id, visitor.id, whom, now, None, words, budget())
    link = f"{runtime.settings.base_url}/join/{link_token(made.id, secret)}" if isinstance(whom, ByLink) else None
    return page("substitute_invited.html", game_id=game_id, link=link)


@web.post("/games/<uuid:game_id>/substitute-computers")
@_form
def substitute_computer(visitor: Visitor, game_id: UUID) -> None:
    """Let a computer player of the `level` of the form take over its `seat`."""
    wanted = _COMPUTER.load({"seat": _seat(), "level": request.form.get("level", "")})
    games, seat, level = current_runtime().games, wanted["seat"], wanted["level"]
    computers.substitute_computer(games, game_id, visitor.id, seat, level, clock.now())


@web.post("/games/<uuid:game_id>/seat-requests")
@_form
def request_seat(visitor: Visitor, game_id: UUID) -> None:
    """Ask the players for the `seat` of the form."""
    wanted = SeatWanted(game_id, _seat(), visitor.id)
    seat_requests.ask(current_runtime().games, wanted, clock.now(), budget=budget())


@web.post("/games/<uuid:game_id>/seat-requests/<uuid:request_id>/<any(agree, decline, withdraw):answer>")
@_form
def answer_seat_request(visitor: Visitor, game_id: UUID, request_id: UUID, answer: str) -> None:
    """Agree to a request, decline it, or withdraw one's own."""
    games, answering = current_runtime().games, Answering(game_id, request_id, visitor.id, "web")
    if answer == "agree":
        seat_requests.agree(games, answering, clock.now())
    elif answer == "decline":
        seat_requests.decline(games, answering)
    else:
        seat_requests.withdraw(games, game_id, request_id, visitor.id)


def _seat() -> int:
    return max(0, request.form.get("seat", 0, type=int))


def _email() -> str:
    return request.form.get("email", "").strip()
