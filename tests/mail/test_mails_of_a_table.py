"""Mails that ask for nothing: that a game has begun, what was said, how it ended; and where the links of mails lead."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text

from service.handlers import links
from service.handlers.resign import resign
from service.handlers.talk import say
from service.mail import game_blocks
from service.mail.game_blocks import MailLinks
from service.mail.play import MAX_RECAP_SENTENCES, recap_blocks, send_game_over_mail, send_said_mail, send_started_mail
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.games import Games, Position
from service.store.outbox import TALK, OutboxRow
from tests.builders import act, finished, first_legal, now_at, sealed_bids, started
from tests.letters import letters, turn_mails
from tests.people import alice, bob, carol, register
from tests.sample_games import GAME, later
from workers.jobs import carry_out

ALICE, BOB, CAROL = 0, 1, 2


def rows(games: Games, game: UUID, kind: str) -> list[OutboxRow]:
    """The pending rows of a kind, by seat."""
    query = text("select id from outbox where game_id = :game and kind = :kind")
    with games.engine.begin() as db:
        found = [outbox.read(db, each) for each in db.execute(query, {"game": game, "kind": kind}).scalars().all()]
    return sorted((row for row in found if row), key=lambda row: (row.payload["seat"], row.id))


@pytest.fixture
def begun(games: Games) -> Position:
    """A game that has just begun, in which one of three is to act; the host is called like a web site."""
    people = [register(games, "www.evil.example", "alice@example.org", "en"), bob(games), carol(games)]
    return started(games, "new-corp-order", people)


def test_those_who_have_to_wait_are_told_that_the_game_has_begun(
    runtime: Runtime, begun: Position, mailbox: Path
) -> None:
    waiting = {ALICE, BOB, CAROL} - begun.awaited
    found = rows(runtime.games, begun.game.id, "started")
    assert {row.payload["seat"] for row in found} == waiting
    assert {row.payload["seat"] for row in rows(runtime.games, begun.game.id, "turn-mail")} == begun.awaited
    for row in found:
        assert send_started_mail(runtime, row) == "done"
    for mail in letters(mailbox, begun.game.id):
        assert mail.kind == "started"
        assert "http://127.0.0.1:8000/rules/new-corp-order" in mail.text.splitlines()
        assert str(mail.message["Reply-To"]).startswith("Boardroom <z+")
        assert "evil.example" not in mail.raw.decode()
    first = min(begun.awaited)
    act(runtime.games, begun, first, first_legal(begun, first))
    after = now_at(runtime.games, begun.game.id)
    late = [row for row in found if row.payload["seat"] in after.awaited]
    assert [send_started_mail(runtime, row) for row in late] == ["skipped"] * len(late)


def test_what_is_said_in_ten_minutes_is_one_mail_to_each_of_the_others(runtime: Runtime, mailbox: Path) -> None:
    games, now = runtime.games, clock.now()
    friends = [alice(games), bob(games), carol(games)]
    finished(games, started(games, "sealed-bids", friends))
    position = started(games, "sealed-bids", friends)
    table, people = position.game.id, [seat.player_id for seat in position.seats]
    begin = now - timedelta(seconds=now.timestamp() % TALK)
    for words, player, after in (("Hello!", ALICE, 1), ("bid 3", BOB, 2), ("Still there?", ALICE, TALK + 1)):
        say(games, table, people[player], words, "api", begin + timedelta(seconds=after))
    found = rows(games, table, "message")
    assert [row.payload["seat"] for row in found] == [ALICE, BOB, BOB, CAROL, CAROL]
    with games.engine.connect() as db:
        due = text("select min(not_before) from outbox where kind = 'message' and game_id = :game")
        assert db.execute(due, {"game": table}).scalar_one() > begin + timedelta(seconds=TALK)
    assert [send_said_mail(runtime, row) for row in found] == ["done"] * 5
    to_alice, to_bob, to_bob_later, to_carol, _ = letters(mailbox, table)
    assert "| bid 3\n" in to_alice.text
    assert "Hello!" not in to_alice.text
    assert "| Hello!\n" in to_bob.text
    assert "| Still there?\n" in to_bob_later.text
    assert "Hello!" not in to_bob_later.text
    assert to_carol.text.index("| Hello!\n") < to_carol.text.index("| bid 3\n")
    assert {mail.kind for mail in (to_alice, to_bob, to_carol)} == {"message"}


def test_whoever_has_resigned_hears_no_more(runtime: Runtime, mailbox: Path) -> None:
    games, position = runtime.games, sealed_bids(runtime.games)
    table, people = position.game.id, [seat.player_id for seat in position.seats]
    say(games, table, people[ALICE], "Hello!", "api", clock.now())
    resign(games, table, people[CAROL], "api", clock.now())
    say(games, table, people[ALICE], "Who is left?", "api", clock.now() + timedelta(seconds=TALK))
    assert [row.payload["seat"] for row in rows(games, table, "message")] == [BOB, BOB, CAROL]
    assert [send_said_mail(runtime, row) for row in rows(games, table, "message")] == ["done", "done", "skipped"]
    assert all("carol" not in mail.recipient for mail in letters(mailbox, table))


def test_the_end_has_the_table_of_points_and_no_links_that_play(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    position = finished(games, started(games, "new-corp-order", [alice(games), bob(games)]))
    for row in rows(games, position.game.id, "game-over"):
        assert send_game_over_mail(runtime, row) == "done"
    for mail, language in zip(letters(mailbox, position.game.id), ("en", "de"), strict=True):
        told = position.ruleset.standings(position.state, int(language == "de"))
        sections = position.ruleset.explain(told, int(language == "de"), language, position.names_in(language))
        titles = [f"{part.title}\n{'-' * len(part.title)}\n" for part in sections]
        assert len(titles) > 1
        assert [title in mail.text for title in titles] == [number == 0 for number in range(len(titles))]
        assert not mail.asks
        assert mail.message["Reply-To"] is None


def test_the_end_by_resignation_has_the_board_and_neither_a_turn_nor_a_hand(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    position = started(games, "new-corp-order", [alice(games), bob(games)])
    resign(games, position.game.id, position.seats[BOB].player_id, "api", clock.now())
    for row in rows(games, position.game.id, "game-over"):
        send_game_over_mail(runtime, row)
    told = next(mail.text for mail in letters(mailbox, position.game.id) if mail.kind == "over")
    assert "|A1 " in told
    assert not re.search("choose|Your hand|wählen|Deine Hand", told)
    # A company that matches an objective of the reader's would have a star there, which nothing in the mail explains.
    assert "*" not in told.partition("|A1 ")[2].partition("http")[0]


def test_every_link_to_a_move_stands_for_the_move_that_it_is_listed_with(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    position = started(games, "new-corp-order", [alice(games), bob(games)])
    (row,) = turn_mails(games, position)
    carry_out(runtime, row.id)
    (mail,) = letters(mailbox, position.game.id)
    moves = re.findall(
        rf"^  (\S[^=\n]*) = (?:.*\n(?!  http))*.*\n  {re.escape(mail.link)}/(\S+)$", mail.text, re.MULTILINE
    )
    assert len(moves) == 2
    for notation, code in moves:
        action = links.meant(position, row.payload["seat"], code)
        assert action is not None
        assert position.ruleset.notate(action) == notation
    with games.engine.connect() as db:
        link = links.resolve(db, mail.token)
    assert link is not None
    assert (link.seat, link.decision) == (row.payload["seat"], position.decision)
    assert mail.message["Reply-To"].addresses[0].addr_spec == f"z+{mail.token}@example.org"


def test_of_much_that_has_happened_the_newest_is_told_and_the_rest_is_counted() -> None:
    found = later("new-corp-order", 4, 40)
    recap = found.lately(found.seat)
    (told,), marks = recap_blocks(found.position, found.seat, game_blocks.table_of(found.position, found.seat), recap)
    assert 1 <= len(told.items) <= MAX_RECAP_SENTENCES
    assert told.items[-1].text.startswith("Dave ")
    assert re.fullmatch(r"and \d+ more events? before these", told.more)
    numbers = [each.number for each in told.items if each.number]
    assert numbers == [each.number for each in marks if each.number] == list(range(1, len(numbers) + 1))


def test_a_link_that_would_be_too_long_for_a_mail_has_the_short_code_of_its_move() -> None:
    links_of = MailLinks("https://boardroom.example", GAME, "b" * 26)
    assert links_of.move("P 1") == f"{links_of.page}/p-1"
    for move in ("instruct guard open", "deal b13 1 with s2.3 pay 2"):
        assert links_of.move(move) == f"{links_of.page}/{links.short_code(move)}"
        assert len(links_of.move(move)) <= 69
