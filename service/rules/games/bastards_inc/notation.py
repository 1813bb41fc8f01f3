"""The notation of actions: one short line each, to be typed into a mail and read in a record (README.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.reading import PAPERS, WORDS, NotedLine

_WORD_OF: Mapping[type[Any], str] = {kind: word for word, kind in WORDS.items()}


def notate(action: a.Action) -> str:
    """Return the action's one canonical line, such as `deal b13 1 with s2.3 pay 2`; no two actions share a line."""
    return " ".join([_WORD_OF[type(action)], *_PARTS.get(type(action), _nothing)(action)])


def parse(text: str) -> a.Action:
    """Return the action that a line means, in any case and with any spaces.

    Raises Unreadable, naming the part not understood and an example of what is expected.
    """
    line = NotedLine(text)
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


def _place(line: NotedLine) -> a.Action:
    to = line.location()
    return a.Place(to=to, by=line.entry())


def _deal(line: NotedLine) -> a.Action:
    card, vps = line.business(), [line.number()]
    if line.next_is_number():
        vps.append(line.number())
    partner = line.delegate() if line.skip("with") else None
    pay = line.side_payment()
    replaces = line.business() if line.skip("for") else None
    return a.Deal(card=card, vps=tuple(vps), partner=partner, pay=pay, replaces=replaces)


def _invite(line: NotedLine) -> a.Action:
    card, vp = line.business(), line.number()
    return a.Invite(card=card, vp=vp, partner=line.delegate(), pay=line.side_payment())


def _give(line: NotedLine) -> a.Action:
    seat = line.seat()
    return a.Give(seat=seat, billions=line.gift())


def _instruct(line: NotedLine) -> a.Action:
    instruction = line.instruction()
    return a.Instruct(instruction=instruction, setting=line.setting(instruction))


_READ: Mapping[type[Any], Callable[[NotedLine], a.Action]] = {
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
