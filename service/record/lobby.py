"""Lobby of a game in its record: events, their chain, and the seats after them.

Seats are known by number, players are not named. The host is the player who has been there longest.
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
    """First event of a lobby, by its host: the game to play, and the commitment to its seed.

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
    """Player took the lowest free seat; `nonce` is the commitment to the seat's nonce (`commit_nonce`).

    `drawn_by` says who drew the nonce, `client` or `server`; `invited` is true for a join by an invitation's link.
    """

    nonce: str
    drawn_by: str
    invited: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFilled:
    """Host gave the lowest free seat to a computer player of a level; the rest is as with SeatTaken."""

    nonce: str
    drawn_by: str
    level: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLeft:
    """Player in the seat left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerKicked:
    """Host freed another player's seat, `kicked`."""

    kicked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCancelled:
    """Host cancelled the game, or left as the last player: the last event of a lobby."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartGiven:
    """Host started the game, or, with no seat as its cause, it started by itself: the last event of a lobby."""


Happened = GameOpened | SeatTaken | SeatFilled | SeatLeft | PlayerKicked | GameCancelled | StartGiven
_TYPES: Final = by_name((GameOpened, SeatTaken, SeatFilled, SeatLeft, PlayerKicked, GameCancelled, StartGiven))


@dataclass(frozen=True, slots=True)
class LobbyEvent:
    """Stored event of a lobby: its number from 1, its moment, the seat that caused it, name and fields."""

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
    """Return the head of the lobby's chain after a further event; without a salt, since lobbies hide nothing."""
    return link(head, b"", canonical(lobby_line(event)))


@dataclass(slots=True)
class Gathering:
    """State of a lobby after some of its lines.

    `present` has the event that took each seat, in order of joining; `last` is the event after which there are no more.
    """

    opened: GameOpened | None = None
    present: dict[int, SeatTaken | SeatFilled] = field(default_factory=dict)
    last: GameCancelled | StartGiven | None = None

    @property
    def host(self) -> int | None:
        """Return the seat of the host."""
        return next(iter(self.people), None)

    @property
    def people(self) -> Sequence[int]:
        """Return the seats of people, in order of joining."""
        return [seat for seat, taken in self.present.items() if isinstance(taken, SeatTaken)]

    @property
    def computers(self) -> Mapping[int, str]:
        """Return the levels of the computer players, by the seats that they would have if the game began now."""
        taken = enumerate(self.present.values())
        return {seat: each.level for seat, each in taken if isinstance(each, SeatFilled)}


def gather(lines: Sequence[RecordLine]) -> Gathering:
    """Return the state after the lines of a lobby; Faulty at the first impossible line."""
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
    """Raise Faulty if a game begins otherwise than its lobby ended; `setup` is the line of the first step."""
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
    """Raise Faulty unless a game that has not begun was cancelled; `end` is the line after the lobby's."""
    _same(found, header)
    if not isinstance(found.last, GameCancelled):
        raise Faulty(end.number, "the game has not begun, and nobody has called it off")


def _own(started: Mapping[str, Any]) -> list[tuple[str, str]]:
    return list(zip(started["nonces"], started["drawn_by"], strict=True))


def _same(found: Gathering, header: RecordLine) -> None:
    opened, form = found.opened, header.fields["format"]
    # The rules may have changed while people gathered.
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
