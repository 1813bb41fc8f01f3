"""The guide in French."""

from __future__ import annotations

from service.rules.games.bastards_inc.guide.wording import Wording

FRENCH = Wording(
    goal="But : valoir le plus après la dernière manche. Chaque milliard compte 1, chaque Influence 3 et le "
    "prix Nobel de la paix 12.",
    names=("Ada", "Ben", "Cleo"),
    titles={
        "goal": "Le but",
        "company": "Votre entreprise",
        "board": "Le plateau et ses signes",
        "round": "Une manche",
        "draw": "Piocher des cartes",
        "place": "Placer les vice-présidents",
        "event": "L'événement",
        "war": "La guerre",
        "business": "Faire des affaires",
        "money": "L'argent sale et l'argent propre",
        "journalism": "Ce qui est illégal, et qui regarde",
        "prize": "Le prix Nobel de la paix",
        "ventures": "Coentreprises et cadeaux",
        "mail": "Jouer par courriel",
        "end": "La fin",
    },
    chapters={
        "goal": "Vous dirigez une entreprise avec une adresse, un slogan et aucun scrupule. Vos vice-présidents "
        "s'envolent là où les règles sont bon marché, concluent des affaires que personne ne trouve dans les livres, "
        "et rapportent l'argent avant qu'une guerre ou un journaliste ne le trouve.\n\n"
        "Après {rounds} manches, l'entreprise qui vaut le plus a gagné : chaque milliard compte 1, chaque Influence "
        "{influence_worth}, le prix Nobel de la paix {prize_worth}. L'argent sale ne compte pas tant qu'il n'est pas "
        "blanchi.",
        "company": "Un plan d'affaires vous donne quatre valeurs de 0 à 6, des milliards et de l'Influence. Vous "
        "commencez avec deux vice-présidents et pouvez en avoir {most_vps}. Tout est visible, sauf les cartes en "
        "main.\n\n"
        "La Corruption ou le Crime ouvre les régions, la Technologie y vend du Matos, le Pouvoir médiatique ouvre le "
        "cirque médiatique. S'il manque un, deux ou trois points à une valeur, vous pouvez les acheter pour cette "
        "seule action, par un effort particulier : {effort1}, {effort2} ou {effort3} milliards. Quand les milliards "
        "sont épuisés, l'Influence paie les prix, une pour un.",
        "board": "Les six régions forment une pyramide, les riches en haut ; en dessous se trouve le cirque "
        "médiatique, à côté le salon. Les disques avec le numéro d'une place sont des vice-présidents.",
        "round": "Une manche a cinq phases : piocher, placer les vice-présidents, événement, guerre, affaires. "
        "Ensuite le joueur suivant devient premier joueur.",
        "draw": "Tous décident en même temps et en secret. Défaussez ce qui ne vous sert plus, puis piochez jusqu'à "
        "avoir autant de cartes que de vice-présidents. Une, deux ou trois cartes de plus s'achètent par un effort "
        "particulier. On peut aussi ne rien piocher (dans les parties commencées selon la version 1 des règles, tous "
        "piochent).",
        "place": "D'abord chacun peut rappeler des vice-présidents ; l'argent sale qu'ils portent est perdu. Puis, à "
        "partir du premier joueur, chacun en place un, le dernier tous les siens, et en revenant chacun place le "
        "reste. On peut toujours en envoyer un au salon.\n\n"
        "On entre dans une région par la Corruption ou par le Crime : cette valeur doit atteindre celle de la "
        "région. Une case média demande du Pouvoir médiatique. Une région en guerre est fermée.\n\n"
        "Si d'autres se trouvent là où vous arrivez, chacun d'eux peut résister et paie en secret autant d'Influence "
        "qu'il veut. Puis vous choisissez : payer un de plus qu'eux tous, et leurs vice-présidents de cette case "
        "vont au salon ; ou renoncer, et le vôtre s'en va, avec tous ceux que vous avez sur cette case. Qui ne "
        "résiste pas reste.",
        "event": "On révèle l'événement du dessus. Il déclenche des guerres, déplace du Matos et de l'argent ; une "
        "famine, une catastrophe, un boom, des seuils plus hauts ou une amnistie durent jusqu'au suivant.",
        "war": "Pour chaque guerre on lance un dé et on ajoute le Matos de la région. Le total dit combien de Matos "
        "est consommé. Après un 1 ou un 6, la guerre est finie. Les vice-présidents d'une région en guerre ne "
        "peuvent pas en sortir. Une guerre des États voyous coûte autant de Matos à l'Unique $uperpuissance qu'à eux.",
        "business": "À partir du premier joueur, chacun fait une action, tour après tour, jusqu'à ce que tous "
        "passent à la suite. Qui a passé peut de nouveau agir quand son tour revient.",
        "money": "Une affaire met de l'argent sale sur les vice-présidents qui la font. Il ne devient des milliards "
        "qu'une fois blanchi. Qui quitte une région autrement le perd.\n\n"
        "Une affaire reste devant vous et sert une fois par manche ; il y a de la place pour {most_businesses}.",
        "journalism": "Une vente est illégale si le Matos arrive dans la partie grise. Les cartes avec un masque le "
        "sont aussi. Si un autre a un vice-président au journalisme d'investigation, il peut vous dénoncer : l'acte "
        "tombe à l'eau, son journaliste va au salon et reçoit {scoop} Influence, et un lauréat dénoncé perd le prix.",
        "prize": "Le prix coûte {prize_price} Influence, à la banque ou au nez du lauréat. Il rapporte {fee} "
        "Influence par manche pour des discours, ouvre toute région gratuitement et sans résistance, même en guerre, "
        "et sort les vice-présidents des guerres. À la fin il vaut {prize_worth}.",
        "ventures": "Une affaire à deux vice-présidents peut se faire avec un des vôtres et un d'un autre joueur. "
        "Vous remplissez toutes les conditions, le partenaire gagne autant sans dépenser d'action. Invitez, avec une "
        "soulte si vous voulez ; l'autre répond à son tour. Les milliards peuvent se donner. Les promesses "
        "n'engagent personne.",
        "mail": "Trois consignes vous épargnent des messages : faut-il vous demander quand quelqu'un arrive chez "
        "vous, quand un acte illégal est annoncé, et quand on vous veut comme partenaire ? Dans la phase des "
        "affaires, vous pouvez passer jusqu'à ce que quelque chose vous concerne, et envoyer d'autres actions avec "
        "la première.",
        "end": "La partie se termine après la manche {rounds}, ou après une manche où quelqu'un vaut {target} ; la "
        "courte après la manche {short_rounds}, ou à {short_target}. À égalité, le plus d'Influence gagne, puis le "
        "plus de vice-présidents. Dans une guerre nucléaire tous ont perdu, sauf celui qui a le Bunker.",
    },
    points={
        "board": {
            "Enveloppe": "Corruption.",
            "Masque": "Crime ; rouge sur une carte : elle est illégale.",
            "Engrenage": "Technologie.",
            "Téléviseur": "Pouvoir médiatique.",
            "Billet": "Milliards ; dans une région, son revenu pour le Matos.",
            "Couronne": "Influence ; sur une case média, ce qu'une campagne y rapporte.",
            "Bombe et barre": "Matos, de 0 à 6 ; dans la partie grise, les ventes sont illégales.",
            "Étoile": "Guerre.",
            "Mallette": "Argent sale sur un vice-président ; sur une affaire, ce que chacun gagne.",
            "Cadres sur une affaire": "Un pour chaque vice-président qu'il faut, avec les régions où il peut se "
            "trouver.",
        },
        "war": {
            "1–3, Escarmouche": "Aucun Matos consommé.",
            "4–6, Offensive": "1 Matos.",
            "7–8, Carnage": "2 Matos.",
            "9–10, Intervention": "2 Matos, et 1 de l'Unique $uperpuissance ; tous les vice-présidents sauf ceux du "
            "lauréat sont rapatriés sans bagages, et la guerre est finie.",
            "11, Terre brûlée": "3 Matos.",
            "12, Guerre nucléaire": "La partie est finie.",
        },
        "business": {
            "Affaire": "Faites-en une de votre main, ou encore une fois une qui est devant vous.",
            "Blanchir": "L'argent sale d'un vice-président devient des milliards ; il va au salon. Il faut la "
            "Corruption ou le Crime de la région.",
            "Vendre du Matos": "Un vice-président va au salon, vous recevez le revenu de la région, et son Matos "
            "augmente de 1. Il faut la Technologie de la région.",
            "Campagne médiatique": "Un vice-président du cirque médiatique gagne 1 Influence et va au salon ; au "
            "numéro de charité 2, tant qu'il y a guerre, famine ou catastrophe.",
            "Jouer une carte": "Son effet est écrit dessus.",
            "Embaucher": "Un vice-président pour {vp_price} milliards.",
            "Acheter le prix": "Pour {prize_price} Influence.",
            "Passer": "Et voir ce que font les autres.",
        },
    },
    examples={
        "glance": "À Ada de jouer. Son vice-président chez les Tigres peut vendre du Matos pour 5 milliards ; celui "
        "du Corruptistan porte 3 d'argent sale, qu'elle peut blanchir.",
        "to_place": "Ada place un vice-président. Sa Corruption de 5 suffit pour toutes les régions.",
        "placed": "Elle l'a envoyé chez les Tigres. Personne n'y est pour résister.",
        "at_war": "Guerre au Corruptistan : le vice-président d'Ada ne peut pas sortir avec son argent sale.",
        "to_deal": "Ada a un vice-président au Corruptistan et une affaire pour lui en main.",
        "dealt": "Il porte maintenant 3 d'argent sale, et l'affaire reste tournée devant elle jusqu'à la prochaine "
        "manche.",
    },
    words={
        "vice-president": "Vice-président",
        "lounge": "Salon VIP",
        "region": "Région",
        "media-circus": "Cirque médiatique",
        "stuff": "Matos",
        "billions": "Milliards",
        "influence": "Influence",
        "black-money": "Argent sale",
        "extra-effort": "Effort particulier",
        "fight": "Lutte d'influence",
        "deal": "Affaire",
        "portfolio": "Portefeuille",
        "launder": "Blanchir",
        "sell": "Vendre du Matos",
        "campaign": "Campagne médiatique",
        "place": "Placer",
        "event": "Événement",
        "war": "Guerre",
        "prize": "Prix Nobel de la paix",
        "laureate": "Lauréat",
        "bunker": "Bunker",
        "joint-venture": "Coentreprise",
        "start-player": "Premier joueur",
        "worth": "Valeur",
    },
    sentences={
        "vice-president": "Une de vos figures, dans une région, au cirque médiatique ou au salon.",
        "lounge": "Là où les vice-présidents se reposent, se cachent ou attendent.",
        "region": "Une des six cases de la pyramide, les riches en haut.",
        "media-circus": "Trois cases pour les campagnes et les journalistes.",
        "stuff": "Tout ce qui explose : vendu aux régions, consommé par les guerres, de 0 à 6 dans chaque région.",
        "billions": "De l'argent propre, ou du moins dans les livres.",
        "influence": "Paie les luttes et le prix, et les prix quand les milliards sont épuisés.",
        "black-money": "L'argent sur un vice-président, qui ne compte pas tant qu'il n'est pas blanchi.",
        "extra-effort": "Achète jusqu'à trois points qui manquent à une valeur, pour une action.",
        "fight": "Qui se trouve sur une case peut payer de l'Influence pour en écarter un arrivant.",
        "deal": "Une carte qui met de l'argent sale sur un ou deux vice-présidents dans les bonnes régions.",
        "portfolio": "Les affaires devant un joueur, chacune utilisable une fois par manche.",
        "launder": "Changer l'argent sale d'un vice-président en milliards.",
        "sell": "Prendre le revenu de la région contre 1 Matos de plus là-bas.",
        "campaign": "Gagner de l'Influence avec un vice-président au cirque médiatique.",
        "place": "Envoyer un vice-président du salon vers une case.",
        "event": "Une carte révélée à chaque manche, en vigueur jusqu'à la suivante.",
        "war": "Une région en guerre consomme du Matos et ne laisse sortir personne.",
        "prize": "Ouvre toutes les régions, rapporte de l'Influence, et vaut {prize_worth} à la fin.",
        "laureate": "Le joueur qui a le prix Nobel de la paix.",
        "bunker": "Qui l'a gagne une guerre nucléaire, seul.",
        "joint-venture": "Une affaire avec un de vos vice-présidents et un d'un autre joueur.",
        "start-player": "Commence à chaque phase de la manche ; puis c'est le suivant.",
        "worth": "Les milliards, {influence_worth} par Influence, {prize_worth} pour le prix.",
    },
    shorts={
        "vice-president": "VP",
    },
)
