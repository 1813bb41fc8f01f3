"""Changes behind the service's back are found, by game and by event; lobbies are inspected like games."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy.exc import ProgrammingError

from service.audit.inspect import examine, inspect, whole_record
from service.audit.log import Altered, NoChain, lobby_events
from service.handlers import delete_account, invitations, lobby
from service.handlers.invitations import ByLink
from service.handlers.play import resign
from service.handlers.take_back import Wish, take_back
from service.handlers.talk import say
from service.log.ids import new_id
from service.record.verify import Finding, verify
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.lobby import invitation_token
from tests.builders import act, finished, first_legal, now_at, sealed_bids, started, table_for
from tests.people import alice, bob, carol
from tests.record.forging import of_kind, rewritten
from tests.record.lies import LIES, MISSHAPEN, NONCE, never_ended, nothing, tampered
from tests.record.records import KEYS, RULESETS, SEALED_AT, SIGNER
from tests.record.test_two_verifiers import node, told_by_node, told_by_us, with_node
from tests.superuser import UNCHAINED, Tamper

APPEND = "select max(seq) from event where game_id = %s and head is not null and seq <= %s"


def altered(games: Games, position: Position) -> tuple[int, str]:
    # A process that has folded the game before would not read its events again.
    fresh = Games(games.engine, games.rulesets)
    with pytest.raises(Altered) as found, games.engine.connect() as db:
        inspect(db, fresh, position.game.id)
    return found.value.seq, found.value.wrong


def verified(games: Games, position: Position) -> None:
    with games.engine.connect() as db:
        record = whole_record(db, games, position.game.id)
    record.seal(SIGNER, SEALED_AT)
    report = verify(record.text(), RULESETS)
    assert [finding.holds for finding in report.findings] == [True] * 5, report.findings


def corp(games: Games) -> Position:
    return started(games, "new-corp-order", [alice(games), bob(games)], **{"short-game": False})


def test_whole_games_have_records_that_hold(games: Games) -> None:
    verified(games, finished(games, corp(games)))
    verified(games, finished(games, sealed_bids(games)))


def test_so_has_a_game_with_talk_an_action_taken_back_and_a_resignation(games: Games) -> None:
    position = sealed_bids(games)
    game, people = position.game.id, position.seats
    act(games, position, 1, first_legal(position, 1))
    take_back(games, Wish(game, 1, position.decision, "api"), timedelta(minutes=10), clock.now())
    say(games, game, people[0].player_id, "hello", "api", clock.now())
    for person in people[1:]:
        resign(games, game, person.player_id, "api", clock.now())
    assert now_at(games, game).game.status == "finished"
    verified(games, now_at(games, game))


def test_the_head_in_the_game_is_that_of_the_record(games: Games) -> None:
    position = corp(games)
    with games.engine.connect() as db:
        inspected = inspect(db, games, position.game.id)
    assert inspected.record.head.hex() == position.game.head == now_at(games, position.game.id).game.head
    assert inspected.rerun.folded == position.folded


@pytest.mark.parametrize(
    ("change", "seq"),
    [
        ("update event set data = '{\"seat\": 1}' where game_id = %s and seq = 9", 9),
        ("update event set at = at + interval '1 ms' where game_id = %s and seq = 9", 9),
        ("update event set door = 'reply' where game_id = %s and seq = 9", 9),
        ("update event set name = 'turn-began' where game_id = %s and seq = 9", 9),
        ("delete from event where game_id = %s and seq = 9", 9),
        ("update event set seq = 1000 where game_id = %s and seq = 9", 9),
    ],
)
def test_a_changed_event_is_found_by_its_number(games: Games, as_superuser: Tamper, change: str, seq: int) -> None:
    position = corp(games)
    while position.version < 12:
        position = act(games, position, min(position.to_act), first_legal(position, min(position.to_act))).position
    (begins,) = as_superuser(APPEND, (position.game.id, seq)).fetchone()
    as_superuser(change, (position.game.id,))
    assert altered(games, position)[0] in {seq, begins}


@pytest.mark.parametrize(
    ("change", "seq"),
    [
        ("update event set at = 'infinity' where game_id = %s and seq = 3", 3),
        ("update event set at = '0001-01-01 BC' where game_id = %s and seq = 3", 3),
        ("update event set data = 'null' where game_id = %s and seq = 3", 1),
        ("update event set data = '{\"x\": 1.5}' where game_id = %s and seq = 3", 1),
        ("delete from event where game_id = %s", 1),
        ("update game set version = 0 where id = %s", 1),
        ("update game set version = version + 1 where id = %s", None),
        ("update game set head = null where id = %s", None),
        ("update game set status = 'finished' where id = %s", None),
        ("update game set status = 'open' where id = %s", None),
        ("update game set status = 'cancelled' where id = %s", None),
        ("update game set seats = 3 where id = %s", 1),
        ("update game set options = '{}' where id = %s", 1),
        ("update game set commitment = repeat('0', 64) where id = %s", 1),
        ("update game set ruleset = 'chess' where id = %s", 1),
        ("delete from seed where game_id = %s", 1),
        ("update seat set nonce = repeat('0', 32) where game_id = %s", 1),
        ("update seat set drawn_by = 'client' where game_id = %s", 1),
        ("delete from seat where game_id = %s", 1),
    ],
)
def test_whatever_else_was_changed_is_found_and_ends_no_audit(
    games: Games, as_superuser: Tamper, change: str, seq: int | None
) -> None:
    position = corp(games)
    as_superuser(change, (position.game.id,))
    fresh = Games(games.engine, games.rulesets)
    with pytest.raises(Altered) as found, games.engine.connect() as db:
        examine(db, fresh, position.game.id)
    # What no game has, no other test is to come upon.
    as_superuser("update game set ruleset = 'new-corp-order' where id = %s", (position.game.id,))
    assert found.value.seq in ({seq} if seq else {position.version, position.version + 1})


def test_that_only_the_lobby_is_still_chained_is_found(games: Games, as_superuser: Tamper) -> None:
    position = corp(games)
    as_superuser("update event set head = null where game_id = %s", (position.game.id,))
    as_superuser("update game set head = null, lobby = null where id = %s", (position.game.id,))
    assert altered(games, position) == (position.version, "the game's head is missing")


def test_a_head_that_was_set_back_is_found(games: Games, as_superuser: Tamper) -> None:
    position = corp(games)
    as_superuser("update game set head = decode(repeat('00', 32), 'hex') where id = %s", (position.game.id,))
    assert "head" in altered(games, position)[1]


def test_a_game_cut_short_is_found(games: Games, as_superuser: Tamper) -> None:
    position = finished(games, corp(games))
    as_superuser("delete from event where game_id = %s and seq = %s", (position.game.id, position.version))
    assert altered(games, position)[0] == position.version


def test_of_a_game_without_a_chain_nothing_is_said(games: Games, as_superuser: Tamper) -> None:
    position = corp(games)
    as_superuser(UNCHAINED, {"game": position.game.id})
    with pytest.raises(NoChain), games.engine.connect() as db:
        inspect(db, games, position.game.id)
    seat = min(position.to_act)
    assert act(games, now_at(games, position.game.id), seat, first_legal(position, seat)).position.game.head is None


# Lobbies keep their events, and no names.

DAY = 24 * 3600 * 1000
LONG_AGO = """
insert into game select (jsonb_populate_record(g, jsonb_build_object('id', %(older)s::uuid))).* from game g
where id = %(game)s
"""
"""Makes another game as old as an id."""


def gathered(games: Games) -> UUID:
    """A table of three at which Bob is kicked, the host leaves, and others come: full, and not begun."""
    host, guest, third = alice(games), bob(games), carol(games)
    game = table_for(games, "sealed-bids", host, 3)
    lobby.join(games, game, guest.id, clock.now())
    lobby.kick_player(games, game, 1, host.id)
    given = invitations.invite(games, game, host.id, ByLink("secret"), clock.now(), None)
    invitations.accept(games, invitation_token(given.id, "secret"), third.id, clock.now(), nonce=NONCE)
    lobby.leave_table(games, game, host.id)
    lobby.join(games, game, guest.id, clock.now())
    delete_account.delete_account(games, guest.id, "api", clock.now())
    lobby.join(games, game, bob(games).id, clock.now())
    lobby.join(games, game, alice(games).id, clock.now())
    return game


def begun(games: Games) -> UUID:
    game = gathered(games)
    lobby.start(games, game, now_at(games, game).game.host, clock.now())
    return game


def ended(games: Games) -> UUID:
    return finished(games, now_at(games, begun(games))).game.id


def cancelled(games: Games) -> UUID:
    host = alice(games)
    game = table_for(games, "sealed-bids", host, 3)
    lobby.cancel_game(games, game, host.id)
    return game


def record(games: Games, game: UUID) -> bytes:
    with games.engine.connect() as db:
        made = whole_record(db, games, game)
    made.seal(SIGNER, SEALED_AT)
    return made.text()


def wrong(data: bytes) -> Finding:
    (found,) = (each for each in verify(data, RULESETS, KEYS).findings if each.holds is False)
    return found


def told(games: Games, game: UUID) -> list[tuple[int | None, str]]:
    with games.engine.connect() as db:
        return [(event.seat, event.name) for event, _ in lobby_events(db, game)]


def altered_lobby(games: Games, game: UUID) -> str:
    with pytest.raises(Altered) as found, games.engine.connect() as db:
        examine(db, Games(games.engine, games.rulesets), game)
    assert found.value.seq == 0
    return found.value.wrong


def test_who_came_left_was_kicked_and_started_is_told_by_seat(games: Games) -> None:
    game = begun(games)
    assert told(games, game) == [
        (0, "game-opened"),
        (0, "seat-taken"),
        (1, "seat-taken"),
        (0, "player-kicked"),
        (1, "seat-taken"),
        (0, "seat-left"),
        (0, "seat-taken"),
        (0, "seat-left"),
        (0, "seat-taken"),
        (2, "seat-taken"),
        (1, "start-given"),
    ]
    with games.engine.connect() as db:
        invited = [event.data["invited"] for event, _ in lobby_events(db, game) if event.name == "seat-taken"]
        assert invited == [False, False, True, False, False, False]
        assert examine(db, games, game) == now_at(games, game).version
        text = json.dumps([event.data for event, _ in lobby_events(db, game)])
        people = [str(row) for row in db.exec_driver_sql("select id from player").scalars()]
    assert not any(person in text for person in people) and NONCE not in text


def test_a_game_that_begins_by_itself_has_no_seat_to_thank(games: Games) -> None:
    solo = table_for(games, "new-corp-order", alice(games), 1, Terms(start="full"))
    assert told(games, solo) == [(0, "game-opened"), (0, "seat-taken"), (None, "start-given")]


@with_node
def test_both_verifiers_hold_the_lobby_against_the_game_and_name_the_line_that_was_changed(
    games: Games, tmp_path: Path
) -> None:
    game = begun(games)
    finished(games, now_at(games, game))
    whole, called_off = record(games, game), record(games, cancelled(games))
    sound = [whole, called_off, rewritten(nothing, whole), rewritten(nothing, called_off)]
    assert all(report["holds"] for report in node(tmp_path, sound))
    assert all(verify(data, RULESETS, KEYS).holds for data in sound)
    changed = list(tampered(whole, called_off))
    lies = [rewritten(lie, whole) for lie in LIES] + [rewritten(never_ended, called_off)]
    all_of_them = [*(each.data for each in changed), *lies, *(rewritten(change, whole) for change in MISSHAPEN)]
    ours = told_by_us(all_of_them)
    assert told_by_node(tmp_path, all_of_them) == ours
    assert [line for _, line in ours[: len(changed)]] == [each.line for each in changed]
    assert [wrong(lie).level for lie in lies] == ["draws"] * len(lies)
    assert {level for level, _ in ours[len(changed) + len(lies) :]} == {"form", "chain"}


def test_a_game_that_was_called_off_has_a_record_without_a_result(games: Games) -> None:
    off = record(games, cancelled(games))
    lines = [json.loads(line) for line in off.splitlines()]
    assert [line["kind"] for line in lines] == ["header", "lobby", "lobby", "lobby", "reveal", "result", "seal"]

    won = wrong(rewritten(lambda lines: of_kind(lines, "result").update(outcome={"winners": [0]}), off))
    assert (won.level, won.line) == ("rules", 6)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("update lobby_event set data = '{\"kicked\": 2}' where game_id = %s and seq = 4", "event 4"),
        ("update lobby_event set at = at + interval '1 ms' where game_id = %s and seq = 7", "event 7"),
        ("delete from lobby_event where game_id = %s and seq = 5", "event 5"),
        ("delete from lobby_event where game_id = %s and seq = 10", "event 9"),
        ("update seat set nonce = repeat('0', 32) where game_id = %s and seat = 1", "others sit"),
        ("delete from seat where game_id = %s and seat = 2", "others sit"),
        ("update game set status = 'cancelled' where id = %s", "cancelled"),
        ("update game set status = 'running' where id = %s", "head is missing"),
        ("update game set seats = 4 where id = %s", "seats"),
        ("update game set options = '{}' where id = %s", "options"),
        ("update lobby_event set at = 'infinity' where game_id = %s and seq = 3", "event 3"),
        ("update lobby_event set data = 'null' where game_id = %s and seq = 3", "event 3"),
        ("update lobby_event set data = '{\"x\": 1.5}' where game_id = %s and seq = 3", "event 3"),
        ("delete from seed where game_id = %s", "seed"),
        ("update seed set seed = sha256(seed) where game_id = %s", "seed"),
    ],
)
def test_what_was_changed_in_an_open_lobby_is_found(games: Games, as_superuser: Tamper, change: str, said: str) -> None:
    game = gathered(games)
    with games.engine.connect() as db:
        assert examine(db, games, game) == 0
    as_superuser(change, (game,))
    assert said in altered_lobby(games, game)


@pytest.mark.parametrize("reached", [gathered, begun, cancelled, ended])
def test_a_lobby_whose_log_is_gone_as_a_whole_is_found_whatever_has_become_of_the_game(
    games: Games, as_superuser: Tamper, reached: Callable[[Games], UUID]
) -> None:
    game = reached(games)
    as_superuser("delete from lobby_event where game_id = %s", (game,))
    assert altered_lobby(games, game) == "event 1 of the lobby is missing, and all that came after it"


@pytest.mark.parametrize("reached", [gathered, begun, cancelled, ended])
def test_a_game_that_is_made_one_from_before_there_was_a_log_is_too_young_for_that(
    games: Games, as_superuser: Tamper, reached: Callable[[Games], UUID]
) -> None:
    game, older = reached(games), UUID(int=new_id().int - (2 * DAY << 80))
    as_superuser(UNCHAINED, {"game": game})
    with pytest.raises(NoChain), games.engine.connect() as db:
        examine(db, games, game)
    as_superuser(LONG_AGO, {"game": table_for(games, "sealed-bids", alice(games), 3), "older": older})
    with pytest.raises(Altered, match="missing"), games.engine.connect() as db:
        examine(db, games, game)
    # What is older than all, no other test is to come upon.
    as_superuser("delete from game where id = %s", (older,))


def test_an_end_of_a_lobby_that_was_taken_away_is_found(games: Games, as_superuser: Tamper) -> None:
    game = cancelled(games)
    as_superuser("delete from lobby_event where game_id = %s and seq = 3", (game,))
    as_superuser("update game set status = 'open' where id = %s", (game,))
    assert altered_lobby(games, game).startswith("event 2 of the lobby is not the last")


def test_what_was_changed_in_the_lobby_of_a_game_that_has_begun_is_found(games: Games, as_superuser: Tamper) -> None:
    for change, said in (
        ("update lobby_event set seat = 1 where game_id = %s and seq = 4", "event 4"),
        ("delete from lobby_event where game_id = %s and seq = 11", "missing"),
        ("delete from lobby_event where game_id = %s", "missing"),
    ):
        game = begun(games)
        as_superuser(change, (game,))
        assert said in altered_lobby(games, game)


def test_the_log_of_a_lobby_cannot_be_rewritten_by_the_service(games: Games) -> None:
    game = gathered(games)
    for change in ("update lobby_event set seat = 1", "delete from lobby_event", "truncate lobby_event"):
        with pytest.raises(ProgrammingError), games.engine.begin() as db:
            db.exec_driver_sql(change)
    assert len(told(games, game)) == 10


def test_a_lobby_from_before_there_was_a_log_goes_on_without_one(games: Games, as_superuser: Tamper) -> None:
    people = [alice(games), bob(games)]
    game = table_for(games, "new-corp-order", people[0], 2)
    as_superuser("delete from lobby_event where game_id = %s", (game,))
    as_superuser("update game set lobby = null where id = %s", (game,))
    with pytest.raises(NoChain), games.engine.connect() as db:
        examine(db, games, game)
    lobby.join(games, game, people[1].id, clock.now())
    finished(games, lobby.start(games, game, people[0].id, clock.now()))
    assert told(games, game) == []
    assert json.loads(record(games, game).splitlines()[0])["format"] == 2
    assert verify(record(games, game), RULESETS, KEYS).holds
