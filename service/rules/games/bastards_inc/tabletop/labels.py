"""The questions for the parts of an action, and label and place of each value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.contributions import Sight
from service.rules.games.bastards_inc.edition.numbers import EFFORT
from service.rules.games.bastards_inc.tabletop.effects import named
from service.rules.games.bastards_inc.tabletop.forms import seat_and_vp
from service.rules.games.bastards_inc.tabletop.words import Speaker, speaker
from service.rules.kernel import Json
from service.rules.shapes import Seat

Label = tuple[str, str | None]
"""The words for a value, and the place on the board or the piece that stands for it."""


def ask(sight: Sight, kind: str, part: str) -> str:
    """Return the question for a part that has to be picked."""
    told = speaker(sight)
    key = f"ask.{kind}.{part}"
    return told.word(key if told.has(key) else f"ask.{part}")


class Labels:
    """The labels of the values of one kind of action; only the first VP on a field is stood for by the field."""

    def __init__(self, sight: Sight, kind: str, values: Mapping[str, Sequence[Any]]) -> None:
        self.sight = sight
        self.kind = kind
        self.told: Speaker = speaker(sight)
        self.firsts = {part: self._firsts(part, each) for part, each in values.items()}

    def show(self, part: str, value: Any) -> Label:
        """Return the label of a value."""
        if value is None:
            return self.told.word(f"none.{part}" if self.told.has(f"none.{part}") else "none"), None
        return _SHOWN[part](self, part, value)

    def card(self, _: str, card: str) -> Label:
        """A card in the hand or the portfolio."""
        return named(self.told, card), card

    def vp(self, part: str, value: Any) -> Label:
        """A VP of the reader by its number, or of another seat as in notation."""
        seat, vp = self._seat_and_vp(value)
        label = self._standing(seat, vp)
        place = str(vp["at"]) if self.firsts.get(part, {}).get(vp["at"]) == value else None
        return label, place

    def coming(self, part: str, value: str) -> Label:
        """Whether a VP comes home."""
        seat, vp = self._seat_and_vp(part.removeprefix("vp"))
        return self.told.word(f"collect.{value}", vp=self._standing(seat, vp)), None

    def bonus(self, _: str, bonus: int) -> Label:
        """A bonus of the drawing phase, with its price."""
        if not bonus:
            return self.told.word("no-bonus"), None
        return self.told.word("bonus", n=bonus, price=self.told.counted("billions", EFFORT[bonus])), None

    def pay(self, _: str, pay: int) -> Label:
        """A side payment to the partner; one below 0 the partner pays."""
        key = "pay.none" if not pay else "pay.to" if pay > 0 else "pay.from"
        return self.told.word(key, price=self.told.counted("billions", abs(pay))), None

    def seat(self, _: str, seat: int) -> Label:
        """Another player, at the panel."""
        return self.told.player(seat), f"@{seat}"

    def _seat_and_vp(self, value: Any) -> tuple[Seat, Json]:
        seat, number = seat_and_vp(value) if str(value).startswith("s") else (self.sight.viewer or 0, int(value))
        return seat, self._company(seat)["vps"][number - 1]

    def _company(self, seat: Seat) -> Json:
        company: Json = self.sight.view["companies"][seat]
        return company

    def _standing(self, seat: Seat, vp: Json) -> str:
        place, black = self.told.name(vp["at"]), vp["black"]
        fields = {"vp": vp["vp"], "place": place, "name": self.told.player(seat), "black": black}
        whose = "own" if seat == self.sight.viewer else "other"
        return self.told.word(f"vp.{whose}.black" if black else f"vp.{whose}", **fields)

    def _firsts(self, part: str, values: Sequence[Any]) -> dict[str, Any]:
        """The VP that each field stands for."""
        found: dict[str, Any] = {}
        if _SHOWN[part] is Labels.vp:
            for value in sorted((each for each in values if each is not None), key=str):
                found.setdefault(self._seat_and_vp(value)[1]["at"], value)
        return found


def _name(labels: Labels, part: str, thing: str) -> Label:
    return labels.told.name(thing), thing if part != "score" else None


def _number(key: str) -> Callable[[Labels, str, int], Label]:
    return lambda labels, _, n: (labels.told.counted(key, n), None)


def _worded(labels: Labels, part: str, value: str) -> Label:
    return labels.told.word(f"{part}.{value}"), None


_SHOWN: Mapping[str, Callable[[Labels, str, Any], Label]] = {
    "card": Labels.card,
    "replaces": Labels.card,
    "business": Labels.card,
    "vp": Labels.vp,
    "with": Labels.vp,
    "target": Labels.vp,
    "partner": Labels.vp,
    "vp1": Labels.coming,
    "vp2": Labels.coming,
    "vp3": Labels.coming,
    "vp4": Labels.coming,
    "bonus": Labels.bonus,
    "pay": Labels.pay,
    "seat": Labels.seat,
    "score": _name,
    "field": _name,
    "to": _name,
    "first": _name,
    "second": _name,
    "third": _name,
    "by": _worded,
    "influence": _number("influence"),
    "billions": _number("billions"),
    "instruction": _worded,
    "setting": _worded,
}
