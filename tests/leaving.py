"""Games in which a player has resigned or is absent, so that another person can take the seat over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import text

from service.handlers import lobby
from service.handlers.append import record
from service.handlers.invitations import ByLink, Words, accept, invite
from service.handlers.play import play_automaton, resign
from service.handlers.transaction import transaction
from service.rules.pace import Pace
from service.rules.shared_events import TimeLapsed
from service.shared import clock
from service.store.events import Cause
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.lobby import invitation_token
from tests.builders import act, first_legal, now_at, table_for
from tests.people import Person, alice, bob, carol, register

AT_ONCE = Pace(free=0, bank=0, credit=0, cap=3600)
"""A clock whose time is used up at once, so that no test has to wait; coming back gives half an hour."""


def running(games: Games, ruleset: str, people: Sequence[Person], terms: Terms) -> Position:
    """Return a game on these terms at its first decision."""
    game = table_for(games, ruleset, people[0], len(people), terms)
    secret = invite(games, game, people[0].id, ByLink("table"), clock.now(), None)
    for person in people[1:]:
        accept(games, invitation_token(secret.id, "table"), person.id, clock.now())
    return lobby.start(games, game, people[0].id, clock.now())


def leave(games: Games, position: Position, seat: int) -> Position:
    """Return the game after the player of the seat has left: absent by its clock, or else resigned."""
    if position.clocks is None:
        return resign(games, position.game.id, position.seats[seat].player_id, "api", clock.now()).position
    while seat not in position.unattended:
        position = _one_more(games, position, seat)
    return position


def link_to(games: Games, position: Position, seat: int) -> str:
    """Return the token of an invitation's link to a seat that was left, given by the host."""
    words = Words(seat=seat)
    given = invite(games, position.game.id, position.game.host, ByLink("secret"), clock.now(), None, words)
    return invitation_token(given.id, "secret")


def played_out(games: Games, game: UUID) -> Position:
    """Play a game to its end by first legal actions, the service in the seats that were left."""
    position = now_at(games, game)
    while position.to_act:
        position = _step(games, position)
    return position


def _one_more(games: Games, position: Position, seat: int) -> Position:
    if seat not in position.awaited:
        return _step(games, position)
    assert position.clocks is not None
    deadline = position.clocks.deadline(seat)
    assert deadline is not None
    with transaction(games.engine) as db:
        position = games.lock(db, position.game.id)
        lapsed = TimeLapsed(seat=seat, decision=position.decision, deadline=deadline, ends=False)
        position, _ = record(db, position, [lapsed], Cause(seat, "timeout", position.decision))
    games.committed(position)
    return position


def _step(games: Games, position: Position) -> Position:
    game = position.game.id
    for seat in sorted(position.stood_in & position.to_act):
        assert play_automaton(games, game, seat)
        return now_at(games, game)
    if not position.awaited:
        assert play_automaton(games, game)
        return now_at(games, game)
    seat = min(position.awaited)
    return act(games, position, seat, first_legal(position, seat)).position


ALICE, BOB, DAN = 0, 1, 2
PUBLIC, PRIVATE = Terms(access="public"), Terms()
Left = tuple[Position, list[Person], Person]


def left(games: Games, ruleset: str = "sealed-bids", terms: Terms = PRIVATE, seat: int = BOB) -> Left:
    """Return a game that somebody has left, its first players, and Carol, a stranger."""
    people = [alice(games), bob(games), register(games, "Dan", "dan@example.org", "en")]
    position = leave(games, running(games, ruleset, people, terms), seat)
    return now_at(games, position.game.id), people, carol(games)


def taken_over(games: Games, position: Position, seat: int, person: Person) -> Position:
    """Return the game after a person has taken over a seat by the link of the host."""
    accept(games, link_to(games, position, seat), person.id, clock.now())
    return now_at(games, position.game.id)


def in_outbox(games: Games, game: UUID, kind: str, seat: int) -> list[Any]:
    """Return the outbox rows of a kind for a seat, the oldest first."""
    query = text("""
select dedupe_key, state, payload from outbox
where game_id = :game and kind = :kind and cast(payload ->> 'seat' as integer) = :seat order by id
""")
    with games.engine.connect() as db:
        return list(db.execute(query, {"game": game, "kind": kind, "seat": seat}))
