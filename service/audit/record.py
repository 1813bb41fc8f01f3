"""Writes the game record, one JSON object a line (README.md has the format)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.json import encode

from service.rules.kernel import AnyRuleset, GameStarted
from service.store.codec import action_json, event_data, stored_name

FORMAT = 1


def setup_line(opening: Sequence[Any]) -> dict[str, Any]:
    """Return the first line from the events that open the game, GameStarted first."""
    started: GameStarted = opening[0]
    return {
        "kind": "setup",
        "format": FORMAT,
        "ruleset": started.ruleset,
        "revision": started.revision,
        "seats": started.seats,
        "options": dict(started.options),
        "commitment": started.commitment,
        "nonces": list(started.nonces),
        "events": [event_line(event) for event in opening[1:]],
    }


def action_line(ruleset: AnyRuleset, decision: int, seat: int, action: Any, events: Sequence[Any]) -> dict[str, Any]:
    """Return the line of one action: the decision it answers, as posted, in notation, and what it caused."""
    return {
        "kind": "action",
        "decision": decision,
        "seat": seat,
        "action": action_json(action),
        "notation": ruleset.notate(action),
        "events": [event_line(event) for event in events],
    }


def result_line(ruleset: AnyRuleset, state: Any) -> dict[str, Any]:
    """Return the last line: the outcome, and the standings with their derivation."""
    return {"kind": "result", "outcome": ruleset.outcome(state), "standings": ruleset.standings(state, None)}


def event_line(event: Any) -> dict[str, Any]:
    """Return an event as it stands in a record: its name as `type`, and all its fields."""
    return {"type": stored_name(type(event)), **event_data(event)}


def text(lines: Sequence[dict[str, Any]]) -> bytes:
    """Return the lines as the bytes of a record file."""
    return b"".join(encode(line) + b"\n" for line in lines)
