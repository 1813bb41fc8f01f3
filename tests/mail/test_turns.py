"""The mail that asks a player for a move: what it says, to whom, and what it keeps to itself."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from msgspec import structs
from sqlalchemy import text

from service.audit.inspect import whole_record
from service.handlers import lobby
from service.mail.play import send_game_over_mail, send_turn_mail
from service.mail.sentences import outcome_lines
from service.rules.games.new_corp_order.events import GameEnded
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.builders import act, finished, first_legal, now_at, sealed_bids, started, table_for
from tests.games.sealed_bids.actions import Hold
from tests.letters import Letter, letters, turn_mails
from tests.people import alice, bob, carol

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
