"""The guide in French."""

from __future__ import annotations

from service.rules.games.new_corp_order.guide.wording import Wording

FRENCH = Wording(
    goal="But : le plus de points de victoire. Chaque Compagnie rapporte des points à ceux qui ont le plus de "
    "parts de son Conglomérat : cartes et Agents du QG.",
    goal_alone="But : plus de points que le SOD, l’ordinateur. Chaque Compagnie de vos deux couleurs rapporte 1 "
    "point si son type figure sur l’un des trois Objectifs ; les deux autres couleurs comptent de même pour le "
    "SOD.",
    names=("Ada", "Ben", "Cléo"),
    titles={
        "goal": "Le but",
        "turn": "Votre tour",
        "plot": "Complot : prendre deux cartes",
        "infiltrate": "Infiltration : poser des cartes, placer des Agents",
        "takeover": "Prise de contrôle : pivoter des cartes, déplacer des Agents",
        "abilities": "Ce que peuvent les Compagnies",
        "consultants": "Les Consultants",
        "end": "La fin",
        "scoring": "Le décompte",
        "solo": "Seul contre le SOD",
        "house": "Règles maison : Expert-comptable et Deluxe",
    },
    chapters={
        "goal": "Quatre Conglomérats de média, le rouge, le noir, le bleu et le blanc, se disputent les "
        "Compagnies d'une grille. Vous n'appartenez à aucun : vous réunissez leurs cartes, qui sont des parts, "
        "vous déplacez leurs Agents et faites grandir les Conglomérats dont vous détenez le plus.\n\n"
        "Quand les cartes viennent à manquer, chaque Compagnie rapporte des points de victoire aux joueurs qui "
        "détiennent le plus de parts du Conglomérat qui la contrôle. Le joueur qui a le plus de points gagne.",
        "turn": "À votre tour, vous faites exactement une action : Complot, Infiltration ou Prise de contrôle. "
        "Vous pouvez y joindre l'un de vos Consultants. Puis c'est au joueur suivant.\n\n"
        "Vous seul connaissez votre main et vos deux Objectifs secrets ; tout ce qui est dans un QG est visible.",
        "plot": "Prenez deux cartes en main, l'une après l'autre, chacune de l'étalage ou du dessus de la "
        "pioche. Vous voyez la première avant de choisir la seconde. Ensuite, l'étalage est complété à cinq "
        "cartes.\n\n"
        "À la fin de votre tour, vous gardez six cartes en main au plus : le surplus va dans la boîte.",
        "infiltrate": "Posez de votre main dans votre QG autant de cartes d'une même couleur que vous voulez. "
        "Autant d'Agents de cette couleur vont de la réserve sur une Compagnie qui en porte déjà.\n\n"
        "Si vous posez au moins trois cartes d'une même couleur, vous pouvez prendre un Consultant dans la "
        "réserve.",
        "takeover": "Pivotez dans votre QG autant de cartes d'une même couleur que vous voulez, et déplacez "
        "autant d'Agents de cette couleur d'une Compagnie vers une voisine, au-dessus, au-dessous, à gauche ou à "
        "droite. Un Agent au moins reste sur place, et une carte pivotée ne peut pas l'être de nouveau.\n\n"
        "Si la voisine porte moins d'Agents d'une autre couleur, elle est prise : l'un de ces Agents va dans "
        "votre QG, les autres dans la réserve, et vous pouvez utiliser la capacité de la Compagnie. Si elle en "
        "porte autant ou plus, vos Agents reviennent, et les cartes restent pivotées. Sur la même couleur, les "
        "Agents se joignent simplement aux autres.\n\n"
        "Les derniers Agents d'une couleur sur la grille ne peuvent pas en être chassés.",
        "abilities": "Après avoir pris une Compagnie, vous pouvez utiliser une fois sa capacité, qui dépend de "
        "son type.",
        "consultants": "Vous pouvez utiliser un Consultant de votre QG avec l'action qu'il modifie. Il retourne "
        "aussitôt dans la réserve : vous renoncez donc aux points qu'il peut rapporter à la fin.",
        "end": "Si l'étalage ne peut plus être complété à cinq cartes après un Complot, le dernier tour de table "
        "commence : chacun des autres joue encore une fois, et le joueur qui a pris ces cartes joue le dernier.",
        "scoring": "Pour chaque couleur, comptez vos parts : une par carte de votre QG, pivotée ou non, et deux "
        "par Agent de votre QG. Le joueur qui a le plus de parts reçoit 2 points par Compagnie de cette couleur, "
        "le deuxième en reçoit 1. À parts égales, ce sont les Agents de cette couleur dans le QG qui comptent. À "
        "deux joueurs, la deuxième place ne rapporte rien.\n\n"
        "Si une couleur vous rapporte des points, chaque Compagnie de cette couleur dont le type figure sur l'un "
        "de vos Objectifs en rapporte 2 de plus.\n\n"
        "Chaque paire de Consultants différents rapporte 1 point, et les quatre types ensemble 1 de plus. En cas "
        "d'égalité, le joueur qui a le plus d'Agents dans son QG gagne.",
        "solo": "Vous choisissez deux couleurs, le SOD a les deux autres. Il n'y a ni main ni Consultants, et "
        "trois Objectifs visibles valent pour les deux camps. Un Complot prend deux des quatre cartes de "
        "l'étalage : une carte à vous va dans votre QG, et son Agent aussitôt sur une Compagnie de cette couleur "
        "; une carte du SOD va dans la boîte. L'étalage n'est complété que lorsqu'il est vide.\n\n"
        "À chacun de ses tours, le SOD avance son marqueur d'une colonne vers la droite et fait la première "
        "chose possible : prendre une de vos Compagnies, prendre ses cartes, vous enlever les vôtres. La partie "
        "s'arrête aussitôt que l'étalage ne peut plus être complété.\n\n"
        "Chaque Compagnie contrôlée par les couleurs d'un camp, et dont le type figure parmi les trois "
        "Objectifs, vaut un point. Il vous faut plus de points que le SOD ; à égalité, vous ne gagnez qu'avec "
        "plus d'Agents dans votre QG.",
        "house": "La règle du jeu nomme un Corporate Accountant, ainsi que les Compagnies et les Consultants d'une "
        "édition Deluxe ; ce qu'ils font figure sur des feuilles que nous n'avons pas. Voici donc des règles maison : "
        "les effets et les noms sont de notre cru, ceux des feuilles sont différents. Elles ne valent que si le joueur "
        "qui ouvre la table les choisit, et jamais contre le SOD.\n\n"
        "Option Expert-comptable : au début, une carte de ce Consultant se trouve dans la réserve, quel que soit le "
        "nombre de joueurs. Personne ne la reçoit à la distribution.\n\n"
        "Option Deluxe : trois types de Compagnies tirés au sort restent dans la boîte avec leurs Objectifs, et trois "
        "autres types prennent leur place. Deux Consultants de plus rejoignent les autres, avec autant de cartes "
        "chacun.\n\n"
        "Dans ces parties, quatre Consultants différents, quels qu'ils soient, rapportent à la fin le point de plus.",
    },
    examples={
        "glance": "C'est à Ada. Cinq Agents rouges sur A2 côtoient trois noirs sur B2, et les cartes de son QG lui "
        "permettent d'en faire passer quatre : assez pour prendre B2.",
        "before": "C'est à Ada. Elle peut prendre deux des cinq cartes de l'étalage, ou piocher.",
        "plotted": "Ada a pris la carte rouge de l'emplacement 2 et la blanche de l'emplacement 5 ; les deux "
        "emplacements sont complétés.",
        "to_infiltrate": "C'est de nouveau à Ada. Elle a trois cartes rouges en main, et A2 porte déjà des "
        "Agents rouges.",
        "infiltrated": "Les trois cartes rouges sont dans son QG, et A2 porte trois Agents rouges de plus : cinq "
        "maintenant. Pour trois cartes d'une même couleur, elle a pris un Consultant, la Sous-traitante "
        "militaire.",
        "to_take_over": "La fois suivante : cinq Agents rouges sur A2, trois noirs à côté sur B2, et dans le QG "
        "d'Ada cinq cartes rouges qu'elle peut pivoter.",
        "taken_over": "Elle a pivoté quatre cartes : quatre Agents sont passés et ont battu les trois. Un Agent "
        "noir est maintenant dans son QG, et elle peut utiliser la capacité de B2.",
        "scored": "Le Conglomérat rouge contrôle cinq Compagnies. Ada détient six cartes rouges : 6 parts. Ben "
        "détient quatre cartes rouges et un Agent rouge : 6 parts aussi, et l'Agent fait de lui le premier. Ben "
        "reçoit 2 points par Compagnie, 10 en tout, Ada, deuxième, 1 par Compagnie, 5 en tout. Cléo, avec 3 "
        "parts, ne reçoit rien. L'Objectif La presse d'Ada correspond à une Compagnie rouge : 2 points de "
        "plus. Les Objectifs de Ben correspondent à une Compagnie rouge chacun : 4 points de plus.",
        "alone": "Vous avez le rouge et le bleu, le SOD a le noir et le blanc. Son marqueur est au-dessus de la "
        "colonne B.",
    },
    abilities={
        "online-marketing": "Tous les Agents de deux Compagnies échangent leurs places.",
        "guerrilla-marketing": "Une ou deux cartes d'une même couleur d'un QG sont pivotées.",
        "broadcast-network": "Un ou deux Agents d'une même couleur vont sur d'autres Compagnies de cette couleur.",
        "print-media": "Vous échangez une carte de votre QG contre une carte du QG d'un autre joueur.",
        "social-media": "Une carte de n'importe quel QG va dans la boîte.",
        "ambient-advertising": "Une ou deux cartes pivotées d'un QG sont redressées.",
    },
    consultants={
        "media-advisor": "Infiltration : une carte d'une autre couleur compte comme de la couleur posée.",
        "dealmaker": "Prise de contrôle : ensuite, vous piochez deux cartes.",
        "corporate-lawyer": "Infiltration : vous posez des cartes de deux couleurs et placez les Agents des deux.",
        "military-contractor": "Prise de contrôle : autant d'Agents que la voisine suffisent.",
    },
    house_abilities={
        "viral-marketing": "Un ou deux Agents de la réserve rejoignent une Compagnie de leur couleur.",
        "product-placement": "Vous posez une carte de votre main dans votre QG, sans Agent.",
        "negative-campaigning": "Un ou deux Agents d'une Compagnie retournent dans la réserve ; il en reste au moins "
        "un.",
    },
    house_consultants={
        "corporate-accountant": "Prise de contrôle : vous pivotez une carte de moins que d'Agents déplacés, mais au "
        "moins une.",
        "spin-doctor": "Infiltration : un Agent de plus que de cartes posées.",
        "headhunter": "Prise de contrôle : deux des défenseurs vont dans votre QG, s'ils étaient au moins deux.",
    },
    words={
        "ability": "Capacité",
        "agent": "Agent",
        "box": "Boîte",
        "card": "Carte",
        "company": "Compagnie",
        "conglomerate": "Conglomérat",
        "consultant": "Consultant",
        "deck": "Pioche",
        "display": "Étalage",
        "hq": "QG",
        "infiltrate": "Infiltration",
        "marker": "Marqueur",
        "objective": "Objectif",
        "ods": "SOD",
        "plot": "Complot",
        "rotated": "Pivotée",
        "share": "Part",
        "supply": "Réserve",
        "takeover": "Prise de contrôle",
        "victory-point": "Point de victoire",
    },
    sentences={
        "ability": "Ce qu'une Compagnie vous permet une fois, juste après sa prise de contrôle.",
        "agent": "Un pion d'une couleur sur une Compagnie ; la couleur présente la contrôle.",
        "box": "Ce qui va dans la boîte est définitivement hors du jeu.",
        "card": "Une part d'un Conglomérat, dans une main, un QG, l'étalage ou la pioche.",
        "company": "Une tuile de la grille avec un nom, un type et des Agents d'une seule couleur.",
        "conglomerate": "L'une des quatre couleurs : Mega Media (rouge), KuronoTech (noir), Branx Entertainment "
        "(bleu), Omnicorp (blanc).",
        "consultant": "Une carte du QG qui modifie une action, ou rapporte des points à la fin.",
        "deck": "Les cartes cachées ; quand elles ne complètent plus l'étalage, la partie s'achève.",
        "display": "Les cartes visibles aux emplacements numérotés, où puise un Complot.",
        "hq": "L'espace visible d'un joueur : cartes posées, Agents gagnés, Consultants.",
        "infiltrate": "Poser des cartes d'une couleur dans son QG et autant d'Agents sur une Compagnie.",
        "marker": "Il montre à quelle colonne le SOD commence à chercher une cible.",
        "objective": "Un type de Compagnie qui rapporte des points de plus au joueur qui détient la carte.",
        "ods": "L'adversaire que joue l'ordinateur quand vous jouez seul.",
        "plot": "Prendre deux cartes de l'étalage ou de la pioche.",
        "rotated": "Une carte couchée : elle a servi à une Prise de contrôle, mais reste une part.",
        "share": "Une carte du QG compte pour une part de sa couleur, un Agent du QG pour deux.",
        "supply": "Les Agents et les Consultants communs.",
        "takeover": "Pivoter des cartes pour déplacer autant d'Agents vers une Compagnie voisine, et la prendre s'ils "
        "sont plus nombreux.",
        "victory-point": "Le joueur qui en a le plus à la fin gagne.",
    },
    figures_title="Chiffres tirés de parties entre ordinateurs",
    figures_limits="Dans ces parties, l’ordinateur occupait toutes les places. Les chiffres disent comment il joue et "
    "ne sont pas une loi du jeu : les humains jouent autrement, et un joueur plus fort a peut-être besoin de "
    "moins de tours ou marque plus de points. Dans 95 cas sur 100, un tel intervalle contient le vrai taux de "
    "l’ordinateur.",
    figures_sizes={2: "À deux", 3: "À trois", 4: "À quatre"},
    figures_text="Sur {games} parties, la partie médiane a compté {turns} tours, et neuf sur dix entre {fewest} et "
    "{most}. Le score médian était de {points} points, et neuf sur dix étaient entre {least} et {greatest} ; "
    "le score médian des gagnants était de {winner}. Le premier joueur a gagné {rate} parties sur 100 "
    "(intervalle : {low} à {high} ; équilibre : {even}).",
)
