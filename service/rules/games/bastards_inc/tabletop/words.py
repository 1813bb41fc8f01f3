"""The words of the page of a table in the language of its reader; names of things are those of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from service.rules.bidi import isolated, short
from service.rules.games.bastards_inc.describe import card_text
from service.rules.games.bastards_inc.tabletop.english import ENGLISH
from service.rules.games.bastards_inc.tabletop.french import FRENCH
from service.rules.games.bastards_inc.tabletop.german import GERMAN
from service.rules.games.bastards_inc.words import speak
from service.rules.games.bastards_inc.words.english import NAMES as ENGLISH_NAMES
from service.rules.games.bastards_inc.words.french import NAMES as FRENCH_NAMES
from service.rules.games.bastards_inc.words.german import NAMES as GERMAN_NAMES
from service.rules.games.bastards_inc.words.language import Voice
from service.rules.kernel import Json
from service.rules.table_parts import Unit
from service.rules.table_plugin import Sight
from service.rules.tabletop.default_words import all_of
from service.rules.tabletop.story import WHO
from service.rules.typography import typeset

MAX_NAME_CHARS = 24
UNIT: Mapping[str, Unit] = {
    "en": Unit(name="Round", numbered="round {number}", counted=("{count} round", "{count} rounds")),
    "de": Unit(name="Runde", numbered="Runde {number}", counted=("{count} Runde", "{count} Runden")),
    "fr": Unit(name="Manche", numbered="manche {number}", counted=("{count} manche", "{count} manches")),
}
_TEXTS: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "de": GERMAN, "fr": typeset(FRENCH)}
_NAMES: Mapping[str, Mapping[str, str]] = {"en": ENGLISH_NAMES, "de": GERMAN_NAMES, "fr": typeset(FRENCH_NAMES)}
_ONE: Mapping[str, frozenset[int]] = {"en": frozenset({1}), "de": frozenset({1}), "fr": frozenset({0, 1})}
"""The numbers that take the singular."""


class Speaker(NamedTuple):
    """A language of the game, and the names of the players by seat; texts are those of the page."""

    code: str
    players: tuple[str, ...]

    def word(self, key: str, **fields: Any) -> str:
        """Return a text with its fields filled in."""
        return _TEXTS[self.code][key].format(**{"who": WHO, **fields})

    def counted(self, key: str, n: int, **fields: Any) -> str:
        """Return a text for a number: `key.one` for a number that takes the singular."""
        return self.word(f"{key}.one" if abs(n) in _ONE[self.code] else key, n=n, **fields)

    def name(self, thing: str) -> str:
        """Return the name of a card, an event, a company, a place, a score or a row of the war table."""
        return _NAMES[self.code].get(thing, thing)

    def at(self, place: str) -> str:
        """Return where somebody is, such as `in the Tigers`."""
        return speak(self.code).places[place].at

    def to(self, place: str) -> str:
        """Return where to somebody goes, such as `to the Tigers`."""
        return speak(self.code).places[place].to

    def player(self, seat: int, longest: int = MAX_NAME_CHARS) -> str:
        """Return the name of a player, shortened; a seat for which there is none goes by its number."""
        given = self.players[seat] if seat < len(self.players) else f"#{seat + 1}"
        return isolated(short(given, longest))

    def all_of(self, parts: Iterable[str], joint: str = "and") -> str:
        """Return parts as `a, b and c`, or with `or`."""
        return all_of(self.code, list(parts), joint)

    def has(self, key: str) -> bool:
        return key in _TEXTS[self.code]

    def these(self, things: Iterable[str]) -> str:
        return self.all_of(self.name(each) for each in things)


def speaker_in(language: str, names: Sequence[str]) -> Speaker:
    """Return the speaker of a language by its tag (English, if unknown)."""
    code = language.lower().replace("_", "-").split("-")[0]
    return Speaker(code if code in _TEXTS else "en", tuple(names))


def speaker(sight: Sight) -> Speaker:
    """Return the speaker to a reader."""
    return speaker_in(sight.language, sight.names)


# Cards, events and illegal acts in words.


def named(told: Speaker, card: str) -> str:
    """Return a card's name and what it does."""
    return told.word("card", name=told.name(card), effect=card_text(Voice(speak(told.code), None, ()), card))


def lasting(told: Speaker, event: Json) -> Iterator[tuple[str, str]]:
    """Yield the event in force and what lasts of it, each with its icon."""
    yield "icon-event", told.name(event["event"])
    for key, icon in (("famine", "place-pty"), ("disaster", "place-pty"), ("amnesty", "score-cri")):
        if event[key]:
            yield icon, told.word(key)
    for each in event["booms"]:
        yield "billions", told.word("log.boom", region=told.name(each["region"]), n=each["billions"])
    for each in event["thresholds"]:
        names = {"region": told.name(each["region"]), "score": told.name(each["score"])}
        yield f"score-{each['score']}", told.word("log.threshold", n=each["higher"], **names)


def announced(told: Speaker, act: Json) -> str:
    """Return an illegal act in words: the name of its card, or a sale."""
    what = next(act[each] for each in ("deal", "play", "sell") if act[each] is not None)
    return told.name(what["card"]) if "card" in what else told.word("a-sale")
