"""What is said about addresses that nobody has confirmed, and about how many mails one may cause."""

from __future__ import annotations

from typing import Final

EN: Final = {
    "confirm-subject": "Is this your address? Boardroom would write to it",
    "confirm-asked": "Somebody, maybe you, has given this address for their games at Boardroom.",
    "confirm-if": "If it was you: confirm it, and a mail tells you whenever it is your move. Until then no other mail "
    "comes.",
    "confirm-button": "Yes, write to me here",
    "confirm-else": "If it was not you, there is nothing to do. The last link sees to it that nobody can have you "
    "asked again.",
    "confirm-never": "Never ask this address again, and send it no invitations",
    "confirm-title": "Mails to your address",
    "confirm-page": "Shall Boardroom write to {email} when it is your move, and about your games?",
    "confirm-done-title": "Your address is confirmed",
    "confirm-done": "From now on mails about your games come to you. If a game waits for you, its mail is on its way.",
    "confirm-past-title": "There is nothing to confirm",
    "confirm-past": "The player for whom this address was given has another one by now, or is gone.",
    "ask-never-title": "No more such mails",
    "ask-never": "Shall nobody be able to have Boardroom write to this address any more: neither with an invitation, "
    "nor with the question whether it is theirs?",
    "ask-never-press": "Never again",
    "ask-never-done-title": "No more such mails",
    "ask-never-done": "This address gets no invitations and no such questions any more, whoever gives it. Should you "
    "want to play one day, the button in the mail that you have got still confirms it.",
    "mails-unconfirmed": "No mails go to {email} yet: nobody there has confirmed that the address is yours.",
    "mails-asked": "A mail that asks for it was sent on",
    "mails-ask": "Send the mail that asks for it",
    "mails-by-sign-in": "Signing in with the address confirms it, too.",
    "mails-not-asked": "No mail was sent: one has asked the address within the last 30 days, or it wants none. Sign in "
    "with the address instead.",
    "own-mail-unconfirmed": "You get no mails when it is your move: {email} is not confirmed yet. Look for our mail "
    "there.",
    "lobby-unconfirmed": "no mails: address not confirmed yet",
    "mail-budget-title": "No more mails today",
    "mail-budget": "You, or somebody at your network, have caused as many mails to others as may be caused in a day. "
    "It goes on at midnight (UTC). Once your own address is confirmed, there are more.",
    "lobby-mail-budget": "No mail was sent: you, or somebody at your network, have caused as many as may be caused in "
    "a day. It goes on at midnight (UTC). Pass a link on instead.",
    "said-something": "{name} said something",
    "said-unread": "You can read it at the table.",
    "invite-message": "{host} writes:",
    "lobby-invite-language": "Language of the invitation",
    "lobby-invite-message": "A line of your own (if you like)",
    "lobby-bad-message": "That does not go: one line of at most 200 characters, and an address as in anna@example.org.",
}

DE: Final = {
    "confirm-subject": "Ist das deine Adresse? Boardroom würde dorthin schreiben",
    "confirm-asked": "Jemand, vielleicht du, hat diese Adresse bei Boardroom für seine Partien angegeben.",
    "confirm-if": "Warst du es, dann bestätige sie: Von da an sagt dir eine Mail, wenn du am Zug bist. Bis dahin kommt "
    "keine weitere.",
    "confirm-button": "Ja, schreibt mir hierher",
    "confirm-else": "Warst du es nicht, brauchst du nichts zu tun. Der letzte Link sorgt dafür, dass dich niemand noch "
    "einmal fragen lassen kann.",
    "confirm-never": "Diese Adresse nie wieder fragen und nicht mehr einladen",
    "confirm-title": "Mails an deine Adresse",
    "confirm-page": "Soll Boardroom an {email} schreiben, wenn du am Zug bist, und was deine Partien angeht?",
    "confirm-done-title": "Deine Adresse ist bestätigt",
    "confirm-done": "Ab jetzt bekommst du die Mails zu deinen Partien. Wartet eine auf dich, ist ihre Mail schon "
    "unterwegs.",
    "confirm-past-title": "Hier gibt es nichts zu bestätigen",
    "confirm-past": "Der Spieler, für den diese Adresse angegeben wurde, hat inzwischen eine andere, oder es gibt ihn "
    "nicht mehr.",
    "ask-never-title": "Keine solchen Mails mehr",
    "ask-never": "Soll niemand mehr veranlassen können, dass Boardroom an diese Adresse schreibt: weder mit einer "
    "Einladung noch mit der Frage, ob sie ihm gehört?",
    "ask-never-press": "Nie wieder",
    "ask-never-done-title": "Keine solchen Mails mehr",
    "ask-never-done": "Diese Adresse bekommt keine Einladungen und keine solchen Fragen mehr, wer immer sie angibt. "
    "Möchtest du eines Tages doch mitspielen, bestätigt der Knopf in der Mail, die du bekommen hast, sie noch immer.",
    "mails-unconfirmed": "An {email} gehen noch keine Mails: Dort hat noch niemand bestätigt, dass das deine Adresse "
    "ist.",
    "mails-asked": "Eine Mail, die darum bittet, ging hinaus am",
    "mails-ask": "Die Mail schicken, die darum bittet",
    "mails-by-sign-in": "Wer sich mit der Adresse anmeldet, bestätigt sie damit auch.",
    "mails-not-asked": "Es ging keine Mail hinaus: In den letzten 30 Tagen wurde die Adresse schon gefragt, oder sie "
    "möchte keine. Melde dich stattdessen mit der Adresse an.",
    "own-mail-unconfirmed": "Wenn du am Zug bist, kommt keine Mail: {email} ist noch nicht bestätigt. Sieh dort nach "
    "unserer Mail.",
    "lobby-unconfirmed": "keine Mails: Adresse noch nicht bestätigt",
    "mail-budget-title": "Heute keine Mails mehr",
    "mail-budget": "Du, oder jemand in deinem Netz, hat so viele Mails an andere veranlasst, wie es an einem Tag geht. "
    "Ab Mitternacht (UTC) geht es weiter. Ist deine eigene Adresse bestätigt, sind es mehr.",
    "lobby-mail-budget": "Es ging keine Mail hinaus: Du, oder jemand in deinem Netz, hat so viele veranlasst, wie es "
    "an einem Tag geht. Ab Mitternacht (UTC) geht es weiter. Gib stattdessen einen Link weiter.",
    "said-something": "{name} hat etwas gesagt",
    "said-unread": "Am Tisch kannst du es lesen.",
    "invite-message": "{host} schreibt:",
    "lobby-invite-language": "Sprache der Einladung",
    "lobby-invite-message": "Eine Zeile von dir (wenn du magst)",
    "lobby-bad-message": "Das geht nicht: eine Zeile von höchstens 200 Zeichen, und eine Adresse wie anna@example.org.",
}

FR: Final = {
    "confirm-subject": "Est-ce votre adresse ? Boardroom voudrait y écrire",
    "confirm-asked": "Quelqu'un, peut-être vous, a donné cette adresse pour ses parties sur Boardroom.",
    "confirm-if": "Si c'était vous, confirmez-la : un message vous dira alors chaque fois que c'est à vous de jouer. "
    "D'ici là, il n'en viendra pas d'autre.",
    "confirm-button": "Oui, écrivez-moi ici",
    "confirm-else": "Si ce n'était pas vous, vous n'avez rien à faire. Le dernier lien empêche que l'on vous sollicite "
    "à nouveau.",
    "confirm-never": "Ne plus jamais solliciter cette adresse ni l'inviter",
    "confirm-title": "Messages à votre adresse",
    "confirm-page": "Boardroom doit-il écrire à {email} quand c'est à vous de jouer, et au sujet de vos parties ?",
    "confirm-done-title": "Votre adresse est confirmée",
    "confirm-done": "Vous recevrez désormais les messages de vos parties. Si l'une d'elles vous attend, son message "
    "est en route.",
    "confirm-past-title": "Il n'y a rien à confirmer",
    "confirm-past": "Le joueur pour qui cette adresse a été donnée en a une autre à présent, ou n'est plus là.",
    "ask-never-title": "Ne plus recevoir de tels messages",
    "ask-never": "Plus personne ne doit-il pouvoir faire écrire Boardroom à cette adresse, ni pour une invitation, ni "
    "pour demander si elle est bien la sienne ?",
    "ask-never-press": "Plus jamais",
    "ask-never-done-title": "C'est noté : plus de tels messages",
    "ask-never-done": "Cette adresse ne recevra plus ni invitations ni questions de ce genre, qui que ce soit qui la "
    "donne. Si un jour vous voulez jouer, le bouton du message que vous avez reçu la confirme toujours.",
    "mails-unconfirmed": "Aucun message n'est encore envoyé à {email} : personne n'y a confirmé que l'adresse est la "
    "vôtre.",
    "mails-asked": "Un message qui le demande a été envoyé le",
    "mails-ask": "Envoyer le message qui le demande",
    "mails-by-sign-in": "Se connecter avec l'adresse la confirme aussi.",
    "mails-not-asked": "Aucun message n'a été envoyé : l'adresse a déjà été sollicitée ces 30 derniers jours, ou n'en "
    "veut pas. Connectez-vous plutôt avec l'adresse.",
    "own-mail-unconfirmed": "Vous ne recevez pas de message quand c'est à vous : {email} n'est pas encore confirmée. "
    "Cherchez-y notre message.",
    "lobby-unconfirmed": "pas de messages : adresse pas encore confirmée",
    "mail-budget-title": "Plus de messages aujourd'hui",
    "mail-budget": "Vous, ou quelqu'un de votre réseau, avez fait envoyer autant de messages à d'autres qu'il est "
    "permis en un jour. Cela reprendra à minuit (UTC). Une fois votre adresse confirmée, il y en aura davantage.",
    "lobby-mail-budget": "Aucun message n'a été envoyé : vous, ou quelqu'un de votre réseau, en avez fait envoyer "
    "autant qu'il est permis en un jour. Cela reprendra à minuit (UTC). Transmettez plutôt un lien.",
    "said-something": "{name} a dit quelque chose",
    "said-unread": "Vous pouvez le lire à la table.",
    "invite-message": "{host} écrit :",
    "lobby-invite-language": "Langue de l'invitation",
    "lobby-invite-message": "Une ligne de vous (si vous voulez)",
    "lobby-bad-message": "Cela ne convient pas : une ligne de 200 caractères au plus, et une adresse comme "
    "anna@example.org.",
}
