"""Why a name cannot be used, in the languages of the players."""

from __future__ import annotations

from typing import Final

EN: Final = {
    "name-unseen": "That name has characters that cannot be seen, or that turn the text round, or none that can be "
    "seen. Please leave them out.",
    "name-piled": "That name has more than three marks on one letter. Please leave some out.",
    "name-taken": "That name would pass for the automaton or for a former player. Please choose another one.",
}

DE: Final = {
    "name-unseen": "In diesem Namen stehen Zeichen, die man nicht sieht oder die den Text umdrehen, oder gar keine "
    "sichtbaren. Bitte lass sie weg.",
    "name-piled": "In diesem Namen trägt ein Buchstabe mehr als drei Zeichen. Bitte lass einige davon weg.",
    "name-taken": "Diesen Namen könnte man für den des Automaten oder eines früheren Mitspielers halten. Bitte wähle "
    "einen anderen.",
}

FR: Final = {
    "name-unseen": "Ce nom contient des caractères invisibles, ou qui retournent le texte, ou n'a rien de visible. "
    "Veuillez les enlever.",
    "name-piled": "Dans ce nom, une lettre porte plus de trois signes. Veuillez en enlever.",
    "name-taken": "Ce nom pourrait passer pour celui de l'automate ou d'un ancien joueur. Choisissez-en un autre.",
}
