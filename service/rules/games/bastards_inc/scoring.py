"""The worth of a company, the outcome, the standings (B-81), and the charts of a finished game."""

from __future__ import annotations

from service.rules.games.bastards_inc.edition import INFLUENCE_WORTH, PRIZE_WORTH
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import REGIONS
from service.rules.games.bastards_inc.words.english import NAMES as ENGLISH
from service.rules.games.bastards_inc.words.french import NAMES as FRENCH
from service.rules.games.bastards_inc.words.german import NAMES as GERMAN
from service.rules.kernel import Json, Measure
from service.rules.outcome import Outcome
from service.rules.typography import typeset


def worth(state: State, seat: int) -> int:
    """Return Billions, and what Influence and the prize count; black money and cards are nothing (B-81)."""
    own = state.companies[seat]
    return own.billions + INFLUENCE_WORTH * own.influence + _prize(state, seat)


def worths(state: State) -> tuple[int, ...]:
    """Return the worth of every seat."""
    return tuple(worth(state, seat) for seat in range(len(state.companies)))


def current_worths(state: State) -> tuple[int, ...]:
    """Return what each company is worth now; after the end, what it has been worth in the end (B-81, B-82)."""
    return worths(state) if state.result is None else state.result.worths


def winners(state: State) -> tuple[int, ...]:
    """Return who is worth most; ties: more Influence, then more VPs, then shared (B-81)."""
    ranks = [(worth(state, seat), own.influence, len(own.vps)) for seat, own in enumerate(state.companies)]
    return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))


def outcome(state: State) -> Outcome | None:
    """Return how the game has ended; None while it runs."""
    result = state.result
    if result is None:
        return None
    return {"winners": list(result.winners), "scores": list(result.worths), "reason": result.reason}


def standings(state: State, _: int | None) -> Json:
    """Return the worth of every company and how it comes about; once the game is over, how that was decided.

    After a nuclear war the worth of those who have lost is 0, whatever they own (B-82).
    """
    result = state.result
    totals = worths(state) if result is None else result.worths
    return {
        "companies": [_company(state, seat, totals[seat]) for seat in range(len(state.companies))],
        "winners": list(winners(state) if result is None else result.winners),
        "reason": None if result is None else result.reason,
    }


def _company(state: State, seat: int, total: int) -> Json:
    own = state.companies[seat]
    return {
        "seat": seat,
        "billions": own.billions,
        "influence": own.influence,
        "prize": _prize(state, seat),
        "worth": total,
    }


def _prize(state: State, seat: int) -> int:
    return PRIZE_WORTH if state.laureate == seat else 0


# What is drawn of a finished game, round by round.


def _influence(state: State) -> tuple[int, ...]:
    return tuple(each.influence for each in state.companies)


def _black(state: State) -> tuple[int, ...]:
    return tuple(sum(vp.black for vp in each.vps) for each in state.companies)


def _stuff(state: State) -> tuple[int, ...]:
    return state.stuff


MEASURES = (
    Measure(
        name="worth",
        title={
            "en": "Worth if the game had ended then",
            "de": "Wert, wenn das Spiel da geendet hätte",
            "fr": typeset("Valeur si la partie s'était terminée là"),
        },
        count=current_worths,
    ),
    Measure(
        name="influence",
        title={"en": "Influence", "de": "Einfluss", "fr": "Influence"},
        count=_influence,
    ),
    Measure(
        name="black-money",
        title={"en": "Black money on vice presidents", "de": "Schwarzgeld bei Vizepräsidenten", "fr": "Argent sale"},
        count=_black,
    ),
    Measure(
        name="stuff",
        title={"en": "Stuff in each region", "de": "Zeug je Region", "fr": typeset("Matos par région")},
        count=_stuff,
        lines={
            "en": tuple(ENGLISH[region] for region in REGIONS),
            "de": tuple(GERMAN[region] for region in REGIONS),
            "fr": tuple(typeset(FRENCH)[region] for region in REGIONS),
        },
    ),
)
