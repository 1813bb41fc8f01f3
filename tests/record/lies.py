"""Records with a lobby that somebody has changed, or that tell lies about it although they are chained and sealed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.record.forging import Change, Lines, of_kind
from tests.record.records import Tampered, with_byte, with_line, with_lines_exchanged, without_byte, without_line

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


def lying(number: int, **event: Any) -> Change:
    """Say that another thing happened in the lobby: `number` counts from 1, and so is that of the line after."""
    told = {"type": event["type"], "data": event.get("data", {})}
    return lambda lines: lines[number].update(seat=event.get("seat"), event=told)


def misremembered(number: int, **data: Any) -> Change:
    """Say that it was otherwise what happened in the lobby."""
    return lambda lines: lines[number]["event"]["data"].update(data)


def begun_with(**fields: Any) -> Change:
    """Say that the game began otherwise."""
    return lambda lines: of_kind(lines, "step")["events"][0]["data"].update(fields)


def forgotten(*names: str) -> Change:
    """Say that the game began, and nothing of these."""

    def forget(lines: Lines) -> None:
        for name in names:
            del of_kind(lines, "step")["events"][0]["data"][name]

    return forget


def never_ended(lines: Lines) -> None:
    del lines[max(number for number, line in enumerate(lines) if line["kind"] == "lobby")]


def without_a_word(lines: Lines) -> None:
    """Say nothing of the lobby but that there was one."""
    lines[:] = [line for line in lines if line["kind"] != "lobby"]
    lines[0]["lobby"] = ""


def nothing(lines: Lines) -> None:
    """Tell the truth."""


LIES: tuple[Change, ...] = (
    begun_with(nonces=["00" * 16] * 3),
    begun_with(nonces=[NONCE]),
    begun_with(nonces=None),
    begun_with(drawn_by=["server"] * 3),
    begun_with(drawn_by=["server"]),
    begun_with(nonces=["AB"] * 3),
    forgotten("nonces"),
    forgotten("drawn_by"),
    without_a_word,
    misremembered(1, options={"lots": 1}),
    misremembered(1, revision=True),
    misremembered(1, ruleset=7),
    misremembered(1, seats=4),
    misremembered(2, drawn_by="nobody"),
    misremembered(2, nonce=7),
    misremembered(3, invited="yes"),
    misremembered(3, name="Bob"),
    misremembered(4, kicked=0),
    misremembered(4, kicked="1"),
    misremembered(4, kicked=None),
    lying(4, seat=1, type="player-kicked", data={"kicked": 0}),
    lying(4, seat=2, type="seat-left"),
    lying(5, seat=0, type="game-opened"),
    lying(6, seat=0, type="seat-sold"),
    lying(7, seat=2, type="seat-taken", data={"nonce": "00", "drawn_by": "server", "invited": False}),
    lying(10, seat=1, type="start-given"),
    lying(11, seat=0, type="start-given"),
    lying(11, seat=1, type="game-cancelled"),
    lying(11, type="start-given", data={"sooner": True}),
    never_ended,
)

MISSHAPEN: tuple[Change, ...] = (
    lambda lines: lines[0].update(format=2),
    lambda lines: lines[0].update(format=4),
    lambda lines: lines[0].update(format=4, origin=None),
    lambda lines: lines[0].update(format=4, origin={"game": "another", "seq": "7", "head": None}),
    lambda lines: lines[0].update(format=4, origin={"game": "another", "seq": 7}),
    lambda lines: lines[0].update(format=3, origin={"game": "another", "seq": 7, "head": None}),
    lambda lines: lines[0].update(origin={"game": "another", "seq": 7}),
    lambda lines: lines[0].update(format=5, origin={"game": "another", "seq": 7, "head": None}),
    lambda lines: lines[0].pop("lobby"),
    lambda lines: lines[0].update(lobby=None),
    lambda lines: (lines[0].update(format=2), lines[0].pop("lobby")),
    lambda lines: lines[1].update(at=-1),
    lambda lines: lines[1].update(at=253_402_300_800_000),
    lambda lines: lines[1].update(seat="0"),
    lambda lines: lines[1].update(seq=2),
    lambda lines: lines[1].update(event=[]),
    lambda lines: lines[1].update(door="api"),
    lambda lines: lines[1]["event"].update(seat=0),
    lambda lines: lines[1]["event"].update(type=None),
    lambda lines: lines[1]["event"].update(data=[]),
    lambda lines: lines.insert(13, {**lines[11], "seq": 12}),
)
"""Records whose lobby is of no form at all."""
