"""Valuation of positions for computer players and hints: tables of two to four, and solo against ODS."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from service.rules.games.new_corp_order.actions import Action, Plot, TakeOver
from service.rules.games.new_corp_order.features import (
    NAMES,
    RULES_OF_THUMB,
    RULES_OF_THUMB_OF_FOUR_2,
    RULES_OF_THUMB_OF_FOUR_3,
    SOLO_NAMES,
    SOLO_RULES_OF_THUMB,
    features,
    solo_features,
)
from service.rules.games.new_corp_order.legal import legal, takeover_succeeds
from service.rules.games.new_corp_order.state import State, cards_due
from service.rules.games.new_corp_order.terms import SLOTS, Colour, Source
from service.rules.games.new_corp_order.weights import WEIGHTS
from service.rules.valuation import Gain, Valuation, by_hand


def candidates(state: State, seat: int) -> Sequence[Action]:
    """Return the actions to be tried; none unless the seat has to act.

    Of cards of one colour the display's first are taken. A card of the display is taken together with the second one:
    only a card of the deck tells something before that. Takeovers that fail are tried where there is nothing else.
    """
    actions = legal(state, seat)
    if not actions or state.phase not in ("turn", "second-card") or state.solo:
        return actions
    rest = [action for action in actions if not isinstance(action, Plot) and not _fails(state, action)]
    return [*_distinct_plots(state), *rest] or actions


def _distinct_plots(state: State) -> Iterator[Plot]:
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
    return source.colour != target.colour and not takeover_succeeds(target, source.colour, action.agents, action.use)


# Reasons for a move, in words: the features whose change for the better hints speak of.

GAINS: Mapping[str, Gain] = {
    "narrow-margins": Gain(True, {
        "en": "your leads in shares get firmer",
        "de": "dein Vorsprung an Anteilen wird sicherer",
        "fr": "votre avance en parts devient plus solide",
    }),
    "hand": Gain(True, {"en": "cards in hand: +{n}", "de": "Handkarten: +{n}", "fr": "cartes en main : +{n}"}),
    "agents": Gain(True, {
        "en": "agents, against the others: +{n}",
        "de": "Agenten gegenüber den anderen: +{n}",
        "fr": "agents par rapport aux autres : +{n}",
    }),
    "unrotated": Gain(True, {
        "en": "cards in your HQ that can take over: +{n}",
        "de": "Karten im HQ, die übernehmen können: +{n}",
        "fr": "cartes du QG qui peuvent attaquer : +{n}",
    }),
    "consultants": Gain(True, {"en": "consultants: +{n}", "de": "Berater: +{n}", "fr": "consultants : +{n}"}),
    "capture": Gain(True, {
        "en": "your best takeover in reach is worth more: +{n}",
        "de": "deine beste Übernahme in Reichweite bringt mehr: +{n}",
        "fr": "votre meilleure prise de contrôle possible rapporte plus : +{n}",
    }),
    "threat": Gain(False, {
        "en": "the takeover that threatens you most costs less: −{n}",
        "de": "die Übernahme, die dir am meisten droht, kostet weniger: −{n}",
        "fr": "la prise de contrôle la plus menaçante vous coûte moins : −{n}",
    }),
    "lay": Gain(True, {
        "en": "your cards bring more when you place them: +{n}",
        "de": "deine Karten bringen mehr, wenn du sie ausspielst: +{n}",
        "fr": "vos cartes rapportent plus une fois placées : +{n}",
    }),
    "three-alike": Gain(True, {
        "en": "three cards of one colour, for a consultant",
        "de": "drei Karten einer Farbe, für einen Berater",
        "fr": "trois cartes d’une couleur, pour un consultant",
    }),
    "their-unrotated": Gain(False, {
        "en": "the others have fewer cards that can take over",
        "de": "die anderen haben weniger Karten, die übernehmen können",
        "fr": "les autres ont moins de cartes qui peuvent attaquer",
    }),
    "ability": Gain(True, {
        "en": "an ability follows at once",
        "de": "eine Fähigkeit folgt sofort",
        "fr": "une capacité suit aussitôt",
    }),
}  # fmt: skip

GAINS_ALONE: Mapping[str, Gain] = {
    "companies": Gain(True, {
        "en": "companies of your conglomerates, against those of ODS: +{n}",
        "de": "Firmen deiner Konzerne gegenüber denen von ODS: +{n}",
        "fr": "Compagnies de vos Conglomérats par rapport à celles du SOD : +{n}",
    }),
    "ods-scores": Gain(False, {
        "en": "ODS cannot take a scoring company",
        "de": "ODS kann keine Firma übernehmen, die Punkte bringt",
        "fr": "le SOD ne peut prendre aucune Compagnie qui rapporte",
    }),
    "ods-takes": Gain(False, {
        "en": "ODS cannot take another of your companies",
        "de": "ODS kann keine andere deiner Firmen übernehmen",
        "fr": "le SOD ne peut prendre aucune autre de vos Compagnies",
    }),
    "prizes": Gain(True, {
        "en": "scoring companies in your reach: +{n}",
        "de": "Firmen mit Punkten in Reichweite: +{n}",
        "fr": "Compagnies à votre portée qui rapportent : +{n}",
    }),
    "unrotated": GAINS["unrotated"],
    "defence": Gain(True, {
        "en": "your scoring companies: +{n} agents",
        "de": "deine Firmen mit Punkten: +{n} Agenten",
        "fr": "vos Compagnies qui rapportent : +{n} Agents",
    }),
    "their-defence": Gain(False, {
        "en": "scoring companies of ODS: −{n} agents",
        "de": "Firmen von ODS mit Punkten: −{n} Agenten",
        "fr": "Compagnies du SOD qui rapportent : −{n} Agents",
    }),
}  # fmt: skip
"""The same for a game against ODS."""


ALONE, SEATS = (1,), (2, 3, 4)

VALUATION = Valuation(
    seats=SEATS,
    names=NAMES,
    features=features,
    rules_of_thumb=(
        by_hand(NAMES, RULES_OF_THUMB, SEATS, version=1),
        by_hand(NAMES, RULES_OF_THUMB_OF_FOUR_2, (4,), version=2),
        by_hand(NAMES, RULES_OF_THUMB_OF_FOUR_3, (4,), version=3),
    ),
    weights=WEIGHTS,
    # docs/players.md has the games that prove it.
    expert=frozenset({2}),
    gains=GAINS,
    # docs/players.md has the Brier scores of games that were not looked at before.
    spreads={2: 4.0, 3: 4.5, 4: 4.0},
    alone=Valuation(
        seats=ALONE,
        names=SOLO_NAMES,
        features=solo_features,
        rules_of_thumb=(by_hand(SOLO_NAMES, SOLO_RULES_OF_THUMB, ALONE, version=1),),
        # Weights fitted to self-play won fewer games against ODS than those by hand: `hard` looks further with these.
        weights=(by_hand(SOLO_NAMES, SOLO_RULES_OF_THUMB, ALONE, version=3),),
        gains=GAINS_ALONE,
    ),
)
