"""The table as one viewer sees it, built up from nothing (fields: README.md; hidden: B-05)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from service.rules.games.bastards_inc.actions import ACTION_TYPES
from service.rules.games.bastards_inc.costs import income, stuff_of, threshold
from service.rules.games.bastards_inc.edition import MEDIA_POWER, REGION_DATA
from service.rules.games.bastards_inc.events import ActAnnounced, EventRevealed
from service.rules.games.bastards_inc.scoring import worth
from service.rules.games.bastards_inc.state import Company, Invitation, State
from service.rules.games.bastards_inc.terms import LOUNGE, REGIONS, SCORES, SQUARES, Region
from service.rules.kernel import Json

TURN_PHASES: Final = frozenset({"place", "challenge", "push", "business", "expose"})
"""The phases in which one seat has the turn."""
SIMULTANEOUS_PHASES: Final = frozenset({"draw", "collect", "challenge", "expose"})
"""The phases in which several seats answer at once, and unseen until all have (B-05)."""


def view(state: State, viewer: int | None) -> Json:
    """Return the table as a seat sees it (None: a spectator), ready for JSON.

    Hands, the order of the piles, unrevealed answers, and the instructions guard and watch of others stay out of it.
    """
    return {
        "round": state.round,
        "rounds": state.rounds,
        "target": state.target,
        "start_player": state.start_player,
        "phase": state.phase,
        "decision": state.decision,
        "asked": sorted(state.asked),
        "active": state.active if state.phase in TURN_PHASES else None,
        "passes": state.passes,
        "regions": [_region(state, region) for region in REGIONS],
        "squares": [{"id": square, "med": MEDIA_POWER[square]} for square in SQUARES],
        "event": _event(state.in_force),
        "wars": list(state.wars),
        "laureate": state.laureate,
        "bunker": state.bunker,
        "cards": len(state.cards),
        "events": len(state.events),
        "discards": list(state.discards),
        "revealed": list(state.revealed),
        "companies": [_company(state, seat, viewer) for seat in range(len(state.companies))],
        "own": _own(state, viewer),
        "arrival": _arrival(state),
        "act": _act(state.act),
        "result": _result(state),
    }


def _region(state: State, region: Region) -> Json:
    data = REGION_DATA[region]
    return {
        "id": region,
        "tier": data.tier,
        "stuff": stuff_of(state, region),
        "war": region in state.wars,
        "cor": threshold(state, region, "cor"),
        "cri": threshold(state, region, "cri"),
        "tec": threshold(state, region, "tec"),
        "income": income(state, region),
        "legal_up_to": data.legal_up_to,
    }


def _event(event: EventRevealed | None) -> Json | None:
    if event is None:
        return None
    return {
        "event": event.event,
        "famine": event.famine,
        "disaster": event.disaster,
        "amnesty": event.amnesty,
        "booms": [boom._asdict() for boom in event.booms],
        "thresholds": [each._asdict() for each in event.thresholds],
    }


def _company(state: State, seat: int, viewer: int | None) -> Json:
    company = state.companies[seat]
    return {
        "seat": seat,
        "plan": company.plan,
        "scores": {score: getattr(company.scores, score) for score in SCORES},
        "billions": company.billions,
        "influence": company.influence,
        "worth": worth(state, seat),
        "vps": _vps(company),
        "cards": len(company.hand),
        "hand": list(company.hand) if seat == viewer or state.phase == "over" else None,
        "portfolio": [folder._asdict() for folder in company.portfolio],
        "venture": company.venture,
        "invitation": _invitation(company.invitation),
        "invitations": company.invitations,
        "done": company.done,
        "immune": company.immune,
    }


def _vps(company: Company) -> list[Json]:
    return [
        {"vp": number, "at": vp.at, "black": vp.black, "free": vp.at == LOUNGE and number in company.free}
        for number, vp in enumerate(company.vps, start=1)
    ]


def _invitation(invitation: Invitation | None) -> Json | None:
    if invitation is None:
        return None
    return {
        "card": invitation.card,
        "vp": invitation.vp,
        "partner": as_json(invitation.partner),
        "pay": invitation.pay,
        "agreed": invitation.agreed,
    }


def _own(state: State, viewer: int | None) -> Json | None:
    if viewer is None or not 0 <= viewer < len(state.companies):
        return None
    company = state.companies[viewer]
    return {
        "seat": viewer,
        "guard": company.guard,
        "watch": company.watch,
        "dropped": list(company.dropped),
        "answer": _answer(state, viewer),
        "instructed": list(company.instructed),
        "gave": company.gave,
        "invited": company.invited,
    }


def _answer(state: State, seat: int) -> Any:
    """Return the seat's answer; None before it has answered.

    It is the bonus or `keep`, the VPs, the Influence or `let`, or whether to expose.
    """
    answers = dict(state.answers)
    if seat not in answers or state.phase not in SIMULTANEOUS_PHASES:
        return None
    answer = answers[seat]
    if answer is None:
        return "keep" if state.phase == "draw" else "let"
    return list(answer) if isinstance(answer, tuple) else answer


def _arrival(state: State) -> Json | None:
    arrival = state.arrival
    if arrival is None:
        return None
    revealed = state.phase == "push"
    return {
        "seat": arrival.seat,
        "vp": arrival.vp,
        "field": arrival.field,
        "by": arrival.by,
        "bids": state.bids if revealed else None,
        "fighters": [seat for seat, influence in state.answers if influence is not None] if revealed else [],
    }


def _act(act: ActAnnounced | None) -> Json | None:
    if act is None:
        return None
    return {"seat": act.seat, "sell": as_json(act.sell), "deal": as_json(act.deal), "play": as_json(act.play)}


def _result(state: State) -> Json | None:
    result = state.result
    if result is None:
        return None
    return {"reason": result.reason, "winners": list(result.winners), "worths": list(result.worths)}


_TAGS: Mapping[type[Any], str] = {kind: tag for tag, kind in ACTION_TYPES.items()}


def as_json(value: Any) -> Any:
    """Return a value as JSON: NamedTuples and dataclasses as objects, actions with their tag as `type`."""
    if value is None or isinstance(value, (int, str)):
        return value
    if hasattr(value, "_asdict"):
        return {name: as_json(item) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return dict(value)
    if is_dataclass(value):
        tag = {"type": _TAGS[type(value)]} if type(value) in _TAGS else {}
        return {**tag, **{field.name: as_json(getattr(value, field.name)) for field in fields(value)}}
    return [as_json(item) for item in value]
