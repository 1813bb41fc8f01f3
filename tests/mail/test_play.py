"""Mails about the play of a game: turn, start, remarks, end, proposals; every kind of mail at every table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import get_args
from uuid import UUID, uuid4

import pytest
from flask import Flask
from msgspec import structs
from sqlalchemy import text

from service.audit.inspect import whole_record
from service.handlers import links, lobby
from service.handlers.play import resign
from service.handlers.talk import say
from service.mail import game_blocks, play
from service.mail.blocks import Content
from service.mail.compose import Addressee, Kind, address_game_mail
from service.mail.game_blocks import MailLinks
from service.mail.pace import AfterLapse, PlayedFor, lapsed_mail
from service.mail.play import (
    MAX_RECAP_SENTENCES,
    ReplyOutcome,
    TurnPrompt,
    recap_blocks,
    send_game_over_mail,
    send_said_mail,
    send_started_mail,
    send_turn_mail,
)
from service.mail.sentences import outcome_lines, times_of
from service.rules.games.new_corp_order.events import GameEnded
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.outbox import TALK, OutboxRow
from tests.builders import act, finished, first_legal, now_at, sealed_bids, started, table_for
from tests.clocked_games import clocked
from tests.games.sealed_bids.actions import Hold
from tests.letters import Letter, buttons, letters, press, turn_mails
from tests.mail.test_goldens import LARGEST_HTML, LARGEST_MAIL
from tests.mail_goldens import read
from tests.mail_tree import URL, Html, body, tree, unsaid
from tests.people import alice, bob, carol, register
from tests.sample_games import GAME, LANGUAGES, LONG, NAMES, NOW, STAMP, WAY, WAYS, Sample, later, sample
from tests.seating import against, let_computers_play
from workers.jobs import carry_out

ALICE, BOB, CAROL = 0, 1, 2


def posted(runtime: Runtime, mailbox: Path, position: Position) -> list[Letter]:
    """The mails that ask the three for their first move, by seat."""
    for row in turn_mails(runtime.games, position):
        assert send_turn_mail(runtime, row) == "done"
    return letters(mailbox, position.game.id)


def test_everybody_who_is_to_act_gets_a_mail_with_a_link_of_their_own(runtime: Runtime, mailbox: Path) -> None:
    mails = posted(runtime, mailbox, sealed_bids(runtime.games))
    assert [mail.recipient for mail in mails] == ["alice@example.org", "bob@example.org", "carol@example.org"]
    assert len({mail.token for mail in mails}) == 3
    assert all(len(mail.link) < 70 for mail in mails)


def test_a_mail_speaks_its_players_language(runtime: Runtime, mailbox: Path) -> None:
    english, german, french = posted(runtime, mailbox, sealed_bids(runtime.games))
    assert english.text.startswith("You, Bob and Carol are to act.\n")
    assert german.text.startswith("Du, Alice und Carol seid dran.\n")
    assert french.text.startswith("À vous, Alice et Bob de jouer.\n")
    assert [mail.message["Content-Language"] for mail in (english, german, french)] == ["en", "de", "fr"]


def test_a_mail_shows_the_table_what_happened_and_one_action_of_each_kind(runtime: Runtime, mailbox: Path) -> None:
    position = sealed_bids(runtime.games)
    mail = posted(runtime, mailbox, position)[ALICE]
    hand = position.state.hands[ALICE]
    assert f"Hand: {', '.join(map(str, hand))}" in mail.text
    assert "Carol gets 3 cards." in mail.text
    bids = re.findall(r"^  bid (\d+) = Bid \1\.\n  (\S+)$", mail.text, re.MULTILINE)
    assert [int(card) in hand for card, _ in bids] == [True]
    assert mail.text.count("\n  hold = Hold the cards.\n") == 1
    assert f"All {len(hand) + 1} moves\n{mail.link}/all/0\n" in mail.text


def test_a_mail_carries_the_head_that_the_record_shows_when_the_game_is_over(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    position = sealed_bids(games)
    early = {mail.text for mail in posted(runtime, mailbox, position)}
    for seat in (ALICE, BOB, CAROL):
        position = act(games, position, seat, first_legal(position, seat)).position
    assert send_turn_mail(runtime, turn_mails(games, position)[3]) == "done"
    (later,) = {mail.text for mail in letters(mailbox, position.game.id)} - early
    finished(games, position)
    with games.engine.connect() as db:
        record = whole_record(db, games, position.game.id)
    steps = [each for each in map(json.loads, record.lines) if "events" in each]
    last = next(each for each in steps if each["seq"] + len(each["events"]) - 1 == position.version)
    assert all(steps[0]["check"] in text for text in early)
    assert last["check"] in later and steps[0]["check"] not in later


def test_a_later_mail_tells_what_happened_since_the_players_own_move(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    position = sealed_bids(games)
    for seat in (ALICE, BOB, CAROL):
        position = act(games, position, seat, first_legal(position, seat)).position
    assert send_turn_mail(runtime, turn_mails(games, position)[3]) == "done"
    (mail,) = letters(mailbox, position.game.id)
    assert mail.recipient == "alice@example.org"
    assert "* Carol has decided.\n" in mail.text
    assert "Lot 1 is worth" in mail.text
    assert "Alice gets" not in mail.text


def test_nobody_finds_the_cards_of_others_in_a_mail(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    position = sealed_bids(games)
    position = act(games, position, BOB, first_legal(position, BOB)).position
    send_turn_mail(runtime, turn_mails(games, position)[CAROL])
    (mail,) = letters(mailbox, position.game.id)
    words = re.sub(r"https?://\S+|\b[0-9a-f]{16}\b", "", mail.text)
    shown = {int(number) for number in re.findall(r"\d+", words)}
    seen_by_carol = {*position.state.hands[CAROL], 0, 1, 2, 3, 4, position.version}
    assert shown <= seen_by_carol


def test_all_mails_of_a_game_to_a_player_thread_together_and_with_no_others(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    position = sealed_bids(games)
    first = posted(runtime, mailbox, position)
    for seat in (ALICE, BOB, CAROL):
        position = act(games, position, seat, Hold()).position
    for row in turn_mails(games, position)[3:]:
        send_turn_mail(runtime, row)
    second = letters(mailbox, position.game.id)[3:]
    roots = [mail.message["References"] for mail in (*first, *second)]
    assert roots[:3] == roots[3:]
    assert len(set(roots)) == 3
    assert all(mail.message["In-Reply-To"] == mail.message["References"] for mail in second)
    assert len({mail.message["Subject"] for mail in (*first, *second)}) > 3
    assert len({mail.message["Message-ID"] for mail in (*first, *second)}) == 6


def test_another_attempt_carries_the_same_message_id_and_a_link_of_its_own(runtime: Runtime, mailbox: Path) -> None:
    position = sealed_bids(runtime.games)
    row = turn_mails(runtime.games, position)[ALICE]
    send_turn_mail(runtime, row)
    send_turn_mail(runtime, row)
    once, again = letters(mailbox, position.game.id)
    assert once.message["Message-ID"] == again.message["Message-ID"]
    assert once.token != again.token


def test_a_mail_says_that_a_machine_wrote_it_and_from_whom_it_is(runtime: Runtime, mailbox: Path) -> None:
    message = posted(runtime, mailbox, sealed_bids(runtime.games))[ALICE].message
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    assert message["From"] == "Boardroom <boardroom@example.org>"
    assert message["Date"].datetime.tzinfo is not None
    assert message.get_content_type() == "multipart/alternative"


def test_the_lines_of_a_mail_fit_its_width_and_its_ids_are_plain(runtime: Runtime, mailbox: Path) -> None:
    for mail in posted(runtime, mailbox, sealed_bids(runtime.games)):
        assert max(map(len, mail.text.splitlines())) <= 72
        header = mail.raw.split(b"\r\n\r\n")[0].decode("ascii")
        assert max(map(len, header.splitlines())) <= 78
        for line in header.splitlines():
            if line.startswith(("Message-ID", "In-Reply-To", "References")):
                assert "=?" not in line


def test_no_notation_stands_alone_on_a_line(runtime: Runtime, mailbox: Path) -> None:
    position = sealed_bids(runtime.games)
    mail = posted(runtime, mailbox, position)[ALICE]
    notations = {position.ruleset.notate(action) for action in position.ruleset.legal(position.state, ALICE)}
    assert notations.isdisjoint(line.strip() for line in mail.text.splitlines())


def test_a_mail_whose_decision_is_past_is_skipped(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    position = sealed_bids(games)
    row = turn_mails(games, position)[ALICE]
    act(games, position, ALICE, Hold())
    assert send_turn_mail(runtime, row) == "skipped"
    assert letters(mailbox, position.game.id) == []


def test_the_link_is_stored_as_its_hash_only(runtime: Runtime, mailbox: Path) -> None:
    position = sealed_bids(runtime.games)
    mail = posted(runtime, mailbox, position)[ALICE]
    assert all(mail.token not in line for line in dump(runtime.games))


def dump(games: Games) -> list[str]:
    """Return the rows of every table as text, a string for each table; letters in bytes stay readable."""
    with games.engine.begin() as db:
        db.execute(text("set local bytea_output = 'escape'"))
        tables = db.execute(text("select tablename from pg_tables where schemaname = 'public'")).scalars().all()
        rows = "select coalesce(string_agg(t::text, chr(10)), '') from"
        return [db.execute(text(f'{rows} "{table}" t')).scalar_one() for table in tables]


@pytest.mark.parametrize(
    ("seat", "words"),
    [
        (ALICE, "Alice, Bob and Carol share the victory."),
        (BOB, "Alice, Bob und Carol teilen sich den Sieg."),
        (CAROL, "Alice, Bob et Carol se partagent la victoire."),
    ],
)
def test_a_finished_game_tells_every_player_its_result(runtime: Runtime, mailbox: Path, seat: int, words: str) -> None:
    games, position = runtime.games, sealed_bids(runtime.games)
    while position.ruleset.outcome(position.state) is None:
        position = act(games, position, min(position.ruleset.to_act(position.state)), Hold()).position
    with games.engine.begin() as db:
        query = text("select id from outbox where dedupe_key = :key")
        found = db.execute(query, {"key": f"game-over:{position.game.id}:{seat}"}).scalar_one()
        row = outbox.read(db, found)
    assert row
    assert send_game_over_mail(runtime, row) == "done"
    (mail,) = letters(mailbox, position.game.id)
    assert words in mail.text
    assert not mail.asks


def test_a_lost_solo_game_is_said_to_be_won_by_the_automaton(games: Games) -> None:
    position = started(games, "new-corp-order", [alice(games)])
    lost = GameEnded(scores=(1, 5), winners=(1,))
    over = replace(
        position, folded=structs.replace(position.folded, state=position.ruleset.evolve(position.state, lost))
    )
    assert list(outcome_lines(over, position.ruleset.outcome(over.state), "en")) == [
        "Winner: ODS",
        "Alice: 1",
        "ODS: 5",
    ]


def test_of_two_games_of_the_same_people_at_once_the_later_one_has_a_number(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    people = [alice(games), bob(games), carol(games)]
    first, second = (started(games, "sealed-bids", people) for _ in range(2))
    named = [posted(runtime, mailbox, each)[ALICE].message["Subject"] for each in (first, second)]
    assert named == ["Your move: Sealed Bids with Bob and Carol", "Your move: Sealed Bids with Bob and Carol, game 2"]
    finished(games, first)
    # The second game keeps its number when the first one is over, and a third one is the second that runs.
    third = started(games, "sealed-bids", people)
    assert posted(runtime, mailbox, third)[ALICE].message["Subject"] == named[1]
    assert send_turn_mail(runtime, turn_mails(games, second)[ALICE]) == "done"
    assert letters(mailbox, second.game.id)[-1].message["Subject"] == named[1]


def test_games_of_other_people_and_tables_with_names_have_no_number(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    people = [alice(games), bob(games), carol(games)]
    started(games, "sealed-bids", people)
    others = started(games, "sealed-bids", [*people[:2], carol(games, f"{uuid4().hex}@example.org")])
    host = people[0]
    friday = table_for(games, "sealed-bids", host, 3, Terms(name="Friday night", access="public", start="full"))
    for person in people[1:]:
        lobby.join(games, friday, person.id, clock.now())
    told = [posted(runtime, mailbox, each)[ALICE].message["Subject"] for each in (others, now_at(games, friday))]
    assert told == ["Your move: Sealed Bids with Bob and Carol", "Your move: Friday night"]


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
    for words, player, after in (
        ("Hello!", ALICE, 1),
        ("bid 3", BOB, 2),
        ("Still there?", ALICE, TALK + 1),
    ):
        say(games, table, people[player], words, "api", begin + timedelta(seconds=after))
    found = rows(games, table, "message")
    assert [row.payload["seat"] for row in found] == [
        ALICE,
        BOB,
        BOB,
        CAROL,
        CAROL,
    ]
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
    assert [row.payload["seat"] for row in rows(games, table, "message")] == [
        BOB,
        BOB,
        CAROL,
    ]
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


TABLES = [*product(["new-corp-order"], (1, 2, 3, 4), (NAMES, LONG)), *product(["sealed-bids"], (3,), (NAMES, LONG))]
TABLES += product(["bastards-inc"], (4, 6), (NAMES, LONG))
STEPS = {"new-corp-order": 31, "sealed-bids": 4, "bastards-inc": 150}
PICTURED = ("multipart/alternative", "text/plain", ("multipart/related", "text/html", "image/png"))


def contents(found: Sample, over: Sample) -> Iterator[tuple[Kind, Sample, int, Content]]:
    """Yield what each kind of mail of a game says."""
    position, seat = found.position, found.seat
    yield "turn", found, seat, found.turn()
    yield "turn", found, seat, found.turn(turn=TurnPrompt(goes_on=True))
    timed = clocked(found)
    times = times_of(timed.position, seat, NOW)
    yield "reminder", timed, seat, timed.turn(turn=TurnPrompt(reminds=True, times=times), way=WAYS["reminder"])
    for then in get_args(AfterLapse):
        played = PlayedFor(NOW, ("Ok.",), then)
        yield "lapsed", timed, seat, lapsed_mail(timed.position, seat, played, WAYS["lapsed"], times)
    receipt = play.receipt_mail(position, seat, ReplyOutcome("Ok", ("Ok.",), f"{WAY.page}/undo"), WAY)
    yield "receipt", found, seat, receipt
    for waiting in {*range(len(position.seats))} - position.awaited:
        yield "started", found, waiting, play.started_mail(position, waiting, found.lately(waiting), WAY)
    for each in range(len(position.seats)):
        ended = play.game_over_mail(over.position, each, over.lately(each), replace(WAY, token=None))
        yield "over", over, each, ended


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "seats", "people"), TABLES)
def test_a_mail_is_built_and_says_in_both_its_parts_the_same(
    name: str, seats: int, people: tuple[str, ...], language: str
) -> None:
    found = later(name, seats, STEPS[name], language, people=people)
    over = sample(name, seats, 3_000, language, people=people)
    kinds = set()
    for kind, told, seat, content in contents(found, over):
        kinds.add(kind)
        raw = address_game_mail(content, kind, Addressee(GAME, told.position.seats[seat]), STAMP).as_bytes()
        message = read(raw)
        text, html = body(message, "plain"), Html(body(message, "html"))
        assert tree(message) == PICTURED
        assert URL.findall(text) == html.addresses
        assert unsaid(html, text) == []
        assert [given["lang"] for tag, given in html.tags if tag == "html"] == [language]
        assert len(body(message, "html").encode()) <= LARGEST_HTML and len(raw) <= LARGEST_MAIL
        header = raw.split(b"\r\n\r\n")[0].decode("ascii")
        assert not re.search(r"^(Message-ID|In-Reply-To|References|List-\S+):.*=\?", header, re.MULTILINE)
        assert max(map(len, header.splitlines())) <= 78 and max(map(len, raw.splitlines())) <= 998
        assert "Friday night" in str(message["Subject"]).replace("\N{NO-BREAK SPACE}", " ")
    assert kinds >= {"turn", "reminder", "lapsed", "receipt", "over"}


def test_turns_against_two_computer_players_are_played_by_links_only(
    app: Flask, runtime: Runtime, mailbox: Path
) -> None:
    games = runtime.games
    position = against(games, "new-corp-order", alice(games), ["easy", "easy"])
    game = position.game.id
    for _ in range(3):
        position = let_computers_play(games, game)
        row = turn_mails(games, position)[-1]
        assert (row.payload["seat"], send_turn_mail(runtime, row)) == (ALICE, "done")
        mail = letters(mailbox, game)[-1]
        move = buttons(app.test_client(), mail.path)[0]
        assert press(app.test_client(), mail.path, **{**move, "sure": "yes"}).status_code < 400
        assert now_at(games, game).version > position.version
    assert "Computer (easy)" in mail.text and "Computer 2 (easy)" in mail.text
    html = mail.message.get_body(("html",))
    assert html is not None and "Computer 2 (easy)" in str(html.get_content())
