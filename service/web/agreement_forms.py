"""The forms on the page of a game by which players propose, agree to and end pauses, and have actions taken back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from uuid import UUID

from flask import Response, request, url_for

from service.handlers import pause, take_back_request
from service.handlers.refusals import (
    AlreadyResigned,
    BadPause,
    CannotPause,
    NoPause,
    NotSeated,
    TakeBackOver,
    UnknownGame,
)
from service.http.problem_texts import detail
from service.shared import clock
from service.shared.refusal import Refusal
from service.web.blueprint import web
from service.web.page import admitted, budget, current_runtime
from service.web.session import Visitor, missing_page, page, see_other, signed_in
from service.web.sitting import Sitting
from service.web.table_forms import refused_page

_REFUSALS: Final = (*take_back_request.REFUSALS, TakeBackOver, AlreadyResigned, CannotPause, NoPause, BadPause)


@web.post("/games/<uuid:game_id>/pause")
@signed_in
def propose_pause(visitor: Visitor, game_id: UUID) -> Response:
    """Propose a pause of so many `days`."""

    def perform() -> None:
        now, days = clock.now(), request.form.get("days", 0, type=int)
        until = now + timedelta(days=min(max(days, 0), 31))
        pause.propose(current_runtime().games, game_id, visitor.id, until, "web", now, budget=budget())

    return _carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/pause/agreement")
@signed_in
def agree_to_pause(visitor: Visitor, game_id: UUID) -> Response:
    """Agree to the pause that is proposed `until` a moment."""

    def perform() -> None:
        until = _moment(request.form.get("until", ""))
        pause.agree(current_runtime().games, game_id, visitor.id, until, "web", clock.now())

    return _carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/pause/end")
@signed_in
def end_pause(visitor: Visitor, game_id: UUID) -> Response:
    """End the pause of the game, or withdraw the visitor's own proposal of a pause."""

    def perform() -> None:
        pause.stop(current_runtime().games, game_id, visitor.id, "web", clock.now())

    return _carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/take-back-request")
@signed_in
def request_take_back(visitor: Visitor, game_id: UUID) -> Response:
    """Ask the others to have the action taken back that answered the `decision` of the form."""

    def perform() -> None:
        games, decision = current_runtime().games, request.form.get("decision", -1, type=int)
        take_back_request.ask(games, game_id, visitor.id, decision, "web", clock.now(), budget=budget())

    return _carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/take-back-request/agreement")
@signed_in
def agree_to_take_back(visitor: Visitor, game_id: UUID) -> Response:
    """Agree to the request for the action that begins with the event `first`."""

    def perform() -> None:
        first = request.form.get("first", 0, type=int)
        take_back_request.agree(current_runtime().games, game_id, visitor.id, first, "web", clock.now())

    return _carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/take-back-request/refusal")
@signed_in
def decline_take_back(visitor: Visitor, game_id: UUID) -> Response:
    """Decline the request for the action that begins with the event `first`, or withdraw one's own."""

    def perform() -> None:
        first = request.form.get("first", 0, type=int)
        take_back_request.decline(current_runtime().games, game_id, visitor.id, first, clock.now())

    return _carry_out(visitor, game_id, perform)


def _moment(text: str) -> datetime:
    """Return the moment of a hidden field, which names its offset from UTC; NoPause for any other text."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise NoPause("not-proposed") from None
    if moment.tzinfo is None:
        raise NoPause("not-proposed")
    return moment


def _carry_out(visitor: Visitor, game_id: UUID, perform: Callable[[], None]) -> Response:
    """Carry out a form and go back to the table, or show why it was refused."""
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        perform()
    except (UnknownGame, NotSeated):
        return missing_page()
    except _REFUSALS as refusal:
        return refused_page(visitor, game_id, 409, partial(_reason, refusal=refusal))
    return see_other(url_for("web.show_game", game_id=game_id) + "#agreement")


def _reason(sitting: Sitting, refusal: Refusal) -> str:
    return detail(sitting.language, refusal.code, refusal.case, refusal.members)
