"""What the pages say about what goes on around a game, in the languages of the players."""

from __future__ import annotations

from typing import Final

EN: Final = {
    "colon": ":",
    "undo-left-one": "You can take it back for one more minute, as long as nobody acts.",
    "undo-left-other": "You can take it back for {count} more minutes, as long as nobody acts.",
    "unreached": "{names} cannot be reached by mail: tell them yourself when it is their move.",
    "own-mail-no-address": "You get no mails when it is your move: your account has no mail address.",
    "own-mail-unwanted": "You get no mails when it is your move: you have chosen so.",
    "own-mail-settings": "Change that",
    "own-mail-unknown-address": "No mails are sent to {email} any more: its provider says that there is no such"
    " address.",
    "own-mail-mailbox-full": "No mails are sent to {email} any more: the mailbox there is full.",
    "own-mail-not-accepted": "No mails are sent to {email} any more: its provider keeps turning them away.",
    "join-mails": "Mails that it is your move go to the address that this invitation went to.",
    "join-have": "You have played here before? Sign in first, and open this link again then.",
    "joined-mails": "A mail tells you when it is your move.",
    "joined-cookies": "This browser keeps no cookies, so it cannot show you the table. Allow them for this page, and"
    " open the link again.",
    "lobby-refresh": "Look again whether somebody has come",
    "lobby-now": "At the table: {names}. Free seats: {free}.",
    "to-start": "To the start page of Boardroom",
    "not-there-title": "Nothing was done",
    "not-there": "This address takes forms only, or takes none. Go back to the page before, load it again, and use its"
    " buttons.",
    "too-large-title": "That is too much",
    "too-large": "What was sent is larger than we take. Nothing was kept: go back, make it shorter, and send it again.",
    "not-read-title": "That could not be read",
    "not-read": "The browser has sent something that makes no sense here, so nothing was done. Go back, load the page"
    " again, and repeat the last step.",
    "broken-title": "Something went wrong on our side",
    "broken": "It is not your fault. Either all of what you asked for was done or nothing: load the page of your game"
    " again, it tells. If this comes again, tell whoever runs this service.",
    "broken-id": "They can find it by this number:",
}

DE: Final = {
    "colon": ":",
    "undo-left-one": "Du kannst sie noch eine Minute lang zurücknehmen, solange niemand handelt.",
    "undo-left-other": "Du kannst sie noch {count} Minuten lang zurücknehmen, solange niemand handelt.",
    "unreached": "{names}: per Mail nicht zu erreichen. Sag selbst Bescheid, wenn der Zug ansteht.",
    "own-mail-no-address": "Wenn du am Zug bist, kommt keine Mail: Dein Konto hat keine Mailadresse.",
    "own-mail-unwanted": "Wenn du am Zug bist, kommt keine Mail: So hast du es gewählt.",
    "own-mail-settings": "Das ändern",
    "own-mail-unknown-address": "An {email} gehen keine Mails mehr: Ihr Anbieter meldet, dass es diese Adresse nicht"
    " gibt.",
    "own-mail-mailbox-full": "An {email} gehen keine Mails mehr: Das Postfach ist voll.",
    "own-mail-not-accepted": "An {email} gehen keine Mails mehr: Ihr Anbieter weist sie immer wieder ab.",
    "join-mails": "Die Mails, dass du am Zug bist, gehen an die Adresse, an die diese Einladung ging.",
    "join-have": "Du hast hier schon gespielt? Melde dich erst an und öffne dann diesen Link noch einmal.",
    "joined-mails": "Eine Mail sagt dir, wenn du am Zug bist.",
    "joined-cookies": "Dieser Browser behält keine Cookies und kann dir den Tisch darum nicht zeigen. Erlaube sie für"
    " diese Seite und öffne den Link noch einmal.",
    "lobby-refresh": "Nachsehen, ob jemand gekommen ist",
    "lobby-now": "Am Tisch: {names}. Freie Plätze: {free}.",
    "to-start": "Zur Startseite von Boardroom",
    "not-there-title": "Es ist nichts geschehen",
    "not-there": "Diese Adresse nimmt nur Formulare an, oder gar keine. Geh zurück zur vorigen Seite, lade sie neu und"
    " benutze ihre Knöpfe.",
    "too-large-title": "Das ist zu viel",
    "too-large": "Was ankam, ist größer, als wir annehmen. Es wurde nichts behalten: Geh zurück, kürze es und"
    " schicke es noch einmal.",
    "not-read-title": "Das war nicht zu lesen",
    "not-read": "Der Browser hat etwas geschickt, das hier keinen Sinn ergibt; es ist nichts geschehen. Geh"
    " zurück, lade die Seite neu und wiederhole den letzten Schritt.",
    "broken-title": "Bei uns ist etwas schiefgegangen",
    "broken": "Du hast nichts falsch gemacht. Entweder ist alles geschehen, worum du gebeten hast, oder nichts:"
    " Lade die Seite deiner Partie neu, sie sagt es. Kommt das wieder vor, sag es denen, die diesen Dienst betreiben.",
    "broken-id": "Unter dieser Nummer finden sie es:",
}

FR: Final = {
    "colon": "\N{NO-BREAK SPACE}:",
    "undo-left-one": "Vous pouvez la reprendre pendant encore une minute, tant que personne n'agit.",
    "undo-left-other": "Vous pouvez la reprendre pendant encore {count} minutes, tant que personne n'agit.",
    "unreached": "{names} : impossible à joindre par courriel. Prévenez vous-même quand ce sera à leur tour.",
    "own-mail-no-address": "Vous ne recevez pas de message quand c'est à vous : votre compte n'a pas d'adresse"
    " électronique.",
    "own-mail-unwanted": "Vous ne recevez pas de message quand c'est à vous : vous l'avez choisi ainsi.",
    "own-mail-settings": "Changer cela",
    "own-mail-unknown-address": "Plus aucun message n'est envoyé à {email} : son fournisseur dit que cette adresse"
    " n'existe pas.",
    "own-mail-mailbox-full": "Plus aucun message n'est envoyé à {email} : la boîte est pleine.",
    "own-mail-not-accepted": "Plus aucun message n'est envoyé à {email} : son fournisseur les refuse sans cesse.",
    "join-mails": "Les messages disant que c'est à vous de jouer vont à l'adresse où est allée cette invitation.",
    "join-have": "Vous avez déjà joué ici ? Connectez-vous d'abord, puis ouvrez de nouveau ce lien.",
    "joined-mails": "Un message vous dit quand c'est à vous de jouer.",
    "joined-cookies": "Ce navigateur ne garde pas de cookies et ne peut donc pas vous montrer la table. Acceptez-les"
    " pour cette page, puis ouvrez de nouveau le lien.",
    "lobby-refresh": "Voir si quelqu'un est arrivé",
    "lobby-now": "À la table : {names}. Places libres : {free}.",
    "to-start": "Vers la page d'accueil de Boardroom",
    "not-there-title": "Rien n'a été fait",
    "not-there": "Cette adresse n'accepte que des formulaires, ou n'en accepte pas. Revenez à la page précédente,"
    " rechargez-la et utilisez ses boutons.",
    "too-large-title": "C'est trop",
    "too-large": "Ce qui a été envoyé dépasse ce que nous acceptons. Rien n'a été gardé : revenez en arrière,"
    " raccourcissez et envoyez de nouveau.",
    "not-read-title": "Illisible",
    "not-read": "Le navigateur a envoyé quelque chose qui n'a pas de sens ici ; rien n'a été fait. Revenez en arrière,"
    " rechargez la page et répétez la dernière étape.",
    "broken-title": "Quelque chose s'est mal passé chez nous",
    "broken": "Ce n'est pas votre faute. Soit tout ce que vous avez demandé a été fait, soit rien : rechargez"
    " la page de votre partie, elle le dit. Si cela se reproduit, dites-le à qui gère ce service.",
    "broken-id": "Voici le numéro qui permet de le retrouver :",
}
