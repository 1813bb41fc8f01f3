"""Rights left to a player whose seat another person has taken over, and the standings (T-24, T-26)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import text

from service.audit.derived_tables import discrepancies
from service.audit.inspect import examine
from service.audit.log import Altered
from service.handlers import delete_account, links
from service.handlers.invitations import accept
from service.handlers.pace import return_to
from service.handlers.play import Move, play, resign
from service.handlers.refusals import (
    NotSeated,
    UnknownGame,
)
from service.handlers.talk import say
from service.mail.compose import text_part
from service.mail.game_blocks import MailLinks
from service.mail.play import game_over_mail
from service.shared import clock
from service.store import events
from service.store.games import Games, require_known
from service.store.idempotency import IdempotencyKey
from service.views.export import _TALK
from service.views.history import latest_recap
from service.views.listing import listing, who_played
from service.views.table import standings, table, talk
from tests.builders import first_legal, now_at
from tests.handlers.test_table_races import at_once
from tests.leaving import (
    ALICE,
    AT_ONCE,
    BOB,
    DAN,
    PRIVATE,
    PUBLIC,
    in_outbox,
    leave,
    left,
    link_to,
    played_out,
    running,
    taken_over,
)
from tests.people import alice, bob, carol, register


def test_t24_the_former_player_sees_what_a_stranger_sees(games: Games) -> None:
    for terms, known in ((PRIVATE, False), (PUBLIC, True)):
        before, people, substitute = left(games, terms=terms)
        with games.engine.begin() as db:
            link = links.issue(db, before.game.id, BOB, before.decision, clock.now())
        after = taken_over(games, before, BOB, substitute)
        assert after.seat_of(people[BOB].id) is None
        with games.engine.begin() as db:
            found = links.resolve(db, link)
            assert found is not None and found.revoked_for == "handed-over"
            if known:
                require_known(db, after, people[BOB].id)
            else:
                with pytest.raises(UnknownGame):
                    require_known(db, after, people[BOB].id)


def test_t24_a_move_of_the_former_player_that_is_under_way_is_not_played_in_the_seat(games: Games) -> None:
    before, people, substitute = left(games)
    after = taken_over(games, before, BOB, substitute)
    action = first_legal(after, BOB)
    with pytest.raises(NotSeated):
        play(games, Move(after.game.id, BOB, after.decision, action, "web", player=people[BOB].id))
    assert now_at(games, after.game.id).version == after.version
    play(games, Move(after.game.id, BOB, after.decision, action, "web", player=substitute.id))


def test_t24_mails_that_were_on_their_way_to_the_former_player_reach_nobody(games: Games) -> None:
    before, _, substitute = left(games)
    query = text("update outbox set state = 'dead', last_error = 'bob@example.org refused' where game_id = :game")
    with games.engine.begin() as db:
        db.execute(query, {"game": before.game.id})
    taken_over(games, before, BOB, substitute)
    kept = in_outbox(games, before.game.id, "turn-mail", BOB)
    assert [each.state for each in kept] == ["skipped", "pending"]


def test_t24_the_place_of_the_former_player_stays_when_the_account_is_deleted(games: Games) -> None:
    before, people, substitute = left(games)
    after = taken_over(games, before, BOB, substitute)
    delete_account.delete_account(games, people[BOB].id, "api", clock.now())
    left_behind = text("select seat, until_seq, player_id from former_player where game_id = :game")
    with games.engine.connect() as db:
        (row,) = db.execute(left_behind, {"game": after.game.id})
        assert not discrepancies(db, [after.game.id])
    assert (row.seat, row.until_seq, row.player_id) == (BOB, after.version, people[BOB].id)
    assert now_at(games, after.game.id).version == after.version


def test_t24_what_the_former_player_has_said_is_not_put_into_the_mouth_of_the_substitute(games: Games) -> None:
    people = [alice(games), bob(games), register(games, "Dan", "dan@example.org", "en")]
    position = running(games, "sealed-bids", people, PRIVATE)
    say(games, position.game.id, people[BOB].id, "I am off.", "api", clock.now())
    position = leave(games, position, BOB)
    substitute = carol(games)
    taken_over(games, position, BOB, substitute)
    say(games, position.game.id, substitute.id, "Hello!", "api", clock.now())
    with games.engine.connect() as db:
        said = [(each["text"], each["former"]) for each in talk(db, position.game.id, people[ALICE].id, 0, 10)]
        own = {
            who.name: [row.text for row in db.execute(_TALK, {"player": who.id})] for who in (people[BOB], substitute)
        }
    assert said == [("I am off.", True), ("Hello!", False)]
    assert own == {"Bob": ["I am off."], "Carol": ["Hello!"]}


@pytest.mark.parametrize("round_", range(3))
def test_t24_the_player_who_comes_back_at_that_moment_or_the_substitute_has_the_seat(games: Games, round_: int) -> None:
    before, people, substitute = left(games, terms=replace(PRIVATE, pace=AT_ONCE))
    token, game = link_to(games, before, BOB), before.game.id

    def come_back() -> None:
        return_to(games, game, people[BOB].id, "web")

    def take() -> None:
        accept(games, token, substitute.id, clock.now())

    attempts: list[Callable[[], None]] = [come_back, take] if round_ % 2 else [take, come_back]
    ends = at_once(games, game, *attempts)
    assert sorted(end == "done" for end in ends) == [False, True]
    after = now_at(games, game)
    holder = people[BOB] if attempts[ends.index("done")] is come_back else substitute
    assert (after.seat_of(holder.id), after.version) == (BOB, before.version + 1)


def test_t24_a_player_who_resigns_or_speaks_at_that_moment_is_not_taken_for_the_substitute(games: Games) -> None:
    before, people, substitute = left(games, terms=replace(PRIVATE, pace=AT_ONCE))
    token, game = link_to(games, before, BOB), before.game.id
    at_once(
        games,
        game,
        lambda: accept(games, token, substitute.id, clock.now()),
        lambda: say(games, game, people[BOB].id, "Wait!", "web", clock.now()),
        lambda: resign(games, game, people[BOB].id, "web", clock.now()),
    )
    after = now_at(games, game)
    if after.seat_of(substitute.id) == BOB:
        with games.engine.connect() as db:
            later = events.read(db, after.codec, game, after.former[0].until)
        assert later == [], "nothing of Bob's comes after the seat was handed over"


def test_t26_the_standings_say_who_finished_who_stood_in_and_who_left(games: Games) -> None:
    before, _, substitute = left(games)
    after = taken_over(games, before, BOB, substitute)
    leave(games, after, DAN)
    over = played_out(games, after.game.id)
    told = standings(over, None)["played_by"]
    assert told == [
        {"seat": ALICE, "by": "player", "handed_over": []},
        {"seat": BOB, "by": "substitute", "handed_over": [after.version]},
        {"seat": DAN, "by": "stand-in", "handed_over": []},
    ]
    assert table(over, None)["handed_over"] == [{"seat": BOB, "seq": after.version}]


def test_t26_the_game_over_mail_and_the_listing_say_it_too(games: Games) -> None:
    before, _, substitute = left(games, "new-corp-order", replace(PRIVATE, pace=AT_ONCE))
    after = taken_over(games, before, BOB, substitute)
    leave(games, after, DAN)
    over = played_out(games, after.game.id)
    with games.engine.connect() as db:
        way = MailLinks("http://127.0.0.1:8000", over.game.id)
        told = text_part(game_over_mail(over, ALICE, latest_recap(db, over, ALICE, "en"), way))
        listed = listing(games.timeline(db, over), "A game", over.names_in("en"), None, "en", everything=True)
    for said in (told, listed):
        plain = " ".join(said.replace("\u2068", "").replace("\u2069", "").split())
        assert f"Carol took seat 2 over at event {after.version}; its former player had left." in plain
        assert "Dan was absent" in plain and "the computer" in plain
    assert "takes over seat 2" in listed


def test_t26_a_seat_that_the_service_has_won_with_is_the_winner_and_its_line_says_so(games: Games) -> None:
    before, *_ = left(games)
    over = played_out(games, before.game.id)
    assert over.outcome is not None
    won = {**over.outcome, "winners": [BOB]}
    lines = list(who_played(over.names_in("en"), [], over.folded, won, "en"))  # type: ignore[arg-type] # an Outcome
    assert [line.replace("\u2068", "").replace("\u2069", "") for line in lines] == [
        "The seat of Bob won; the computer played it to the end after Bob had resigned."
    ]


def test_t24_the_audit_knows_links_and_requests_of_the_former_player(games: Games) -> None:
    people = [alice(games), bob(games), register(games, "Dan", "dan@example.org", "en")]
    position = running(games, "sealed-bids", people, PRIVATE)
    game = position.game.id
    with games.engine.begin() as db:
        links.issue(db, game, BOB, position.decision, clock.now())
    move = Move(game, BOB, position.decision, first_legal(position, BOB), "api", player=people[BOB].id)
    play(games, move, IdempotencyKey(people[BOB].id, f"{game}-first"))
    position = taken_over(games, leave(games, now_at(games, game), BOB), BOB, carol(games))
    with games.engine.connect() as db:
        assert not discrepancies(db, [game])
        assert examine(db, games, game) == position.version


@pytest.mark.parametrize(
    ("change", "found", "said"),
    [
        ("update former_player set until_seq = 2 where game_id = :game", 2, "hands that seat to nobody"),
        ("delete from former_player where game_id = :game", None, "is missing"),
    ],
)
def test_t24_a_former_player_who_is_moved_or_forgotten_is_found(
    games: Games, change: str, found: int | None, said: str
) -> None:
    before, _, substitute = left(games)
    after = taken_over(games, before, BOB, substitute)
    with games.engine.begin() as db:
        db.execute(text(change), {"game": after.game.id})
    with games.engine.connect() as db:
        wrong = discrepancies(db, [after.game.id]).get(after.game.id)
        if wrong is None:
            with pytest.raises(Altered, match=said) as altered:
                examine(db, games, after.game.id)
            assert (found, altered.value.seq) == (None, after.version)
        else:
            assert (wrong.seq, said in wrong.wrong) == (found, True)
