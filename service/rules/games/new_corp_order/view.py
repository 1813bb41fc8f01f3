"""View of the table for one viewer, built up from nothing (fields: README.md)."""

from __future__ import annotations

from typing import Any

from service.rules.games.new_corp_order.grid import COLUMNS
from service.rules.games.new_corp_order.state import Hq, State
from service.rules.kernel import Json


def view(state: State, viewer: int | None) -> Json:
    """Return the table as a seat sees it (None: a spectator), ready for JSON.

    Deck and box stay out of it but for the deck's size; hands and objectives are those of the viewer, until the game
    is over; in solo, display and objectives are hidden until the conglomerates are chosen (R-50).
    """
    return {
        "grid": _grid(state),
        "display": None if _before_choice(state) else list(state.display),
        "deck": len(state.deck),
        "supply": {"agents": dict(state.supply), "consultants": dict(state.consultants)},
        "players": [_player(state, seat, viewer) for seat in range(len(state.hqs))],
        "you": _you(state, viewer),
        "turn": _turn(state),
        "solo": _solo(state) if state.solo else None,
        "result": _result(state),
    }


def _before_choice(state: State) -> bool:
    return state.solo and not state.colours


def _grid(state: State) -> Json:
    companies = [
        {"square": square, "name": each.name, "type": each.type, "colour": each.colour, "agents": each.agents}
        for square, each in state.companies.items()
    ]
    return {"columns": len(COLUMNS), "rows": len(companies) // len(COLUMNS), "companies": companies}


def _player(state: State, seat: int, viewer: int | None) -> Json:
    return {
        "seat": seat,
        "hand": sum(state.hands[seat].values()),
        "hq": _hq(state.hqs[seat]),
        "objectives": _objectives(state, seat, viewer),
    }


def _hq(hq: Hq) -> Json:
    return {
        "cards": dict(hq.cards),
        "rotated": dict(hq.rotated),
        "agents": dict(hq.agents),
        "consultants": dict(hq.consultants),
    }


def _objectives(state: State, seat: int, viewer: int | None) -> list[str] | None:
    known = bool(state.colours) if state.solo else seat == viewer or state.phase == "over"
    return list(state.objectives[seat]) if known else None


def _you(state: State, viewer: int | None) -> Json | None:
    if viewer is None or not 0 <= viewer < state.seats:
        return None
    return {
        "seat": viewer,
        "hand": dict(state.hands[viewer]),
        "objectives": _objectives(state, viewer, viewer),
    }


def _turn(state: State) -> Json:
    return {
        "number": state.turn,
        "seat": state.active,
        "phase": state.phase,
        "used": state.used,
        "taken_over": state.taken_over,
        "to_place": list(state.to_place),
        "final_turns": state.final_turns,
    }


def _solo(state: State) -> Json:
    return {
        "colours": [list(colours) for colours in state.colours] or None,
        "marker": COLUMNS[state.marker],
        "objectives": _objectives(state, 0, 0),
    }


def _result(state: State) -> dict[str, Any] | None:
    result = state.result
    return None if result is None else {"scores": list(result.scores), "winners": list(result.winners)}
