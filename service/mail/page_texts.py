"""What the pages say about what goes on around a game, in the languages of the players."""

from __future__ import annotations

from typing import Final

EN: Final = {
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
}

DE: Final = {
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
}

FR: Final = {
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
}
