"""Posted actions: played, tried in a dry run, taken back; and the explanation of refusals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

from flask import current_app
from marshmallow import ValidationError

from schemas.actions import Actions
from service.api.auth import identity, player, runtime
from service.api.idempotency import REPEATED
from service.api.prefer import MINIMAL, prefers_minimal
from service.api.viewers import look
from service.handlers.authentication import Authenticated
from service.handlers.play import Move, Played, check, play
from service.handlers.refusals import (
    IllegalAction,
    NotSeated,
    StaleDecision,
    TimeHasLapsed,
    UnreadableNotation,
)
from service.handlers.take_back import Wish, last_undoable, take_back
from service.handlers.transaction import statements, transaction
from service.http.limits import admit, refuse_if_exhausted
from service.http.problems import faults, problem_language
from service.http.request import current_request
from service.log.codec import action_json
from service.rules.kernel import Illegal, Unreadable
from service.shared import clock
from service.shared.refusal import Invalid
from service.store.access import PlayerRow
from service.store.games import Games, Position, require_known
from service.store.idempotency import IdempotencyKey
from service.texts.games import only_in
from service.views.dry_run import dry_run
from service.views.history import visible_events
from service.views.sentences import sent_action
from service.views.table import choices, spoken, table

ACTIONS = "actions"
"""Where the app keeps the schemas of the actions, by ruleset."""
RAISED = "boardroom.raised"
"""Where a request's environment keeps what was raised when its action was tried before Flask was asked."""


def submit(
    game_id: UUID, posted: Mapping[str, Any], header: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Play the posted action for the asking player; return the answer and its headers. Raises Refusal.

    `header` are the headers of the request, as the schema Acting has them.
    """
    raised: Exception | None = current_request().environ.get(RAISED)
    if raised is not None:
        raise raised
    return answer_to(_play(game_id, posted, header.get("key")), player().id, header.get("prefer"))


def answer_to(played: Played, me: UUID, prefer: str | None) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what the player of an action is answered, as the header Prefer asks for it, and the headers of that."""
    position = played.position
    seat = _seat(position, me)
    # The position is as new as the action; what is known of the player may be older.
    minimal = prefers_minimal(prefer)
    told = shown(played, seat, spoken(position, position.seats[seat].language), minimal)
    return told, (REPEATED if played.again else {}) | (MINIMAL if minimal else {})


def _play(game_id: UUID, posted: Mapping[str, Any], key: str | None) -> Played:
    games, asking = runtime().games, identity()
    position = _position(games, asking, game_id)
    seat = _seat(position, asking.player.id)
    if not is_due(position, seat, posted["decision"]):
        refuse_if_exhausted()
    move = _move(position, asking.player, posted)
    with _explaining(position, move, spoken(position, asking.player.language)):
        return play(games, move, _key(asking.player, key), position)


def retract(game_id: UUID, decision: int, key: str | None) -> tuple[dict[str, Any], dict[str, str]]:
    """Take back the asking player's answer to the decision; return the answer and its headers."""
    games, asking = runtime().games, identity()
    me, position = asking.player, _position(games, asking, game_id)
    wish = Wish(game_id, _seat(position, me.id), decision, "api")
    played = take_back(games, wish, _window(), clock.now(), _key(me, key))
    return shown(played, wish.seat, spoken(played.position, me.language)), REPEATED if played.again else {}


def retractable(game_id: UUID) -> dict[str, Any]:
    """Return the decision whose answer the asking player can take back, and until when; null for both if none."""
    with look(game_id) as looking:
        position, seat, window = looking.position, looking.seat, _window()
        first = None
        if seat is not None and position.game.status == "running":
            first = last_undoable(looking.db, position, seat, window, clock.now())
    if first is None:
        return {"decision": None, "until": None}
    return {"decision": first.decision, "until": (first.at + window).isoformat()}


def rehearse(game_id: UUID, posted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the posted action would cause, and play nothing; raises what `submit` raises.

    It counts as reading, not as a refused action, since it costs no more than a view.
    """
    games, me = runtime().games, player()
    admit("reading", me.id)
    with transaction(games.engine) as db:
        position = games.open(db, game_id)
        require_known(db, position, me.id)
        move, language = _move(position, me, posted), spoken(position, me.language)
        with _explaining(position, move, language):
            check(db, position, move)
            return dry_run(position, move.seat, move.action, language)


def shown(played: Played, seat: int | None, language: str, minimal: bool = False) -> dict[str, Any]:
    """Return what was played as the seat may know it: the events, and the table after them.

    The minimal answer has neither the events nor the table's view: they take most of its time and of its bytes.
    """
    position = played.position
    return {
        "version": position.version,
        "decision": position.decision,
        "events": [] if minimal else visible_events(position, played.events, seat, language),
        "table": table(position, seat, language, with_view=not minimal),
    }


def _window() -> timedelta:
    return timedelta(seconds=runtime().settings.take_back_seconds)


def _position(games: Games, asking: Authenticated, game_id: UUID) -> Position:
    """Return the game that was read with the token, usually without another statement."""
    me, opened = asking.player.id, asking.opened
    position = None if opened is None else games.at_hand(opened)
    if position is not None and position.seat_of(me) is not None:
        return position
    with statements(games.engine) as db:
        position = games.open(db, game_id, opened)
        require_known(db, position, me)
        return position


def _seat(position: Position, me: UUID) -> int:
    seat = position.seat_of(me)
    if seat is None:
        raise NotSeated
    return seat


def _key(me: PlayerRow, key: str | None) -> IdempotencyKey | None:
    return None if key is None else IdempotencyKey(me.id, key)


def _move(position: Position, me: PlayerRow, posted: Mapping[str, Any]) -> Move:
    seat, action = _seat(position, me.id), read_action(position, posted)
    return Move(position.game.id, seat, posted["decision"], action, "api", player=me.id)


@contextmanager
def _explaining(position: Position, move: Move, language: str) -> Iterator[None]:
    """Context manager that adds to StaleDecision the events since, in the language, and to Illegal the reason."""
    try:
        yield
    except StaleDecision as stale:
        now = stale.position
        stale.members = {
            "decision": now.decision,
            "version": now.version,
            "since": visible_events(now, stale.since, move.seat, language),
            "legal_actions": choices(now, move.seat, language),
        }
        if isinstance(stale, TimeHasLapsed):
            stale.members["played"] = _played_instead(stale, move.seat, language)
        raise
    except Illegal as illegal:
        asked_in = problem_language()
        said_in = spoken(position, asked_in)
        reason = position.ruleset.describe(illegal, move.seat, said_in, position.names_in(said_in))
        detail = " ".join(filter(None, [only_in(position.ruleset.meta, asked_in), reason]))
        raise IllegalAction(detail=detail, code=illegal.code, rule=illegal.rule, language=said_in) from illegal


def _played_instead(lapsed: TimeHasLapsed, seat: int, language: str) -> dict[str, Any] | None:
    """Return the action that the service has played in a seat whose time had lapsed; None if it has not yet."""
    ruleset, names = lapsed.position.ruleset, lapsed.position.names_in(language)
    action = None if lapsed.played is None else sent_action(ruleset, lapsed.played)
    if action is None:
        return None
    text = ruleset.describe(action, seat, language, names)
    return {"action": action_json(action), "notation": ruleset.notate(action), "text": text}


def is_due(position: Position, seat: int, decision: int) -> bool:
    """Return whether the seat is to answer the decision."""
    return seat in position.awaited and decision == position.decision


def read_action(position: Position, posted: Mapping[str, Any]) -> Any:
    """Return the posted action (`action` or `notation`); UnreadableNotation, Invalid."""
    return action_in(current_app.extensions[ACTIONS], position, posted)


def action_in(schemas: Mapping[str, Actions], position: Position, posted: Mapping[str, Any]) -> Any:
    """Return the posted action as `read_action`, by the schemas of the rulesets' actions."""
    if "notation" in posted:
        try:
            return position.ruleset.parse(posted["notation"])
        except Unreadable as error:
            raise UnreadableNotation(str(error)) from error
    try:
        return schemas[position.game.ruleset].read(posted["action"])
    except ValidationError as error:
        raise Invalid(errors=faults({"json": {"action": error.messages}})) from error
