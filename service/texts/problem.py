"""What mails say about a table that has come to nothing, in the languages of the players."""

from __future__ import annotations

from typing import Final

EN: Final = {
    "problem-called-off": "The table is called off.",
    "problem-called-off-text": "Hello {name}, your game of {title} with {others} will not be played: {host} has called "
    "the table off.",
    "problem-removed": "You no longer have a seat at this table.",
    "problem-removed-text": "Hello {name}, you no longer have a seat in this game of {title}: the host has freed it "
    "before the game began.",
    "problem-next": "There is nothing that you have to do. If you want to play, look whether there is a free seat at "
    "an open table, or open one of your own and invite others to it.",
    "problem-open-tables": "See the open tables",
    "problem-new-table": "Open a table of your own",
    "digest-problems": "Tables that have come to nothing for you",
}

DE: Final = {
    "problem-called-off": "Der Tisch ist abgesagt.",
    "problem-called-off-text": "Hallo {name}, aus deiner Partie {title} mit {others} wird nichts: {host} hat den Tisch "
    "abgesagt.",
    "problem-removed": "Du hast an diesem Tisch keinen Platz mehr.",
    "problem-removed-text": "Hallo {name}, du hast in dieser Partie {title} keinen Platz mehr: Der Gastgeber hat ihn "
    "frei gemacht, bevor sie begann.",
    "problem-next": "Zu tun ist für dich nichts. Wenn du spielen willst, sieh nach, ob an einem offenen Tisch ein "
    "Platz frei ist, oder eröffne einen eigenen und lade andere dazu ein.",
    "problem-open-tables": "Die offenen Tische ansehen",
    "problem-new-table": "Einen eigenen Tisch eröffnen",
    "digest-problems": "Tische, aus denen für dich nichts wird",
}

FR: Final = {
    "problem-called-off": "La table est annulée.",
    "problem-called-off-text": "Bonjour {name}, votre partie de {title} avec {others} n'aura pas lieu : {host} a "
    "annulé la table.",
    "problem-removed": "Vous n'avez plus de place à cette table.",
    "problem-removed-text": "Bonjour {name}, vous n'avez plus de place dans cette partie de {title} : l'hôte l'a "
    "libérée avant le début.",
    "problem-next": "Vous n'avez rien à faire. Si vous voulez jouer, regardez s'il y a une place libre à une table "
    "ouverte, ou ouvrez la vôtre et invitez-y d'autres personnes.",
    "problem-open-tables": "Voir les tables ouvertes",
    "problem-new-table": "Ouvrir votre propre table",
    "digest-problems": "Tables qui n'auront pas lieu pour vous",
}
