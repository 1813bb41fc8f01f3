"""The fields of the sentences about events: which there are, and how each is made from the fields of an event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc.words.voice import UNKNOWN, Voice
from service.rules.kernel import Json


class Fields(dict[str, Any]):
    """The fields of a sentence, made when they are used: each sentence uses few."""

    def __init__(self, voice: Voice, seen: Json, own: Mapping[str, Any]) -> None:
        super().__init__(own)
        self._voice, self._seen = voice, seen

    def __missing__(self, field: str) -> str:
        make, of = _FIELDS.get(field, (None, field))
        if make is None or self._seen.get(of) is None:
            return UNKNOWN
        return make(self._voice, self._seen[of])


def _person(form: str) -> Callable[[Voice, int], str]:
    return lambda voice, seat: voice.person(form, seat)


def _counted(kind: str) -> Callable[[Voice, int], str]:
    return lambda voice, n: voice.number(kind, n)


_FIELDS: Mapping[str, tuple[Callable[[Voice, Any], str], str]] = {
    "who": (_person("who"), "seat"),
    "is": (_person("is"), "seat"),
    "name": (_person("name"), "seat"),
    "turn": (_person("turn"), "seat"),
    "invitation": (_person("invitation"), "seat"),
    "to": (_person("to"), "to"),
    "victim_seat": (_person("from"), "victim"),
    "victim_vp": (Voice.vp_of, "victim"),
    "host": (_person("of"), "host"),
    "former": (_person("from"), "former"),
    "partner_vp": (Voice.vp_of, "partner"),
    "vp": (Voice.vp, "vp"),
    "vps": (Voice.vps, "vps"),
    "home": (Voice.vps_of, "home"),
    "to_field": (Voice.to, "field"),
    "at_field": (Voice.at, "field"),
    "at_region": (Voice.at, "region"),
    "at_square": (Voice.at, "square"),
    "billions": (_counted("billions"), "billions"),
    "influence": (_counted("influence"), "influence"),
    "income": (_counted("billions"), "income"),
    "score": (Voice.thing, "score"),
    "card": (Voice.card, "card"),
    "replaced": (Voice.card, "replaced"),
    "cards": (Voice.cards, "cards"),
    "event": (Voice.card, "event"),
    "round": (lambda _, number: str(number), "round"),
}
"""How each field of a sentence is made, and of which field of the event."""
