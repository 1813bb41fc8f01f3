"""The rows of a game's log as its record has them: all that the database keeps of the log stands in the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec

from service.log.chain import NO_HEAD, chain_key, link, salt
from service.log.codec import stored_name
from service.log.recorded import instant
from service.record.canonical import canonical
from service.rules.kernel import GameStarted

_STARTED: Final = stored_name(GameStarted)


class LoggedRow(NamedTuple):
    """A row of the log: `data` is the JSON text of the event's fields.

    Action and head stand at the first event of a step, and are None at the others.
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
    """The text is no record of a game that was played: lines or fields are missing."""


def log_of(record: bytes) -> tuple[str, list[LoggedRow]]:
    """Return the game of a record, and the rows of its log; NoLog.

    Nothing is verified: the record has to be one that was.
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
        # The only fields without an order of their own. The log has them as a column of jsonb gives them.
        options = sorted(data["options"].items(), key=lambda option: (len(option[0]), option[0]))
        return msgspec.json.encode(data | {"options": dict(options)}).decode()
    return canonical(data).decode()


def _body(line: Mapping[str, Any]) -> bytes:
    return canonical({name: value for name, value in line.items() if name != "check"})
