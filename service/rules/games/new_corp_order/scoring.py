"""Victory points (R-41 to R-46, R-54), and the charts of a finished game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.rules.games.new_corp_order.state import Hq, State
from service.rules.games.new_corp_order.terms import (
    COLOURS,
    ODS,
    Colour,
    CompanyType,
    Consultant,
    Square,
)
from service.rules.kernel import Json, Measure
from service.rules.outcome import Outcome

VP_BY_RANK = {1: 2, 2: 1}
VP_PER_OBJECTIVE = 2
FOUR_TYPES = 4
"""Different consultants for a further point: all of the book (R-45), any four with house rules (R-80)."""


def shares(hq: Hq, colour: Colour) -> int:
    """Return the shares of a colour: cards, rotated or not, and twice the agents (R-41)."""
    return hq.cards[colour] + hq.rotated[colour] + 2 * hq.agents[colour]


def ranks(state: State, colour: Colour) -> tuple[int | None, ...]:
    """Return each seat's rank in a colour: 1, 2 (never with two players) or None (R-42, R-43)."""
    held = [(shares(hq, colour), hq.agents[colour]) for hq in state.hqs]
    places = sorted({pair for pair in held if pair[0]}, reverse=True)[: 1 if state.seats == 2 else 2]
    return tuple(places.index(pair) + 1 if pair in places else None for pair in held)


def consultant_points(held: Mapping[Consultant, int]) -> tuple[int, bool]:
    """Return the number of disjoint pairs of different consultants, and whether four types are there (R-45, R-80)."""
    total = sum(held.values())
    return min(total // 2, total - max(held.values())), sum(map(bool, held.values())) >= FOUR_TYPES


def standings(state: State, viewer: int | None) -> Json:
    """Return the scores if the game ended now; objectives that the viewer may not know count for nothing."""
    if state.solo:
        return _solo_standings(state)
    ranked = {colour: ranks(state, colour) for colour in COLOURS}
    companies = {colour: len(_companies(state, colour)) for colour in COLOURS}
    known = [state.phase == "over" or seat == viewer for seat in range(state.seats)]
    seats = [_seat_standings(state, seat, ranked, known[seat]) for seat in range(state.seats)]
    return {"seats": seats, "companies": companies}


def final_scores(state: State) -> tuple[int, ...]:
    """Return the victory points by seat, all objectives counted."""
    if state.solo:
        return tuple(len(_objective_companies(state, side)) for side in range(2))
    ranked = {colour: ranks(state, colour) for colour in COLOURS}
    return tuple(_seat_standings(state, seat, ranked, True)["total"] for seat in range(state.seats))


def winners(state: State, scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats with the best score, ties broken by agents in the HQ (R-46; solo R-54)."""
    agents = [sum(hq.agents.values()) for hq in state.hqs]
    if state.solo:
        return (0,) if (scores[0], agents[0]) > (scores[ODS], agents[ODS]) else (ODS,)
    best = max(zip(scores, agents, strict=True))
    return tuple(seat for seat, pair in enumerate(zip(scores, agents, strict=True)) if pair == best)


def outcome(state: State) -> Outcome | None:
    """Return the result once the game is over: winners, scores by seat, and what decided."""
    result = state.result
    if result is None:
        return None
    top = [seat for seat, score in enumerate(result.scores) if score == max(result.scores)]
    reason = "victory-points" if len(top) == 1 else "shared" if len(result.winners) > 1 else "agents"
    return {"winners": list(result.winners), "scores": list(result.scores), "reason": reason}


def _seat_standings(
    state: State, seat: int, ranked: Mapping[Colour, tuple[int | None, ...]], known: bool
) -> dict[str, Any]:
    conglomerates = {colour: _conglomerate(state, seat, colour, ranked[colour][seat]) for colour in COLOURS}
    objectives = _objectives(state, seat, conglomerates) if known else {"types": None, "companies": {}, "vp": None}
    pairs, all_four = consultant_points(state.hqs[seat].consultants)
    consultants = {"pairs": pairs, "all_four": all_four, "vp": pairs + all_four}
    total = sum(each["vp"] for each in conglomerates.values()) + (objectives["vp"] or 0) + consultants["vp"]
    return {
        "seat": seat,
        "total": total,
        "conglomerates": conglomerates,
        "objectives": objectives,
        "consultants": consultants,
    }


def _conglomerate(state: State, seat: int, colour: Colour, rank: int | None) -> dict[str, Any]:
    hq, companies = state.hqs[seat], len(_companies(state, colour))
    return {
        "shares": shares(hq, colour),
        "agents": hq.agents[colour],
        "rank": rank,
        "companies": companies,
        "vp": VP_BY_RANK[rank] * companies if rank else 0,
    }


def _objectives(state: State, seat: int, conglomerates: Mapping[Colour, Mapping[str, Any]]) -> dict[str, Any]:
    types = state.objectives[seat]
    companies = {
        colour: sum(kind in types for kind in _companies(state, colour).values())
        for colour in COLOURS
        if conglomerates[colour]["rank"]
    }
    return {"types": list(types), "companies": companies, "vp": VP_PER_OBJECTIVE * sum(companies.values())}


def _companies(state: State, colour: Colour) -> Mapping[Square, CompanyType]:
    return {square: each.type for square, each in state.companies.items() if each.colour == colour}


def _solo_standings(state: State) -> Json:
    chosen = bool(state.colours)
    seats = []
    for side in range(2):
        companies = _objective_companies(state, side) if chosen else []
        agents = sum(state.hqs[side].agents.values())
        seats.append({"seat": side, "total": len(companies), "companies": companies, "agents": agents})
    return {"seats": seats, "objectives": list(state.objectives[0]) if chosen else None}


def _objective_companies(state: State, side: int) -> list[Square]:
    return [
        square
        for square, company in state.companies.items()
        if company.colour in state.colours[side] and company.type in state.objectives[0]
    ]


# Charts of a finished game, turn by turn.


def _measure_points(state: State) -> tuple[int, ...]:
    # In solo nobody has points before the conglomerates are chosen.
    return (0,) * len(state.hqs) if state.solo and not state.colours else final_scores(state)


def _measure_companies(state: State) -> tuple[int, ...]:
    return tuple(sum(each.colour == colour for each in state.companies.values()) for colour in COLOURS)


def _measure_cards(state: State) -> tuple[int, ...]:
    return tuple(sum(hand.values()) for hand in state.hands)


def _measure_agents(state: State) -> tuple[int, ...]:
    return tuple(sum(hq.agents.values()) for hq in state.hqs)


MEASURES = (
    Measure(
        name="standings",
        title={
            "en": "Points if the game had ended then",
            "de": "Punkte, wenn das Spiel da geendet hätte",
            "fr": "Points si la partie s'était terminée là",
        },
        count=_measure_points,
    ),
    Measure(
        name="companies",
        title={"en": "Companies of each conglomerate", "de": "Firmen je Konzern", "fr": "Compagnies par conglomérat"},
        count=_measure_companies,
        lines={
            "en": ("red", "black", "blue", "white"),
            "de": ("rot", "schwarz", "blau", "weiß"),
            "fr": ("rouge", "noir", "bleu", "blanc"),
        },
        colours=COLOURS,
    ),
    Measure(
        name="cards",
        title={"en": "Cards in hand", "de": "Karten auf der Hand", "fr": "Cartes en main"},
        count=_measure_cards,
    ),
    Measure(
        name="agents",
        title={"en": "Agents in the HQ", "de": "Agenten im HQ", "fr": "Agents au QG"},
        count=_measure_agents,
    ),
)
