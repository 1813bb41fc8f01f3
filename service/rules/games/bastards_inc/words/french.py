"""Ba$tard$ Inc. in French."""

from __future__ import annotations

from service.rules.games.bastards_inc.words.french_events import EVENTS
from service.rules.games.bastards_inc.words.french_refusals import REFUSALS
from service.rules.games.bastards_inc.words.french_requests import ACTIONS, EFFECTS, KINDS, QUESTIONS, SETTINGS
from service.rules.games.bastards_inc.words.french_tables import EXPLANATIONS, TABLE
from service.rules.games.bastards_inc.words.language import Language, Place
from service.rules.games.bastards_inc.words.names_french import NAMES

FRENCH = Language(
    code="fr",
    one=(0, 1),
    of=("de ", "d’"),
    quotes=("«\N{NO-BREAK SPACE}", "\N{NO-BREAK SPACE}»"),
    names=NAMES,
    places={
        "SUP": Place("l'Unique $uperpuissance", "dans l'Unique $uperpuissance", "dans l'Unique $uperpuissance"),
        "RST": Place("le Reste", "dans le Reste", "dans le Reste"),
        "TIG": Place("les Tigres", "chez les Tigres", "chez les Tigres"),
        "KOR": Place("le Corruptistan", "au Corruptistan", "au Corruptistan"),
        "ROG": Place("les États voyous", "dans les États voyous", "dans les États voyous"),
        "POO": Place("les Sans-le-sou", "chez les Sans-le-sou", "chez les Sans-le-sou"),
        "TLK": Place("la Parlote", "à la Parlote", "à la Parlote"),
        "PTY": Place("le numéro de charité", "au numéro de charité", "au numéro de charité"),
        "NWS": Place(
            "le journalisme d'investigation", "au journalisme d'investigation", "au journalisme d'investigation"
        ),
        "VIP": Place("le salon VIP", "au salon VIP", "au salon VIP"),
    },
    people={
        "name": ("{name}", "vous"),
        "who": ("{name} a", "Vous avez"),
        "is": ("{name} est", "Vous êtes"),
        "to": ("à {name}", "à votre société"),
        "from": ("à {name}", "à votre société"),
        "object": ("{name}", "votre société"),
        "with": ("{name}", "vous"),
        "culprit": ("{of}{name}", "de votre part"),
        "against": ("contre {name}", "contre vous"),
        "of": ("{of}{name}", "de votre part"),
        "vp": ("le VP {n} {of}{name}", "votre VP {n}"),
        "turn": ("Le tour {of}{name}", "Votre tour"),
        "invitation": ("L'invitation {of}{name}", "Votre invitation"),
    },
    counted={
        "cards": ("{n} carte", "{n} cartes"),
        "events": ("{n} événement", "{n} événements"),
        "players": ("{n} joueur", "{n} joueurs"),
        "rounds": ("{n} manche", "{n} manches"),
        "billions": ("{n} milliard", "{n} milliards"),
        "influence": ("{n} Influence", "{n} Influence"),
        "points": ("{n} point", "{n} points"),
    },
    phrases={
        "and": " et ",
        "or": " ou ",
        "none": "aucun",
        "vp": "le VP {n}",
        "held-by": "{name} : {what}",
        "let": "laissé entrer",
        "replacing": " à la place de {card}",
        "famine": "famine",
        "disaster": "catastrophe naturelle",
        "amnesty": "amnistie, rien n'est illégal",
        "boom": "ventes {at} {n}",
        "threshold": "{score} {at} {n}",
        "woken.gift": "il y a eu un cadeau",
        "woken.invitation": "il y a une invitation",
        "woken.answer": "il y a une réponse à l'invitation",
        "woken.venture": "un VP a pris part à une coentreprise",
        "woken.card": "une carte a frappé",
        "woken.scoop": "un journaliste tient un scoop",
        "woken.prize": "le prix Nobel de la paix est parti",
        "woken.war": "la guerre ou la paix a changé",
    },
    phases={
        "draw": "défausser et piocher",
        "collect": "choisir les VP à rappeler",
        "place": "placer un VP",
        "challenge": "repousser le nouveau venu ou le laisser entrer",
        "push": "s'imposer ou renoncer",
        "wars": "annoncer l'ordre des guerres",
        "business": "choisir une action ou passer",
        "expose": "révéler l'acte illégal ou se taire",
        "over": "la partie est terminée",
    },
    settings=SETTINGS,
    events=EVENTS,
    kinds=KINDS,
    actions=ACTIONS,
    effects=EFFECTS,
    refusals=REFUSALS,
    table=TABLE,
    explanations=EXPLANATIONS,
    questions=QUESTIONS,
)
