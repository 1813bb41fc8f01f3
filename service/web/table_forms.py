"""The forms on the page of a game: action, take-back, remark, notes, mails, resignation; and the stream ticket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from flask import Response, jsonify, request, url_for
from marshmallow import Schema, ValidationError

from schemas.follow import NewNotes, NewRemark
from service.handlers import mail_wishes, talk, tickets
from service.handlers.play import Move, play
from service.handlers.refusals import (
    AlreadyResigned,
    BadOrder,
    NotRunning,
    NotSeated,
    NotYourTurn,
    PreconditionFailed,
    StaleDecision,
    TimeHasLapsed,
    TimeNotGiven,
    TooMany,
    UnknownGame,
)
from service.handlers.resign import resign
from service.handlers.take_back import REFUSALS, Wish, take_back
from service.handlers.transaction import transaction
from service.http.problem_texts import detail
from service.log.codec import action_json
from service.rules.kernel import Illegal, Unreadable
from service.shared import clock
from service.store.events import since_decision
from service.store.position import Position
from service.store.visibility import require_known
from service.texts.catalog import say
from service.views.dry_run import reveals
from service.views.talk import notes
from service.web.blueprint import web
from service.web.page import admitted, budget, current_runtime
from service.web.planning import explained, read_notation
from service.web.second_question import asks_twice
from service.web.session import Visitor, missing_page, page, see_other, signed_in
from service.web.sitting import Sitting, sitting_of
from service.web.table import shown
from service.web.take_back import take_back_window
from service.web.unchanged import unless_changed, version_of

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
    """The box that confirms the resignation was not ticked."""


_REFUSALS: Final[tuple[type[Exception], ...]] = (Illegal, Unreadable, _Unsure, TimeNotGiven, BadOrder, TooMany, *_WORDS)


@web.post("/games/<uuid:game_id>/action")
@signed_in
def post_action(visitor: Visitor, game_id: UUID) -> Response:
    """Play the action of the form (`notation`) in answer to its `decision`; the same form sent twice is played once.

    Where it is asked twice (`asks_twice`), an action that reveals something hidden is played only with `sure` in the
    form; else the page asks once more.
    """

    def perform() -> str:
        sitting, decision = sitting_at(visitor, game_id), request.form.get("decision", -1, type=int)
        position, seat = sitting.position, _seat(sitting)
        action = read_notation(position, request.form.get("notation", ""))
        asks = asks_twice(position, seat) and "sure" not in request.form
        if asks and sitting.awaited and decision == position.decision and reveals(position, seat, action):
            query = {"decision": decision, "notation": position.ruleset.notate(action), "asked": "yes"}
            return f"?{urlencode(query)}#act"
        try:
            play(current_runtime().games, Move(game_id, seat, decision, action, "web", player=visitor.id))
        except (StaleDecision, NotYourTurn, Illegal):
            if not _is_done(sitting.position, seat, decision, action):
                raise
        return ""

    return carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/undo")
@signed_in
def take_back_action(visitor: Visitor, game_id: UUID) -> Response:
    """Take back the action that answered the `decision` of the form."""

    def perform() -> str:
        seat, decision = _seat(sitting_at(visitor, game_id)), request.form.get("decision", -1, type=int)
        take_back(current_runtime().games, Wish(game_id, seat, decision, "web"), take_back_window(), clock.now())
        return ""

    return carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/talk")
@signed_in
def post_remark(visitor: Visitor, game_id: UUID) -> Response:
    """Post the `text` of the form to the table talk."""

    def perform() -> str:
        talk.say(current_runtime().games, game_id, visitor.id, _text(_REMARK), "web", clock.now(), budget=budget())
        return "#talk"

    return carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/notes")
@signed_in
def put_notes(visitor: Visitor, game_id: UUID) -> Response:
    """Store the `text` of the form as the player's own notes on the game, unless others were stored meanwhile."""

    def perform() -> str:
        words, now = _text(_NOTES), clock.now()
        unless_changed(
            lambda db: version_of(notes(db, game_id, visitor.id)["text"]),
            lambda: talk.note(current_runtime().games, game_id, visitor.id, words, now),
        )
        return "#notes"

    return carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/mails")
@signed_in
def change_mute(visitor: Visitor, game_id: UUID) -> Response:
    """Mute the mails about the game (`wanted` is `no`), or send them again."""

    def perform() -> str:
        change = mail_wishes.mute if request.form.get("wanted") == "no" else mail_wishes.unmute
        change(current_runtime().games, game_id, visitor.id)
        return ""

    return carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/resignation")
@signed_in
def resign_game(visitor: Visitor, game_id: UUID) -> Response:
    """Resign the game; the form has to contain `sure`."""

    def perform() -> str:
        if "sure" not in request.form:
            raise _Unsure
        resign(current_runtime().games, game_id, visitor.id, "web", clock.now())
        return ""

    return carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/ticket")
@signed_in
def create_stream_ticket(visitor: Visitor, game_id: UUID) -> Response:
    """Return as JSON the address (`url`) of the event stream for the page's script; it works once, within a minute."""
    games = current_runtime().games
    with transaction(games.engine) as db:
        require_known(db, games.open(db, game_id), visitor.id)
        ticket = tickets.issue(db, game_id, visitor.browser.token.id, clock.now())
    return jsonify(url=f"{STREAMS}{ticket}")


def carry_out(visitor: Visitor, game_id: UUID, perform: Callable[[], str]) -> Response:
    """Carry out a form and go back to the table, with the returned query or fragment; or show why it was refused."""
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        part = perform()
    except (UnknownGame, NotSeated):
        return missing_page()
    except ValidationError as error:
        refused: Exception = error
    except _REFUSALS as refusal:
        refused = refusal
    else:
        return see_other(url_for("web.show_game", game_id=game_id) + part)
    status = 422 if isinstance(refused, ValidationError) else 412 if isinstance(refused, PreconditionFailed) else 409
    return refused_page(visitor, game_id, status, lambda sitting: _reason(sitting, refused))


def refused_page(visitor: Visitor, game_id: UUID, status: int, reason: Callable[[Sitting], str]) -> Response:
    """Show the table with the reason why a form was refused.

    Of a game that has not begun the lobby is shown, and nothing of one that the visitor may not see.
    """
    games = current_runtime().games
    with transaction(games.engine) as db:
        position = games.open(db, game_id)
        require_known(db, position, visitor.id)
        if position.state is None:
            return see_other(url_for("web.show_game", game_id=game_id))
        sitting = sitting_of(db, position, visitor)
        return shown(sitting, status, reason(sitting), unsaved=_unsaved())


def _unsaved() -> dict[str, Any]:
    """Return what was in the form that was refused, so that nobody has to write it again."""
    if request.endpoint == "web.choose_auto_answers":
        return {"chosen": request.form.getlist("chosen")}
    written = {"web.put_notes": "note", "web.post_remark": "remark"}.get(request.endpoint or "")
    return {} if written is None else {written: request.form.get("text", "").replace("\r\n", "\n")}


def _reason(sitting: Sitting, refusal: Exception) -> str:
    if isinstance(refusal, Illegal | Unreadable):
        return explained(sitting, refusal)
    if isinstance(refusal, BadOrder):
        why = say(sitting.language, f"order-fault-{refusal.why}") if refusal.illegal is None else None
        return say(sitting.language, "order-bad", reason=why or sitting.described(refusal.illegal))
    if isinstance(refusal, TooMany):
        return say(sitting.language, "order-full", most=refusal.members["most"])
    if isinstance(refusal, TimeHasLapsed | TimeNotGiven):
        return detail(sitting.language, refusal.code, refusal.case, {})
    if isinstance(refusal, ValidationError):
        return say(sitting.language, "at-bad-text")
    return say(sitting.language, _WORDS.get(type(refusal), "at-resign-refused"))


def sitting_at(visitor: Visitor, game_id: UUID) -> Sitting:
    """Return the game with the visitor at it; UnknownGame if the visitor may not know of it."""
    games = current_runtime().games
    with transaction(games.engine) as db:
        position = games.open(db, game_id)
        require_known(db, position, visitor.id)
        return sitting_of(db, position, visitor)


def _seat(sitting: Sitting) -> int:
    if sitting.seat is None:
        raise NotSeated
    return sitting.seat


def _is_done(position: Position, seat: int, decision: int, action: Any) -> bool:
    """Return whether the seat has answered the decision with this very action, because a button was pressed twice."""
    with transaction(current_runtime().games.engine) as db:
        later = since_decision(db, position.codec, position.game.id, decision)
    ours = [each for each in later if (each.seat, each.decision, each.door) == (seat, decision, "web")]
    return [each.action for each in ours if each.action is not None][-1:] == [action_json(action)]


def _text(schema: Schema) -> str:
    # Browsers end the lines of a form with CR LF.
    words = request.form.get("text", "").replace("\r\n", "\n")
    text: str = schema.load({"text": words})["text"]
    return text
