"""Forms on the page of a table: actions, talk, notes, mails, resignation, hints, orders, agreement, substitutes."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial, wraps
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from flask import Response, jsonify, request, url_for
from marshmallow import Schema, ValidationError
from sqlalchemy import Connection

from schemas.lobby import NewInvitation
from schemas.play import NewNotes, NewRemark, SubstituteComputer
from service.handlers import computers, invitations, mail_preferences, orders, pace, substitutes, talk, tokens
from service.handlers import take_back as handlers_take_back
from service.handlers.invitations import ByLink, ByMail, Words
from service.handlers.orders import NewOrder
from service.handlers.pace import give_time, return_to
from service.handlers.play import Move, play, resign, take_hint
from service.handlers.refusals import (
    AlreadyResigned,
    BadOrder,
    BadPause,
    CannotPause,
    HintsNotAllowed,
    NoPause,
    NotRunning,
    NotSeated,
    NotYourTurn,
    PreconditionFailed,
    StaleDecision,
    TakeBackOver,
    TimeHasLapsed,
    TimeNotGiven,
    TooMany,
    UnknownGame,
)
from service.handlers.substitutes import Answering, SeatWanted
from service.handlers.take_back import REFUSALS, Wish, take_back
from service.handlers.transaction import transaction
from service.http.problems import detail
from service.log.codec import action_json
from service.rules.kernel import Illegal, Unreadable
from service.shared import clock
from service.shared.refusal import Refusal
from service.store.events import since_decision
from service.store.games import Position, require_known
from service.store.lobby import invitation_token
from service.texts.catalog import say
from service.views.dry_run import reveals
from service.views.orders import auto_answers
from service.views.table import notes
from service.web.blueprint import web
from service.web.page import admitted, budget, current_runtime
from service.web.play.action_picker import confirms_reveals, explain_refusal, read_notation
from service.web.play.table_page import render_table
from service.web.play.table_sections import take_back_window
from service.web.post_guard import unless_changed, version_of
from service.web.session import Visitor, language, missing_page, page, see_other, signed_in
from service.web.viewer_context import ViewerContext, viewer_context

STREAMS: Final = "/api/v1/streams/"
_REMARK: Final = NewRemark()
_NOTES: Final = NewNotes()
_WORDS: Final[dict[type[Exception], str]] = {
    **dict.fromkeys(REFUSALS, "at-no-undo"),
    StaleDecision: "at-stale",
    NotYourTurn: "at-not-turn",
    NotRunning: "at-too-late",
    AlreadyResigned: "at-too-late",
    PreconditionFailed: "at-changed",
}


class _Unsure(Exception):
    """Resignation without a tick in its confirmation box."""


_REFUSALS: Final[tuple[type[Exception], ...]] = (Illegal, Unreadable, _Unsure, TimeNotGiven, BadOrder, TooMany, *_WORDS)


def _table_form(act: Callable[..., str]) -> Callable[..., Response]:
    """Carry out a form for the signed-in visitor, and go back to the table, or show why it was refused.

    `act` returns the query or the fragment for the table's address.
    """

    @wraps(act)
    @signed_in
    def guarded(visitor: Visitor, game_id: UUID) -> Response:
        if not admitted("writing", visitor.id):
            return page("notice.html", 429, notice="too-often")
        try:
            part = act(visitor, game_id)
        except (UnknownGame, NotSeated):
            return missing_page()
        except ValidationError as error:
            refused: Exception = error
        except _REFUSALS as refusal:
            refused = refusal
        else:
            return see_other(url_for("web.show_game", game_id=game_id) + part)
        statuses: dict[type[Exception], int] = {ValidationError: 422, PreconditionFailed: 412}
        status = statuses.get(type(refused), 409)
        return refused_page(visitor, game_id, status, lambda context: _reason(context, refused))

    return guarded


@web.post("/games/<uuid:game_id>/action")
@_table_form
def post_action(visitor: Visitor, game_id: UUID) -> str:
    """Play the action of the form (`notation`) in answer to its `decision`; the same form sent twice plays once.

    Where reveals are confirmed (`confirms_reveals`), an action that reveals something is played only with `sure` in the
    form; else the page asks once more.
    """
    context, decision = context_at(visitor, game_id), request.form.get("decision", -1, type=int)
    position, seat = context.position, _seat(context)
    action = read_notation(position, request.form.get("notation", ""))
    asks = confirms_reveals(position, seat) and "sure" not in request.form
    if asks and context.awaited and decision == position.decision and reveals(position, seat, action):
        query = {"decision": decision, "notation": position.ruleset.notate(action), "asked": "yes"}
        return f"?{urlencode(query)}#act"
    try:
        play(current_runtime().games, Move(game_id, seat, decision, action, "web", player=visitor.id))
    except (StaleDecision, NotYourTurn, Illegal):
        if not _is_done(context.position, seat, decision, action):
            raise
    return ""


@web.post("/games/<uuid:game_id>/undo")
@_table_form
def take_back_action(visitor: Visitor, game_id: UUID) -> str:
    """Take back the action that answered the `decision` of the form."""
    seat, decision = _seat(context_at(visitor, game_id)), request.form.get("decision", -1, type=int)
    take_back(current_runtime().games, Wish(game_id, seat, decision, "web"), take_back_window(), clock.now())
    return ""


@web.post("/games/<uuid:game_id>/talk")
@_table_form
def post_remark(visitor: Visitor, game_id: UUID) -> str:
    """Post the `text` of the form to the table talk."""
    talk.say(current_runtime().games, game_id, visitor.id, _text(_REMARK), "web", clock.now(), budget=budget())
    return "#talk"


@web.post("/games/<uuid:game_id>/notes")
@_table_form
def put_notes(visitor: Visitor, game_id: UUID) -> str:
    """Store the `text` of the form as the player's own notes on the game, unless the notes have changed since."""
    words, now = _text(_NOTES), clock.now()
    unless_changed(
        lambda db: version_of(notes(db, game_id, visitor.id)["text"]),
        lambda: talk.note(current_runtime().games, game_id, visitor.id, words, now),
    )
    return "#notes"


@web.post("/games/<uuid:game_id>/mails")
@_table_form
def change_mute(visitor: Visitor, game_id: UUID) -> str:
    """Mute the mails about the game (`wanted` is `no`), or unmute them."""
    change = mail_preferences.mute if request.form.get("wanted") == "no" else mail_preferences.unmute
    change(current_runtime().games, game_id, visitor.id)
    return ""


@web.post("/games/<uuid:game_id>/resignation")
@_table_form
def resign_game(visitor: Visitor, game_id: UUID) -> str:
    """Resign the game; the form has to contain `sure`."""
    if "sure" not in request.form:
        raise _Unsure
    resign(current_runtime().games, game_id, visitor.id, "web", clock.now())
    return ""


@web.post("/games/<uuid:game_id>/ticket")
@signed_in
def create_stream_ticket(visitor: Visitor, game_id: UUID) -> Response:
    """Return as JSON the address (`url`) of the event stream for the page's script; valid once, within a minute."""
    games = current_runtime().games
    with transaction(games.engine) as db:
        require_known(db, games.open(db, game_id), visitor.id)
        ticket = tokens.issue_ticket(db, game_id, visitor.browser.token.id, clock.now())
    return jsonify(url=f"{STREAMS}{ticket}")


def refused_page(visitor: Visitor, game_id: UUID, status: int, reason: Callable[[ViewerContext], str]) -> Response:
    """Show the table with the reason why a form was refused.

    Redirects to the lobby of a game that has not begun; UnknownGame if the visitor may not see the game.
    """
    games = current_runtime().games
    with transaction(games.engine) as db:
        position = games.open(db, game_id)
        require_known(db, position, visitor.id)
        if position.state is None:
            return see_other(url_for("web.show_game", game_id=game_id))
        context = viewer_context(db, position, visitor)
        return render_table(context, status, reason(context), unsaved=_unsaved())


def _unsaved() -> dict[str, Any]:
    """Return the input of the refused form, so that nobody has to write it again."""
    if request.endpoint == "web.choose_auto_answers":
        return {"chosen": request.form.getlist("chosen")}
    written = {"web.put_notes": "note", "web.post_remark": "remark"}.get(request.endpoint or "")
    return {} if written is None else {written: request.form.get("text", "").replace("\r\n", "\n")}


def _reason(context: ViewerContext, refusal: Exception) -> str:
    if isinstance(refusal, Illegal | Unreadable):
        return explain_refusal(context, refusal)
    if isinstance(refusal, BadOrder):
        why = say(context.language, f"order-fault-{refusal.why}") if refusal.illegal is None else None
        return say(context.language, "order-bad", reason=why or context.described(refusal.illegal))
    if isinstance(refusal, TooMany):
        return say(context.language, "order-full", most=refusal.members["most"])
    if isinstance(refusal, TimeHasLapsed | TimeNotGiven):
        return detail(context.language, refusal.code, refusal.case, {})
    if isinstance(refusal, ValidationError):
        return say(context.language, "at-bad-text")
    return say(context.language, _WORDS.get(type(refusal), "at-resign-refused"))


def context_at(visitor: Visitor, game_id: UUID) -> ViewerContext:
    """Return the game with the visitor as its viewer; UnknownGame if the visitor may not know of the game."""
    games = current_runtime().games
    with transaction(games.engine) as db:
        position = games.open(db, game_id)
        require_known(db, position, visitor.id)
        return viewer_context(db, position, visitor)


def _seat(context: ViewerContext) -> int:
    if context.seat is None:
        raise NotSeated
    return context.seat


def _is_done(position: Position, seat: int, decision: int, action: Any) -> bool:
    """Return whether the seat has already answered the decision with this action (button pressed twice)."""
    with transaction(current_runtime().games.engine) as db:
        later = since_decision(db, position.codec, position.game.id, decision)
    ours = [each for each in later if (each.seat, each.decision, each.door) == (seat, decision, "web")]
    return [each.action for each in ours if each.action is not None][-1:] == [action_json(action)]


def _text(schema: Schema) -> str:
    # Browsers end the lines of a form with CR LF.
    words = request.form.get("text", "").replace("\r\n", "\n")
    text: str = schema.load({"text": words})["text"]
    return text


# Hints.


@web.post("/games/<uuid:game_id>/hints")
@_table_form
def take_a_hint(visitor: Visitor, game_id: UUID) -> str:
    """Count a hint, and show it at the table."""
    try:
        take_hint(current_runtime().games, game_id, visitor.id, "web")
    except HintsNotAllowed:
        # No page of the game has the form.
        return ""
    return "?hint=yes#hints"


# Time: more time for others, and the end of an absence.


@web.post("/games/<uuid:game_id>/time")
@_table_form
def give_more_time(visitor: Visitor, game_id: UUID) -> str:
    """Give the `seat` of the form its free time once more."""
    seat = request.form.get("seat", -1, type=int)
    give_time(current_runtime().games, game_id, visitor.id, seat, "web")
    return ""


@web.post("/games/<uuid:game_id>/back")
@_table_form
def say_back(visitor: Visitor, game_id: UUID) -> str:
    """End the player's absence."""
    return_to(current_runtime().games, game_id, visitor.id, "web")
    return ""


# Orders and auto-answers.


@web.post("/games/<uuid:game_id>/orders")
@_table_form
def give_order(visitor: Visitor, game_id: UUID) -> str:
    """Append the action of the form (`notation`) to the player's orders; `as_now` adds the present state as a
    condition."""
    action = read_notation(context_at(visitor, game_id).position, request.form.get("notation", ""))
    given = NewOrder(action, None if "as_now" in request.form else ())
    orders.give_more(current_runtime().games, game_id, visitor.id, [given], clock.now())
    return "#orders"


@web.post("/games/<uuid:game_id>/orders/cancel")
@_table_form
def cancel_orders(visitor: Visitor, game_id: UUID) -> str:
    """Cancel all orders of the player in the game."""
    orders.cancel(current_runtime().games, game_id, visitor.id, clock.now())
    return ""


@web.post("/games/<uuid:game_id>/auto-answers")
@_table_form
def choose_auto_answers(visitor: Visitor, game_id: UUID) -> str:
    """Turn on auto-answers for the kinds `chosen` (one value per ticked box); turn off the others."""
    chosen = request.form.getlist("chosen")
    games, now = current_runtime().games, clock.now()

    def version(db: Connection) -> str:
        position = games.open(db, game_id)
        seat = position.seat_of(visitor.id)
        known = [] if seat is None else auto_answers(position, seat, visitor.language)
        return version_of([each["name"] for each in known if each["chosen"]])

    unless_changed(version, lambda: orders.choose_auto_answers(games, game_id, visitor.id, chosen, now))
    return "#auto-answers"


# Agreement: pauses, and actions taken back by consent.

_AGREEMENT_REFUSALS: Final = (
    *handlers_take_back.REQUEST_REFUSALS,
    TakeBackOver,
    AlreadyResigned,
    CannotPause,
    NoPause,
    BadPause,
)


def _agreement_form(act: Callable[..., None]) -> Callable[..., Response]:
    """Carry out a form for the signed-in visitor, and go back to the table, or show why it was refused."""

    @wraps(act)
    @signed_in
    def guarded(visitor: Visitor, game_id: UUID) -> Response:
        if not admitted("writing", visitor.id):
            return page("notice.html", 429, notice="too-often")
        try:
            act(visitor, game_id)
        except (UnknownGame, NotSeated):
            return missing_page()
        except _AGREEMENT_REFUSALS as refusal:
            return refused_page(visitor, game_id, 409, partial(_agreement_reason, refusal=refusal))
        return see_other(url_for("web.show_game", game_id=game_id) + "#agreement")

    return guarded


@web.post("/games/<uuid:game_id>/pause")
@_agreement_form
def propose_pause(visitor: Visitor, game_id: UUID) -> None:
    """Propose a pause of `days` days."""
    now, days = clock.now(), request.form.get("days", 0, type=int)
    until = now + timedelta(days=min(max(days, 0), 31))
    pace.propose_pause(current_runtime().games, game_id, visitor.id, until, "web", now, budget=budget())


@web.post("/games/<uuid:game_id>/pause/agreement")
@_agreement_form
def agree_to_pause(visitor: Visitor, game_id: UUID) -> None:
    """Agree to the proposed pause that ends at `until`."""
    until = _moment(request.form.get("until", ""))
    pace.agree_to_pause(current_runtime().games, game_id, visitor.id, until, "web", clock.now())


@web.post("/games/<uuid:game_id>/pause/end")
@_agreement_form
def end_pause(visitor: Visitor, game_id: UUID) -> None:
    """End the pause of the game, or withdraw the visitor's own proposal of a pause."""
    pace.stop_pause(current_runtime().games, game_id, visitor.id, "web", clock.now())


@web.post("/games/<uuid:game_id>/take-back-request")
@_agreement_form
def request_take_back(visitor: Visitor, game_id: UUID) -> None:
    """Ask the others to agree to taking back the action that answered the form's `decision`."""
    games, decision = current_runtime().games, request.form.get("decision", -1, type=int)
    handlers_take_back.ask_to_take_back(games, game_id, visitor.id, decision, "web", clock.now(), budget=budget())


@web.post("/games/<uuid:game_id>/take-back-request/agreement")
@_agreement_form
def agree_to_take_back(visitor: Visitor, game_id: UUID) -> None:
    """Agree to the request for the action that begins with the event `first`."""
    first = request.form.get("first", 0, type=int)
    handlers_take_back.agree_to_take_back(current_runtime().games, game_id, visitor.id, first, "web", clock.now())


@web.post("/games/<uuid:game_id>/take-back-request/refusal")
@_agreement_form
def decline_take_back(visitor: Visitor, game_id: UUID) -> None:
    """Decline the request for the action that begins with the event `first`, or withdraw the visitor's own."""
    first = request.form.get("first", 0, type=int)
    handlers_take_back.decline_take_back(current_runtime().games, game_id, visitor.id, first, clock.now())


def _moment(text: str) -> datetime:
    """Return the time in a hidden field, which has a UTC offset; NoPause for any other text."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise NoPause("not-proposed") from None
    if moment.tzinfo is None:
        raise NoPause("not-proposed")
    return moment


def _agreement_reason(context: ViewerContext, refusal: Refusal) -> str:
    return detail(context.language, refusal.code, refusal.case, refusal.members)


# Substitutes: the host invites, a stranger asks, a player at the table answers.

_COMPUTER = SubstituteComputer()
_INVITATION = NewInvitation(only=("email", "seat"))


def _substitute_form(act: Callable[..., Response | None]) -> Callable[..., Response]:
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
            return refused_page(visitor, game_id, 422, lambda context: say(context.language, wrong))
        except Refusal as refusal:
            reason = detail(language(), refusal.code, refusal.case, refusal.members)
            return refused_page(visitor, game_id, refusal.status, lambda _: reason)
        return done or see_other(url_for("web.show_game", game_id=game_id) + "#substitutes")

    return guarded


@web.post("/games/<uuid:game_id>/substitutes")
@_substitute_form
def invite_substitute(visitor: Visitor, game_id: UUID) -> Response:
    """Invite the `email` of the form to take over its `seat`; without an address, show a link to pass on, once."""
    runtime, now = current_runtime(), clock.now()
    wanted = _INVITATION.load({"seat": _posted_seat()} | ({"email": email} if (email := _posted_email()) else {}))
    words, secret = Words(seat=wanted["seat"]), secrets.token_hex(16)
    whom = ByMail(wanted["email"]) if "email" in wanted else ByLink(secret)
    made = invitations.invite(runtime.games, game_id, visitor.id, whom, now, None, words, budget())
    link = f"{runtime.settings.base_url}/join/{invitation_token(made.id, secret)}" if isinstance(whom, ByLink) else None
    return page("play/substitute_invited.html", game_id=game_id, link=link)


@web.post("/games/<uuid:game_id>/substitute-computers")
@_substitute_form
def substitute_computer(visitor: Visitor, game_id: UUID) -> None:
    """Let a computer player of the `level` of the form take over its `seat`."""
    wanted = _COMPUTER.load({"seat": _posted_seat(), "level": request.form.get("level", "")})
    games, seat, level = current_runtime().games, wanted["seat"], wanted["level"]
    computers.substitute_computer(games, game_id, visitor.id, seat, level, clock.now())


@web.post("/games/<uuid:game_id>/seat-requests")
@_substitute_form
def request_seat(visitor: Visitor, game_id: UUID) -> None:
    """Ask the players for the `seat` of the form."""
    wanted = SeatWanted(game_id, _posted_seat(), visitor.id)
    substitutes.ask_for_seat(current_runtime().games, wanted, clock.now(), budget=budget())


@web.post("/games/<uuid:game_id>/seat-requests/<uuid:request_id>/<any(agree, decline, withdraw):answer>")
@_substitute_form
def answer_seat_request(visitor: Visitor, game_id: UUID, request_id: UUID, answer: str) -> None:
    """Agree to a request, decline it, or withdraw the visitor's own."""
    games, answering = current_runtime().games, Answering(game_id, request_id, visitor.id, "web")
    if answer == "agree":
        substitutes.agree_to_seat_request(games, answering, clock.now())
    elif answer == "decline":
        substitutes.decline_seat_request(games, answering)
    else:
        substitutes.withdraw_seat_request(games, game_id, request_id, visitor.id)


def _posted_seat() -> int:
    return max(0, request.form.get("seat", 0, type=int))


def _posted_email() -> str:
    return request.form.get("email", "").strip()
