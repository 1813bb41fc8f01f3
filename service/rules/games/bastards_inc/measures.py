"""What is drawn of a finished game, round by round."""

from __future__ import annotations

from service.rules.games.bastards_inc import ending
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import REGIONS
from service.rules.games.bastards_inc.words.names_english import NAMES as ENGLISH
from service.rules.games.bastards_inc.words.names_french import NAMES as FRENCH
from service.rules.games.bastards_inc.words.names_german import NAMES as GERMAN
from service.rules.measure import Measure
from service.rules.typeset import typeset


def worths(state: State) -> tuple[int, ...]:
    """Return what each company is worth now; after the end, what it has been worth in the end (B-81, B-82)."""
    return ending.worths(state) if state.result is None else state.result.worths


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
        count=worths,
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
