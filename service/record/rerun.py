"""Replay a recorded game: compare every action, every event and the score with the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import ValidationError, convert

from service.log.clocks import SERVICE_DOORS
from service.log.codec import Codec, action_json, stored_name
from service.log.folding import NOTHING, Folded, LooksBack, fold_clocked, outcome, players_to_act
from service.log.recorded import Recorded
from service.players.player import VersionGone, choice, possible_substitute_actions
from service.record.canonical import canonical
from service.record.draws import Witness
from service.record.reading import Faulty, RecordLine, RulesMissing, recorded
from service.record.record import header_line, no_result_line, result_line
from service.record.timing import check_consent, check_door, check_fact, computers_of, pace_of, require_public_zone
from service.rules.chance import Chance, derive_deal_key, derive_key
from service.rules.kernel import AnyRuleset, GameStarted, Illegal, at_revision, begin
from service.rules.shared_events import (
    SHARED_EVENTS,
    ActionTakenBack,
    BudgetCut,
    ComputerSeated,
    DealSet,
    GameForked,
    HintTaken,
    PaceSet,
    SeatHandedOver,
    SeatResigned,
    SharedEvent,
)

_UNNOTED: Final[Mapping[str, Any]] = {"drawn_by": [], "lobby": "", "origin": None}
"""Defaults of fields that old records lack at a game's start: drawers of the nonces, lobby, origin."""


def rules_at(ruleset: AnyRuleset, revision: int) -> AnyRuleset:
    """Return the ruleset at a revision; RulesMissing."""
    try:
        return at_revision(ruleset, revision)
    except LookupError:
        raise RulesMissing(f"revision {revision} of the rules of {ruleset.meta.name} is not installed here") from None


def _completed(written: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an event in today's form: old take-backs lack `agreed`."""
    if written["type"] != stored_name(ActionTakenBack):
        return written
    return {**written, "data": {"agreed": [], **written["data"]}}


def _unread(sent: Any, read: Any) -> str | None:
    """Return the name of a field of an action as sent that is missing in the action as read; None if there is none."""
    if isinstance(sent, dict) and isinstance(read, dict):
        return next((name for name in sent if name not in read), None) or next(
            (found for name in sent if (found := _unread(sent[name], read[name])) is not None), None
        )
    if isinstance(sent, list) and isinstance(read, list):
        return next((found for pair in zip(sent, read, strict=False) if (found := _unread(*pair)) is not None), None)
    return None


class Rerun:
    """Replay of a game, up to the lines given so far.

    `folded` is the fold so far, with its clocks; `origin` is the forked game, if any. `draws` are the results of
    chance, as `{seq, draws}` of each step with any. `asked` are the seats that had to act in a game with a clock, as
    `{seq, seats}` of each step that changed them. `chosen` counts the choices of computer players that were recomputed,
    `unchosen` those of versions that are not installed.
    """

    def __init__(self, ruleset: AnyRuleset, header: RecordLine, seed: bytes, *, with_choices: bool = False) -> None:
        """Prepare a replay; `with_choices` recomputes the choices of computer players, which takes time."""
        self._ruleset, self._header, self._seed = ruleset, header, seed
        self.folded: Folded = NOTHING
        self._log: list[Recorded] = []
        self._standing: list[RecordLine] = []
        self._witness = Witness(Chance(b""))
        self.draws: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.origin: GameForked | None = None
        self._with_choices = with_choices
        self.chosen, self.unchosen = 0, 0

    @property
    def _seats(self) -> int:
        return int(self._header.fields["seats"])

    def set_up(self, line: RecordLine) -> None:
        """Set the game up according to its header; Faulty, RulesMissing."""
        fields, first = self._header.fields, line.fields["events"][0]
        caused = line.fields["seat"], line.fields["decision"], line.fields["action"]
        if first["type"] != "game-started" or caused != (None, 0, None):
            raise Faulty(line.number, "the first step has to set the game up")
        try:
            started = convert(first["data"], GameStarted)
        except ValidationError as error:
            raise Faulty(line.number, f"its first event is no start of a game: {error}") from None
        pace = pace_of(self._header)
        computers = list(computers_of(self._header).values())
        deal = fields.get("deal")
        ends = [*([DealSet(day=deal)] if deal else []), *([] if pace is None else [PaceSet(pace=pace)])]
        after = [*computers, *ends]
        if canonical(header_line(fields["game"], started, pace, computers, deal)) != self._header.body:
            raise Faulty(line.number, "the game that starts is not the one of the header")
        self._ruleset = rules_at(self._ruleset, fields["revision"])
        self._could_be_opened()
        own = derive_key(self._seed, fields["game"], started.nonces)
        key = derive_deal_key(self._seed, deal) if deal else own
        self._witness = Witness(Chance(key))
        written = [{**first, "data": {**_UNNOTED, **first["data"]}}, *line.fields["events"][1:]]
        if any(each["type"] == stored_name(GameForked) for each in line.fields["events"][1:2]):
            taken = line.fields["events"][1 : len(line.fields["events"]) - len(after)]
            self._compare(line, [started, *self._taken_over(line, taken, started.origin), *after], written)
            return
        opening = begin(
            self._ruleset,
            self._seats,
            started.options,
            self._witness,
            started.commitment,
            started.nonces,
            started.drawn_by,
            started.lobby,
            started.format,
        )
        self._compare(line, [*opening, *after], written)

    def step(self, line: RecordLine) -> None:
        """Replay a line, and compare its events."""
        fields = line.fields
        if fields["action"] is None:
            self._compare(line, self._outside_the_rules(line), [_completed(each) for each in fields["events"]])
            return
        if outcome(self._ruleset, self._seats, self.folded) is not None:
            raise Faulty(line.number, "the game was already over")
        state, seat = self.folded.state, fields["seat"]
        if seat not in self._ruleset.to_act(state):
            raise Faulty(line.number, f"it was not the move of seat {seat}")
        if fields["decision"] != self.folded.passed + self._ruleset.decision(state):
            raise Faulty(line.number, f"it answers decision {fields['decision']}, and that was not the one to answer")
        action = self._action(line)
        self._owed(line, seat, action)
        try:
            happened = self._ruleset.decide(state, seat, action, self._witness)
        except Illegal as illegal:
            raise Faulty(line.number, f"the rules refuse the action: {illegal.code} ({illegal.rule})") from None
        self._compare(line, happened)
        self._standing.append(line)

    def closed(self, lines: Sequence[RecordLine]) -> None:
        """Compare draws, asked seats, and result."""
        result = lines[-1]
        for kind, expected in (("draws", self.draws), ("asked", self.asked)):
            written = [line for line in lines if line.kind == kind]
            for line, each in zip(written, expected, strict=False):
                if line.body != canonical({"kind": kind, **each}):
                    raise Faulty(line.number, f"the rules come to other lines of kind {kind} than this one")
            if len(written) != len(expected):
                found = f"lines of kind {kind}: {len(written)}; by the rules there are {len(expected)}"
                raise Faulty(result.number, found)
        if result.body != canonical(self.result()):
            raise Faulty(result.number, "the rules come to another result")

    def result(self) -> dict[str, Any]:
        """Return the line of the result, without its check."""
        return result_line(self._ruleset, self._seats, self.folded)

    def _taken_over(
        self, line: RecordLine, written: Sequence[Mapping[str, Any]], noted: GameForked | None
    ) -> list[Any]:
        """Return the events with which a fork begins; only its origin's record can prove them.

        `noted` is the origin according to the header.
        """
        codec, (forked, *taken) = Codec(self._ruleset), written
        try:
            self.origin = convert(forked["data"], GameForked)
            events = [codec.decode(each["type"], canonical(each["data"])) for each in taken]
        except (KeyError, ValidationError) as error:
            raise Faulty(line.number, f"what it goes on from cannot be read: {error}") from None
        if noted not in {None, self.origin}:
            raise Faulty(line.number, "it goes on from another game than its header says, or from another moment")
        if any(isinstance(each, (GameStarted, SharedEvent)) for each in events):
            raise Faulty(line.number, "it takes over what no other game could have given")
        return [self.origin, *events]

    def _action(self, line: RecordLine) -> Any:
        fields = dict(line.fields["action"])
        kind = self._ruleset.action_types.get(fields.pop("type", None))
        if kind is None:
            raise Faulty(line.number, "the game has no such action")
        try:
            action = convert(fields, kind)
        except ValidationError as error:
            raise Faulty(line.number, f"the action is not complete: {error}") from None
        if (unknown := _unread(line.fields["action"], action_json(action))) is not None:
            raise Faulty(line.number, f"the action has a field that no such action has: {unknown[:40]!r}")
        return action

    def _could_be_opened(self) -> None:
        """Raise Faulty for a header whose table nobody could have opened."""
        meta, seats = self._ruleset.meta, self._seats
        if seats not in meta.seats:
            raise Faulty(self._header.number, f"the game is none for {seats} players")
        offered = {option.name: option for option in meta.options}
        for name, value in self._header.fields["options"].items():
            if name not in offered or not offered[name].allows(value, seats):
                raise Faulty(self._header.number, f"the game has no such option, or not with this value: {name[:40]!r}")

    def _owed(self, line: RecordLine, seat: int, action: Any) -> None:
        """Raise Faulty for a move by the service other than the one it had to make."""
        state = self.folded.state
        owed: Any = action
        if seat < self._seats:
            check_door(line, self.folded)
        if seat >= self._seats:
            made = self._ruleset.automaton(state)
            owed = made and made[1]
        elif seat in self.folded.computers:
            owed = self._choice(line, seat, action)
        elif seat in self.folded.stood_in:
            owed = self._stood_in(line, seat, action)
        if owed != action:
            raise Faulty(line.number, f"seat {seat} is played by the service, and it had to play something else")

    def _stood_in(self, line: RecordLine, seat: int, action: Any) -> Any:
        """Return `action` if the stand-in could have played it, else None."""
        if not self._with_choices:
            return action
        game, decision = self._header.fields["game"], line.fields["decision"]
        could = possible_substitute_actions(self._ruleset, self._seats, game, decision, self.folded.state, seat)
        return action if action in could else None

    def _choice(self, line: RecordLine, seat: int, action: Any) -> Any:
        """Return the choice that the seat's computer player had to make; `action` if choices are not recomputed."""
        if line.fields["door"] != "worker":
            raise Faulty(line.number, f"seat {seat} is a computer player's, and somebody else has played it")
        if not self._with_choices:
            return action
        game, decision = self._header.fields["game"], line.fields["decision"]
        computer = self.folded.computers[seat]
        try:
            tables = self.folded.tables(seat, decision)
            owed = choice(self._ruleset, self._seats, game, decision, self.folded.state, computer, tables)
        except VersionGone:
            self.unchosen += 1
            return action
        except LookupError as error:
            raise Faulty(line.number, str(error)) from None
        self.chosen += 1
        return owed

    def _outside_the_rules(self, line: RecordLine) -> list[Any]:
        events = line.fields["events"]
        kinds = {stored_name(kind): kind for kind in SHARED_EVENTS if kind not in (GameForked, PaceSet, DealSet)}
        if len(events) != 1 or events[0]["type"] not in kinds:
            raise Faulty(line.number, "nothing but an action could have caused this")
        try:
            event = convert(events[0]["data"], kinds[events[0]["type"]])
        except ValidationError as error:
            raise Faulty(line.number, f"its event is not complete: {error}") from None
        if event.seat != line.fields["seat"] or not 0 <= event.seat < self._seats:
            raise Faulty(line.number, "nobody in this seat could have done it")
        if isinstance(event, SeatResigned):
            if event.seat in self.folded.resigned:
                raise Faulty(line.number, f"seat {event.seat} had resigned before")
            self._standing.clear()
        if isinstance(event, ComputerSeated) and self._log[-1].event != SeatHandedOver(seat=event.seat):
            raise Faulty(line.number, "a computer player sits down in a seat that was just handed over")
        if isinstance(event, ActionTakenBack):
            self._taken_back(line, event)
        if isinstance(event, (HintTaken, BudgetCut)):
            self._at_decision(line, event)
        check_fact(line, event, self.folded)
        return [event]

    def _at_decision(self, line: RecordLine, event: HintTaken | BudgetCut) -> None:
        """Raise Faulty for a fact of a seat that has not to act, or of another decision, and for a second hint."""
        faced = self.folded.passed + self._ruleset.decision(self.folded.state)
        faces = event.seat in self._ruleset.to_act(self.folded.state)
        if not faces or not event.decision == faced == line.fields["decision"]:
            raise Faulty(line.number, f"seat {event.seat} had no such decision before it")
        # A budget may be cut at a decision twice, if the choice there is taken back.
        if isinstance(event, HintTaken) and any(each.event == event for each in self._log):
            raise Faulty(line.number, f"seat {event.seat} has taken a hint for this decision before")

    def _taken_back(self, line: RecordLine, event: ActionTakenBack) -> None:
        """Raise Faulty unless the action was the seat's own, and nobody has acted since, or all have agreed (T-35)."""
        last = self._standing[-1].last if self._standing else 0
        if event.agreed:
            check_consent(line, event, self.folded, self._seats)
            while self._standing and self._standing[-1].fields["seq"] > event.first:
                self._standing.pop()
        taken = self._standing.pop() if self._standing else None
        if taken is None or (taken.fields["seq"], last) != (event.first, event.last):
            raise Faulty(line.number, "this is not the last action that still counts")
        if taken.fields["seat"] != event.seat or taken.fields["door"] in SERVICE_DOORS:
            raise Faulty(line.number, "nobody takes back what somebody else has done")

    def _compare(self, line: RecordLine, happened: Sequence[Any], written: Sequence[Any] | None = None) -> None:
        expected = canonical([{"type": stored_name(type(event)), "data": event} for event in happened])
        if expected != canonical(line.fields["events"] if written is None else written):
            raise Faulty(line.number, "the rules come to other events than these")
        drawn = self._witness.taken()
        if drawn:
            self.draws.append({"seq": line.fields["seq"], "draws": drawn})
        self._fold(line, happened)

    def _fold(self, line: RecordLine, happened: Sequence[Any]) -> None:
        fields, before = line.fields, self.folded.clocks and self._to_act()
        made = recorded(line, happened)
        self._log += made
        try:
            self.folded = fold_clocked(self._ruleset, made, self.folded)
        except LooksBack:
            self.folded = fold_clocked(self._ruleset, self._log)
        if self.folded.clocks is not None and before != self._to_act():
            self.asked.append({"seq": fields["seq"], "seats": sorted(self._to_act())})

    def _to_act(self) -> frozenset[int]:
        return players_to_act(self._ruleset, self._seats, self.folded)


# Level of `verify` that replays the game.


def rerun(lines: Sequence[RecordLine], seed: bytes, rulesets: Mapping[str, AnyRuleset]) -> str:
    """Return a sentence that confirms events and result by the rules; Faulty, RulesMissing."""
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
    """Return a sentence on the choices of computer players, "" if there are none."""
    said = f"; choices of computer players that were computed again: {again.chosen}" if again.chosen else ""
    if again.unchosen:
        said += f"; not checked, since their version is not installed here: {again.unchosen}"
    return said


def _installed(header: Mapping[str, Any], rulesets: Mapping[str, AnyRuleset]) -> AnyRuleset:
    """Return the ruleset of a record's header; RulesMissing if the ruleset or its revision is not installed."""
    ruleset = rulesets.get(header["ruleset"])
    if ruleset is None:
        raise RulesMissing(f"the rules of {header['ruleset']} are not installed here")
    return rules_at(ruleset, header["revision"])


def _not_played(result: RecordLine) -> str:
    if result.body != canonical(no_result_line()):
        raise Faulty(result.number, "a game that was called off before it began has no result")
    return "the game was called off before it began"
