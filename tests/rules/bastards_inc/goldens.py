"""Recorded whole games: how they are found, written and read. `make goldens` records those that are missing.

A golden has a line for the setup, one for each action with all that it caused, and one for the result. `seen` has a
digest of what all seats and a spectator saw after the line; the first and the last line have some of the views
themselves. Bots play, and every so often somebody does anything at all, so that every kind of action is recorded.
Chance follows from `seed`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from msgspec.json import encode

from service.commands.selfplay import draw
from service.log.codec import action_json, event_data
from service.rules.chance import Chance, commit
from service.rules.games.bastards_inc import RULESET
from service.rules.kernel import AnyRuleset, at_revision, begin, fold
from tests.rules.bastards_inc.bots import KINDS, choose
from tests.rules.new_corp_order.goldens import canonical, event_line

FOLDER = Path(__file__).parents[2] / "golden" / "bastards_inc"
PATIENCE = 20_000
WHIMS = 0.15
"""How often a seat does anything at all."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A kind of game that has to be among the goldens: seats, length, and the way it ends, or what is done in it."""

    seats: int
    way: str
    short: bool = True
    revision: int = 2

    @property
    def path(self) -> Path:
        """The file of the golden; the revision of the rules is in its name but for the first."""
        rules = f"-r{self.revision}" if self.revision > 1 else ""
        return FOLDER / f"{self.seats}p-{'short-' if self.short else ''}{self.way}{rules}.jsonl"

    @property
    def ruleset(self) -> AnyRuleset:
        """The rules of the game."""
        return at_revision(RULESET, self.revision)

    @property
    def options(self) -> dict[str, Any]:
        """The options it is played with."""
        return {"short-game": True} if self.short else {}


WANTED = (
    *(Wanted(seats, way, revision=1) for seats in (2, 3, 4, 5, 6) for way in ("last-round", "target", "nuclear-war")),
    *(Wanted(seats, "last-round", short=False, revision=1) for seats in (2, 4)),
    Wanted(3, "bunker", revision=1),
    Wanted(3, "influence", revision=1),
    Wanted(2, "shared", revision=1),
    Wanted(3, "keep-silent", revision=1),
    Wanted(4, "decline", revision=1),
    Wanted(3, "withdraw", revision=1),
    *(Wanted(seats, "keep") for seats in (2, 4)),
    Wanted(3, "withdraw"),
)


def ways(outcome: Mapping[str, Any], influence: Sequence[int], actions: Iterable[str]) -> set[str]:
    """Return the ways in which a game ended: by what, and how a tie was broken (B-80 to B-82); and what was done."""
    winners, scores = outcome["winners"], outcome["scores"]
    if outcome["reason"] == "nuclear-war":
        return {"bunker" if winners else "nuclear-war", *actions}
    first = [seat for seat, score in enumerate(scores) if score == max(scores)]
    broken = len(first) > 1 and len({influence[seat] for seat in first}) > 1
    ties = [*(["influence"] if broken else []), *(["shared"] if len(winners) > 1 else [])]
    return {outcome["reason"], *ties, *actions}


def tag(action: Any) -> str:
    """Return the name of the action's class as it is stored."""
    return str(action_json(action)["type"])


def views(state: Any) -> dict[str, Any]:
    """Return the view of every seat, by its number, and of a spectator, as "-"."""
    viewers: list[int | None] = [*range(len(state.companies)), None]
    return {"-" if viewer is None else str(viewer): RULESET.view(state, viewer) for viewer in viewers}


def seen(state: Any) -> str:
    """Return the digest of what every seat and a spectator see."""
    return sha256(canonical(views(state))).hexdigest()[:16]


def chance_of(seed: str) -> Chance:
    """Return the chance of the game that was played with this seed."""
    return Chance(sha256(seed.encode()).digest())


def opening_of(wanted: Wanted, seed: str) -> list[Any]:
    """Return the events that open the game of a seed."""
    commitment = commit(sha256(seed.encode()).digest())
    return begin(wanted.ruleset, wanted.seats, wanted.options, chance_of(seed), commitment, ())


def setup_line(opening: Sequence[Any], seed: str) -> dict[str, Any]:
    """Return the line of the events that open a game."""
    events = list(map(event_line, opening[1:]))
    return {"kind": "setup", "format": 1, "seed": seed, **event_data(opening[0]), "events": events}


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


def record_golden(wanted: Wanted) -> None:
    """Search games for one of the kind wanted and write it down."""
    for number in range(PATIENCE):
        seed = f"golden:{wanted.path.stem}:{number}"
        opening = opening_of(wanted, seed)
        steps, state = _played(opening, seed)
        influence = [each.influence for each in state.companies]
        if wanted.way in ways(RULESET.outcome(state) or {}, influence, (tag(action) for _, _, action, _ in steps)):
            lines = _with_views(setup_line(opening, seed), opening, steps)
            wanted.path.write_bytes(b"".join(encode(line) + b"\n" for line in lines))
            return
    raise LookupError(f"no {wanted.path.stem} among {PATIENCE} games")


def _played(opening: Sequence[Any], seed: str) -> tuple[list[tuple[Any, ...]], Any]:
    """Return the steps of a game as (decision, seat, action, events), and the last state."""
    state, chance, rng = fold(RULESET, opening), chance_of(seed), Random(seed)
    tastes = [rng.choice(KINDS) for _ in state.companies]
    steps = []
    while RULESET.outcome(state) is None:
        seat = rng.choice(sorted(RULESET.to_act(state)))
        legal = RULESET.legal(state, seat)
        action = draw(legal, rng) if rng.random() < WHIMS else choose(state, seat, legal, tastes[seat], rng)
        events = RULESET.decide(state, seat, action, chance)
        steps.append((RULESET.decision(state), seat, action, events))
        state = fold(RULESET, events, state)
    return steps, state


def _with_views(
    first: dict[str, Any], opening: Sequence[Any], steps: Sequence[tuple[Any, ...]]
) -> Iterator[dict[str, Any]]:
    state = fold(RULESET, opening)
    yield {**first, "seen": seen(state), "views": _some(state)}
    for step in steps:
        state = fold(RULESET, step[3], state)
        yield {**action_line(*step), "seen": seen(state)}
    yield {**result_line(state), "seen": seen(state), "views": _some(state)}


def _some(state: Any) -> dict[str, Any]:
    return {name: view for name, view in views(state).items() if name in {"0", "-"}}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in WANTED:
        if not each.path.exists():
            record_golden(each)
            print(f"recorded {each.path.name}, {each.path.stat().st_size} bytes", file=sys.stderr, flush=True)
