"""Sealed Bids with a step before the bid that nobody else sees: a card may be thrown away. And nobody ever wins it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from service.rules.kernel import AnyRuleset, by_name
from service.rules.outcome import Outcome
from service.runtime import Runtime
from service.store.games import Games
from tests.games.sealed_bids import RULESET as SEALED_BIDS
from tests.games.sealed_bids.events import BidSealed
from tests.games.sealed_bids.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Throw a card away; the bid is still owed, under the same decision."""

    card: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDropped:
    """A seat has thrown a card away; only the seat may know which."""

    seat: int
    card: int


def with_dropping(runtime: Runtime) -> Runtime:
    """Return the house with this game in the place of Sealed Bids."""
    rulesets = {**runtime.games.rulesets, "sealed-bids": RULESET}
    return replace(runtime, games=Games(runtime.engine, rulesets))


def _decide(state: State, seat: int, action: Any, chance: Any) -> Sequence[Any]:
    if not isinstance(action, Drop):
        return SEALED_BIDS.decide(state, seat, action, chance)
    # Refused like the bid of the same card.
    SEALED_BIDS.decide(state, seat, SEALED_BIDS.parse(f"bid {action.card}"), chance)
    return [CardDropped(seat=seat, card=action.card)]


def _evolve(state: Any, event: Any) -> State:
    if not isinstance(event, CardDropped):
        return SEALED_BIDS.evolve(state, event)
    bid = SEALED_BIDS.evolve(state, BidSealed(seat=event.seat, card=event.card))
    return replace(bid, sealed=state.sealed)


def _legal(state: State, seat: int) -> Sequence[Any]:
    bids = SEALED_BIDS.legal(state, seat)
    return [*bids, *(Drop(card=card) for card in state.hands[seat] if bids)]


def _describe(it: Any, viewer: int | None, language: str, names: Sequence[str]) -> str:
    if it is Drop or isinstance(it, Drop | CardDropped):
        return "A card is dropped."
    return SEALED_BIDS.describe(it, viewer, language, names)


def _redact(event: Any, viewer: int | None) -> Any:
    if not isinstance(event, CardDropped):
        return SEALED_BIDS.redact(event, viewer)
    # Not even that the seat has dropped a card is told to the others.
    return {"seat": event.seat, "card": event.card} if viewer == event.seat else {"seat": None, "card": None}


def _parse(text: str) -> Any:
    word, _, card = text.partition(" ")
    return Drop(card=int(card)) if word == "drop" else SEALED_BIDS.parse(text)


def _outcome(state: State) -> Outcome | None:
    over = SEALED_BIDS.outcome(state)
    return over and {"winners": [], "scores": [0] * len(state.hands), "reason": "nuclear-war"}


RULESET: AnyRuleset = replace(
    SEALED_BIDS,
    # Its games stay in the database of the tests, where those who know the first revision alone do not read them.
    meta=replace(SEALED_BIDS.meta, revision=SEALED_BIDS.meta.revision + 1),
    event_types={**SEALED_BIDS.event_types, **by_name((CardDropped,))},
    action_types={**SEALED_BIDS.action_types, **by_name((Drop,))},
    decide=_decide,
    evolve=_evolve,
    legal=_legal,
    describe=_describe,
    redact=_redact,
    parse=_parse,
    notate=lambda action: f"drop {action.card}" if isinstance(action, Drop) else SEALED_BIDS.notate(action),
    outcome=_outcome,
)
