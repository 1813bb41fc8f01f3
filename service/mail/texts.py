"""What mails and pages say around the words of a ruleset, in the languages of the players."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from service.mail import invitation_texts as invitations

DEFAULT: Final = "en"

EN: Final = {
    **invitations.EN,
    "greeting": "Hello {name}, it is your move in {title}, against {others}.",
    "greeting-alone": "Hello {name}, it is your move in {title}.",
    "over-greeting": "Hello {name}, your game of {title} against {others} is over.",
    "over-greeting-alone": "Hello {name}, your game of {title} is over.",
    "recap": "Since your last move",
    "table": "The table",
    "choices": "Your legal actions ({count}), as they are noted",
    "excerpt": "These are {shown} of your {count} legal actions. The page shows all {count}.",
    "group": "{kind}: {shown} of {count}",
    "link": "Look at the table and play:",
    "personal": "This link is yours alone: whoever has it can play for you. Please do not forward this mail.",
    "winner": "Winner: {names}",
    "no-winner": "None of the players wins.",
    "score": "{name}: {score}",
    "your-move": "Your move",
    "nothing-yet": "Nothing has happened since your last move.",
    "press": "A press of a button plays the action.",
    "all-of": "{type} ({count})",
    "notation-label": "Or write the action in its notation",
    "play": "Play",
    "unreadable": "This could not be read as an action: {part}",
    "other-decision": "That form was made for another move. Nothing has been played.",
    "illegal": "That is not possible: {reason}",
    "played": "Your action has been played",
    "go-on": "It is your move again",
    "go-on-link": "Go on",
    "wait": "That is all for now. When it is your move again, you get a mail.",
    "past": "This link has done its work",
    "past-played": "This is what was played for you ({door}, {at}):",
    "past-newest": "It is your move again. The link of your newest mail leads there.",
    "past-waiting": "It is not your move now. When it is, you get a mail with a new link.",
    "past-refused": "So nothing has been played just now.",
    "expired": "This link was sent too long ago and no longer works.",
    "over": "The game is over",
    "cancelled": "The game has been called off.",
    "later-title": "Please try again in a moment",
    "later": "The game could not be reached. Open the link of the mail again: its page tells whether your action was "
    "played.",
    "unknown-title": "No such page",
    "unknown": "This address leads nowhere. If it came from a mail, it may have been cut off: copy it as a whole.",
    "door-api": "through the API",
    "door-web": "on the web site",
    "door-link": "by mail link",
    "door-reply": "by mail reply",
    "door-timeout": "because the time was up",
    "door-worker": "by the automaton",
    "start": "Board games by mail, one move at a time. When it is your move, a mail shows you the table and your legal "
    "actions; its link lets you play one of them. Games are set up through the API.",
    "start-api": "The API, which openapi.yaml describes, begins at",
    "start-mailbox": "The mails that this machine has sent",
    "mailbox": "Mailbox",
    "mailbox-empty": "No mail has been sent yet.",
    "mailbox-note": "The newest mails first. They stay on this machine.",
    "from": "From",
    "to": "To",
    "subject": "Subject",
    "date": "Date",
    "sign-in-title": "Sign in to Boardroom",
    "sign-in-asked": "Somebody, probably you, wants to sign in to Boardroom with this address.",
    "sign-in-link": "To sign in, open this page and press its button:",
    "sign-in-once": "The link works once, and for {minutes} minutes. Whoever has it can sign in as you: please do not "
    "forward this mail.",
    "sign-in-not-you": "If it was not you, there is nothing to do: without the link nobody gets in.",
    "sign-in-press": "The button signs you in as {email}, and shows you a token for your programs. If you have no "
    "account yet, it makes one.",
    "sign-in-button": "Sign in",
    "sign-in-past-title": "This link no longer works",
    "sign-in-past": "A link to sign in works once, and not for long. Ask for another.",
    "signed-in": "You are signed in",
    "signed-in-token": "This is your token. It is shown only this once:",
    "signed-in-use": "Give it to the program that you play with, and to nobody else: whoever has it can do everything "
    "that you can. A program sends it along with every request to the API, like this:",
    "signed-in-until": "It works until {until}. If it gets into wrong hands, revoke it: the API lists and deletes "
    "tokens at /api/v1/tokens.",
}

DE: Final = {
    **invitations.DE,
    "greeting": "Hallo {name}, du bist am Zug bei {title}, gegen {others}.",
    "greeting-alone": "Hallo {name}, du bist am Zug bei {title}.",
    "over-greeting": "Hallo {name}, deine Partie {title} gegen {others} ist zu Ende.",
    "over-greeting-alone": "Hallo {name}, deine Partie {title} ist zu Ende.",
    "recap": "Seit deinem letzten Zug",
    "table": "Der Tisch",
    "choices": "Deine erlaubten Aktionen ({count}), wie sie notiert werden",
    "excerpt": "Das sind {shown} deiner {count} erlaubten Aktionen. Die Seite zeigt alle {count}.",
    "group": "{kind}: {shown} von {count}",
    "link": "Den Tisch ansehen und ziehen:",
    "personal": "Dieser Link gehört nur dir: Wer ihn hat, kann für dich ziehen. Bitte leite diese Mail nicht weiter.",
    "winner": "Gewonnen: {names}",
    "no-winner": "Von den Spielern gewinnt niemand.",
    "score": "{name}: {score}",
    "your-move": "Du bist am Zug",
    "nothing-yet": "Seit deinem letzten Zug ist nichts geschehen.",
    "press": "Ein Druck auf einen Knopf spielt die Aktion.",
    "all-of": "{type} ({count})",
    "notation-label": "Oder schreibe die Aktion in ihrer Notation",
    "play": "Spielen",
    "unreadable": "Das ließ sich nicht als Aktion lesen: {part}",
    "other-decision": "Dieses Formular gehörte zu einem anderen Zug. Es wurde nichts gespielt.",
    "illegal": "Das geht nicht: {reason}",
    "played": "Deine Aktion ist gespielt",
    "go-on": "Du bist gleich noch einmal am Zug",
    "go-on-link": "Weiter",
    "wait": "Das war es fürs Erste. Sobald du wieder am Zug bist, bekommst du eine Mail.",
    "past": "Dieser Link hat seinen Dienst getan",
    "past-played": "Für dich wurde gespielt ({door}, {at}):",
    "past-newest": "Du bist wieder am Zug. Der Link in deiner neuesten Mail führt dorthin.",
    "past-waiting": "Du bist gerade nicht am Zug. Sobald du es bist, bekommst du eine Mail mit einem neuen Link.",
    "past-refused": "Gerade eben wurde also nichts gespielt.",
    "expired": "Dieser Link ist zu alt und gilt nicht mehr.",
    "over": "Die Partie ist zu Ende",
    "cancelled": "Die Partie wurde abgesagt.",
    "later-title": "Bitte versuche es gleich noch einmal",
    "later": "Die Partie war nicht zu erreichen. Öffne den Link der Mail noch einmal: Seine Seite sagt, ob deine "
    "Aktion gespielt wurde.",
    "unknown-title": "Diese Seite gibt es nicht",
    "unknown": "Diese Adresse führt nirgendwohin. Stammt sie aus einer Mail, wurde sie vielleicht abgeschnitten: "
    "Kopiere sie bitte ganz.",
    "door-api": "über die API",
    "door-web": "auf der Webseite",
    "door-link": "über den Link einer Mail",
    "door-reply": "als Antwort auf eine Mail",
    "door-timeout": "weil die Zeit um war",
    "door-worker": "durch den Automaten",
    "start": "Brettspiele per Mail, Zug um Zug. Bist du am Zug, zeigt dir eine Mail den Tisch und deine erlaubten "
    "Aktionen; über ihren Link spielst du eine davon. Partien werden über die API angelegt.",
    "start-api": "Die API, die openapi.yaml beschreibt, beginnt bei",
    "start-mailbox": "Die Mails, die dieser Rechner verschickt hat",
    "mailbox": "Postfach",
    "mailbox-empty": "Noch wurde keine Mail verschickt.",
    "mailbox-note": "Die neuesten Mails zuerst. Sie bleiben auf diesem Rechner.",
    "from": "Von",
    "to": "An",
    "subject": "Betreff",
    "date": "Datum",
    "sign-in-title": "Anmelden bei Boardroom",
    "sign-in-asked": "Jemand, vermutlich du, möchte sich mit dieser Adresse bei Boardroom anmelden.",
    "sign-in-link": "Zum Anmelden öffne diese Seite und drücke ihren Knopf:",
    "sign-in-once": "Der Link gilt einmal, und {minutes} Minuten lang. Wer ihn hat, kann sich als du anmelden: Bitte "
    "leite diese Mail nicht weiter.",
    "sign-in-not-you": "Warst du es nicht, brauchst du nichts zu tun: Ohne den Link kommt niemand hinein.",
    "sign-in-press": "Der Knopf meldet dich als {email} an und zeigt dir ein Token für deine Programme. Hast du noch "
    "kein Konto, legt er eines an.",
    "sign-in-button": "Anmelden",
    "sign-in-past-title": "Dieser Link gilt nicht mehr",
    "sign-in-past": "Ein Link zum Anmelden gilt einmal und nicht lange. Fordere bitte einen neuen an.",
    "signed-in": "Du bist angemeldet",
    "signed-in-token": "Das ist dein Token. Es wird nur dieses eine Mal gezeigt:",
    "signed-in-use": "Gib es dem Programm, mit dem du spielst, und sonst niemandem: Wer es hat, kann alles, was du "
    "kannst. Ein Programm schickt es bei jeder Anfrage an die API mit, zum Beispiel so:",
    "signed-in-until": "Es gilt bis {until}. Gerät es in falsche Hände, widerrufe es: Die API listet und löscht Token "
    "unter /api/v1/tokens.",
}

FR: Final = {
    **invitations.FR,
    "greeting": "Bonjour {name}, c'est à vous de jouer à {title}, contre {others}.",
    "greeting-alone": "Bonjour {name}, c'est à vous de jouer à {title}.",
    "over-greeting": "Bonjour {name}, votre partie de {title} contre {others} est terminée.",
    "over-greeting-alone": "Bonjour {name}, votre partie de {title} est terminée.",
    "recap": "Depuis votre dernier coup",
    "table": "La table",
    "choices": "Vos actions permises ({count}), avec leur notation",
    "excerpt": "Voici {shown} de vos {count} actions permises. La page montre les {count}.",
    "group": "{kind} : {shown} sur {count}",
    "link": "Voir la table et jouer :",
    "personal": "Ce lien est personnel : qui le possède peut jouer à votre place. Ne transférez pas ce message.",
    "winner": "Victoire : {names}",
    "no-winner": "Aucun joueur ne gagne.",
    "score": "{name} : {score}",
    "your-move": "À vous de jouer",
    "nothing-yet": "Rien ne s'est passé depuis votre dernier coup.",
    "press": "Un appui sur un bouton joue l'action.",
    "all-of": "{type} ({count})",
    "notation-label": "Ou écrivez l'action dans sa notation",
    "play": "Jouer",
    "unreadable": "Ceci n'a pas pu être lu comme une action : {part}",
    "other-decision": "Ce formulaire était celui d'un autre coup. Rien n'a été joué.",
    "illegal": "Ce n'est pas possible : {reason}",
    "played": "Votre action est jouée",
    "go-on": "C'est encore à vous de jouer",
    "go-on-link": "Continuer",
    "wait": "C'est tout pour l'instant. Quand ce sera de nouveau à vous, vous recevrez un message.",
    "past": "Ce lien a déjà servi",
    "past-played": "Voici ce qui a été joué pour vous ({door}, {at}) :",
    "past-newest": "C'est de nouveau à vous. Le lien de votre dernier message y mène.",
    "past-waiting": "Ce n'est pas à vous de jouer. Quand ce le sera, vous recevrez un nouveau lien.",
    "past-refused": "Rien n'a donc été joué à l'instant.",
    "expired": "Ce lien est trop ancien et ne fonctionne plus.",
    "over": "La partie est terminée",
    "cancelled": "La partie a été annulée.",
    "later-title": "Réessayez dans un instant",
    "later": "La partie n'a pas pu être jointe. Ouvrez de nouveau le lien du message : sa page dit si votre action a "
    "été jouée.",
    "unknown-title": "Page introuvable",
    "unknown": "Cette adresse ne mène nulle part. Si elle vient d'un message, elle a peut-être été coupée : "
    "copiez-la en entier.",
    "door-api": "par l'API",
    "door-web": "sur le site",
    "door-link": "par le lien d'un message",
    "door-reply": "en réponse à un message",
    "door-timeout": "parce que le temps était écoulé",
    "door-worker": "par l'automate",
    "start": "Des jeux de société par courriel, coup par coup. Quand c'est à vous, un message montre la table et vos "
    "actions permises ; son lien permet d'en jouer une. Les parties se créent par l'API.",
    "start-api": "L'API, décrite par openapi.yaml, commence à",
    "start-mailbox": "Les messages envoyés par cette machine",
    "mailbox": "Boîte aux lettres",
    "mailbox-empty": "Aucun message n'a encore été envoyé.",
    "mailbox-note": "Les plus récents d'abord. Ils restent sur cette machine.",
    "from": "De",
    "to": "À",
    "subject": "Objet",
    "date": "Date",
    "sign-in-title": "Connexion à Boardroom",
    "sign-in-asked": "Quelqu'un, sans doute vous, veut se connecter à Boardroom avec cette adresse.",
    "sign-in-link": "Pour vous connecter, ouvrez cette page et appuyez sur son bouton :",
    "sign-in-once": "Le lien sert une seule fois, pendant {minutes} minutes. Qui le possède peut se connecter à votre "
    "place : ne transférez pas ce message.",
    "sign-in-not-you": "Si ce n'était pas vous, il n'y a rien à faire : sans le lien, personne n'entre.",
    "sign-in-press": "Le bouton vous connecte en tant que {email} et montre un jeton pour vos programmes. Si vous "
    "n'avez pas encore de compte, il en crée un.",
    "sign-in-button": "Se connecter",
    "sign-in-past-title": "Ce lien ne fonctionne plus",
    "sign-in-past": "Un lien de connexion sert une seule fois, et peu de temps. Demandez-en un autre.",
    "signed-in": "Vous êtes connecté",
    "signed-in-token": "Voici votre jeton. Il n'est montré que cette fois :",
    "signed-in-use": "Donnez-le au programme avec lequel vous jouez, et à personne d'autre : qui le possède peut tout "
    "ce que vous pouvez. Un programme l'envoie avec chaque requête à l'API, par exemple ainsi :",
    "signed-in-until": "Il fonctionne jusqu'au {until}. S'il tombe en de mauvaises mains, révoquez-le : l'API liste et "
    "supprime les jetons à /api/v1/tokens.",
}

TEXTS: Final[dict[str, dict[str, str]]] = {"en": EN, "de": DE, "fr": FR}


def say(language: str, key: str, **values: object) -> str:
    """Return the text in the language (English where we do not speak it), with the values put in."""
    return TEXTS.get(language, TEXTS[DEFAULT])[key].format(**values)


def moment(at: datetime) -> str:
    """Return the time for a reader, in UTC."""
    return f"{at:%Y-%m-%d %H:%M} UTC"
