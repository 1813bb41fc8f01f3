"""The mails of a player who is away wait for the return, and come in the order of urgency (T-19, T-20)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text

from service.handlers import mail_preferences
from service.handlers.pace import AbsencePlan, announce_absence, end_absence
from service.mail import preferences
from service.mail.preferences import RETURN_GRACE, InDigest, Later, Now
from service.rules.pace import PACES
from service.runtime import Runtime
from service.shared import clock
from service.store import notices, outbox
from service.store.games import Games, Position
from service.store.outbox import OutboxRow
from service.store.pace import absences_of_player
from tests.away import DAILY, DAY, HOUR, clocked
from tests.builders import act, first_legal, now_at, started
from tests.letters import Letter, letters
from tests.people import Person, alice, bob, carol
from tests.replying import delivered
from workers.relay import Relay

_TURN = text("""
select id from outbox where game_id = :game and kind = 'turn-mail' and state = 'pending' and payload ->> 'seat' = '0'
""")


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def leaves(games: Games, person: Person, days: int = 3) -> AbsencePlan:
    plan = AbsencePlan(clock.now().date() + days * DAY)
    announce_absence(games, person.id, plan, clock.now())
    return plan


def back_at(games: Games, person: Person) -> object:
    with games.engine.connect() as db:
        return absences_of_player(db, person.id)[-1].ends


def turn_of(runtime: Runtime, game: UUID) -> OutboxRow:
    with runtime.engine.connect() as db:
        row = outbox.read(db, db.execute(_TURN, {"game": game}).scalar_one())
    assert row is not None
    return row


def due(runtime: Runtime, row: OutboxRow) -> object:
    with runtime.engine.connect() as db:
        return preferences.when_due(db, replace(row, read_at=clock.now()), 0)


def in_order(runtime: Runtime, mailbox: Path, positions: list[Position]) -> list[str]:
    """Have everything carried out that is due, and return the games of Alice's turn mails as they arrived."""
    relay = Relay(replace(runtime, redis=None))
    while relay.drain():
        pass
    found = {letter: position for position in positions for letter in _arrived(mailbox, position)}
    return [str(found[path].game.id) for path in sorted(found)]


def _arrived(mailbox: Path, position: Position) -> list[str]:
    """Return the files of Alice's turn mails of a game."""
    names = {letter.raw: letter for letter in letters(mailbox, position.game.id)}
    return [path.name for path in mailbox.glob("*.eml") if _asks_alice(names.get(path.read_bytes()))]


def _asks_alice(letter: Letter | None) -> bool:
    return letter is not None and letter.recipient == "alice@example.org" and letter.kind == "turn"


def test_t19_a_turn_mail_waits_for_the_return(runtime: Runtime, games: Games, people: list[Person]) -> None:
    position = clocked(games, people)
    row = turn_of(runtime, position.game.id)
    assert due(runtime, row) == Now()
    leaves(games, people[0])
    until = back_at(games, people[0])
    assert due(runtime, row) == Later(until + RETURN_GRACE)  # type: ignore[operator] # a moment


def test_t19_without_a_clock_it_waits_too_and_where_no_absence_is_allowed_it_does_not(
    runtime: Runtime, games: Games, people: list[Person]
) -> None:
    strict = replace(DAILY, away=False)
    without, not_allowed = started(games, "sealed-bids", people), clocked(games, people, strict)
    leaves(games, people[0])
    assert isinstance(due(runtime, turn_of(runtime, without.game.id)), Later)
    assert due(runtime, turn_of(runtime, not_allowed.game.id)) == Now()
    mail_preferences.change(games, people[0].id, {"digest": 18})
    assert due(runtime, turn_of(runtime, not_allowed.game.id)) == Now()


def test_t19_what_somebody_has_just_asked_for_still_goes(runtime: Runtime, games: Games, people: list[Person]) -> None:
    position = clocked(games, people)
    leaves(games, people[0])
    asked = {"decision": position.decision, "seat": 0, "asked": True}
    assert due(runtime, replace(turn_of(runtime, position.game.id), payload=asked)) == Now()


def test_t19_there_is_no_digest_before_the_return(runtime: Runtime, games: Games, people: list[Person]) -> None:
    position = clocked(games, people)
    mail_preferences.change(games, people[0].id, {"digest": 18})
    row = turn_of(runtime, position.game.id)
    with runtime.engine.begin() as db:
        outbox.add_at(db, notices.digest(people[0].id, clock.now().date()), clock.now() - HOUR)
        query = text("select id from outbox where kind = 'digest' and payload ->> 'player' = :player")
        digest = outbox.read(db, db.execute(query, {"player": str(people[0].id)}).scalar_one())
    assert digest is not None
    assert (due(runtime, digest), type(due(runtime, row))) == (Now(), InDigest)
    leaves(games, people[0])
    after = due(runtime, digest)
    assert isinstance(after, InDigest) and after.at == back_at(games, people[0]) + timedelta(hours=18)  # type: ignore[operator]
    assert isinstance(due(runtime, row), Later)


def test_t19_at_the_return_there_is_one_mail_for_each_game_and_the_most_urgent_comes_first(
    runtime: Runtime, games: Games, mailbox: Path, people: list[Person]
) -> None:
    paces = [PACES["weekly"], None, PACES["brisk"], DAILY]
    positions = [clocked(games, people, pace) if pace else started(games, "sealed-bids", people) for pace in paces]
    # Two of them are told of before Alice leaves, and in one a new decision is faced meanwhile.
    assert len(in_order(runtime, mailbox, positions)) == 4
    leaves(games, people[0])
    for seat in range(3):
        position = now_at(games, positions[2].game.id)
        act(games, position, seat, first_legal(position, seat))
    positions[2] = now_at(games, positions[2].game.id)
    _empty(mailbox)
    assert in_order(runtime, mailbox, positions) == []
    end_absence(games, people[0].id, None, clock.now())
    in_order(runtime, mailbox, positions)
    _bring_nearer(runtime)
    urgent = [positions[index] for index in (2, 3, 0, 1)]
    assert in_order(runtime, mailbox, positions) == [str(position.game.id) for position in urgent]


def test_t19_quiet_hours_at_the_return_keep_the_order(runtime: Runtime, games: Games, people: list[Person]) -> None:
    positions = [clocked(games, people, PACES["weekly"]), clocked(games, people, DAILY)]
    now = clock.now()
    quiet = {"begin": now.hour, "end": (now.hour + 2) % 24}
    mail_preferences.change(games, people[0].id, {"quiet": quiet})
    leaves(games, people[0])
    end_absence(games, people[0].id, None, clock.now())
    relay = Relay(replace(runtime, redis=None))
    while relay.drain():
        pass
    query = text("select not_before from outbox where id = :id")
    with runtime.engine.connect() as db:
        weekly, daily = (
            db.execute(query, {"id": turn_of(runtime, each.game.id).id}).scalar_one() for each in positions
        )
    assert daily < weekly
    assert daily.minute == 0 and daily > now


def test_t20_the_turn_mails_of_the_others_say_who_is_away_until_when(
    runtime: Runtime, games: Games, mailbox: Path, people: list[Person]
) -> None:
    leaves(games, people[0])
    position = clocked(games, people)
    mails = delivered(runtime, mailbox, position.game.id)
    assert "alice@example.org" not in mails
    (german,), (french,) = mails["bob@example.org"], mails["carol@example.org"]
    assert "Alice ist bis " in german.text and " abwesend." in german.text
    assert "Alice s'absente jusqu'au " in french.text.replace("’", "'")


def test_t20_so_do_those_of_a_game_without_a_clock(
    runtime: Runtime, games: Games, mailbox: Path, people: list[Person]
) -> None:
    leaves(games, people[0])
    position = started(games, "sealed-bids", people)
    (german,) = delivered(runtime, mailbox, position.game.id)["bob@example.org"]
    assert "Alice ist bis " in german.text and " abwesend." in german.text


def _empty(mailbox: Path) -> None:
    for path in mailbox.glob("*.eml"):
        path.unlink()


def _bring_nearer(runtime: Runtime) -> None:
    """Have the turn mails that wait for at most ten seconds be due, in their order."""
    with runtime.engine.begin() as db:
        db.execute(
            text(
                "update outbox set not_before = not_before - interval '10 s', due_at = due_at - interval '10 s'"
                " where state = 'pending' and kind = 'turn-mail'"
            )
        )
