"""The legal actions that a computer player thinks about: one for each position that it can tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from service.rules.games.new_corp_order.actions import Action, Plot, TakeOver
from service.rules.games.new_corp_order.contest import succeeds
from service.rules.games.new_corp_order.legal import legal
from service.rules.games.new_corp_order.state import State, cards_due
from service.rules.games.new_corp_order.terms import SLOTS, Colour, Source


def candidates(state: State, seat: int) -> Sequence[Action]:
    """Return the actions to be tried; none unless the seat has to act.

    Of cards of one colour the display's first are taken. A card of the display is taken together with the second one:
    only a card of the deck tells something before that. Takeovers that fail are tried where there is nothing else.
    """
    actions = legal(state, seat)
    if not actions or state.phase not in ("turn", "second-card") or state.solo:
        return actions
    rest = [action for action in actions if not isinstance(action, Plot) and not _fails(state, action)]
    return [*_plots(state), *rest] or actions


def _plots(state: State) -> Iterator[Plot]:
    shown: dict[Colour, list[Source]] = {}
    for slot, card in zip(SLOTS, state.display, strict=False):
        if card is not None:
            shown.setdefault(card, []).append(slot)
    sources: list[Source] = ["deck"] if state.deck else []
    firsts = [slots[0] for slots in shown.values()]
    if cards_due(state) < 2:
        yield from (Plot(sources=(source,)) for source in (*firsts, *sources))
        return
    yield from (Plot(sources=(source,)) for source in sources)
    yield from (Plot(sources=pair) for pair in combinations(sorted(firsts), 2))
    yield from (Plot(sources=(slots[0], slots[1])) for slots in shown.values() if len(slots) > 1)


def _fails(state: State, action: Action) -> bool:
    if not isinstance(action, TakeOver):
        return False
    source, target = state.companies[action.source], state.companies[action.target]
    return source.colour != target.colour and not succeeds(target, source.colour, action.agents, action.use)
