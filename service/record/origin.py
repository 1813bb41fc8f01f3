"""Check the events that a fork has taken over, with the record of the original game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from service.log.chain import NO_HEAD, chain_key, link, salt
from service.log.codec import stored_name
from service.log.folding import counted_events
from service.record.canonical import canonical
from service.record.reading import Faulty, FormatUnknown, RecordLine, read
from service.record.seal import PublicKey
from service.record.verify import Finding, Report, unroll_lines, verify
from service.rules.kernel import AnyRuleset
from service.rules.shared_events import GameForked


def verify_with_origins(
    data: bytes,
    rulesets: Mapping[str, AnyRuleset],
    keys: Sequence[PublicKey] | None = None,
    origins: Sequence[bytes] = (),
) -> Report:
    """Verify a record and, if the game is a fork, the events taken over from its origin.

    The origin's record, and those of its own origins, are looked for among `origins`.
    """
    report = verify(data, rulesets, keys)
    if not report.holds:
        return report
    lines = read(data)
    setup = next((line for line in lines if line.kind == "step"), None)
    forked = None if setup is None else _forked(setup)
    if setup is None or forked is None:
        return report
    named = next((each for each in origins if each != data and _is_of(each, forked["game"])), None)
    if named is None:
        said = f"the events up to {forked['seq']} of game {forked['game']} that it goes on from were not checked: "
        report.findings.append(Finding("origin", None, said + "that takes the record of that game (--origin)"))
        return report
    others = [each for each in origins if each is not named]
    try:
        said = _taken_over(lines[0], setup, named, rulesets, verify_with_origins(named, rulesets, keys, others))
        report.findings.append(Finding("origin", True, said))
    except Faulty as fault:
        report.findings.append(Finding("origin", False, fault.wrong, fault.line))
    return report


def game_id(name: str) -> UUID:
    """Return the id of a record's game here: its own if it is a canonical UUID, else one derived from its name."""
    try:
        own = UUID(name)
    except ValueError:
        own = None
    return own if own is not None and str(own) == name else uuid5(NAMESPACE_URL, f"boardroom-record:{name}")


def _forked(setup: RecordLine) -> Mapping[str, Any] | None:
    """Return the fields of the event that names the forked game, None if the game is no fork."""
    second = setup.fields["events"][1:2]
    return second[0]["data"] if second and second[0]["type"] == stored_name(GameForked) else None


def _is_of(data: bytes, game: str) -> bool:
    try:
        return str(game_id(read(data)[0].fields["game"])) == game
    except (Faulty, FormatUnknown):
        return False


def _taken_over(
    header: RecordLine, setup: RecordLine, origin: bytes, rulesets: Mapping[str, AnyRuleset], report: Report
) -> str:
    """Return a sentence that confirms that the events taken over are the origin's; Faulty."""
    _, second, *taken = setup.fields["events"][: None if header.fields.get("pace") is None else -1]
    forked, number = second["data"], setup.number
    wrong = next((each for each in report.findings if each.holds is False), None)
    if wrong is not None:
        raise Faulty(
            setup.number, f"the record of game {forked['game']} does not hold, line {wrong.line}: {wrong.said}"
        )
    before = read(origin)
    if any(before[0].fields[name] != header.fields[name] for name in ("ruleset", "revision", "seats", "options")):
        raise Faulty(number, "the game that it goes on from was another kind of game")
    head = _heads(before).get(forked["seq"])
    if head is None or forked["head"] not in {head, None}:
        raise Faulty(
            setup.number, f"game {forked['game']} had another head at event {forked['seq']}, or no step ended there"
        )
    happened = counted_events(unroll_lines(before, rulesets), forked["seq"])
    expected = [{"type": stored_name(type(each.event)), "data": each.event} for each in happened]
    if canonical(expected) != canonical(taken):
        raise Faulty(number, f"game {forked['game']} had other events than these up to event {forked['seq']}")
    return f"the {len(taken)} events taken over are those of game {forked['game']} up to event {forked['seq']}"


def _heads(lines: Sequence[RecordLine]) -> dict[int, str]:
    """Return the head after each step of a valid record, in hex, by the number of its last event."""
    seed = next(line for line in lines if line.kind == "reveal").fields["seed"]
    key = chain_key(bytes.fromhex(seed), lines[0].fields["game"])
    head, heads = link(NO_HEAD, salt(key, 0), lines[0].body), {}
    for line in lines:
        if line.kind == "step":
            head = link(head, salt(key, line.last), line.body)
            heads[line.last] = head.hex()
    return heads
