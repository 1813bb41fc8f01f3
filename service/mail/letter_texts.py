"""What the mails of a game say around the words of its ruleset, in the languages of the players."""

from __future__ import annotations

from typing import Final

EN: Final = {
    "headline": "Your move: {headline}",
    "headline-none": "It is your move (no.\N{NO-BREAK SPACE}{decision}).",
    "headline-goes-on": "Your turn is not over yet (no.\N{NO-BREAK SPACE}{decision}).",
    "goes-on": "Hello {name}, it is still your move in {title}, against {others}. The game waits for what you do next.",
    "goes-on-alone": "Hello {name}, it is still your move in {title}. The game waits for what you do next.",
    "deadline": "The game waits for you until {at}.",
    "play-button": "Look and play (no.\N{NO-BREAK SPACE}{decision})",
    "play-button-goes-on": "Go on playing (no.\N{NO-BREAK SPACE}{decision})",
    "moves": "Your moves ({count})",
    "moves-how": "A link shows first what its move does. It is played only when you press the button there.",
    "moves-all": "{kind}: choose among all {count}",
    "moves-excerpt": "These are {shown} of your {count} moves; the page shows all of them. A move without a link is "
    "played by a reply: write what stands before its =.",
    "reply-how": 'You can also play by answering this mail: write for example "{notation}" on a line of its own. The '
    'word "help" there brings a list of all that you can write.',
    "reply-later": 'You can answer this mail: a line that begins with "say:" talks to the table, and a line with the '
    'word "help" brings a list of all that you can write.',
    "recap-start": "How the game began",
    "recap-last": "The last events",
    "recap-more-one": "and {count} more event before these",
    "recap-more-other": "and {count} more events before these",
    "rules-link": "The rules of {title}",
    "table-link": "The table on the web site",
    "share-link": "The table on the web site; you may share this link, it shows nothing hidden",
    "settings-link": "Which mails you get, and when",
    "witness": "Check value after {events} events: {check}. With this mail you can prove it if any of them is changed "
    "later.",
    "personal-links": "Please do not forward this mail: whoever has its links, or its address for replies, can play "
    "for you.",
    "started-headline": "The game has begun. First to act: {names}.",
    "started": "Hello {name}, your game of {title} against {others} has begun.",
    "started-alone": "Hello {name}, your game of {title} has begun.",
    "started-next": "There is nothing to do yet. When it is your move, you get a mail with the table and your moves.",
    "seats": "Who sits where",
    "seat-line": "Seat {number}: {name}",
    "seat-you": "Seat {number}: {name} (that is you)",
    "over-won": "The game is over: you have won.",
    "over-shared": "The game is over: {names} share the victory.",
    "over-lost": "The game is over: {names} has won.",
    "over-nobody": "The game is over. None of the players wins.",
    "over-how": "This is how the points came about.",
    "over-resigned": "A resignation has ended it, so there are no points.",
    "over-link": "See the whole game",
    "said-headline": "{name}: {words}",
    "said-greeting": "Hello {name}, this was said at your table of {title}.",
    "said-head": "{name}, {at}:",
    "said-table": "Go to the table",
    "said-answer": 'To answer, reply with a line that begins with "say:" and goes on with your words.',
    "receipt-greeting": "Hello {name}, this is about your mail to the game of {title} against {others}.",
    "receipt-greeting-alone": "Hello {name}, this is about your mail to the game of {title}.",
    "receipt-next": "Now it is your move.",
    "receipt-wait": "It is the move of {names}. When it is yours, you get a mail.",
    "receipt-undo": "Take this move back, as long as nobody else has acted",
}

DE: Final = {
    "headline": "Du bist am Zug: {headline}",
    "headline-none": "Du bist am Zug (Nr.\N{NO-BREAK SPACE}{decision}).",
    "headline-goes-on": "Dein Zug ist noch nicht zu Ende (Nr.\N{NO-BREAK SPACE}{decision}).",
    "goes-on": "Hallo {name}, du bist noch am Zug bei {title}, gegen {others}. Die Partie wartet auf deinen nächsten "
    "Schritt.",
    "goes-on-alone": "Hallo {name}, du bist noch am Zug bei {title}. Die Partie wartet auf deinen nächsten Schritt.",
    "deadline": "Die Partie wartet auf dich bis {at}.",
    "play-button": "Ansehen und ziehen (Nr.\N{NO-BREAK SPACE}{decision})",
    "play-button-goes-on": "Den Zug fortsetzen (Nr.\N{NO-BREAK SPACE}{decision})",
    "moves": "Deine Züge ({count})",
    "moves-how": "Ein Link zeigt erst, was sein Zug bewirkt. Gespielt wird er nur, wenn du dort den Knopf drückst.",
    "moves-all": "{kind}: unter allen {count} wählen",
    "moves-excerpt": "Das sind {shown} deiner {count} Züge; die Seite zeigt alle. Einen Zug ohne Link spielst du mit "
    "einer Antwort: Schreibe, was vor seinem = steht.",
    "reply-how": "Du kannst auch ziehen, indem du auf diese Mail antwortest: Schreibe zum Beispiel „{notation}“ in "
    "eine eigene Zeile. Das Wort „hilfe“ bringt dir dort eine Liste von allem, was du schreiben kannst.",
    "reply-later": "Du kannst auf diese Mail antworten: Eine Zeile, die mit „sag:“ beginnt, spricht zum Tisch, und "
    "eine Zeile mit dem Wort „hilfe“ bringt dir eine Liste von allem, was du schreiben kannst.",
    "recap-start": "Wie die Partie begann",
    "recap-last": "Was zuletzt geschah",
    "recap-more-one": "und {count} weiteres Ereignis davor",
    "recap-more-other": "und {count} weitere Ereignisse davor",
    "rules-link": "Die Regeln von {title}",
    "table-link": "Der Tisch auf der Webseite",
    "share-link": "Der Tisch auf der Webseite; diesen Link darfst du weitergeben, er zeigt nichts Verborgenes",
    "settings-link": "Welche Mails du bekommst, und wann",
    "witness": "Prüfwert nach {events} Ereignissen: {check}. Mit dieser Mail kannst du belegen, wenn eines davon "
    "später geändert wird.",
    "personal-links": "Bitte leite diese Mail nicht weiter: Wer ihre Links oder ihre Antwortadresse hat, kann für dich "
    "ziehen.",
    "started-headline": "Die Partie hat begonnen. Zuerst am Zug: {names}.",
    "started": "Hallo {name}, deine Partie {title} gegen {others} hat begonnen.",
    "started-alone": "Hallo {name}, deine Partie {title} hat begonnen.",
    "started-next": "Zu tun ist noch nichts. Sobald du am Zug bist, bekommst du eine Mail mit dem Tisch und deinen "
    "Zügen.",
    "seats": "Wer wo sitzt",
    "seat-line": "Platz {number}: {name}",
    "seat-you": "Platz {number}: {name} (das bist du)",
    "over-won": "Die Partie ist zu Ende: Du hast gewonnen.",
    "over-shared": "Die Partie ist zu Ende: {names} teilen sich den Sieg.",
    "over-lost": "Die Partie ist zu Ende: {names} hat gewonnen.",
    "over-nobody": "Die Partie ist zu Ende. Von den Spielern gewinnt niemand.",
    "over-how": "So sind die Punkte zustande gekommen.",
    "over-resigned": "Eine Aufgabe hat sie beendet, darum gibt es keine Punkte.",
    "over-link": "Die ganze Partie ansehen",
    "said-headline": "{name}: {words}",
    "said-greeting": "Hallo {name}, das wurde an deinem Tisch von {title} gesagt.",
    "said-head": "{name}, {at}:",
    "said-table": "Zum Tisch",
    "said-answer": "Um zu antworten, schreibe eine Zeile zurück, die mit „sag:“ beginnt und mit deinen Worten "
    "weitergeht.",
    "receipt-greeting": "Hallo {name}, es geht um deine Mail an die Partie {title} gegen {others}.",
    "receipt-greeting-alone": "Hallo {name}, es geht um deine Mail an die Partie {title}.",
    "receipt-next": "Jetzt bist du am Zug.",
    "receipt-wait": "Am Zug: {names}. Sobald du am Zug bist, bekommst du eine Mail.",
    "receipt-undo": "Diesen Zug zurücknehmen, solange niemand sonst gehandelt hat",
}

FR: Final = {
    "headline": "À vous de jouer : {headline}",
    "headline-none": "C'est à vous de jouer (n°\N{NO-BREAK SPACE}{decision}).",
    "headline-goes-on": "Votre tour n'est pas fini (n°\N{NO-BREAK SPACE}{decision}).",
    "goes-on": "Bonjour {name}, c'est encore à vous de jouer à {title}, contre {others}. La partie attend la suite de "
    "votre tour.",
    "goes-on-alone": "Bonjour {name}, c'est encore à vous de jouer à {title}. La partie attend la suite de votre tour.",
    "deadline": "La partie vous attend jusqu'au {at}.",
    "play-button": "Voir et jouer (n°\N{NO-BREAK SPACE}{decision})",
    "play-button-goes-on": "Continuer votre tour (n°\N{NO-BREAK SPACE}{decision})",
    "moves": "Vos coups ({count})",
    "moves-how": "Un lien montre d'abord l'effet de son coup. Celui-ci n'est joué que si vous appuyez là sur le "
    "bouton.",
    "moves-all": "{kind} : choisir parmi les {count}",
    "moves-excerpt": "Voici {shown} de vos {count} coups ; la page les montre tous. Un coup sans lien se joue par une "
    "réponse : écrivez ce qui précède son =.",
    "reply-how": "Vous pouvez aussi jouer en répondant à ce message : écrivez par exemple « {notation} », seul sur une "
    "ligne. Le mot « aide », de même, vous apporte la liste de tout ce que vous pouvez écrire.",
    "reply-later": "Vous pouvez répondre à ce message : une ligne qui commence par « dis: » parle à la table, et une "
    "ligne avec le mot « aide » vous apporte la liste de tout ce que vous pouvez écrire.",
    "recap-start": "Le début de la partie",
    "recap-last": "Les derniers événements",
    "recap-more-one": "et {count} autre événement avant ceux-ci",
    "recap-more-other": "et {count} autres événements avant ceux-ci",
    "rules-link": "Les règles de {title}",
    "table-link": "La table sur le site",
    "share-link": "La table sur le site ; ce lien-ci se partage, il ne montre rien de caché",
    "settings-link": "Quels messages vous recevez, et quand",
    "witness": "Empreinte après {events} événements : {check}. Avec ce message, vous pourrez prouver que l'un "
    "d'eux a été modifié plus tard.",
    "personal-links": "Ne transférez pas ce message : qui possède ses liens ou son adresse de réponse peut jouer à "
    "votre place.",
    "started-headline": "La partie a commencé. Premier tour : {names}.",
    "started": "Bonjour {name}, votre partie de {title} contre {others} a commencé.",
    "started-alone": "Bonjour {name}, votre partie de {title} a commencé.",
    "started-next": "Il n'y a encore rien à faire. Quand ce sera à vous, vous recevrez un message avec la table et vos "
    "coups.",
    "seats": "Qui est à quelle place",
    "seat-line": "Place {number} : {name}",
    "seat-you": "Place {number} : {name} (c'est vous)",
    "over-won": "La partie est terminée : vous avez gagné.",
    "over-shared": "La partie est terminée : {names} se partagent la victoire.",
    "over-lost": "La partie est terminée. Victoire : {names}.",
    "over-nobody": "La partie est terminée. Aucun joueur ne gagne.",
    "over-how": "Voici d'où viennent les points.",
    "over-resigned": "Un abandon y a mis fin, il n'y a donc pas de points.",
    "over-link": "Voir toute la partie",
    "said-headline": "{name} : {words}",
    "said-greeting": "Bonjour {name}, voici ce qui s'est dit à votre table de {title}.",
    "said-head": "{name}, {at} :",
    "said-table": "Aller à la table",
    "said-answer": "Pour répondre, renvoyez une ligne qui commence par « dis: » et continue avec vos mots.",
    "receipt-greeting": "Bonjour {name}, il s'agit de votre message à la partie de {title} contre {others}.",
    "receipt-greeting-alone": "Bonjour {name}, il s'agit de votre message à la partie de {title}.",
    "receipt-next": "Maintenant, c'est à vous de jouer.",
    "receipt-wait": "C'est à {names} de jouer. Quand ce sera à vous, vous recevrez un message.",
    "receipt-undo": "Annuler ce coup, tant que personne d'autre n'a agi",
}
