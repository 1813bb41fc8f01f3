"""Records with a lobby that somebody has changed, or that tell lies about it although they are chained and sealed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from service.audit.canonical import canonical
from service.audit.record import seal_line
from service.store.chain import NO_HEAD, chain_key, check, link, salt
from tests.audit.records import (
    SEALED_AT,
    SIGNER,
    Tampered,
    with_byte,
    with_line,
    with_lines_exchanged,
    without_byte,
    without_line,
)

NONCE = "0123456789abcdef" * 2


def tampered(whole: bytes, called_off: bytes) -> Iterator[Tampered]:
    """Records that somebody has changed in the part before the game."""
    rng, lines = Random(1), whole.splitlines(keepends=True)
    before, last = whole.index(b'"kind":"step"'), len(lines) - 2
    for _ in range(20):
        place = rng.randrange(before)
        if whole[place] != ord("7"):
            yield with_byte(whole, place, ord("7"))
        yield without_byte(whole, place)
    for index in range(13):
        yield without_line(whole, index)
        yield with_lines_exchanged(whole, index, rng.randrange(14, last))
        # Beside its like a line cannot be told from it.
        yield with_line(whole, rng.randrange(index + 2, last), lines[index])
    for index in range(called_off.count(b"\n")):
        yield without_line(called_off, index)


Line = dict[str, Any]
Lie = Callable[[list[Line], list[Line]], None]


def rewritten(data: bytes, lie: Lie) -> bytes:
    """The record as an operator could write it who has the keys: changed, chained and sealed anew."""
    header, *lines = [json.loads(line) for line in data.splitlines()[:-1]]
    told, rest = ([line for line in lines if (line["kind"] == "lobby") is among] for among in (True, False))
    lie(told, rest)
    key = chain_key(bytes.fromhex(next(each["seed"] for each in rest if each["kind"] == "reveal")), header["game"])
    head = NO_HEAD
    for line in told:
        head = rechained(line, head, b"")
    header["lobby"] = head.hex()
    if "events" in rest[0]:
        rest[0]["events"][0]["data"]["lobby"] = head.hex()
    head = rechained(header, NO_HEAD, salt(key, 0))
    for line in rest:
        head = rechained(line, head, salt(key, line["seq"] + len(line["events"]) - 1) if "events" in line else b"")
    signed = seal_line(head, SEALED_AT, SIGNER.public, SIGNER.sign(head, SEALED_AT))
    return b"".join(canonical(line) + b"\n" for line in (header, *told, *rest, signed))


def rechained(line: Line, head: bytes, salting: bytes) -> bytes:
    line.pop("check")
    after = link(head, salting, canonical(line))
    line["check"] = check(after)
    return after


def lying(number: int, **event: Any) -> Lie:
    """Say that another thing happened in the lobby: `number` counts from 1."""

    def lie(told: list[Line], rest: list[Line]) -> None:
        told[number - 1] |= {"seat": event.get("seat"), "event": {"type": event["type"], "data": event.get("data", {})}}

    return lie


def misremembered(number: int, **data: Any) -> Lie:
    """Say that it was otherwise what happened in the lobby."""
    return lambda told, rest: told[number - 1]["event"]["data"].update(data)


def begun_with(**fields: Any) -> Lie:
    """Say that the game began otherwise."""
    return lambda told, rest: rest[0]["events"][0]["data"].update(fields)


def never_ended(told: list[Line], rest: list[Line]) -> None:
    del told[-1]


def nothing(told: list[Line], rest: list[Line]) -> None:
    """Tell the truth."""


LIES: tuple[Lie, ...] = (
    begun_with(nonces=["00" * 16] * 3),
    begun_with(nonces=[NONCE]),
    begun_with(nonces=None),
    begun_with(drawn_by=["server"] * 3),
    misremembered(1, options={"lots": 1}),
    misremembered(1, seats=4),
    misremembered(2, drawn_by="nobody"),
    misremembered(2, nonce=7),
    misremembered(3, invited="yes"),
    misremembered(3, name="Bob"),
    misremembered(4, kicked=0),
    lying(4, seat=1, type="player-kicked", data={"kicked": 0}),
    lying(4, seat=2, type="seat-left"),
    lying(5, seat=0, type="game-opened"),
    lying(6, seat=0, type="seat-sold"),
    lying(7, seat=2, type="seat-taken", data={"nonce": "00", "drawn_by": "server", "invited": False}),
    lying(10, seat=1, type="start-given"),
    lying(11, seat=0, type="start-given"),
    lying(11, seat=1, type="game-cancelled"),
    never_ended,
)
