"""What is said about mails themselves: that they arrive, how to get fewer of them, and what waits for whom."""

from __future__ import annotations

from typing import Final

EN: Final = {
    "trial-subject": "Your mails from Boardroom arrive",
    "trial-arrived": "Hello {name}, you are reading this, so mails from Boardroom reach you.",
    "trial-go-on": "There is nothing to do. When it is your turn in a game, a mail tells you so.",
    "unsubscribe-title": "Fewer mails from Boardroom",
    "unsubscribe-game": "This is about your game of {title}.",
    "unsubscribe-missed": "Without these mails you may miss your turns: nobody else tells you that the others wait.",
    "unsubscribe-instead": "One mail a day, or quiet about this one game, may be enough.",
    "unsubscribe-digest": "Tell me everything in one mail a day",
    "unsubscribe-mute": "No more mails about this game",
    "unsubscribe-kind-turn": "No more mails that it is my turn, in any game",
    "unsubscribe-kind-started": "No more mails that a game has begun",
    "unsubscribe-kind-over": "No more mails that a game is over",
    "unsubscribe-kind-message": "No more mails about what others say at the table",
    "unsubscribe-all": "No more mails about games at all",
    "unsubscribe-account": "Mails that you ask for yourself, such as links to sign in, still come.",
    "unsubscribed-title": "It is done",
    "unsubscribed": "From now on you get mails as you have chosen. In the settings you can change it at any time.",
    "unsubscribe-unknown-title": "This link does not work",
    "unsubscribe-unknown": "It was perhaps cut off: copy it whole from the mail. Nothing has been changed.",
}

DE: Final = {
    "trial-subject": "Deine Mails von Boardroom kommen an",
    "trial-arrived": "Hallo {name}, du liest das hier, also erreichen dich die Mails von Boardroom.",
    "trial-go-on": "Du brauchst nichts zu tun. Wenn du in einer Partie am Zug bist, sagt es dir eine Mail.",
    "unsubscribe-title": "Weniger Mails von Boardroom",
    "unsubscribe-game": "Es geht um deine Partie {title}.",
    "unsubscribe-missed": "Ohne diese Mails verpasst du vielleicht deine Züge: Sonst sagt dir niemand, dass die "
    "anderen warten.",
    "unsubscribe-instead": "Vielleicht genügt eine Mail am Tag, oder Ruhe nur von dieser einen Partie.",
    "unsubscribe-digest": "Sag mir alles in einer Mail am Tag",
    "unsubscribe-mute": "Keine Mails mehr zu dieser Partie",
    "unsubscribe-kind-turn": "Keine Mails mehr, dass ich am Zug bin, in keiner Partie",
    "unsubscribe-kind-started": "Keine Mails mehr, dass eine Partie begonnen hat",
    "unsubscribe-kind-over": "Keine Mails mehr, dass eine Partie zu Ende ist",
    "unsubscribe-kind-message": "Keine Mails mehr über das, was andere am Tisch sagen",
    "unsubscribe-all": "Gar keine Mails mehr zu Partien",
    "unsubscribe-account": "Mails, die du selbst anforderst, etwa Links zum Anmelden, kommen weiterhin.",
    "unsubscribed-title": "Erledigt",
    "unsubscribed": "Ab jetzt bekommst du Mails, wie du es gewählt hast. In den Einstellungen kannst du das jederzeit "
    "ändern.",
    "unsubscribe-unknown-title": "Dieser Link funktioniert nicht",
    "unsubscribe-unknown": "Vielleicht wurde er abgeschnitten: Kopiere ihn ganz aus der Mail. Es hat sich nichts "
    "geändert.",
}

FR: Final = {
    "trial-subject": "Vos messages de Boardroom arrivent",
    "trial-arrived": "Bonjour {name}, vous lisez ceci : les messages de Boardroom vous parviennent donc.",
    "trial-go-on": "Vous n'avez rien à faire. Quand ce sera à vous de jouer, un message vous le dira.",
    "unsubscribe-title": "Moins de messages de Boardroom",
    "unsubscribe-game": "Il s'agit de votre partie de {title}.",
    "unsubscribe-missed": "Sans ces messages, vous pourriez manquer vos tours : personne d'autre ne vous dira que les "
    "autres attendent.",
    "unsubscribe-instead": "Un seul message par jour, ou le silence sur cette seule partie, suffira peut-être.",
    "unsubscribe-digest": "Tout me dire en un message par jour",
    "unsubscribe-mute": "Plus de messages sur cette partie",
    "unsubscribe-kind-turn": "Plus de messages quand c'est à moi de jouer, dans aucune partie",
    "unsubscribe-kind-started": "Plus de messages quand une partie commence",
    "unsubscribe-kind-over": "Plus de messages quand une partie est terminée",
    "unsubscribe-kind-message": "Plus de messages sur ce que disent les autres à la table",
    "unsubscribe-all": "Plus aucun message sur les parties",
    "unsubscribe-account": "Les messages que vous demandez vous-même, comme les liens de connexion, arrivent toujours.",
    "unsubscribed-title": "C'est fait",
    "unsubscribed": "Désormais, vous recevez les messages que vous avez choisis. Vous pouvez changer cela à tout "
    "moment dans les réglages.",
    "unsubscribe-unknown-title": "Ce lien ne fonctionne pas",
    "unsubscribe-unknown": "Il a peut-être été coupé : copiez-le en entier depuis le message. Rien n'a été changé.",
}
