"""The mail to a player for whom the stand-in has played: what was played, why, and how to go on."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from service.handlers import mail_preferences
from service.handlers.play import give_up
from service.handlers.transaction import transaction
from service.rules.shared_events import PlayerBack, SeatHandedOver
from service.runtime import Runtime
from service.store.games import Games, Position
from service.texts.catalog import say
from tests.builders import act, first_legal, now_at
from tests.games.sealed_bids.actions import Hold
from tests.letters import Letter, letters
from tests.people import Person, alice, bob, carol
from tests.reminding import AT_ONCE, happens, lapses, paced, rows, run, stands_in
from tests.workers.solo import hurry

ALICE, BOB, CAROL = 0, 1, 2
RULESETS = ("sealed-bids", "new-corp-order")


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games, f"{uuid4().hex}@example.org"), bob(games, None), carol(games, None)]


def begun(games: Games, people: list[Person], ruleset: str = "sealed-bids") -> Position:
    return paced(games, AT_ONCE, ruleset, people, **({"first-player": 0} if ruleset == "new-corp-order" else {}))


def told(mailbox: Path, position: Position) -> list[Letter]:
    return [letter for letter in letters(mailbox, position.game.id) if letter.kind == "lapsed"]


def words(letter: Letter) -> str:
    return " ".join(letter.text.split())


def to_alice(games: Games, position: Position) -> Position:
    """Let the others play until Alice is to act."""
    while ALICE not in position.awaited:
        seat = min(position.awaited)
        position = act(games, position, seat, first_legal(position, seat)).position
    return position


def lapse_of_alice(games: Games, position: Position) -> Position:
    """Let Alice's time lapse once, and the stand-in play; the others then play until she is asked again, if she is."""
    position = stands_in(games, lapses(games, to_alice(games, position), ALICE), ALICE)
    return to_alice(games, position) if ALICE not in position.stood_in else position


@pytest.mark.parametrize("ruleset", RULESETS)
def test_t13_the_player_is_told_once_what_was_played_why_and_how_to_go_on(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path, ruleset: str
) -> None:
    position = begun(games, people, ruleset)
    stands_in(games, lapses(games, position, ALICE), ALICE)
    run(runtime)
    (letter,) = told(mailbox, position)
    assert letter.recipient == people[ALICE].email
    said = words(letter)
    assert "Your time was up on " in said and " (UTC). So the computer has played for you this time." in said
    played = said.partition("Played for you")[2].partition("Go to the table")[0]
    assert "You " in played or "Alice" in played
    assert f"/games/{position.game.id}" in letter.text
    assert letter.message["References"] and "One-Click" in letter.message["List-Unsubscribe-Post"]


def test_t13_a_turn_of_several_moves_of_the_stand_in_is_one_mail(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = begun(games, people, "new-corp-order")
    # The second pick of a plot is a decision of its own, and so is what follows from it.
    position = act(games, position, ALICE, position.ruleset.parse("P D")).position
    before = position.decision
    after = stands_in(games, lapses(games, position, ALICE), ALICE)
    assert after.decision > before
    assert len(rows(games, position, "lapsed")) == 1


def test_t13_nobody_is_told_before_the_stand_in_has_played_nor_the_others(
    runtime: Runtime, games: Games, mailbox: Path
) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = lapses(games, begun(games, people), BOB)
    assert rows(games, position, "lapsed") == []
    stands_in(games, position, BOB)
    assert [row.payload["seat"] for row in rows(games, position, "lapsed")] == [BOB]


def test_t13_the_mail_has_nothing_of_what_is_hidden_from_its_reader(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = begun(games, people)
    position = act(games, position, BOB, first_legal(position, BOB)).position
    stands_in(games, lapses(games, position, ALICE), ALICE)
    run(runtime)
    (letter,) = told(mailbox, position)
    assert "Bob bids" not in letter.text and "Bob has decided" not in letter.text


def test_t14_who_becomes_absent_is_told_how_to_come_back_and_then_nothing_more(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = begun(games, people, "new-corp-order")
    for _ in range(3):
        position = lapse_of_alice(games, position)
    assert position.clocks is not None and ALICE in position.clocks.absent
    run(runtime)
    mails = told(mailbox, position)
    assert len(mails) == 3
    # They leave when it is over, and so all of them speak of what is so by then.
    assert "from now on the computer plays for you at once" in words(mails[-1])
    assert "I am back: go to the table" in words(mails[-1])
    stands_in(games, position, ALICE)
    run(runtime)
    assert len(told(mailbox, position)) == 3


def test_t14_who_is_back_before_the_mail_leaves_is_not_told_to_come_back(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = begun(games, people, "new-corp-order")
    for _ in range(3):
        position = lapse_of_alice(games, position)
    happens(games, position, PlayerBack(seat=ALICE))
    run(runtime)
    assert all("from now on the computer plays" not in words(letter) for letter in told(mailbox, position))


def test_t13_where_a_lapse_leads_to_resignation_the_mail_says_so(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = lapses(games, begun(games, people), ALICE)
    with transaction(games.engine) as db:
        after, _ = give_up(db, games.lock(db, position.game.id), ALICE, "timeout")
    games.committed(after)
    run(runtime)
    (letter,) = told(mailbox, position)
    assert "your seat has resigned." in words(letter)
    assert "/t/" not in letter.text and letter.message["Reply-To"] is None


def test_t13_where_a_lapse_ends_the_game_the_mail_that_it_is_over_says_why(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = lapses(games, begun(games, people), ALICE, ends=True)
    run(runtime)
    (over,) = (letter for letter in letters(mailbox, position.game.id) if letter.kind == "over")
    assert say("en", "over-time") in words(over)
    assert told(mailbox, position) == []


def test_t23_a_newcomer_is_not_told_what_was_played_before(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = stands_in(games, lapses(games, begun(games, people), ALICE), ALICE)
    happens(games, position, SeatHandedOver(seat=ALICE))
    run(runtime)
    assert told(mailbox, position) == []


def test_t13_who_wants_no_such_mails_gets_none_and_who_wants_one_a_day_reads_it_there(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    silent = begun(games, people)
    mail_preferences.change(games, people[ALICE].id, {"kinds": {"lapsed": False}})
    stands_in(games, lapses(games, silent, ALICE), ALICE)
    run(runtime)
    daily = begun(games, people)
    mail_preferences.change(games, people[ALICE].id, {"kinds": {"lapsed": True}, "digest": 7})
    stands_in(games, lapses(games, daily, ALICE), ALICE)
    run(runtime)
    assert told(mailbox, silent) == told(mailbox, daily) == []
    hurry(runtime)
    run(runtime)
    (digest,) = (path.read_bytes() for path in mailbox.glob("*.eml") if b"List-Id: <digest." in path.read_bytes())
    assert b"Played for you" in digest and f"#{daily.game.id.hex[-6:]}".encode() in digest


def test_t13_a_move_of_ones_own_and_one_of_an_absent_seat_bring_no_such_mail(
    games: Games, people: list[Person]
) -> None:
    position = begun(games, people)
    act(games, position, ALICE, Hold())
    assert rows(games, now_at(games, position.game.id), "lapsed") == []
