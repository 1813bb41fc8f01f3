"""Recorded whole games: how they are found, written and read. `make goldens` records those that are missing.

A golden has a line for the setup, one for each action with all that it caused, and one for the result. Each also says
what everybody saw after it: `seen` has a digest of the view of each seat and of a spectator ("-"); every so often
`views` has the views themselves.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from msgspec.json import encode

from service.commands.selfplay import Playout, draw, play_out
from service.log.codec import action_json, event_data, stored_name
from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import Infiltrate, TakeOver
from service.rules.kernel import fold

FOLDER = Path(__file__).parents[2] / "golden" / "new_corp_order"
WHOLE_VIEWS_EVERY = 40
PATIENCE = 20_000
# A player who takes over and infiltrates whenever possible has empty hands at the end, and may have to pass.
SPENDTHRIFT = (TakeOver, Infiltrate)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A kind of game that has to be among the goldens: seats, options, and the way it ends."""

    seats: int
    way: str
    short: bool = False

    @property
    def path(self) -> Path:
        """The file of the golden."""
        return FOLDER / f"{self.seats}p-{'short-' if self.short else ''}{self.way}.jsonl"

    @property
    def options(self) -> dict[str, Any]:
        """The options it is played with."""
        return {"short-game": True} if self.short else {}


WANTED = (
    *(Wanted(1, way) for way in ("win", "loss", "tie-won", "tie-lost")),
    *(Wanted(seats, way) for seats in (2, 3, 4) for way in ("victory-points", "agents", "shared")),
    *(Wanted(seats, "victory-points", short=True) for seats in (3, 4)),
    Wanted(4, "forced-pass"),
)


def ways(lines: list[dict[str, Any]]) -> set[str]:
    """Return the ways in which a recorded game ended, read from its lines alone."""
    outcome = lines[-1]["outcome"]
    scores, winners = outcome["scores"], outcome["winners"]
    passed = any(event["type"] == "turn-passed" for line in lines[1:-1] for event in line["events"])
    if lines[0]["seats"] == 1:
        kind = "tie-" * (scores[0] == scores[1])
        return {kind + ("won" if winners == [0] else "lost")} if kind else {"win" if winners == [0] else "loss"}
    return {outcome["reason"]} | ({"forced-pass"} if passed else set())


def seen(state: Any) -> dict[str, str]:
    """Return the digest of what every seat and a spectator see."""
    return {name: sha256(canonical(view)).hexdigest()[:16] for name, view in views(state).items()}


def views(state: Any) -> dict[str, Any]:
    """Return the view of every seat, by its number, and of a spectator, as "-"."""
    viewers: list[int | None] = [*range(state.seats), None]
    return {"-" if viewer is None else str(viewer): RULESET.view(state, viewer) for viewer in viewers}


def canonical(value: Any) -> bytes:
    """Return a JSON value as bytes that depend on nothing but the value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def record_golden(wanted: Wanted) -> None:
    """Search random games for one of the kind wanted and write it down."""
    for number in range(PATIENCE):
        seed = f"golden:{wanted.path.stem}:{number}"
        choose = spend if wanted.way == "forced-pass" else draw
        game = play_out(RULESET, wanted.seats, wanted.options, seed, recorded=False, choose=choose)
        lines = list(_with_views(game))
        if wanted.way in ways(lines):
            wanted.path.write_bytes(b"".join(encode(line) + b"\n" for line in lines))
            return
    raise LookupError(f"no {wanted.path.stem} among {PATIENCE} games")


def spend(legal: Sequence[Any], rng: Random) -> Any:
    """Return a random legal action of the kind that spends most."""
    for kind in SPENDTHRIFT:
        spending = [action for action in legal if isinstance(action, kind)]
        if spending:
            return rng.choice(spending)
    return draw(legal, rng)


def setup_line(opening: Sequence[Any]) -> dict[str, Any]:
    """Return the line of the events that open a game."""
    return {"kind": "setup", "format": 1, **event_data(opening[0]), "events": list(map(event_line, opening[1:]))}


def action_line(decision: int, seat: int, action: Any, events: Sequence[Any]) -> dict[str, Any]:
    """Return the line of an action: the decision it answers, as posted, in notation, and what it caused."""
    return {
        "kind": "action",
        "decision": decision,
        "seat": seat,
        "action": action_json(action),
        "notation": RULESET.notate(action),
        "events": list(map(event_line, events)),
    }


def result_line(state: Any) -> dict[str, Any]:
    """Return the line of how a game ended."""
    return {"kind": "result", "outcome": RULESET.outcome(state), "standings": RULESET.standings(state, None)}


def event_line(event: Any) -> dict[str, Any]:
    """Return an event: its stored name as `type`, and all its fields."""
    return {"type": stored_name(type(event)), **event_data(event)}


def _with_views(game: Playout) -> Iterator[dict[str, Any]]:
    state = fold(RULESET, game.opening)
    yield {**setup_line(game.opening), "seen": seen(state), "views": views(state)}
    for number, (answer, events) in enumerate(zip(game.actions, game.caused, strict=True), start=1):
        state = fold(RULESET, events, state)
        whole = {"views": views(state)} if number % WHOLE_VIEWS_EVERY == 0 else {}
        yield {**action_line(*answer, events), "seen": seen(state), **whole}
    yield {**result_line(state), "seen": seen(state), "views": views(state)}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in WANTED:
        if not each.path.exists():
            record_golden(each)
            print(f"recorded {each.path.name}, {each.path.stat().st_size} bytes", file=sys.stderr, flush=True)
