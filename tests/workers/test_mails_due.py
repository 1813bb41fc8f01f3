"""Each turn is told of in one mail: none is forgotten, none comes twice, and none when the turn is over.

The clock is virtual: time passes by bringing nearer the moments at which outbox rows are due.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from service.runtime import Runtime
from service.store.games import Position
from service.store.outbox import HALF_WAY
from tests.builders import act, now_at, sealed_bids, started
from tests.letters import Letter, letters
from tests.people import alice, bob
from workers.relay import Relay

NEARER = text("update outbox set not_before = not_before - make_interval(secs => :seconds) where state = 'pending'")
WAITS = (0, 30, 200, 700)
MOST_STEPS = 14
Faced = tuple[str, int]
"""An address and the number of a decision."""


@dataclass(slots=True)
class Table:
    """A game under way, what its players faced and for how long, and what was mailed."""

    runtime: Runtime
    relay: Relay
    mailbox: Path
    position: Position
    mailed: Counter[Faced] = field(default_factory=Counter)
    faced: dict[Faced, int] = field(default_factory=dict)
    goes_on: set[Faced] = field(default_factory=set)

    def pass_time(self, seconds: int) -> None:
        """Let time pass and the workers do what is due, the automaton's moves among it."""
        self.note(0)
        with self.runtime.engine.begin() as db:
            db.execute(NEARER, {"seconds": seconds})
        # A move of the automaton's leads to a mail, which is for the next round.
        for _ in range(2):
            while self.relay.drain():
                pass
        self.position = now_at(self.runtime.games, self.position.game.id)
        self.note(seconds)
        for letter in letters(self.mailbox, self.position.game.id):
            if letter.kind == "turn":
                self.mailed[letter.recipient, decision_of(letter)] += 1
        for path in self.mailbox.glob("*.eml"):
            path.unlink()

    def note(self, seconds: int) -> None:
        """Note for how long everybody who is to act has known of it."""
        for face in self.now_faced():
            self.faced[face] = self.faced.get(face, 0) + seconds

    def now_faced(self) -> list[Faced]:
        """Who has to act now, and at which decision."""
        seats = self.position.seats
        return [(seats[seat].email or "", self.position.decision) for seat in self.position.awaited]

    def act(self, seat: int, chance: Random) -> None:
        """Let a seat do something legal."""
        legal = self.position.ruleset.legal(self.position.state, seat)
        before = self.position.decision
        self.position = act(self.runtime.games, self.position, seat, chance.choice(list(legal))).position
        own = (self.position.seats[seat].email or "", self.position.decision)
        if before != self.position.decision and own in self.now_faced():
            self.goes_on.add(own)

    def due(self, face: Faced) -> int:
        """How many mails there should have been about a turn by now."""
        return int(face not in self.goes_on or self.faced[face] >= HALF_WAY)


def decision_of(letter: Letter) -> int:
    """The decision that a mail asks for, as its button has it."""
    found = re.search(r"\((\d+)\)$", letter.text.partition("/t/")[0].splitlines()[-2])
    assert found, letter.text
    return int(found[1])


def two_at_new_corp_order(runtime: Runtime) -> Position:
    return started(runtime.games, "new-corp-order", [alice(runtime.games), bob(runtime.games)])


def one_against_the_automaton(runtime: Runtime) -> Position:
    return started(runtime.games, "new-corp-order", [alice(runtime.games)])


def three_who_act_at_once(runtime: Runtime) -> Position:
    return sealed_bids(runtime.games)


@pytest.mark.parametrize("start", [two_at_new_corp_order, one_against_the_automaton, three_who_act_at_once])
def test_every_turn_is_told_of_once_if_its_player_lets_it_wait(start: object, runtime: Runtime, mailbox: Path) -> None:
    chance, relay = Random(2), Relay(replace(runtime, redis=None))
    table = Table(runtime, relay, mailbox, start(runtime))  # type: ignore[operator]
    for _ in range(MOST_STEPS):
        table.pass_time(chance.choice(WAITS))
        assert {face: table.mailed[face] for face in table.now_faced()} == {
            face: table.due(face) for face in table.now_faced()
        }
        if not table.position.awaited:
            break
        for _ in range(chance.choice((1, 1, 2, 3))):
            if table.position.awaited:
                table.act(chance.choice(sorted(table.position.awaited)), chance)
    table.pass_time(HALF_WAY)
    table.pass_time(HALF_WAY)
    assert max(table.mailed.values()) == 1
    assert {face for face, count in table.mailed.items() if count} <= set(table.faced)
    for face in table.now_faced():
        assert table.mailed[face] == 1
