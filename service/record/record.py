"""Write the game record: lines of canonical JSON, each chained to the line before (README.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Struct, to_builtins

from service.log.chain import NO_HEAD, chain_key, check, link, salt
from service.log.codec import stored_name
from service.log.folding import Folded, outcome
from service.log.recorded import instant, milliseconds
from service.record.canonical import canonical
from service.record.lobby import LobbyEvent, lobby_head, lobby_line
from service.record.seal import ALGORITHM, Signer, key_id
from service.rules.kernel import AnyRuleset, GameStarted
from service.rules.pace import Pace
from service.rules.shared_events import ComputerSeated


class RecordStep(Struct, frozen=True, kw_only=True):
    """Append of the log: the number of its first event, its moment, its cause, and its events.

    `seat` is None for the setup. `action` is as sent, or None if there was none (a resignation, say). Events are
    `(stored name, fields)`.
    """

    seq: int
    at: datetime
    seat: int | None
    door: str
    decision: int
    action: Mapping[str, Any] | None
    events: Sequence[tuple[str, Any]]

    @property
    def last(self) -> int:
        """Return the number of the last event."""
        return self.seq + len(self.events) - 1


class Record:
    """Record under construction: `lines` without their line feeds, and the head after the last of them."""

    def __init__(self, game: str, seed: bytes) -> None:
        self._game, self._seed = game, seed
        self._key = chain_key(seed, game)
        self.head = NO_HEAD
        self.lobby_head = NO_HEAD
        self.last_at = datetime(1970, 1, 1, tzinfo=UTC)
        self.lines: list[bytes] = []

    def header(
        self,
        started: GameStarted,
        pace: Pace | None = None,
        computers: Sequence[ComputerSeated] = (),
        deal: str | None = None,
    ) -> None:
        """Write the first line; `pace` is that of a game with a clock, `computers` are those at the beginning.

        `deal` is the day of the game's deal, if any.
        """
        line = header_line(self._game, started, pace, computers, deal)
        self._chained(line, header_head(self._key, line))

    def lobby(self, event: LobbyEvent) -> None:
        """Write an event of the lobby, which has its own chain; the header has that chain's last head."""
        self.lobby_head, self.last_at = lobby_head(self.lobby_head, event), max(self.last_at, event.at)
        self.lines.append(canonical({**lobby_line(event), "check": check(self.lobby_head)}))

    def step(self, step: RecordStep) -> None:
        """Write an append."""
        line, self.last_at = step_line(step), max(self.last_at, step.at)
        self._chained(line, step_head(self._key, self.head, step))

    def close(
        self, draws: Sequence[Mapping[str, Any]], result: Mapping[str, Any], asked: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """Reveal the seed, and write the results of chance (`{seq, draws}` each) and the `result_line`.

        `asked` has, for a game with a clock, the seats that had to act after a step (`{seq, seats}` each).
        """
        self._closing({"kind": "reveal", "seed": self._seed.hex()})
        for given in draws:
            self._closing({"kind": "draws", **given})
        for each in asked:
            self._closing({"kind": "asked", **each})
        self._closing(result)

    def seal(self, signer: Signer, at: datetime) -> None:
        """Write the last line: the signature over the head."""
        self.sealed(seal_line(self.head, at, signer.public, signer.sign(self.head, at)))

    def sealed(self, line: Mapping[str, Any]) -> None:
        """Write the last line, a given `seal_line`."""
        self.lines.append(canonical(line))

    def text(self) -> bytes:
        """Return the bytes of the record's file."""
        return b"".join(line + b"\n" for line in self.lines)

    def _closing(self, line: Mapping[str, Any]) -> None:
        self._chained(line, link(self.head, b"", canonical(line)))

    def _chained(self, line: Mapping[str, Any], head: bytes) -> None:
        self.head = head
        self.lines.append(canonical({**line, "check": check(head)}))


def header_line(
    game: str,
    started: GameStarted,
    pace: Pace | None = None,
    computers: Sequence[ComputerSeated] = (),
    deal: str | None = None,
) -> dict[str, Any]:
    """Return the first line of a record, without its check; arguments as for `Record.header`."""
    if started.format is UNSET:
        told = _told_before_monotone(started, pace, computers, deal)
        form = 2 + len(told)
    else:
        beside = {"origin": started.origin, "pace": pace, "computers": computers, "deal": deal}
        told, form = {"lobby": started.lobby, **to_builtins(beside)}, started.format
    return told | {
        "kind": "header",
        "format": form,
        "game": game,
        "ruleset": started.ruleset,
        "revision": started.revision,
        "seats": started.seats,
        "options": dict(started.options),
        "commitment": started.commitment,
    }


def _told_before_monotone(
    started: GameStarted, pace: Pace | None, computers: Sequence[ComputerSeated], deal: str | None
) -> dict[str, Any]:
    """Return the variable fields of a header of the formats 2 to 7: no more than the game needs."""
    told: dict[str, Any] = {"lobby": started.lobby} if started.lobby else {}
    if told and (started.origin is not None or pace is not None or computers or deal):
        told["origin"] = to_builtins(started.origin)
    if pace is not None or computers or deal:
        told["pace"] = to_builtins(pace)
    if computers or deal:
        told["computers"] = to_builtins(computers)
    if deal:
        told["deal"] = deal
    return told


def step_line(step: RecordStep) -> dict[str, Any]:
    """Return the line of an append, without its check."""
    return {
        "kind": "step",
        "seq": step.seq,
        "at": milliseconds(step.at),
        "seat": step.seat,
        "door": step.door,
        "decision": step.decision,
        "action": step.action,
        "events": [{"type": name, "data": data} for name, data in step.events],
    }


def result_line(ruleset: AnyRuleset, seats: int, folded: Folded) -> dict[str, Any]:
    """Return the line of the result, without its check: winners, and scores with their derivation."""
    return {
        "kind": "result",
        "outcome": outcome(ruleset, seats, folded),
        "standings": ruleset.standings(folded.state, None),
    }


def no_result_line() -> dict[str, Any]:
    """Return the line of the result of a game cancelled before it began, without its check."""
    return {"kind": "result", "outcome": None, "standings": None}


def seal_line(head: bytes, at: datetime, public: bytes, signature: bytes) -> dict[str, Any]:
    return {
        "kind": "seal",
        "algorithm": ALGORITHM,
        "at": milliseconds(at),
        "head": head.hex(),
        "key": key_id(public),
        "public": public.hex(),
        "signature": signature.hex(),
    }


def header_head(key: bytes, line: Mapping[str, Any]) -> bytes:
    """Return the head after the first line."""
    return link(NO_HEAD, salt(key, 0), canonical(line))


def step_head(key: bytes, head: bytes, step: RecordStep) -> bytes:
    """Return the head after a further append."""
    return link(head, salt(key, step.last), canonical(step_line(step)))


# Rows of the log made from a record: a record holds everything that the database stores of a log.

_STARTED: Final = stored_name(GameStarted)


class LoggedRow(NamedTuple):
    """Row of the log: `data` is the JSON text of the event's fields.

    Action and head are in the first row of a step, None in the others.
    """

    seq: int
    name: str
    data: str
    seat: int | None
    door: str
    decision: int
    action: Mapping[str, Any] | None
    at: datetime
    head: bytes | None


class NoLog(ValueError):
    """Text that is no record of a played game: lines or fields are missing."""


def log_of(record: bytes) -> tuple[str, list[LoggedRow]]:
    """Return the game of a record, and the rows of its log; NoLog.

    Nothing is verified: the record has to be verified before.
    """
    try:
        lines = [msgspec.json.decode(line) for line in record.splitlines()]
        seed = next(bytes.fromhex(line["seed"]) for line in lines if line["kind"] == "reveal")
        game: str = lines[0]["game"]
        return game, list(_rows(lines, chain_key(seed, game)))
    except (msgspec.DecodeError, LookupError, TypeError, ValueError, StopIteration) as error:
        raise NoLog(f"it is no record ({type(error).__name__})") from None


def _rows(lines: list[dict[str, Any]], key: bytes) -> Iterator[LoggedRow]:
    head = link(NO_HEAD, salt(key, 0), _body(lines[0]))
    for line in lines:
        if line["kind"] != "step":
            continue
        first, happened, at = line["seq"], line["events"], instant(line["at"])
        cause = (line["seat"], line["door"], line["decision"])
        head = link(head, salt(key, first + len(happened) - 1), _body(line))
        for seq, event in enumerate(happened, first):
            begins = seq == first
            text = _text(event)
            yield LoggedRow(
                seq, event["type"], text, *cause, line["action"] if begins else None, at, head if begins else None
            )


def _text(event: Mapping[str, Any]) -> str:
    data = event["data"]
    if event["type"] == _STARTED:
        # Only these fields have no order of their own. The log has them in the order of a jsonb column.
        options = sorted(data["options"].items(), key=lambda option: (len(option[0]), option[0]))
        return msgspec.json.encode(data | {"options": dict(options)}).decode()
    return canonical(data).decode()


def _body(line: Mapping[str, Any]) -> bytes:
    return canonical({name: value for name, value in line.items() if name != "check"})
