"""Default words, for games that contribute none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from service.rules.bidi import isolated, short
from service.rules.typography import typeset

LONGEST = 70
SHORTEST = 40
"""The most characters of the two sentences of a status."""
_NAMES = (24, 16, 12, 8, 5)

_ENGLISH = {
    "and": " and ",
    "or": " or ",
    "you": "You",
    "yours": "Your move.",
    "yours.with": "{names} are to act.",
    "theirs": "{names} is to move.",
    "theirs.many": "{names} are to act.",
    "you-win": "You win, {points}.",
    "you-win.plain": "You win.",
    "wins": "{names} wins, {points}.",
    "wins.plain": "{names} wins.",
    "shared": "{names} share the victory.",
    "shared.plain": "A shared victory.",
    "nobody": "The game is over.",
    "points": "{points} points",
    "to": " to ",
    "choose": "Choose {kinds}.",
    "next": "Choose what comes next.",
    "confirm": "Confirm",
    "board": "Board",
    "player": "Name",
    "total": "Points",
    "most": "The most points win.",
}
_GERMAN = {
    "and": " und ",
    "or": " oder ",
    "you": "Du",
    "yours": "Du bist dran.",
    "yours.with": "{names} seid dran.",
    "theirs": "{names} ist dran.",
    "theirs.many": "{names} sind dran.",
    "you-win": "Du gewinnst, {points}.",
    "you-win.plain": "Du gewinnst.",
    "wins": "{names} gewinnt, {points}.",
    "wins.plain": "{names} gewinnt.",
    "shared": "{names} teilen sich den Sieg.",
    "shared.plain": "Ein geteilter Sieg.",
    "nobody": "Die Partie ist zu Ende.",
    "points": "{points} Punkte",
    "to": " zu ",
    "choose": "Wähle {kinds}.",
    "next": "Wähle, wie es weitergeht.",
    "confirm": "Bestätigen",
    "board": "Spielplan",
    "player": "Name",
    "total": "Punkte",
    "most": "Die meisten Punkte gewinnen.",
}
_FRENCH = {
    "and": " et ",
    "or": " ou ",
    "you": "vous",
    "yours": "À vous de jouer.",
    "yours.with": "À {names} de jouer.",
    "theirs": "À {names} de jouer.",
    "theirs.many": "À {names} de jouer.",
    "you-win": "Vous gagnez, {points}.",
    "you-win.plain": "Vous gagnez.",
    "wins": "{names} gagne, {points}.",
    "wins.plain": "{names} gagne.",
    "shared": "{names} se partagent la victoire.",
    "shared.plain": "Une victoire partagée.",
    "nobody": "La partie est finie.",
    "points": "{points} points",
    "to": " à ",
    "choose": "Choisissez {kinds}.",
    "next": "Choisissez la suite.",
    "confirm": "Confirmer",
    "board": "Plateau",
    "player": "Nom",
    "total": "Points",
    "most": "Le plus de points gagne.",
}
_WORDS: Mapping[str, Mapping[str, str]] = {"en": _ENGLISH, "de": _GERMAN, "fr": typeset(_FRENCH)}


def plain(language: str, key: str, **fields: object) -> str:
    """Return a text of the defaults, in English if the language is unknown."""
    return _WORDS.get(language.partition("-")[0].lower(), _ENGLISH)[key].format(**fields)


def all_of(language: str, parts: Sequence[str], word: str = "and") -> str:
    """Return parts as `a, b and c`, or with `or` as `a, b or c`."""
    *first, last = parts
    return ", ".join(first) + plain(language, word) + last if first else last


def fitting(most: int, names: Sequence[str], *told: Callable[[list[str]], str]) -> str:
    """Return the first sentence of at most `most` characters: of each function, with ever shorter names of the seats.

    The last function has to be short enough with any names.
    """
    sentences = (tell([isolated(short(name, length)) for name in names]) for tell in told for length in _NAMES)
    return next(sentence for sentence in sentences if len(sentence) <= most)
