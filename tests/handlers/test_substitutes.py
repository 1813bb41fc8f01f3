"""Seats of running games change hands (T-23 to T-26): Alice hosts, Bob leaves, Dan is there, Carol takes over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from service.audit.derived_tables import discrepancies
from service.audit.inspect import examine, whole_record
from service.audit.log import Altered
from service.handlers import farewell, links
from service.handlers.authentication import authenticate
from service.handlers.invitations import ByMail, Words, accept, accept_at_the_door, invite
from service.handlers.play import Move, play, play_automaton
from service.handlers.players import create_bot
from service.handlers.presence import return_to
from service.handlers.refusals import (
    CannotTakeOver,
    NotHost,
    NotRunning,
    NotSeated,
    SeatAttended,
    SeatUnattended,
    UnknownGame,
    UnknownSeatRequest,
)
from service.handlers.resign import resign
from service.handlers.seat_requests import Answering, SeatWanted, agree, ask, decline, withdraw
from service.handlers.talk import say
from service.log.folding import fold_log
from service.mail.compose import game_over_mail
from service.mail.pieces import MailLinks
from service.mail.plain import text_part
from service.record.verify import verify
from service.rules.shared_events import ActionTakenBack, SeatHandedOver
from service.shared import clock
from service.store import events, invitations
from service.store.game_row import Terms
from service.store.games import Games
from service.store.idempotency import IdempotencyKey
from service.store.position import Position
from service.store.visibility import require_known
from service.views.export import _TALK
from service.views.history import history, latest_recap
from service.views.listing import listing
from service.views.table import standings, table
from service.views.talk import talk
from service.views.who_played import who_played
from tests.builders import first_legal, now_at
from tests.handlers.test_table_races import at_once
from tests.leaving import AT_ONCE, leave, link_to, played_out, running
from tests.people import Person, alice, bob, carol, register
from tests.record.records import KEYS, SIGNER
from tests.record.test_two_verifiers import NODE, node

ALICE, BOB, DAN = 0, 1, 2
PUBLIC, PRIVATE = Terms(access="public"), Terms()
Left = tuple[Position, list[Person], Person]

PLACES = [
    pytest.param("sealed-bids", PRIVATE, id="resigned, no clock, Sealed Bids"),
    pytest.param("sealed-bids", replace(PRIVATE, pace=AT_ONCE), id="absent, Sealed Bids"),
    pytest.param("new-corp-order", PRIVATE, id="resigned, no clock, New Corp Order"),
    pytest.param("new-corp-order", replace(PRIVATE, pace=AT_ONCE), id="absent, New Corp Order"),
]


def left(games: Games, ruleset: str = "sealed-bids", terms: Terms = PRIVATE, seat: int = BOB) -> Left:
    """Return a game that somebody has left, its first players, and Carol, a stranger."""
    people = [alice(games), bob(games), register(games, "Dan", "dan@example.org", "en")]
    position = leave(games, running(games, ruleset, people, terms), seat)
    return now_at(games, position.game.id), people, carol(games)


def taken_over(games: Games, position: Position, seat: int, person: Person) -> Position:
    accept(games, link_to(games, position, seat), person.id, clock.now())
    return now_at(games, position.game.id)


def in_outbox(games: Games, game: UUID, kind: str, seat: int) -> list[Any]:
    query = text("""
select dedupe_key, state, payload from outbox
where game_id = :game and kind = :kind and cast(payload ->> 'seat' as integer) = :seat order by id
""")
    with games.engine.connect() as db:
        return list(db.execute(query, {"game": game, "kind": kind, "seat": seat}))


@pytest.mark.parametrize(("ruleset", "terms"), PLACES)
def test_t23_a_seat_that_was_left_is_taken_over_by_the_link_that_the_host_gives(
    games: Games, ruleset: str, terms: Terms
) -> None:
    before, _, substitute = left(games, ruleset, terms)
    assert before.unattended == {BOB}
    token = link_to(games, before, BOB)
    assert accept(games, token, substitute.id, clock.now()) == (before.game.id, BOB)
    after = now_at(games, before.game.id)
    assert (after.seat_of(substitute.id), after.seats[BOB].name) == (BOB, "Carol")
    assert (after.unattended, after.stood_in, after.resigned) == (frozenset(), frozenset(), ())
    with games.engine.connect() as db:
        (last,) = events.read(db, after.codec, after.game.id, before.version)
    assert (last.event, last.seat, last.door, last.seq) == (SeatHandedOver(seat=BOB), BOB, "link", after.version)


@pytest.mark.parametrize(("ruleset", "terms"), PLACES)
def test_t23_the_substitute_plays_on_to_the_end_and_the_record_of_it_holds(
    games: Games, tmp_path: Path, ruleset: str, terms: Terms
) -> None:
    before, _, substitute = left(games, ruleset, terms)
    after = taken_over(games, before, BOB, substitute)
    over = played_out(games, after.game.id)
    with games.engine.connect() as db:
        assert not discrepancies(db, [over.game.id])
        assert examine(db, games, over.game.id) == over.version
        closed = whole_record(db, games, over.game.id)
    closed.seal(SIGNER, clock.now())
    written = closed.text()
    assert [finding.holds for finding in verify(written, games.rulesets, KEYS).findings] == [True] * (
        5 if terms.pace is None else 6
    )
    assert b'"seat-handed-over"' in written
    if NODE is not None:
        (report,) = node(tmp_path, [written])
        assert report["holds"], report
    assert not any(name.encode() in written for name in ("Alice", "Bob", "Carol"))


def test_t23_the_substitute_sees_what_the_seat_may_see_from_the_first_event_on(games: Games) -> None:
    before, _, substitute = left(games, "new-corp-order")
    after = taken_over(games, before, BOB, substitute)
    with games.engine.connect() as db:
        seen = history(db, after, after.seat_of(substitute.id), 0, 500, "en")
        public = history(db, after, None, 0, 500, "en")
    assert [each["seq"] for each in seen] == list(range(1, after.version + 1))
    hidden = [(mine, others) for mine, others in zip(seen, public, strict=True) if mine["data"] != others["data"]]
    assert hidden, "the seat knows its own cards, which a spectator does not"


def test_t23_an_awaited_substitute_gets_the_turn_mail_and_the_service_stands_in_no_more(games: Games) -> None:
    before, _, substitute = left(games)
    game, decision = before.game.id, before.decision
    after = taken_over(games, before, BOB, substitute)
    assert BOB in after.awaited
    waiting = [each for each in in_outbox(games, game, "turn-mail", BOB) if each.state == "pending"]
    assert [each.payload["decision"] for each in waiting] == [decision], "one mail, though Bob's was not sent yet"
    assert waiting[0].dedupe_key.endswith(f"handed-over:{after.version}")
    assert not play_automaton(games, game, BOB)


def test_t23_an_absent_seat_that_is_taken_over_has_a_bank_and_a_deadline(games: Games) -> None:
    before, _, substitute = left(games, terms=replace(PRIVATE, pace=AT_ONCE))
    assert before.clocks is not None and before.clocks.banks[BOB] == 0
    after = taken_over(games, before, BOB, substitute)
    assert after.clocks is not None
    assert after.clocks.banks[BOB] == AT_ONCE.cap * 500
    assert after.clocks.lapses[BOB] == 0
    assert (BOB in after.awaited) == (after.clocks.deadline(BOB) is not None)
    if BOB in after.awaited:
        assert in_outbox(games, after.game.id, "lapse", BOB)[-1].payload["deadline"] == after.clocks.deadline(BOB)


def test_t23_a_person_without_an_account_takes_a_seat_over_by_a_mailed_link(games: Games) -> None:
    before, *_ = left(games)
    words, address = Words(seat=BOB), "zoe.substitute@example.org"
    given = invite(games, before.game.id, before.game.host, ByMail(address), clock.now(), None, words)
    assert (given.seat, given.mailed) == (BOB, True)
    with games.engine.begin() as db:
        token = _token_of(db, given.id)
    after, seat, secret = accept_at_the_door(games, token, "Zoë", "de", clock.now())
    assert (seat, after.seats[BOB].name, after.seats[BOB].email) == (BOB, "Zoë", address)
    assert secret is not None


def test_t23_only_the_host_invites_or_the_first_who_is_there_while_the_host_is_not(games: Games) -> None:
    before, people, substitute = left(games)
    with pytest.raises(NotHost):
        invite(games, before.game.id, people[DAN].id, ByMail("x@example.org"), clock.now(), None, Words(seat=BOB))
    resigned, others, _ = left(games, terms=replace(PRIVATE, pace=AT_ONCE), seat=ALICE)
    words = Words(seat=ALICE)
    with pytest.raises(NotHost):
        invite(games, resigned.game.id, others[DAN].id, ByMail("x@example.org"), clock.now(), None, words)
    invite(games, resigned.game.id, others[BOB].id, ByMail("x@example.org"), clock.now(), None, words)
    after = taken_over(games, resigned, ALICE, substitute)
    assert after.game.host == others[BOB].id, "who has been there longest"


def test_t23_a_seat_whose_player_is_there_is_not_to_be_had(games: Games) -> None:
    before, _, substitute = left(games, terms=PUBLIC)
    for seat in (ALICE, DAN):
        with pytest.raises(SeatAttended):
            link_to(games, before, seat)
        with pytest.raises(SeatAttended):
            ask(games, SeatWanted(before.game.id, seat, substitute.id), clock.now())


def test_t23_at_a_public_table_anybody_asks_and_a_player_who_is_there_agrees(games: Games) -> None:
    before, people, substitute = left(games, terms=PUBLIC)
    game = before.game.id
    asked = ask(games, SeatWanted(game, BOB, substitute.id), clock.now())
    assert [in_outbox(games, game, "seat-request", seat) != [] for seat in (ALICE, BOB, DAN)] == [True, False, True]
    with pytest.raises(NotSeated):
        agree(games, Answering(game, asked.id, substitute.id, "api"), clock.now())
    with pytest.raises(SeatUnattended):
        agree(games, Answering(game, asked.id, people[BOB].id, "api"), clock.now())
    after = agree(games, Answering(game, asked.id, people[DAN].id, "web"), clock.now())
    assert after.seat_of(substitute.id) == BOB
    assert agree(games, Answering(game, asked.id, people[ALICE].id, "api"), clock.now()).version == after.version
    with pytest.raises(UnknownSeatRequest):
        decline(games, Answering(game, asked.id, people[ALICE].id, "api"))


def test_t23_at_a_private_table_nobody_asks_who_does_not_know_of_it(games: Games) -> None:
    before, _, substitute = left(games)
    with pytest.raises(UnknownGame):
        ask(games, SeatWanted(before.game.id, BOB, substitute.id), clock.now())


def test_t23_a_declined_request_is_not_made_again_and_a_withdrawn_one_may_be(games: Games) -> None:
    before, people, substitute = left(games, terms=PUBLIC)
    game, wanted = before.game.id, SeatWanted(before.game.id, BOB, substitute.id)
    first = ask(games, wanted, clock.now())
    with pytest.raises(CannotTakeOver, match="asked"):
        ask(games, wanted, clock.now())
    assert withdraw(games, game, first.id, substitute.id)
    second = ask(games, wanted, clock.now())
    decline(games, Answering(game, second.id, people[ALICE].id, "api"))
    with pytest.raises(CannotTakeOver, match="declined"):
        ask(games, wanted, clock.now())
    with pytest.raises(UnknownSeatRequest):
        agree(games, Answering(game, second.id, people[ALICE].id, "api"), clock.now())


def test_t23_when_the_game_is_over_no_seat_is_taken_over(games: Games) -> None:
    before, _, substitute = left(games)
    token = link_to(games, before, BOB)
    played_out(games, before.game.id)
    with pytest.raises(NotRunning):
        accept(games, token, substitute.id, clock.now())


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
    farewell.leave(games, people[BOB].id, "api", clock.now())
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
        said = [(each["text"], each["former"]) for each in talk(db, position.game.id, 0, 10)]
        own = {
            who.name: [row.text for row in db.execute(_TALK, {"player": who.id})] for who in (people[BOB], substitute)
        }
    assert said == [("I am off.", True), ("Hello!", False)]
    assert own == {"Bob": ["I am off."], "Carol": ["Hello!"]}


def test_t25_nobody_holds_two_seats_of_a_game(games: Games) -> None:
    before, people, _ = left(games, terms=PUBLIC)
    token = link_to(games, before, BOB)
    with pytest.raises(CannotTakeOver, match="seated"):
        accept(games, token, people[DAN].id, clock.now())
    with pytest.raises(CannotTakeOver, match="seated"):
        ask(games, SeatWanted(before.game.id, BOB, people[DAN].id), clock.now())
    with pytest.raises(CannotTakeOver, match="left"):
        accept(games, token, people[BOB].id, clock.now())


def test_t25_nobody_takes_a_seat_over_who_has_looked_at_the_game_as_another_one(games: Games) -> None:
    before, people, substitute = left(games, terms=PUBLIC)
    after = taken_over(games, before, BOB, substitute)
    again = leave(games, after, DAN)
    with pytest.raises(CannotTakeOver, match="left"):
        ask(games, SeatWanted(again.game.id, DAN, people[BOB].id), clock.now())
    with pytest.raises(CannotTakeOver, match="left"):
        accept(games, link_to(games, again, DAN), people[BOB].id, clock.now())


def test_t25_a_bot_takes_no_seat_over_in_a_game_of_its_owner(games: Games) -> None:
    before, people, _ = left(games, terms=PUBLIC)
    asking = authenticate(games, people[DAN].token)
    assert asking is not None
    bot, _ = create_bot(games, asking, "Dan's bot", clock.now())
    with pytest.raises(CannotTakeOver, match="seated"):
        accept(games, link_to(games, before, BOB), bot, clock.now())


def test_t25_of_two_who_take_a_seat_over_at_once_one_gets_it(games: Games) -> None:
    before, _, substitute = left(games)
    rivals, token = [substitute, carol(games)], link_to(games, before, BOB)
    attempts = [lambda who=who: accept(games, token, who.id, clock.now()) for who in rivals]
    ends = at_once(games, before.game.id, *attempts)
    assert sorted(end == "done" for end in ends) == [False, True]
    after = now_at(games, before.game.id)
    assert after.version == before.version + 1
    assert after.seat_of(rivals[ends.index("done")].id) == BOB


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
        assert "Dan was absent" in plain and "the service" in plain
    assert "takes over seat 2" in listed


def test_t26_a_seat_that_the_service_has_won_with_is_the_winner_and_its_line_says_so(games: Games) -> None:
    before, *_ = left(games)
    over = played_out(games, before.game.id)
    assert over.outcome is not None
    won = {**over.outcome, "winners": [BOB]}
    lines = list(who_played(over.names_in("en"), [], over.folded, won, "en"))  # type: ignore[arg-type] # an Outcome
    assert [line.replace("\u2068", "").replace("\u2069", "") for line in lines] == [
        "The seat of Bob won, played to the end by the service: Bob had resigned."
    ]


def test_t23_a_seat_stays_handed_over_when_an_action_before_it_is_taken_back_by_consent(games: Games) -> None:
    before, people, substitute = left(games)
    move = Move(before.game.id, DAN, before.decision, first_legal(before, DAN), "api", player=people[DAN].id)
    first = play(games, move).events[0].seq
    after = taken_over(games, now_at(games, before.game.id), BOB, substitute)
    with games.engine.connect() as db:
        facts = [each.event for each in events.read(db, after.codec, after.game.id)]
    undone = ActionTakenBack(seat=DAN, first=first, last=after.version, agreed=(ALICE, BOB))
    folded = fold_log(after.ruleset, [*facts, undone])
    assert (folded.resigned, folded.stood_in) == ((), frozenset())


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


def _token_of(db: Any, invitation: UUID) -> str:
    token = invitations.new_token()
    invitations.add_link(db, invitation, token)
    return token
