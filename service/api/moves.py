"""An action on its way to the game, and why it may be refused there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from flask import current_app
from marshmallow import ValidationError

from schemas.actions import Actions
from service import clock
from service.api.auth import player, runtime
from service.api.limits import refuse_if_exhausted
from service.api.problems import Refused, faults
from service.api.viewers import seat_of
from service.handlers.play import Move, Played, play
from service.handlers.refusals import NotRunning, NotSeated, NotYourTurn, StaleDecision
from service.handlers.transaction import statements
from service.rules.kernel import Illegal, Unreadable
from service.store.games import Position
from service.store.idempotency import IdempotencyKey
from service.store.known import require_known
from service.views.history import told
from service.views.table import choices, spoken, table

ACTIONS = "actions"
"""Where the app keeps the schemas of the actions, by ruleset."""


def submit(game_id: UUID, posted: Mapping[str, Any], key: str | None) -> dict[str, Any]:
    """Play the posted action for the asking player and return what came of it; raises Refused, UnknownGame."""
    games = runtime().games
    with statements(games.engine) as db:
        position = games.open(db, game_id)
        require_known(db, position, player().id)
    seat = seat_of(position)
    if seat is None:
        raise NotSeated
    if not _is_due(position, seat, posted["decision"]):
        refuse_if_exhausted()
    language = spoken(position, player().language)
    move = Move(game_id, seat, posted["decision"], _action(position, posted), "api")
    try:
        played = play(games, move, clock.now(), None if key is None else IdempotencyKey(player().id, key), position)
    except StaleDecision as stale:
        raise _stale(stale, seat, language) from stale
    except Illegal as illegal:
        reason = position.ruleset.describe(illegal, seat, language, position.names_in(language))
        raise Refused("illegal-action", reason, code=illegal.code, rule=illegal.rule, language=language) from illegal
    except NotYourTurn as error:
        raise Refused("not-your-turn", decision=move.decision) from error
    except NotRunning as error:
        raise Refused("game-not-running", game_status=error.status) from error
    return _shown(played, seat, language)


def _is_due(position: Position, seat: int, decision: int) -> bool:
    ruleset, state = position.ruleset, position.state
    return state is not None and decision == ruleset.decision(state) and seat in ruleset.to_act(state)


def _action(position: Position, posted: Mapping[str, Any]) -> Any:
    if "notation" in posted:
        try:
            return position.ruleset.parse(posted["notation"])
        except Unreadable as error:
            raise Refused("unreadable-notation", f"Not understood: {error}") from error
    schemas: Mapping[str, Actions] = current_app.extensions[ACTIONS]
    try:
        return schemas[position.game.ruleset].load(posted["action"])  # type: ignore[no-untyped-call]
    except ValidationError as error:
        raise Refused("validation", errors=faults({"json": {"action": error.messages}})) from error


def _stale(stale: StaleDecision, seat: int, language: str) -> Refused:
    position = stale.position
    return Refused(
        "stale-decision",
        decision=position.ruleset.decision(position.state),
        version=position.version,
        since=told(position, stale.since, seat, language),
        legal_actions=choices(position, seat, language),
    )


def _shown(played: Played, seat: int, language: str) -> dict[str, Any]:
    position = played.position
    return {
        "version": position.version,
        "decision": position.ruleset.decision(position.state),
        "events": told(position, played.events, seat, language),
        "table": table(position, seat, language),
    }
