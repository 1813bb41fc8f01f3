"""How events and wars change the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc import war_events as e
from service.rules.games.bastards_inc.companies import sent_home, updated
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import REGIONS


def _event_revealed(state: State, event: e.EventRevealed) -> State:
    return state._replace(
        events=state.events[1:],
        revealed=(*state.revealed, event.event),
        in_force=event,
        active=state.start_player,
        back=False,
    )


def _events_reshuffled(state: State, event: e.EventsReshuffled) -> State:
    return state._replace(events=event.events, revealed=(), events_shuffled=state.events_shuffled + 1)


def _money_taxed(state: State, event: e.MoneyTaxed) -> State:
    return updated(state, event.seat, billions=state.companies[event.seat].billions - event.billions)


def _subsidy_paid(state: State, event: e.SubsidyPaid) -> State:
    return updated(state, event.seat, billions=state.companies[event.seat].billions + event.billions)


def _award_given(state: State, event: e.AwardGiven) -> State:
    return updated(state, event.seat, influence=state.companies[event.seat].influence + event.influence)


def _war_broke_out(state: State, event: e.WarBrokeOut) -> State:
    return state._replace(wars=(*state.wars, event.region))


def _war_ended(state: State, event: e.WarEnded) -> State:
    return state._replace(wars=tuple(region for region in state.wars if region != event.region))


def _stuff_changed(state: State, event: e.StuffChanged) -> State:
    index = REGIONS.index(event.region)
    stuff = state.stuff
    return state._replace(stuff=(*stuff[:index], stuff[index] + event.change, *stuff[index + 1 :]))


def _wars_ordered(state: State, _: e.WarsOrdered) -> State:
    return state


def _war_fought(state: State, event: e.WarFought) -> State:
    return sent_home(state, event.home)


EVOLVE: Mapping[type[Any], Callable[[Any, Any], State]] = {
    e.EventRevealed: _event_revealed,
    e.EventsReshuffled: _events_reshuffled,
    e.MoneyTaxed: _money_taxed,
    e.SubsidyPaid: _subsidy_paid,
    e.AwardGiven: _award_given,
    e.WarBrokeOut: _war_broke_out,
    e.WarEnded: _war_ended,
    e.StuffChanged: _stuff_changed,
    e.WarsOrdered: _wars_ordered,
    e.WarFought: _war_fought,
}
