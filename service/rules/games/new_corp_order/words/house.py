"""The words of the house rules in every language: what is not in the rulebooks (R-70 to R-80)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from service.rules.games.new_corp_order.terms import CompanyType, Consultant
from service.rules.games.new_corp_order.words.language import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWords:
    """Words to add to those of a language, in tables of the same names."""

    types: Mapping[CompanyType, str]
    short_types: Mapping[CompanyType, str]
    consultants: Mapping[Consultant, str]
    phrases: Mapping[str, str]
    events: Mapping[str, str]
    actions: Mapping[str, str]
    refusals: Mapping[str, str]
    questions: Mapping[str, str]


def with_house_rules(language: Language, words: HouseWords) -> Language:
    """Return a language that has the words of the house rules as well."""
    return replace(
        language,
        types={**language.types, **words.types},
        short_types={**language.short_types, **words.short_types},
        consultants={**language.consultants, **words.consultants},
        phrases={**language.phrases, **words.phrases},
        events={**language.events, **words.events},
        actions={**language.actions, **words.actions},
        refusals={**language.refusals, **words.refusals},
        questions={**language.questions, **words.questions},
    )


ENGLISH = HouseWords(
    types={
        "viral-marketing": "Viral Marketing",
        "product-placement": "Product Placement",
        "negative-campaigning": "Negative Campaigning",
    },
    short_types={
        "viral-marketing": "Viral",
        "product-placement": "Placement",
        "negative-campaigning": "Negative",
    },
    consultants={
        "corporate-accountant": "Corporate Accountant",
        "spin-doctor": "Spin Doctor",
        "headhunter": "Headhunter",
    },
    phrases={"house.corporate-accountant": "Corporate Accountant", "house.deluxe": "Deluxe"},
    events={
        "game-started.house": "A game of New Corp Order for {players} began, with house rules: {rules}.",
        "defender-hired": "{who} kept {agents} more with the Headhunter.",
        "agents-withdrawn": "Back to the supply from {company}: {agents}.",
    },
    actions={
        "add-agents": "Viral Marketing: add {agents} of the supply to {company}.",
        "place-card": "Product Placement: place {card} in your HQ.",
        "withdraw-agents": "Negative Campaigning: send {agents} of {company} back to the supply.",
    },
    refusals={
        "corporate-accountant-needs-two-agents": "A Takeover with the Corporate Accountant moves at least two agents."
        " Move more or leave the Corporate Accountant alone.",
        "supply-too-small.R-74": "The supply has {agents}. Add fewer agents or choose another company.",
        "supply-too-small.R-78": "The Spin Doctor needs one agent more than cards, and the supply has {agents}. Place"
        " fewer cards or leave the Spin Doctor alone.",
        "wrong-number-of-agents.R-74": "Viral Marketing adds one or two agents.",
        "wrong-number-of-agents.R-76": "Negative Campaigning sends one or two agents back.",
    },
    questions={
        "add-agents/company": "Which company gets agents of the supply?",
        "add-agents/agents": "How many agents?",
        "place-card/colour": "Which card do you place in your HQ?",
        "withdraw-agents/company": "Which company loses agents?",
        "withdraw-agents/agents": "How many agents?",
    },
)

GERMAN = HouseWords(
    types={
        "viral-marketing": "Virales Marketing",
        "product-placement": "Produktplatzierung",
        "negative-campaigning": "Schmutzkampagne",
    },
    short_types={
        "viral-marketing": "Viral",
        "product-placement": "Produkt",
        "negative-campaigning": "Schmutz",
    },
    consultants={
        "corporate-accountant": "Firmenbuchhalter",
        "spin-doctor": "Spin-Doctor",
        "headhunter": "Headhunter",
    },
    phrases={"house.corporate-accountant": "Firmenbuchhalter", "house.deluxe": "Deluxe"},
    events={
        "game-started.house": "Eine Partie New Corp Order für {players} hat begonnen, mit Hausregeln: {rules}.",
        "defender-hired": "{who} mit dem Headhunter noch {agents} behalten.",
        "agents-withdrawn": "Von {company} zurück in den Vorrat: {agents}.",
    },
    actions={
        "add-agents": "Virales Marketing: stelle {agents} aus dem Vorrat auf {company}.",
        "place-card": "Produktplatzierung: lege {card} in dein HQ.",
        "withdraw-agents": "Schmutzkampagne: schicke {agents} von {company} zurück in den Vorrat.",
    },
    refusals={
        "corporate-accountant-needs-two-agents": "Eine Übernahme mit dem Firmenbuchhalter bewegt mindestens zwei"
        " Agenten. Bewege mehr oder lass ihn weg.",
        "supply-too-small.R-74": "Im Vorrat liegen nur noch: {agents}. Stelle weniger Agenten auf oder wähle eine"
        " andere Firma.",
        "supply-too-small.R-78": "Der Spin-Doctor braucht einen Agenten mehr als Karten, und im Vorrat liegen nur noch:"
        " {agents}. Lege weniger Karten oder lass ihn weg.",
        "wrong-number-of-agents.R-74": "Virales Marketing bringt einen oder zwei Agenten.",
        "wrong-number-of-agents.R-76": "Eine Schmutzkampagne schickt einen oder zwei Agenten zurück.",
    },
    questions={
        "add-agents/company": "Welche Firma bekommt Agenten aus dem Vorrat?",
        "add-agents/agents": "Wie viele Agenten?",
        "place-card/colour": "Welche Karte legst du in dein HQ?",
        "withdraw-agents/company": "Welche Firma verliert Agenten?",
        "withdraw-agents/agents": "Wie viele Agenten?",
    },
)

FRENCH = HouseWords(
    types={
        "viral-marketing": "Marketing viral",
        "product-placement": "Placement de produit",
        "negative-campaigning": "Campagne négative",
    },
    short_types={
        "viral-marketing": "Viral",
        "product-placement": "Produit",
        "negative-campaigning": "Négative",
    },
    consultants={
        "corporate-accountant": "Expert-comptable",
        "spin-doctor": "Doreur d’image",
        "headhunter": "Chasseur de têtes",
    },
    phrases={"house.corporate-accountant": "Expert-comptable", "house.deluxe": "Deluxe"},
    events={
        "game-started.house": "Une partie de New Corp Order pour {players} a commencé, avec des règles maison :"
        " {rules}.",
        "defender-hired": "{who} gardé {agents} de plus grâce au Chasseur de têtes.",
        "agents-withdrawn": "Retour dans la réserve depuis {company} : {agents}.",
    },
    actions={
        "add-agents": "Marketing viral : ajoutez {agents} de la réserve sur {company}.",
        "place-card": "Placement de produit : placez {card} dans votre QG.",
        "withdraw-agents": "Campagne négative : renvoyez {agents} de {company} dans la réserve.",
    },
    refusals={
        "corporate-accountant-needs-two-agents": "Avec l’Expert-comptable, une Prise de contrôle bouge au moins deux"
        " Agents. Bougez-en plus ou jouez sans lui.",
        "supply-too-small.R-74": "Il reste dans la réserve : {agents}. Ajoutez moins d’Agents ou choisissez une autre"
        " Compagnie.",
        "supply-too-small.R-78": "Le Doreur d’image demande un Agent de plus que de cartes, et il reste dans la réserve"
        " : {agents}. Placez moins de cartes ou jouez sans lui.",
        "wrong-number-of-agents.R-74": "Le Marketing viral ajoute un ou deux Agents.",
        "wrong-number-of-agents.R-76": "La Campagne négative renvoie un ou deux Agents.",
    },
    questions={
        "add-agents/company": "Quelle Compagnie reçoit des Agents de la réserve ?",
        "add-agents/agents": "Combien d’Agents ?",
        "place-card/colour": "Quelle carte placez-vous dans votre QG ?",
        "withdraw-agents/company": "Quelle Compagnie perd des Agents ?",
        "withdraw-agents/agents": "Combien d’Agents ?",
    },
)
