"""A season of a league of sixteen begins, is played and ends by itself, and the next one begins with the promotions.

Some players are absent, one hands a seat to a substitute, and the first attempt at every step is lost at its last
moment, as if its worker were killed there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes, policy
from random import Random
from typing import Any, Final
from uuid import UUID

import pytest
from sqlalchemy import text

from service.handlers import substitutes
from service.handlers.substitutes import Substitute
from service.local.servers import LocalServers
from service.shared import clock
from service.store.competition import Competition, League
from service.store.games import Games, Position
from tests.builders import act, now_at
from tests.competing import STEPS, crowd, enter, league_of, newest, under_way
from tests.e2e.moving_clock import MovingClock, service_of_its_own
from tests.people import Person, register
from workers.jobs import carry_out
from workers.relay import Relay

pytestmark = pytest.mark.slow

PLAYERS, ROUNDS = 16, 2
NEVER_THERE, GOES_FOR_GOOD, SITS_OUT = 5, 9, 2
"""One never moves; of another a stranger takes over the seat; one does not enter the second season."""
ANSWER: Final = timedelta(hours=3)
# A sequence goes on counting where all else is undone.
_CRASHES: Final = """
create function crash_at_first() returns trigger language plpgsql as $$
begin
  raise exception 'the worker was killed';
end $$;
create trigger crashes before update on outbox for each row
  when (new.state = 'done' and old.state = 'pending' and old.failures = 1
        and new.kind in ('season', 'entry-closing', 'pairing', 'counted', 'next-round'))
  execute function crash_at_first();
"""
_NEXT: Final = text("select min(not_before) from outbox where state = 'pending'")
_AGAIN: Final = text("update outbox set state = 'pending', attempts = 0 where kind = any(:kinds) and state = 'done'")
_TRIED_AGAIN: Final = text("select id from outbox where kind = any(:kinds) and attempts > 1")
_PENDING: Final = text("select id from outbox where kind = any(:kinds) and state = 'pending'")
_ALL: Final = text("""
select (select count(*) from game) as games, (select count(*) from pairing) as pairings,
       (select count(*) from competition) as competitions, (select count(*) from outbox) as effects,
       (select json_agg(e order by competition_id, player_id) from entrant e) as entrants
""")
_ENTRANTS: Final = text("select * from entrant where competition_id = :id and rank is not null order by rank")
_PAIRINGS: Final = text("select * from pairing where competition_id = :id order by round, number")


@dataclass(slots=True)
class Story:
    """A season, the people in it, and what is left of it."""

    clock: MovingClock
    league: League
    first: Competition
    people: Sequence[Person]
    stranger: Person
    taken_over: list[UUID] = field(default_factory=list)
    choices: Random = field(default_factory=lambda: Random(3))

    @property
    def games(self) -> Games:
        """The games of the service."""
        return self.clock.runtime.games

    def rows(self, query: Any, **values: Any) -> list[Any]:
        """Return what the database has."""
        with self.games.engine.connect() as db:
            return list(db.execute(query, values))

    def go_on(self) -> None:
        """Let everything happen that is due, those who are there move, and the time pass until something is due."""
        runtime = self.clock.runtime
        # A process apart would have the time of the machine.
        relay = Relay(runtime, lambda row: carry_out(runtime, row))
        while relay.drain():
            pass
        moved = [self.moved(game) for game in under_way(self.games, newest_running(self).id)]
        if any(moved):
            self.clock.move(self.clock.now + ANSWER)
            return
        (due,) = self.rows(_NEXT)[0]
        self.clock.move(max(self.clock.now, due))

    def moved(self, game: UUID) -> bool:
        """Let one player of a game who is there move; return whether there was one to move."""
        position = now_at(self.games, game)
        gone = {self.people[NEVER_THERE].id, self.people[GOES_FOR_GOOD].id}
        for seat in sorted(position.unattended):
            if position.seats[seat].player_id == self.people[GOES_FOR_GOOD].id and not self.taken_over:
                position = self.take_over(position, seat)
        for seat in sorted(position.awaited):
            if position.seats[seat].player_id not in gone:
                act(self.games, position, seat, self.choices.choice(position.ruleset.legal(position.state, seat)))
                return True
        return False

    def take_over(self, position: Position, seat: int) -> Position:
        """Let the stranger take over a seat."""
        game = position.game.id
        with self.games.engine.begin() as db:
            locked = self.games.lock(db, game)
            after = substitutes.take_over(
                db, self.games, locked, Substitute(self.stranger.id, seat, "api"), clock.now()
            )
        self.games.committed(after)
        self.taken_over.append(game)
        return after


def newest_running(story: Story) -> Competition:
    found = newest(story.games, story.league)
    return found if found.state == "running" else story.first


@pytest.fixture(scope="module")
def story(servers: LocalServers) -> Iterator[Story]:
    """The first season, to the beginning of the second one."""
    with service_of_its_own(servers, "season") as moving:
        with moving.owner.begin() as db:
            db.exec_driver_sql(_CRASHES)
        games = moving.runtime.games
        people = crowd(games, PLAYERS)
        league, first = league_of(games, people, rounds=ROUNDS)
        stranger = register(games, "Sam", "sam@example.org", "en")
        story = Story(moving, league, first, people, stranger)
        while newest(games, league).number == 1:
            story.go_on()
        for number, person in enumerate(people):
            if number != SITS_OUT:
                enter(games, league, person)
        while newest(games, league).state == "entry":
            story.go_on()
        yield story


def tables(story: Story) -> Mapping[int, Counter[UUID]]:
    """Work out the points of each group from what the records of the games say, in another way than the service."""
    found: dict[int, Counter[UUID]] = {}
    for pairing in story.rows(_PAIRINGS, id=story.first.id):
        position = now_at(story.games, pairing.game_id)
        assert position.outcome and position.clocks and position.outcome["scores"]
        merit = {}
        for row in position.seats:
            here = row.player_id in pairing.players
            stayed = here and row.seat not in position.clocks.absent and row.seat not in position.resigned
            won = row.seat in position.outcome["winners"]
            merit[row.player_id] = (1, won, position.outcome["scores"][row.seat]) if stayed else (0, won, -1)
        worth = [12, 8, 4, 0] if len(merit) == 4 else [12, 6, 0]
        # Those behind all others lose nothing by sharing with each other: they get nothing.
        ordered = sorted((line for line in merit.values() if line[0]), reverse=True)
        group = found.setdefault(pairing.group_number, Counter(dict.fromkeys(pairing.players, 0)))
        for player, line in merit.items():
            if line[0]:
                places = [worth[at] for at, each in enumerate(ordered) if each == line]
                group[player] += sum(places) // len(places)
    return found


def test_a_season_of_sixteen_ends_by_itself_with_right_tables(story: Story) -> None:
    entrants, pairings = story.rows(_ENTRANTS, id=story.first.id), story.rows(_PAIRINGS, id=story.first.id)
    assert Counter(line.tier for line in entrants) == {1: 4, 2: 8, 3: 4}
    assert Counter(pairing.round for pairing in pairings) == {1: 4, 2: 4}
    worked_out = tables(story)
    for group, points in worked_out.items():
        lines = sorted((line for line in entrants if line.group_number == group), key=lambda line: line.place)
        assert {line.player_id: line.points for line in lines} == points
        assert [line.points for line in lines] == sorted(points.values(), reverse=True)
    never = story.people[NEVER_THERE].id
    assert next(line.points for line in entrants if line.player_id == never) == 0


def test_a_substitute_plays_on_for_nobodys_points_and_the_player_is_asked_again(story: Story) -> None:
    (game,) = story.taken_over
    position = now_at(story.games, game)
    assert story.stranger.id in {row.player_id for row in position.seats}
    gone = story.people[GOES_FOR_GOOD].id
    pairings = [each for each in story.rows(_PAIRINGS, id=story.first.id) if gone in each.players]
    assert len(pairings) == ROUNDS
    assert all(each.points[list(each.players).index(gone)] == 0 for each in pairings if each.game_id == game)


def test_the_next_season_begins_with_the_promotions(story: Story) -> None:
    before = {line.player_id: line for line in story.rows(_ENTRANTS, id=story.first.id)}
    ups = [line for line in before.values() if line.moves == 1]
    downs = [line for line in before.values() if line.moves == -1]
    assert sorted(line.tier for line in ups) == [2, 2, 3] and sorted(line.tier for line in downs) == [1, 1, 2]
    assert all(line.place == 1 for line in ups)
    second = newest(story.games, story.league)
    assert (second.number, second.state) == (2, "running")
    ladder = sorted((line for line in before.values()), key=lambda line: line.ladder)
    entered = [line.player_id for line in ladder if line.player_id != story.people[SITS_OUT].id]
    now = story.rows(_ENTRANTS, id=second.id)
    assert [line.player_id for line in now] == entered
    assert Counter(line.tier for line in now) == {1: 4, 2: 8, 3: 3}
    # The player who sits out may be one of those who would go up.
    up = {line.player_id for line in ups if line.tier == 2} & set(entered)
    assert up <= {line.player_id for line in now if line.tier == 1}


def test_everybody_is_told_once_of_the_beginning_and_the_end(story: Story, servers: LocalServers) -> None:
    mails = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in servers.mailbox.glob("*.eml")]
    about = [mail for mail in mails if mail["List-Id"].startswith("<league.")]
    told = Counter((str(mail["Subject"]), str(mail["To"])) for mail in about)
    assert set(told.values()) == {1}
    subjects = Counter(subject for subject, _ in told)
    reminded = [who for subject, who in told if ": entry until " in subject]
    assert [str(story.people[SITS_OUT].email) in each for each in reminded] == [True]
    assert subjects["Season 1 of First Fridays has begun"] == subjects["Season 1 of First Fridays is over"] == PLAYERS


def test_every_step_was_lost_once_and_none_is_done_twice(story: Story) -> None:
    for _ in range(4):
        story.go_on()
    assert story.rows(_TRIED_AGAIN, kinds=list(STEPS))
    before = story.rows(_ALL)
    with story.games.engine.begin() as db:
        assert db.execute(_AGAIN, {"kinds": list(STEPS)}).rowcount
        rows = list(db.execute(_PENDING, {"kinds": list(STEPS)}).scalars())
    for row in rows:
        carry_out(story.clock.runtime, row)
        carry_out(story.clock.runtime, row)
    assert story.rows(_ALL) == before
