"""Whether a record is what the rules come to: the level of verify that plays the game once more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.record.canonical import canonical
from service.record.reading import Faulty, RecordLine, RulesMissing
from service.record.record import no_result_line
from service.record.rerun import Rerun, rules_at
from service.record.timing import require_public_zone
from service.rules.kernel import AnyRuleset


def rerun(lines: Sequence[RecordLine], seed: bytes, rulesets: Mapping[str, AnyRuleset]) -> str:
    """Return in words that the rules come to the same events and result; Faulty where they do not, RulesMissing."""
    steps = [line for line in lines if line.kind == "step"]
    if not steps:
        return _not_played(lines[-1] if lines[-1].kind == "result" else lines[-2])
    require_public_zone(lines[0])
    again = Rerun(_installed(lines[0].fields, rulesets), lines[0], seed, with_choices=True)
    again.set_up(steps[0])
    for line in steps[1:]:
        again.step(line)
    again.closed([line for line in lines if line.kind in ("draws", "asked", "result")])
    said = f"{len(steps) - 1} steps are legal, and every event and the result are what the rules come to"
    if again.origin is not None:
        said += (
            f"; it goes on from event {again.origin.seq} of game {again.origin.game}, whose record alone proves that"
        )
    return said + _of_computers(again)


def _of_computers(again: Rerun) -> str:
    """Return in words what became of the choices of computer players, "" where there are none."""
    said = f"; choices of computer players that were computed again: {again.chosen}" if again.chosen else ""
    if again.unchosen:
        said += f"; not checked, since their version is not installed here: {again.unchosen}"
    return said


def _installed(header: Mapping[str, Any], rulesets: Mapping[str, AnyRuleset]) -> AnyRuleset:
    """Return the ruleset of a record's header; RulesMissing where it, or its revision, is not among these."""
    ruleset = rulesets.get(header["ruleset"])
    if ruleset is None:
        raise RulesMissing(f"the rules of {header['ruleset']} are not installed here")
    return rules_at(ruleset, header["revision"])


def _not_played(result: RecordLine) -> str:
    if result.body != canonical(no_result_line()):
        raise Faulty(result.number, "a game that was called off before it began has no result")
    return "the game was called off before it began"
