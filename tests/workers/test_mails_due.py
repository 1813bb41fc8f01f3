"""Each turn is told of in one mail: none is forgotten, none comes twice, and none when the turn is over.

The clock is virtual: time passes by bringing nearer the moments at which outbox rows are due.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from service.handlers import mail_preferences
from service.handlers.play import resign
from service.handlers.take_back import REFUSALS, Wish, take_back
from service.mail.game_blocks import table_of
from service.mail.preferences import SOLO_AWAY_AFTER
from service.rules.kernel import GameStarted
from service.rules.shared_events import SharedEvent
from service.runtime import Runtime
from service.shared import clock
from service.store import events
from service.store.games import Position
from service.store.outbox import HALF_WAY
from service.views.history import latest_recap
from tests.builders import act, now_at, sealed_bids, started
from tests.letters import Letter, letters
from tests.people import alice, bob
from workers.relay import Relay

NEARER = text("""
update outbox set not_before = not_before - passed, due_at = due_at - passed, added_at = added_at - passed
  from make_interval(secs => :seconds) as passed where state = 'pending'
""")
HOUR = timedelta(hours=1)
WAITS = (0, 30, 200, 700)
MOST_STEPS = 14
Faced = tuple[str, int]
"""An address and the number of a decision."""


@dataclass(slots=True)
class Turn:
    """A seat that is to act, for how long it has known, and whether its mail has been seen to."""

    seat: int
    decision: int
    goes_on: bool
    waited: int = 0
    settled: bool = False


@dataclass(slots=True)
class Table:
    """A game under way, the turns in it, what its players wish, and how many mails came and should have come."""

    runtime: Runtime
    relay: Relay
    mailbox: Path
    position: Position
    turns: list[Turn] = field(default_factory=list)
    left: Turn | None = None
    silent: set[int] = field(default_factory=set)
    quiet: set[int] = field(default_factory=set)
    mailed: Counter[Faced] = field(default_factory=Counter)
    owed: Counter[Faced] = field(default_factory=Counter)

    @property
    def alone(self) -> bool:
        """Return whether the table has one player, who is told later than others."""
        return len(self.position.seats) == 1

    def pass_time(self, seconds: int) -> None:
        """Let time pass and the workers do what is due, the automaton's moves among it."""
        self.look()
        with self.runtime.engine.begin() as db:
            db.execute(NEARER, {"seconds": seconds})
        # A move of the automaton's leads to a mail, which is for the next round.
        for _ in range(2):
            while self.relay.drain():
                pass
        for turn in self.turns:
            turn.waited += seconds
        self.position = now_at(self.runtime.games, self.position.game.id)
        self.look()
        for turn in self.turns:
            self.settle(turn)
        for letter in letters(self.mailbox, self.position.game.id):
            if letter.kind == "turn":
                self.mailed[letter.recipient, decision_of(letter)] += 1
        for path in self.mailbox.glob("*.eml"):
            path.unlink()

    def look(self, goes_on: int | None = None) -> None:
        """Note whose turn it is; that of a seat which has just acted `goes_on`."""
        now = {(seat, self.position.decision) for seat in self.position.awaited}
        self.turns = [turn for turn in self.turns if (turn.seat, turn.decision) in now]
        new = now - {(turn.seat, turn.decision) for turn in self.turns}
        self.turns += [Turn(seat, decision, seat == goes_on) for seat, decision in sorted(new)]

    def settle(self, turn: Turn) -> None:
        """Count the mail that there has to be about a turn by now, if its player wants it."""
        waits = SOLO_AWAY_AFTER.total_seconds() if self.alone else HALF_WAY if turn.goes_on else 0
        if turn.settled or turn.waited < waits or (turn.seat in self.quiet and turn.seat not in self.silent):
            return
        turn.settled = True
        if turn.seat not in self.silent:
            self.owed[self.position.seats[turn.seat].email or "", turn.decision] += 1

    def act(self, seat: int, chance: Random) -> None:
        """Let a seat do something legal."""
        legal, before = self.position.ruleset.legal(self.position.state, seat), self.position.decision
        (self.left,) = (turn for turn in self.turns if turn.seat == seat)
        self.position = act(self.runtime.games, self.position, seat, chance.choice(list(legal))).position
        self.look(seat if self.position.decision != before else None)

    def take_back(self, seat: int, decision: int) -> None:
        """Let a seat take back what it has played, if it can."""
        wish = Wish(self.position.game.id, seat, decision, "api")
        with suppress(*REFUSALS):
            self.position = take_back(self.runtime.games, wish, HOUR, clock.now()).position
        self.look()
        if self.left is not None and not self.left.settled:
            # Its mail is still to be sent, and will do.
            again = (self.left.seat, self.left.decision)
            self.turns = [self.left if (turn.seat, turn.decision) == again else turn for turn in self.turns]

    def wish(self, seat: int, chance: Random) -> None:
        """Let a player want no mails of the game or of any, or none now, or all of them again."""
        games, game, player = self.runtime.games, self.position.game.id, self.position.seats[seat].player_id
        hour = clock.now().hour
        quiet = {"begin": (hour - 1) % 24, "end": (hour + 2) % 24}
        match chance.randrange(5):
            case 0:
                mail_preferences.mute(games, game, player)
                self.silent.add(seat)
            case 1:
                mail_preferences.change(games, player, {"kinds": {"turn": False}})
                self.silent.add(seat)
            case 2:
                mail_preferences.change(games, player, {"quiet": quiet})
                self.quiet.add(seat)
            case _:
                mail_preferences.unmute(games, game, player)
                mail_preferences.change(games, player, {"kinds": {"turn": True}, "quiet": None})
                self.silent.discard(seat)
                self.quiet.discard(seat)


def decision_of(letter: Letter) -> int:
    """The decision that a mail asks for, as its button has it."""
    found = re.search(r"(\d+)\D*$", letter.text.partition("/t/")[0].splitlines()[-2])
    assert found, letter.text
    return int(found[1])


def two_at_new_corp_order(runtime: Runtime) -> Position:
    return started(runtime.games, "new-corp-order", [alice(runtime.games), bob(runtime.games)])


def one_against_the_automaton(runtime: Runtime) -> Position:
    return started(runtime.games, "new-corp-order", [alice(runtime.games)])


def three_who_act_at_once(runtime: Runtime) -> Position:
    return sealed_bids(runtime.games)


STARTS = [two_at_new_corp_order, one_against_the_automaton, three_who_act_at_once]


@pytest.mark.parametrize(
    "wishful",
    [
        pytest.param(False, marks=pytest.mark.slow, id="everybody wants all mails"),
        pytest.param(True, id="their wishes change"),
    ],
)
@pytest.mark.parametrize("start", STARTS)
def test_every_turn_is_told_of_once_if_its_player_lets_it_wait(
    start: Callable[[Runtime], Position], wishful: bool, runtime: Runtime, mailbox: Path
) -> None:
    chance, relay = Random(2), Relay(replace(runtime, redis=None))
    table = Table(runtime, relay, mailbox, start(runtime))
    seats = range(len(table.position.seats))
    for _ in range(MOST_STEPS):
        table.pass_time(chance.choice(WAITS) * (6 if table.alone else 1))
        assert table.mailed == table.owed
        if not table.position.awaited:
            break
        for _ in range(chance.choice((1, 1, 2, 3))):
            if table.position.awaited:
                decision, seat = table.position.decision, chance.choice(sorted(table.position.awaited))
                table.act(seat, chance)
                if wishful and chance.random() < 0.5:
                    table.take_back(seat, decision)
        # Wishes change after the first mail: a player alone may otherwise wish for none in the whole game.
        if wishful and table.mailed:
            table.wish(chance.choice(seats), chance)
    for _ in range(2):
        table.pass_time(6 * HALF_WAY)
        assert table.mailed == table.owed
    assert table.mailed


def until_it_is_alices_turn(runtime: Runtime, position: Position, chance: Random) -> Position:
    """Let the workers do what is due, and the others act, until Alice is to act."""
    relay = Relay(replace(runtime, redis=None))
    while position.game.status == "running" and 0 not in position.awaited:
        for seat in position.awaited:
            act(runtime.games, position, seat, chance.choice(list(position.ruleset.legal(position.state, seat))))
        while relay.drain():
            pass
        position = now_at(runtime.games, position.game.id)
    while relay.drain():
        pass
    return position


def test_all_moves_between_two_turns_are_in_one_mail_the_newest_told_and_the_rest_counted(
    runtime: Runtime, mailbox: Path
) -> None:
    games, chance = runtime.games, Random(3)
    people = [alice(games), *(bob(games, None) for _ in range(3))]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    for each in people[1:3]:
        resign(games, position.game.id, each.id, "api", clock.now())
    told: list[int] = []
    for _ in range(20):
        if told and max(told) >= 5:
            break
        position = until_it_is_alices_turn(runtime, position, chance)
        with games.engine.connect() as db:
            since = latest_recap(db, position, 0, "en").recorded
            log = events.read(db, position.codec, position.game.id)
        own = max((each.seq for each in log if each.seat == 0), default=0)
        moves = [each for each in log if each.seq > own and each.action is not None]
        if moves:
            (letter,) = (each for each in letters(mailbox, position.game.id) if each.kind == "turn")
            bullets = [line for line in letter.text.splitlines() if line.startswith("* ")]
            shared = [each for each in since if isinstance(each.event, (GameStarted, SharedEvent))]
            played = [each for each in since if each not in shared]
            lines = table_of(position, 0).story([(each.event, each.seat) for each in played])
            assert any(line.sentence.startswith(re.sub(r"^\* (\(\d+\) )?", "", bullets[0])) for line in lines)
            (earlier,) = re.findall(r"and (\d+) more events? before these", letter.text) or [0]
            assert len(lines) <= len(bullets) - bool(earlier) + int(earlier) <= len(lines) + len(shared)
            told.append(len(moves))
        for path in mailbox.glob("*.eml"):
            path.unlink()
        position = act(games, position, 0, chance.choice(list(position.ruleset.legal(position.state, 0)))).position
    assert max(told) >= 5, told
