"""The lobby of a game in its record: events, their chain, and the seats after them.

A seat is known by its number, and nobody by name. The host is the player who has been there longest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from itertools import count
from typing import Any, Final

from msgspec import UNSET, UnsetType, ValidationError, convert

from service.log.chain import link
from service.log.recorded import milliseconds
from service.record.canonical import canonical
from service.record.reading import MONOTONE, Faulty, RecordLine
from service.rules.chance import commit_nonce
from service.rules.kernel import by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOpened:
    """The first event of a lobby, by its host: what is to be played, and the commitment to its chance.

    `revision` is that of the rules at that moment; the game begins by the rules of its start. `format` is that of the
    record; it is unset in the lobbies of formats before MONOTONE.
    """

    ruleset: str
    revision: int
    seats: int
    options: Mapping[str, Any]
    commitment: str
    format: int | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken:
    """A player took the lowest free seat; `nonce` is the commitment to the seat's own value (`commit_nonce`).

    `drawn_by` tells who drew that, `client` or `server`, and `invited` whether an invitation's link was followed.
    """

    nonce: str
    drawn_by: str
    invited: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFilled:
    """The host has given the lowest free seat to a computer player of a level; the rest is as with SeatTaken."""

    nonce: str
    drawn_by: str
    level: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLeft:
    """The player in the seat has left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerKicked:
    """The host has freed another player's seat, `kicked`."""

    kicked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCancelled:
    """The host has called the game off, or has left as the last one: the last event of a lobby."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartGiven:
    """The host has let the game begin; or, with no seat as its cause, it did by itself: the last event of a lobby."""


Happened = GameOpened | SeatTaken | SeatFilled | SeatLeft | PlayerKicked | GameCancelled | StartGiven
_TYPES: Final = by_name((GameOpened, SeatTaken, SeatFilled, SeatLeft, PlayerKicked, GameCancelled, StartGiven))


@dataclass(frozen=True, slots=True)
class LobbyEvent:
    """An event of a lobby as it is stored: its number from 1, its moment, the seat that caused it, name and fields."""

    seq: int
    at: datetime
    seat: int | None
    name: str
    data: Any


def lobby_line(event: LobbyEvent) -> dict[str, Any]:
    """Return the line of an event of the lobby, without its check."""
    told = {"type": event.name, "data": event.data}
    return {"kind": "lobby", "seq": event.seq, "at": milliseconds(event.at), "seat": event.seat, "event": told}


def lobby_head(head: bytes, event: LobbyEvent) -> bytes:
    """Return the head of the lobby's chain after one more event; there is nothing hidden in it, and so no salt."""
    return link(head, b"", canonical(lobby_line(event)))


@dataclass(slots=True)
class Gathering:
    """Who sits at a table, as far as the lines of its lobby tell.

    `present` has what each taken seat was taken with, in the order of joining; `last` is the event after
    which there are no more.
    """

    opened: GameOpened | None = None
    present: dict[int, SeatTaken | SeatFilled] = field(default_factory=dict)
    last: GameCancelled | StartGiven | None = None

    @property
    def host(self) -> int | None:
        """The seat of the host."""
        return next(iter(self.people), None)

    @property
    def people(self) -> Sequence[int]:
        """The seats of people, in the order of joining."""
        return [seat for seat, taken in self.present.items() if isinstance(taken, SeatTaken)]

    @property
    def computers(self) -> Mapping[int, str]:
        """The levels of the computer players, by the seats that they would have if the game began now."""
        taken = enumerate(self.present.values())
        return {seat: each.level for seat, each in taken if isinstance(each, SeatFilled)}


def gather(lines: Sequence[RecordLine]) -> Gathering:
    """Return who sits at a table after the lines of its lobby; Faulty at the first that could not have happened."""
    found = Gathering()
    for line in lines:
        event = _event(line)
        if (found.opened is None) != isinstance(event, GameOpened) or found.last is not None:
            raise Faulty(line.number, "this cannot happen in a lobby now")
        wrong = _HAPPENS[type(event)](found, line.fields["seat"], event)
        if wrong is not None:
            raise Faulty(line.number, wrong)
    return found


def begun(found: Gathering, header: RecordLine, setup: RecordLine) -> None:
    """Refuse a game that begins otherwise than its lobby ended; `setup` is the line of the first step; Faulty."""
    _same(found, header)
    if not isinstance(found.last, StartGiven):
        raise Faulty(setup.number, "the game begins, and nobody has let it begin")
    started, game = setup.fields["events"][0]["data"], header.fields["game"]
    try:
        own = [(commit_nonce(game, nonce), drawn) for nonce, drawn in _own(started)]
    except (KeyError, TypeError, ValueError):
        raise Faulty(setup.number, "the seats' own values of chance are not in hex") from None
    if own != [(taken.nonce, taken.drawn_by) for taken in found.present.values()]:
        raise Faulty(setup.number, "the seats' own values of chance are not those that were given on joining")
    if {each["seat"]: each["level"] for each in header.fields.get("computers", ())} != found.computers:
        raise Faulty(setup.number, "other computer players begin than sat at the table")


def called_off(found: Gathering, header: RecordLine, end: RecordLine) -> None:
    """Refuse that a game has not begun unless it was called off; `end` is the line after the lobby's; Faulty."""
    _same(found, header)
    if not isinstance(found.last, GameCancelled):
        raise Faulty(end.number, "the game has not begun, and nobody has called it off")


def _own(started: Mapping[str, Any]) -> list[tuple[str, str]]:
    return list(zip(started["nonces"], started["drawn_by"], strict=True))


def _same(found: Gathering, header: RecordLine) -> None:
    opened, form = found.opened, header.fields["format"]
    # The rules may have become others while people gathered.
    if (
        opened is None
        or (UNSET if form < MONOTONE else form) != opened.format
        or any(
            canonical(getattr(opened, each.name)) != canonical(header.fields[each.name])
            for each in fields(opened)
            if each.name not in {"revision", "format"}
        )
    ):
        raise Faulty(header.number + 1, "the game that was opened is not the one of the header")


def _event(line: RecordLine) -> Happened:
    told = line.fields["event"]
    kind = _TYPES.get(told["type"])
    if kind is None:
        raise Faulty(line.number, "nothing of this kind happens in a lobby")
    names = {each.name for each in fields(kind)}
    if names - set(told["data"]) - {"format"} or set(told["data"]) - names:
        raise Faulty(line.number, "it has not the fields of its kind")
    try:
        event: Happened = convert(told["data"], kind)
    except ValidationError as error:
        raise Faulty(line.number, f"its event is not complete: {error}") from None
    return event


def _opened(found: Gathering, seat: int | None, event: GameOpened) -> str | None:
    found.opened = event
    return None if seat == 0 else "the host opens the game, from seat 0"


def _taken(found: Gathering, seat: int | None, event: SeatTaken | SeatFilled) -> str | None:
    free = next(each for each in count() if each not in found.present)
    if found.opened is None or free >= found.opened.seats or seat != free:
        return "it was not the lowest free seat"
    if event.drawn_by not in ("client", "server"):
        return "nobody knows who drew the seat's own value of chance"
    found.present[free] = event
    return None


def _left(found: Gathering, seat: int | None, _: SeatLeft) -> str | None:
    if len(found.people) < 2 or seat is None or seat not in found.people:
        return "nobody could leave this seat"
    del found.present[seat]
    return None


def _kicked(found: Gathering, seat: int | None, event: PlayerKicked) -> str | None:
    if seat is None or seat != found.host:
        return "only the host frees seats"
    if event.kicked == seat or found.present.pop(event.kicked, None) is None:
        return "nobody else sat in this seat"
    return None


def _cancelled(found: Gathering, seat: int | None, event: GameCancelled) -> str | None:
    found.last = event
    return None if seat is not None and seat == found.host else "only the host calls a game off"


def _start(found: Gathering, seat: int | None, event: StartGiven) -> str | None:
    found.last = event
    if found.opened is None or len(found.present) != found.opened.seats:
        return "a seat was still free"
    return None if seat in (None, found.host) else "only the host lets the game begin"


_HAPPENS: Final[Mapping[type[Any], Callable[[Gathering, int | None, Any], str | None]]] = {
    GameOpened: _opened,
    SeatTaken: _taken,
    SeatFilled: _taken,
    SeatLeft: _left,
    PlayerKicked: _kicked,
    GameCancelled: _cancelled,
    StartGiven: _start,
}
