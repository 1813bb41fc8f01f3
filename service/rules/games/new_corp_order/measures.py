"""What is drawn of a finished game, turn by turn."""

from __future__ import annotations

from service.rules.games.new_corp_order.scoring import final_scores
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import COLOURS
from service.rules.measure import Measure


def _scores(state: State) -> tuple[int, ...]:
    # In solo nobody has points before the conglomerates are chosen.
    return (0,) * len(state.hqs) if state.solo and not state.colours else final_scores(state)


def _companies(state: State) -> tuple[int, ...]:
    return tuple(sum(each.colour == colour for each in state.companies.values()) for colour in COLOURS)


def _cards(state: State) -> tuple[int, ...]:
    return tuple(sum(hand.values()) for hand in state.hands)


def _agents(state: State) -> tuple[int, ...]:
    return tuple(sum(hq.agents.values()) for hq in state.hqs)


MEASURES = (
    Measure(
        name="standings",
        title={
            "en": "Points if the game had ended then",
            "de": "Punkte, wenn das Spiel da geendet hätte",
            "fr": "Points si la partie s'était terminée là",
        },
        count=_scores,
    ),
    Measure(
        name="companies",
        title={"en": "Companies of each conglomerate", "de": "Firmen je Konzern", "fr": "Compagnies par conglomérat"},
        count=_companies,
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
        count=_cards,
    ),
    Measure(
        name="agents",
        title={"en": "Agents in the HQ", "de": "Agenten im HQ", "fr": "Agents au QG"},
        count=_agents,
    ),
)
