"""A game as one viewer may see it, and what a seat may do."""

from __future__ import annotations

from typing import Any

from service.store.codec import action_json
from service.store.games import Position

View = dict[str, Any]


def table(position: Position, viewer: int | None) -> View:
    """Return the game as the viewer (a seat, or None for a spectator) may see it, as JSON types.

    `decision`, `view` and `outcome` are None while the game has not started.
    """
    game, ruleset, state = position.game, position.ruleset, position.state
    running = state is not None
    return {
        "id": str(game.id),
        "ruleset": game.ruleset,
        "status": game.status,
        "options": dict(game.options),
        "seats": _seats(position),
        "automaton": _automaton(position),
        "seat": viewer,
        "version": position.version,
        "decision": ruleset.decision(state) if running else None,
        "to_act": sorted(position.to_act),
        "view": ruleset.view(state, viewer) if running else None,
        "outcome": position.outcome,
        "resigned": list(position.resigned),
    }


def choices(position: Position, seat: int | None, language: str) -> list[View]:
    """Return the legal actions of the seat: `action`, `notation`, `kind` and `text`; none when it is not to act."""
    ruleset, state = position.ruleset, position.state
    if seat not in position.awaited:
        return []
    names = position.names
    return [
        {
            "action": action_json(action),
            "notation": ruleset.notate(action),
            "kind": ruleset.describe(type(action), seat, language, names),
            "text": ruleset.describe(action, seat, language, names),
        }
        for action in ruleset.legal(state, seat)
    ]


def standings(position: Position, viewer: int | None) -> View:
    """Return the scores if the game ended now, as far as the viewer may know; only for a game that has started."""
    ruleset, state = position.ruleset, position.state
    return {
        "version": position.version,
        "outcome": position.outcome,
        "standings": ruleset.standings(state, viewer),
    }


def spoken(position: Position, *wishes: str | None) -> str:
    """Return the first language wished for that the game speaks, or else the game's first."""
    languages = position.ruleset.meta.languages
    return next((wish for wish in wishes if wish in languages), languages[0])


def _seats(position: Position) -> list[View]:
    taken = {seat.seat: seat.name for seat in position.seats}
    return [{"seat": seat, "name": taken.get(seat)} for seat in range(position.game.seats)]


def _automaton(position: Position) -> View | None:
    seats = position.game.seats
    name = position.ruleset.meta.automata.get(seats)
    return None if name is None else {"seat": seats, "name": name}
