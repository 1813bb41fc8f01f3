"""New Corp Order en français, dans les termes de la règle française."""

from __future__ import annotations

from service.rules.games.new_corp_order.terms import Colour
from service.rules.games.new_corp_order.words import explanations, questions
from service.rules.games.new_corp_order.words.language import Counted, Language

_COLOURS: dict[Colour, str] = {"red": "rouge", "black": "noir", "blue": "bleu", "white": "blanc"}
_FEMININE: dict[Colour, str] = {"red": "rouge", "black": "noire", "blue": "bleue", "white": "blanche"}


def _coloured(colour: Colour) -> dict[str, Counted]:
    his, her = _COLOURS[colour], _FEMININE[colour]
    agents = (f"{{n}} Agent {his}", f"{{n}} Agents {his}s")
    return {
        f"cards.{colour}": (f"{{n}} carte {her}", f"{{n}} cartes {her}s"),
        f"agents.{colour}": agents,
        f"agents-with.{colour}": agents,
        f"agents-listed.{colour}": agents,
        f"card.{colour}": (f"une carte {her}", f"une carte {her} pivotée"),
    }


FRENCH = Language(
    code="fr",
    one=(0, 1),
    of=("de ", "d’"),
    ods="SOD",
    colours=_COLOURS,
    types={
        "online-marketing": "Marketing en ligne",
        "guerrilla-marketing": "Marketing de guérilla",
        "broadcast-network": "Réseau de diffusion",
        "print-media": "La presse",
        "social-media": "Social media",
        "ambient-advertising": "Publicité ambiante",
    },
    short_types={
        "online-marketing": "En ligne",
        "guerrilla-marketing": "Guérilla",
        "broadcast-network": "Diffusion",
        "print-media": "Presse",
        "social-media": "Social",
        "ambient-advertising": "Ambiante",
    },
    consultants={
        "media-advisor": "Contrôleur de médias",
        "dealmaker": "Négociatrice",
        "corporate-lawyer": "Avocat d’affaires",
        "military-contractor": "Sous-traitante militaire",
    },
    people={
        "name": ("{name}", "vous", "le SOD"),
        "who": ("{name} a", "Vous avez", "Le SOD a"),
        "own-hq": ("son QG", "votre QG", "son QG"),
        "in-hq": ("dans le QG {of}{name}", "dans votre QG", "dans le QG du SOD"),
        "into-hq": ("dans le QG {of}{name}", "dans votre QG", "dans le QG du SOD"),
        "from-hq": ("du QG {of}{name}", "de votre QG", "du QG du SOD"),
        "turn": ("Le tour {of}{name}", "Votre tour", "Le tour du SOD"),
        "due": ("À {name} de jouer", "À vous de jouer", "Au SOD de jouer"),
    },
    counted={
        "cards": ("{n} carte", "{n} cartes"),
        "agents": ("{n} Agent", "{n} Agents"),
        "agents-alone": ("{n} Agent", "{n} Agents"),
        "players": ("{n} joueur", "{n} joueurs"),
        "points": ("{n} point de victoire", "{n} points de victoire"),
        "turns": ("{n} tour", "{n} tours"),
    },
    coloured={key: pair for colour in _COLOURS for key, pair in _coloured(colour).items()},
    phrases={
        "and": " et ",
        "then": ", puis ",
        "none": "aucun",
        "exactly": "exactement {least}",
        "range": "{least} ou {most}",
        "slot": "emplacement {slot}",
        "deck": "la pioche",
        "from-slot": "de l’emplacement {slot} de l’étalage",
        "from-deck": "de la pioche",
        "take-slot": "la carte de l’emplacement {slot} de l’étalage",
        "take-deck": "la première carte de la pioche",
        "in-slot": "{colour} (emplacement {slot})",
        "using": " avec un Consultant ({consultant})",
        "held-by": "{name} : {what}",
    },
    phases={
        "conglomerates": "choisir deux Conglomérats",
        "turn": "choisir une action",
        "second-card": "prendre la deuxième carte du Complot",
        "placement": "placer les Agents des cartes prises à l’instant",
        "ability": "utiliser la capacité de la Compagnie prise, ou y renoncer",
        "discard": "défausser jusqu’à six cartes en main",
        "over": "la partie est terminée, on compte les points",
    },
    priorities={
        "A": "la seule Compagnie à sa portée",
        "A-1": "une Compagnie de l’un des Objectifs",
        "A-2": "la Compagnie avec le plus d’Agents du joueur",
        "A-3": "la Compagnie adjacente au plus grand nombre de Compagnies du joueur",
        "A-4": "la Compagnie la plus proche du bord de la grille",
        "A-scan": "la première de plusieurs Compagnies équivalentes, vue du marqueur",
        "B-1": "prendre deux cartes d’un de ses Conglomérats",
        "B-2": "prendre une carte de chacun de ses Conglomérats",
        "B-3": "prendre la seule carte à lui et en défausser une du joueur",
        "BB-1": "une Compagnie à lui d’un des Objectifs, sans plus d’Agents que ses voisines",
        "BB-2": "une Compagnie à lui d’un des Objectifs",
        "BB-3": "une Compagnie à lui sans plus d’Agents que ses voisines",
        "BB-4": "une Compagnie à lui",
        "C-1": "défausser deux cartes d’un des Conglomérats du joueur",
        "C-2": "défausser une carte de chacun des Conglomérats du joueur",
        "C-3": "défausser la dernière carte de l’étalage",
        "D": "rien d’autre n’est possible",
    },
    events={
        "game-started": "Une partie de New Corp Order pour {players} a commencé.",
        "game-started.solo": "Une partie solo de New Corp Order contre le SOD a commencé.",
        "companies-laid": "Les Compagnies ont été disposées en 4 colonnes (A à D) et {rows} lignes.",
        "agents-scattered": "Chaque Compagnie a reçu son premier Agent : {agents}.",
        "objectives-dealt": "Chaque joueur a reçu deux Objectifs Secrets.",
        "objectives-dealt.own": "Chaque joueur a reçu deux Objectifs Secrets. Les vôtres : {objectives}.",
        "objectives-laid-out": "Trois Objectifs pour les deux camps sont prêts, cachés jusqu’au choix des"
        " Conglomérats.",
        "consultants-dealt": "Chaque joueur a reçu un Consultant. {consultants}.",
        "cards-dealt": "Les cartes ont été distribuées. Étalage : {display}. Pioche : {deck}.",
        "cards-dealt.own": "Les cartes ont été distribuées. Votre main : {hand}. Étalage : {display}. Pioche : {deck}.",
        "cards-dealt.solo": "L’étalage est prêt, caché jusqu’au choix des Conglomérats. Pioche : {deck}.",
        "conglomerates-chosen": "{who} choisi {player} ; le SOD joue {ods}. Chaque camp a reçu un Agent de chacune de"
        " ses couleurs.",
        "turn-began": "{turn} a commencé.",
        "decision-reached": "{due} : {phase}.",
        "turn-passed": "{who} passé, faute d’action possible.",
        "card-taken.hand": "{who} pris {card} {origin}.",
        "card-taken.hidden": "{who} pris une carte {origin}.",
        "card-taken.hq": "{who} pris {card} {origin} dans {own_hq}.",
        "card-taken.box": "{who} pris {card} {origin} ; elle est de l’autre camp et est allée dans la boîte.",
        "display-refilled": "L’étalage a été complété : {cards}.",
        "end-triggered": "L’étalage n’a pas pu être complété : le dernier tour de table commence. Chacun joue encore"
        " une fois, le dernier tour est pour {name}.",
        "consultant-used": "{who} utilisé un Consultant ({consultant}), remis dans la réserve.",
        "consultant-taken": "{who} pris un Consultant dans la réserve ({consultant}).",
        "cards-placed": "{who} placé {cards} dans {own_hq}.",
        "agents-placed": "{who} placé {agents} sur {company}.",
        "cards-rotated": "Cartes pivotées {in_hq} : {cards}.",
        "cards-unrotated": "Cartes remises en position droite {in_hq} : {cards}.",
        "agents-moved": "Agents bougés de {source} vers {target} : {agents}.",
        "takeover-failed": "{who} tenté une prise de contrôle de {target} depuis {source} avec {agents}, sans succès ;"
        " tout est revenu en {source}.",
        "company-taken-over": "{who} pris le contrôle de {target} depuis {source} avec {agents} contre {defenders} ;"
        " un défenseur est allé dans {own_hq}.",
        "ability-lapsed": "La capacité de {company} ne pouvait rien changer et reste sans effet.",
        "ability-skipped": "{who} renoncé à la capacité de {company}.",
        "cards-exchanged": "{who} échangé {gave} de {own_hq} contre {took} {from_hq}.",
        "card-removed": "Remise dans la boîte {from_hq} : {card}.",
        "agents-exchanged": "Tous les Agents de {first} et de {second} ont été échangés.",
        "cards-drawn": "{who} pioché {cards} grâce à la Négociatrice.",
        "cards-discarded": "{who} défaussé {cards}.",
        "marker-moved": "Le marqueur SOD a avancé au-dessus de la colonne {column}.",
        "priority-followed": "Le SOD a suivi la priorité {priority} : {reason}.",
        "card-swept": "Le SOD a mis {card} de l’emplacement {slot} dans la boîte.",
        "table-flipped": "Le SOD ne pouvait rien faire : il a renversé la table et gagné.",
        "game-ended": "La partie est terminée : {scores}. Victoire : {winners}.",
        "game-ended.shared": "La partie est terminée : {scores}. Victoire partagée : {winners}.",
    },
    kinds={
        "plot": "Complot",
        "infiltrate": "Infiltration",
        "take-over": "Prise de contrôle",
        "discard": "Défausse",
        "skip-ability": "Passer la capacité",
        "choose-conglomerates": "Choisir les conglomérats",
        "place-agents": "Placer les agents",
        "play-ods": "Tour du SOD",
    },
    actions={
        "plot": "Complot : prenez {cards}.",
        "infiltrate": "Infiltration{using} : {placements}.",
        "infiltrate.take": "Infiltration{using} : {placements} ; prenez un Consultant dans la réserve ({consultant}).",
        "placement": "placez {cards} dans votre QG et {agents} sur {company}",
        "placement.joker": "placez {cards} et {joker} comme Joker dans votre QG et {agents} sur {company}",
        "take-over": "Prise de contrôle{using} : pivotez {cards} et bougez {agents} de {source} vers {target}.",
        "discard": "Défaussez {cards}.",
        "move-agents": "Réseau de diffusion : bougez un Agent {moves}.",
        "move": "de {source} vers {target}",
        "rotate-cards": "Marketing de guérilla : pivotez {cards} {in_hq}.",
        "exchange-cards": "La presse : échangez {gave} de votre QG contre {took} {from_hq}.",
        "unrotate-cards": "Publicité ambiante : remettez en position droite {cards} {in_hq}.",
        "remove-card": "Social media : remettez dans la boîte {card} {from_hq}.",
        "exchange-agents": "Marketing en ligne : échangez tous les Agents de {first} et de {second}.",
        "skip-ability": "Renoncez à la capacité de la Compagnie.",
        "choose-conglomerates": "Jouez {colours} ; le SOD reçoit les deux autres.",
        "place-agents": "Placez les Agents de vos cartes sur {companies}.",
        "play-ods": "Laissez le SOD jouer son tour.",
    },
    refusals={
        "": "Les règles ne permettent pas cela.",
        "not-your-turn": "Ce n’est pas votre tour. Vous serez sollicité le moment venu.",
        "game-over": "La partie est terminée ; plus rien ne peut être joué.",
        "other-decision-due": "Autre chose est à faire maintenant : {due}.",
        "wrong-number-of-cards": "Ce n’est pas le bon nombre de cartes ; il en faut {number}.",
        "wrong-number-of-cards.R-12": "Un Complot prend deux cartes, l’une après l’autre, de l’étalage ou de la pioche"
        " ; nombre à prendre maintenant : {number}.",
        "wrong-number-of-cards.R-14": "À la fin du tour, six cartes au plus restent en main ; nombre à défausser :"
        " {number}.",
        "wrong-number-of-cards.R-32": "Le Marketing de guérilla pivote {number} cartes de la même couleur dans un"
        " seul QG.",
        "wrong-number-of-cards.R-34": "La Publicité ambiante remet en position droite {number} cartes dans un seul QG.",
        "empty-slot": "L’emplacement {slot} de l’étalage est vide. Prenez une carte d’un autre emplacement ou de la"
        " pioche.",
        "empty-deck": "La pioche est vide. Prenez une carte de l’étalage.",
        "no-infiltrate-in-solo": "Contre le SOD, l’Infiltration fait partie du Complot : prenez des cartes de vos"
        " couleurs, puis placez leurs Agents.",
        "no-cards-placed": "Une Infiltration place au moins une carte de la couleur principale.",
        "cards-not-in-hand": "Vous avez {cards} en main. Choisissez parmi les cartes que vous avez.",
        "supply-too-small": "Chaque carte placée demande un Agent, et il reste dans la réserve : {agents}. Placez"
        " moins de cartes.",
        "no-such-company": "Il n’y a pas de Compagnie en {square}. Les colonnes vont de A à D, les lignes comptent du"
        " haut.",
        "other-colour-there": "{square} n’est pas de la couleur {colour}. Les Agents ne rejoignent qu’une Compagnie"
        " qui a déjà des Agents de leur couleur.",
        "consultant-not-held": "Ce Consultant n’est pas dans votre QG : {consultant}. Jouez sans lui ou utilisez-en un"
        " autre.",
        "consultant-does-not-fit": "Ce Consultant ne change pas cette action : {consultant}. Il va avec une autre :"
        " {fits}.",
        "too-few-cards-for-consultant": "On ne prend un Consultant que pour trois cartes ou plus d’une même couleur."
        " Placez plus de cartes ou n’en prenez aucun.",
        "consultant-not-in-supply": "Ce Consultant n’est plus dans la réserve : {consultant}. Prenez-en un autre ou"
        " aucun.",
        "consultant-just-used": "Ce Consultant a été utilisé ce tour-ci : {consultant}. Prenez-en un autre ou aucun.",
        "joker-needs-media-advisor": "Une carte d’une autre couleur ne sert de Joker qu’avec le Contrôleur de médias."
        " Utilisez-le (M I ..) ou retirez le Joker.",
        "media-advisor-needs-joker": "Le Contrôleur de médias demande exactement une carte d’une autre couleur comme"
        " Joker. Nommez-la (2R+K) ou jouez sans lui.",
        "joker-of-main-colour": "Le Joker doit être d’une autre couleur que la couleur principale ({colour}).",
        "second-colour-needs-corporate-lawyer": "Seul l’Avocat d’affaires permet d’infiltrer avec deux couleurs."
        " Utilisez-le (L I ..) ou placez une couleur sur une Compagnie.",
        "corporate-lawyer-needs-two-colours": "L’Avocat d’affaires demande deux couleurs, au moins une carte de"
        " chacune. Placez-en deux ou jouez sans lui.",
        "no-agents-moved": "Une Prise de contrôle bouge au moins un Agent et pivote autant de cartes.",
        "not-adjacent": "{target} n’est pas adjacente à {source}. Choisissez une Compagnie voisine, sans diagonale.",
        "too-few-cards": "Une Prise de contrôle pivote une carte de la couleur des Agents par Agent ; en position"
        " droite dans votre QG : {cards}.",
        "last-agent-stays": "Un Agent reste toujours en place : {square} n’en a pas assez. Bougez-en moins ou depuis"
        " une autre Compagnie.",
        "last-of-colour": "Cela retirerait de la grille les derniers Agents d’une couleur ({colour}), ce qui est"
        " interdit. Choisissez une autre cible.",
        "not-your-conglomerate": "Ce Conglomérat ({colour}) est celui du SOD. Jouez avec vos propres couleurs.",
        "other-ability": "La Compagnie prise a une autre capacité : {ability}. Utilisez celle-ci ou renoncez-y.",
        "changes-nothing": "Cela ne changerait rien. Choisissez autre chose ou renoncez à la capacité.",
        "wrong-number-of-agents": "Le Réseau de diffusion bouge un ou deux Agents.",
        "several-colours": "Le Réseau de diffusion ne bouge que des Agents de la même couleur.",
        "no-such-hq": "Il n’y a pas de QG @{hq}. Les QG sont numérotés par place, à partir de @0.",
        "cards-not-in-hq": "Il n’y a pas assez de telles cartes ({colour}) {in_hq}.",
        "cards-not-in-hq.R-32": "Il n’y a pas assez de cartes droites ({colour}) {in_hq}.",
        "cards-not-in-hq.R-34": "Il n’y a pas assez de cartes pivotées ({colour}) {in_hq}.",
        "own-hq": "La presse échange avec le QG d’un autre joueur. Nommez une autre place que la vôtre.",
        "two-different-colours": "Choisissez deux couleurs différentes.",
        "one-company-per-colour": "Nommez une Compagnie par couleur des cartes prises à l’instant ({colours}), de"
        " cette couleur.",
    },
    table={
        "turn": "Tour {turn}. {name} : {phase}.",
        "before": "{name} : {phase}.",
        "over": "La partie est terminée. Victoire : {winners}.",
        "shared": "La partie est terminée. Victoire partagée : {winners}.",
        "final": "DERNIER TOUR DE TABLE : encore {turns} après celui-ci.",
        "last": "DERNIER TOUR DE TABLE : c’est le dernier tour.",
        "display": "Étalage",
        "deck": "Pioche",
        "hidden": "caché jusqu’au choix des Conglomérats",
        "supply": "Réserve",
        "agents": "Agents",
        "consultants": "Consultants",
        "cards": "Cartes",
        "rotated": "Pivotées",
        "in-hand": "{cards} en main",
        "hand": "Votre main",
        "own-hand": "Votre main",
        "objectives": "Vos Objectifs (*)",
        "shared-objectives": "Objectifs (*)",
        "others-objectives": "Objectifs",
        "you": "vous",
        "plays": "joue {colours}",
        "chooses": "couleurs pas encore choisies",
        "points": "{points}",
        "short-points": "{points} PV",
        "to-place": "À placer",
        "ability": "Capacité de {square} : {type}",
        "used": "Consultant utilisé ce tour : {consultant}",
        "caption": "Tour {turn}, {name} : {phase} ; Compagnies : {companies} ; pioche : {cards}.",
        "caption.before": "{name} : {phase} ; Compagnies : {companies} ; pioche : {cards}.",
        "caption.over": "La partie est terminée, victoire : {winners} ; {scores}.",
    },
    explanations=explanations.held(explanations.FRENCH),
    questions=questions.FRENCH,
)
