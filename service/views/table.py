"""A game as one viewer may see it, and the legal actions of a seat."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from service.log.codec import action_json
from service.store.game_row import SeatRow
from service.store.games import Position
from service.texts.games import game_language
from service.texts.names import DEFAULT_LANGUAGE, GONE, display_name
from service.views.clocks import shown_clock, shown_pace
from service.views.substitutes import played_by

View = dict[str, Any]

_PERSON: View = {
    "bot": False,
    "owner": None,
    "computer": None,
    "reachable": True,
    "unconfirmed": False,
    "auto_answers": [],
}


def table(position: Position, viewer: int | None, language: str = DEFAULT_LANGUAGE, *, with_view: bool = True) -> View:
    """Return the game as the viewer (a seat, or None for a spectator) may see it, as JSON types.

    `decision`, `view` and `outcome` are None while the game has not started, `view` also where it is not wanted. The
    language is for the word that stands for players who have deleted their account.
    """
    game, ruleset, state = position.game, position.ruleset, position.state
    terms = game.terms
    running, automaton, forked = state is not None, position.automaton_in(language), game.forked_from
    return {
        "id": str(game.id),
        "ruleset": game.ruleset,
        "status": game.status,
        "options": dict(game.options),
        "origin": game.origin,
        "forked_from": None if forked is None else {"game": str(forked.game), "seq": forked.seq},
        "name": terms.name,
        "access": terms.access,
        "spectators": terms.spectators,
        "start": terms.start,
        "on_resignation": terms.on_resignation,
        "training": terms.training,
        "pace": shown_pace(terms.pace, language),
        "rated": terms.rated,
        "clock": shown_clock(position),
        "host": position.seat_of(game.host),
        "seats": shown_seats(position, language),
        "automaton": None if automaton is None else {"seat": game.seats, "name": automaton},
        "seat": viewer,
        "version": position.version,
        "decision": position.decision if running else None,
        "to_act": sorted(position.to_act),
        "view": ruleset.view(state, viewer) if running and with_view else None,
        "outcome": position.outcome,
        "resigned": list(position.resigned),
        "unattended": sorted(position.unattended),
        "handed_over": [{"seat": each.seat, "seq": each.until} for each in position.former],
    }


def table_at_present(
    position: Position, viewer: int | None, absent: Mapping[int, datetime], language: str = DEFAULT_LANGUAGE
) -> View:
    """Return the table with the seats whose players are away now, and until when (T-20)."""
    told = [{"seat": seat, "until": until.isoformat()} for seat, until in absent.items()]
    return {**table(position, viewer, language), "away": told}


def shown_seats(position: Position, language: str) -> list[View]:
    """Return every seat with its player, for readers of the language."""
    if position.game.origin == "import":
        return [{"seat": seat, "name": name, **_PERSON} for seat, name in enumerate(position.names_in(language))]
    taken = {row.seat: _seat(row, language) for row in position.seats}
    return [taken.get(seat) or {"seat": seat, "name": None, **_PERSON} for seat in range(position.game.seats)]


def choices(position: Position, seat: int | None, language: str) -> list[View]:
    """Return the legal actions of the seat: `action`, `notation`, `kind` and `text`; none when it is not to act."""
    ruleset, state = position.ruleset, position.state
    if seat not in position.awaited:
        return []
    names = position.names_in(language)
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
    """Return the scores as if the game ended now, as far as the viewer may know; for a game that has started."""
    ruleset, state = position.ruleset, position.state
    return {
        "version": position.version,
        "outcome": position.outcome,
        "standings": ruleset.standings(state, viewer),
        "played_by": played_by(position),
    }


def spoken(position: Position, *wishes: str | None) -> str:
    """Return the first of the wished languages that the game's ruleset has, or else the ruleset's first."""
    return game_language(position.ruleset.meta, *wishes)


def _seat(row: SeatRow, language: str) -> View:
    name, own = display_name(row.name, language), {**_PERSON, "auto_answers": list(row.auto_answers)}
    if row.computer is not None:
        return {"seat": row.seat, "name": name, **own, "computer": row.computer}
    if not row.bot:
        unconfirmed = row.email is not None and not row.confirmed
        reachable = not (row.unreachable or unconfirmed)
        return {"seat": row.seat, "name": name, **own, "reachable": reachable, "unconfirmed": unconfirmed}
    return {"seat": row.seat, "name": name, **own, "bot": True, "owner": display_name(row.owner or GONE, language)}
