"""Notation of actions: one short line each, typed in a mail and read in a record (README.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NoReturn, TypeVar, cast, get_args

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.edition import CARD_DATA, GIFT_SIZES, PAPERS, SIDE_PAYMENTS
from service.rules.games.bastards_inc.terms import (
    CARDS,
    FIELDS,
    LOCATIONS,
    REGIONS,
    SCORES,
    SETTINGS,
    Business,
    Card,
    Entry,
    Instruction,
    Location,
    Region,
    Setting,
)
from service.rules.kernel import Unreadable

T = TypeVar("T")

MAX_LINE_CHARS: Final = 200
MAX_QUOTED_CHARS: Final = 40
"""Characters of an unreadable line that are quoted."""

ACTION_WORDS: Final[Mapping[str, type[Any]]] = {
    "drop": a.Drop,
    "draw": a.Draw,
    "keep": a.Keep,
    "collect": a.Collect,
    "place": a.Place,
    "let": a.Let,
    "fight": a.Fight,
    "push": a.Push,
    "yield": a.Yield,
    "wars": a.OrderWars,
    "deal": a.Deal,
    "launder": a.Launder,
    "sell": a.Sell,
    "campaign": a.Campaign,
    "hire": a.Hire,
    "prize": a.BuyPrize,
    "pass": a.Pass,
    "done": a.Done,
    "play": a.Play,
    "give": a.Give,
    "invite": a.Invite,
    "withdraw": a.Withdraw,
    "agree": a.Agree,
    "decline": a.Decline,
    "instruct": a.Instruct,
    "expose": a.Expose,
    "silent": a.KeepSilent,
}
"""The first word of each action."""

_BUSINESSES: Final[tuple[Business, ...]] = get_args(Business)

EXAMPLES: Final[Mapping[str, str]] = {
    "": "draw +1 | place TIG cor | deal b13 1 3 | sell 2 | play a18 s2.1 | pass",
    "drop": "drop a07",
    "draw": "draw | draw +2",
    "collect": "collect 1 3 | collect -",
    "place": "place TIG cor | place PTY | place VIP",
    "fight": "fight 0",
    "wars": "wars ROG TIG",
    "deal": "deal b13 1 3 for b02 | deal b13 1 with s2.3 pay 2",
    "launder": "launder 2",
    "sell": "sell 2",
    "campaign": "campaign 2",
    "play": "play a03 | play a12 TIG | play a20 1 s2.3",
    "give": "give s2 5",
    "invite": "invite b13 1 s2.3 pay 2",
    "agree": "agree s1",
    "decline": "decline s1",
    "instruct": "instruct guard open",
}

_NUMBER: Final = re.compile(r"[0-9]{1,3}")
_SEAT: Final = re.compile(r"s([1-6])")
_DELEGATE: Final = re.compile(r"s([1-6])\.([1-9])")
_UNIFIED: Final = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | {",": " "})


class LineReader:
    """A text and how many of its words have been read; every method that returns a part reads it, or fails."""

    def __init__(self, text: str) -> None:
        self.original = "".join(each if each.isprintable() else " " for each in text.strip())
        self.words = self.original.translate(_UNIFIED).split()
        self.at = 0
        self.example = EXAMPLES[""]
        if len(text) > MAX_LINE_CHARS or not text.strip().replace("\t", " ").replace("\u00a0", " ").isprintable():
            self.fail()

    def head(self) -> type[Any]:
        """Read what kind of action the line is."""
        word = self._peek()
        kind = ACTION_WORDS.get(word) or self.fail()
        self.at += 1
        self.example = EXAMPLES.get(word, word)
        return kind

    def card(self) -> Card:
        """Read a card of either kind."""
        return self._one_of(CARDS)

    def business(self) -> Business:
        """Read a business."""
        return self._one_of(_BUSINESSES)

    def number(self) -> int:
        """Read a number without a sign."""
        return int((_NUMBER.fullmatch(self._peek()) or self.fail()) and self._take())

    def next_is_number(self) -> bool:
        """Return whether a number follows."""
        return _NUMBER.fullmatch(self._peek()) is not None

    def numbers(self) -> tuple[int, ...]:
        """Read numbers up to the end, in rising order, or a dash for none."""
        if self.skip("-"):
            return ()
        found = {self.number()}
        while self._peek():
            found.add(self.number())
        return tuple(sorted(found))

    def bonus(self) -> int:
        """Read the bonus of a draw, with or without a plus sign; 0 if there is none."""
        if not self._peek():
            return 0
        return int((re.fullmatch(r"\+?[0-3]", self._peek()) or self.fail()) and self._take())

    def location(self) -> Location:
        """Read a field, or VIP."""
        return self._one_of(LOCATIONS)

    def entry(self) -> Entry | None:
        """Read how a region is entered, if the line goes on."""
        if not self._peek():
            return None
        word = self._one_of(("cor", "cri", "prize", PAPERS))
        return "papers" if word == PAPERS else cast("Entry", word)

    def regions(self) -> tuple[Region, ...]:
        """Read regions up to the end."""
        found = [self._one_of(REGIONS)]
        while self._peek():
            found.append(self._one_of(REGIONS))
        return tuple(found)

    def seat(self) -> int:
        """Read a seat: `s1` is the first."""
        found = _SEAT.fullmatch(self._peek()) or self.fail()
        self.at += 1
        return int(found[1]) - 1

    def delegate(self) -> a.Delegate:
        """Read a VP of another seat."""
        found = _DELEGATE.fullmatch(self._peek()) or self.fail()
        self.at += 1
        return a.Delegate(seat=int(found[1]) - 1, vp=int(found[2]))

    def side_payment(self) -> Any:
        """Read a side payment, 0 if there is none."""
        return int(self._one_of(tuple(map(str, SIDE_PAYMENTS)))) if self.skip("pay") else 0

    def gift(self) -> Any:
        """Read how many Billions are given."""
        return int(self._one_of(tuple(map(str, GIFT_SIZES))))

    def instruction(self) -> Instruction:
        """Read which instruction is meant."""
        return self._one_of(tuple(SETTINGS))

    def setting(self, instruction: Instruction) -> Setting:
        """Read what the instruction is set to."""
        return self._one_of(SETTINGS[instruction])

    def play(self) -> a.Play:
        """Read an action card, and what it needs in any order."""
        card = self._one_of(tuple(CARD_DATA))
        parts: dict[str, Any] = {}
        while self._peek():
            name, value = self._part_of_play()
            if name in parts:
                self.at -= 1
                self.fail()
            parts[name] = value
        return a.Play(card=card, **parts)

    def skip(self, word: str) -> bool:
        """Read a given word, if it follows."""
        found = self._peek() == word
        self.at += found
        return found

    def end(self) -> None:
        """Fail if anything is left."""
        if self.at < len(self.words):
            self.fail()

    def fail(self) -> NoReturn:
        """Raise Unreadable with the part not understood (all of it, if something is missing at the end)."""
        rest = " ".join(self.words[self.at :]) if 0 < self.at < len(self.words) else self.original
        part = rest if len(rest) <= MAX_QUOTED_CHARS else rest[: MAX_QUOTED_CHARS - 1] + "…"
        raise Unreadable(f'"{part}" ({self.example})')

    def _part_of_play(self) -> tuple[str, Any]:
        word = self._peek()
        if self.next_is_number():
            return "vp", self.number()
        if _DELEGATE.fullmatch(word):
            return "target", self.delegate()
        if _SEAT.fullmatch(word):
            return "seat", self.seat()
        if word in SCORES:
            return "score", self._one_of(SCORES)
        if word in _BUSINESSES:
            return "business", self._one_of(_BUSINESSES)
        return "field", self._one_of(FIELDS)

    def _one_of(self, known: Iterable[T]) -> T:
        """Read one of the words, as it is written there."""
        meanings = {str(each).lower(): each for each in known}
        word = self._peek()
        if word not in meanings:
            self.fail()
        self.at += 1
        return meanings[word]

    def _peek(self) -> str:
        """Return the next word in small letters, nothing at the end."""
        return self.words[self.at].lower() if self.at < len(self.words) else ""

    def _take(self) -> str:
        self.at += 1
        return self.words[self.at - 1]


# Writing and reading whole actions.

_WORD_OF: Mapping[type[Any], str] = {kind: word for word, kind in ACTION_WORDS.items()}


def notate(action: a.Action) -> str:
    """Return the action's one canonical line, such as `deal b13 1 with s2.3 pay 2`; no two actions share a line."""
    return " ".join([_WORD_OF[type(action)], *_PARTS.get(type(action), _nothing)(action)])


def parse(text: str) -> a.Action:
    """Return the action that a line means, in any case and with any spaces.

    Raises Unreadable, naming the part not understood and an example of what is expected.
    """
    line = LineReader(text)
    action = _READ[line.head()](line)
    line.end()
    return action


def seat_name(seat: int) -> str:
    """Return how a seat is written: `s1` is the first."""
    return f"s{seat + 1}"


def vp_name(seat: int, vp: int) -> str:
    """Return how a VP of another seat is written: `s2.3` is the third of the second seat."""
    return f"{seat_name(seat)}.{vp}"


def _nothing(_: a.Action) -> list[str]:
    return []


def _delegate(partner: a.Delegate) -> str:
    return vp_name(partner.seat, partner.vp)


def _pay(pay: int) -> list[str]:
    return [f"pay {pay}"] if pay else []


def _write_place(action: a.Place) -> list[str]:
    by = PAPERS if action.by == "papers" else action.by
    return [action.to] if by is None else [action.to, by]


def _write_deal(action: a.Deal) -> list[str]:
    partner = [] if action.partner is None else [f"with {_delegate(action.partner)}"]
    replaces = [] if action.replaces is None else [f"for {action.replaces}"]
    return [action.card, *map(str, action.vps), *partner, *_pay(action.pay), *replaces]


def _write_play(action: a.Play) -> list[str]:
    target = None if action.target is None else _delegate(action.target)
    seat = None if action.seat is None else seat_name(action.seat)
    parts = (action.card, action.vp, target, seat, action.score, action.field, action.business)
    return [str(part) for part in parts if part is not None]


_PARTS: Mapping[type[Any], Callable[[Any], list[str]]] = {
    a.Drop: lambda action: [action.card],
    a.Draw: lambda action: [f"+{action.bonus}"] if action.bonus else [],
    a.Collect: lambda action: [str(vp) for vp in action.vps] or ["-"],
    a.Place: _write_place,
    a.Fight: lambda action: [str(action.influence)],
    a.OrderWars: lambda action: list(action.regions),
    a.Deal: _write_deal,
    a.Launder: lambda action: [str(action.vp)],
    a.Sell: lambda action: [str(action.vp)],
    a.Campaign: lambda action: [str(action.vp)],
    a.Play: _write_play,
    a.Give: lambda action: [seat_name(action.seat), str(action.billions)],
    a.Invite: lambda action: [action.card, str(action.vp), _delegate(action.partner), *_pay(action.pay)],
    a.Agree: lambda action: [seat_name(action.seat)],
    a.Decline: lambda action: [seat_name(action.seat)],
    a.Instruct: lambda action: [action.instruction, action.setting],
}


def _place(line: LineReader) -> a.Action:
    to = line.location()
    return a.Place(to=to, by=line.entry())


def _deal(line: LineReader) -> a.Action:
    card, vps = line.business(), [line.number()]
    if line.next_is_number():
        vps.append(line.number())
    partner = line.delegate() if line.skip("with") else None
    pay = line.side_payment()
    replaces = line.business() if line.skip("for") else None
    return a.Deal(card=card, vps=tuple(vps), partner=partner, pay=pay, replaces=replaces)


def _invite(line: LineReader) -> a.Action:
    card, vp = line.business(), line.number()
    return a.Invite(card=card, vp=vp, partner=line.delegate(), pay=line.side_payment())


def _give(line: LineReader) -> a.Action:
    seat = line.seat()
    return a.Give(seat=seat, billions=line.gift())


def _instruct(line: LineReader) -> a.Action:
    instruction = line.instruction()
    return a.Instruct(instruction=instruction, setting=line.setting(instruction))


_READ: Mapping[type[Any], Callable[[LineReader], a.Action]] = {
    a.Drop: lambda line: a.Drop(card=line.card()),
    a.Draw: lambda line: a.Draw(bonus=line.bonus()),
    a.Keep: lambda _: a.Keep(),
    a.Collect: lambda line: a.Collect(vps=line.numbers()),
    a.Place: _place,
    a.Let: lambda _: a.Let(),
    a.Fight: lambda line: a.Fight(influence=line.number()),
    a.Push: lambda _: a.Push(),
    a.Yield: lambda _: a.Yield(),
    a.OrderWars: lambda line: a.OrderWars(regions=line.regions()),
    a.Deal: _deal,
    a.Launder: lambda line: a.Launder(vp=line.number()),
    a.Sell: lambda line: a.Sell(vp=line.number()),
    a.Campaign: lambda line: a.Campaign(vp=line.number()),
    a.Hire: lambda _: a.Hire(),
    a.BuyPrize: lambda _: a.BuyPrize(),
    a.Pass: lambda _: a.Pass(),
    a.Done: lambda _: a.Done(),
    a.Play: lambda line: line.play(),
    a.Give: _give,
    a.Invite: _invite,
    a.Withdraw: lambda _: a.Withdraw(),
    a.Agree: lambda line: a.Agree(seat=line.seat()),
    a.Decline: lambda line: a.Decline(seat=line.seat()),
    a.Instruct: _instruct,
    a.Expose: lambda _: a.Expose(),
    a.KeepSilent: lambda _: a.KeepSilent(),
}
