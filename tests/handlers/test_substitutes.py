"""Seats of running games change hands (T-23 to T-26): Alice hosts, Bob leaves, Dan is there, Carol takes over."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from service.audit.derived_tables import discrepancies
from service.audit.inspect import examine, whole_record
from service.handlers.authentication import authenticate
from service.handlers.invitations import ByMail, Words, accept, accept_at_the_door, invite
from service.handlers.pace import AbsencePlan, announce_absence
from service.handlers.people import Arrival, create_bot
from service.handlers.play import Move, play, play_automaton
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
from service.handlers.substitutes import (
    Answering,
    SeatWanted,
    agree_to_seat_request,
    ask_for_seat,
    decline_seat_request,
    withdraw_seat_request,
)
from service.log.folding import fold_log
from service.log.recorded import milliseconds
from service.record.verify import verify
from service.rules.shared_events import ActionTakenBack, SeatHandedOver
from service.shared import clock
from service.store import events, lobby
from service.store.game_row import Terms
from service.store.games import Games
from service.views.history import HIDDEN_DOOR, history
from tests.builders import first_legal, now_at
from tests.handlers.test_table_races import at_once
from tests.lapsing import pending
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
    taken_over,
)
from tests.people import carol
from tests.record.records import KEYS, SIGNER
from tests.record.test_two_verifiers import NODE, node

PLACES = [
    pytest.param("sealed-bids", PRIVATE, id="resigned, no clock, Sealed Bids"),
    pytest.param("sealed-bids", replace(PRIVATE, pace=AT_ONCE), id="absent, Sealed Bids"),
    pytest.param("new-corp-order", PRIVATE, id="resigned, no clock, New Corp Order"),
    pytest.param("new-corp-order", replace(PRIVATE, pace=AT_ONCE), id="absent, New Corp Order"),
]


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


def test_t19_a_newcomer_who_has_announced_to_be_away_has_no_time_running(games: Games) -> None:
    before, _, substitute = left(games, terms=replace(PRIVATE, pace=AT_ONCE))
    announced = announce_absence(games, substitute.id, AbsencePlan(clock.now().date() + timedelta(days=3)), clock.now())
    after = taken_over(games, before, BOB, substitute)
    assert after.clocks is not None
    assert after.clocks.away == {BOB: milliseconds(announced.row.ends)} and after.clocks.deadline(BOB) is None


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


def test_a_substitute_is_not_told_through_which_doors_the_former_player_came(games: Games) -> None:
    before, _, substitute = left(games)
    after = taken_over(games, before, BOB, substitute)
    with games.engine.connect() as db:
        seen = history(db, after, BOB, 0, 500, "en")
    assert {each["door"] for each in seen if each["seq"] <= before.version} == {HIDDEN_DOOR}
    assert HIDDEN_DOOR not in {each["door"] for each in seen if each["seq"] > before.version and each["actor"] == BOB}


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
        lapse = {"seat": BOB, "deadline": after.clocks.deadline(BOB)}
        assert lapse in [row.payload for row in pending(games, after)]


def test_t23_a_person_without_an_account_takes_a_seat_over_by_a_mailed_link(games: Games) -> None:
    before, *_ = left(games)
    words, address = Words(seat=BOB), "zoe.substitute@example.org"
    given = invite(games, before.game.id, before.game.host, ByMail(address), clock.now(), None, words)
    assert (given.seat, given.mailed) == (BOB, True)
    with games.engine.begin() as db:
        token = _token_of(db, given.id)
    after, seat, secret = accept_at_the_door(games, token, Arrival("de", "Zoë"), clock.now())
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
            ask_for_seat(games, SeatWanted(before.game.id, seat, substitute.id), clock.now())


def test_t23_at_a_public_table_anybody_asks_and_a_player_who_is_there_agrees(games: Games) -> None:
    before, people, substitute = left(games, terms=PUBLIC)
    game = before.game.id
    asked = ask_for_seat(games, SeatWanted(game, BOB, substitute.id), clock.now())
    assert [in_outbox(games, game, "seat-request", seat) != [] for seat in (ALICE, BOB, DAN)] == [True, False, True]
    with pytest.raises(NotSeated):
        agree_to_seat_request(games, Answering(game, asked.id, substitute.id, "api"), clock.now())
    with pytest.raises(SeatUnattended):
        agree_to_seat_request(games, Answering(game, asked.id, people[BOB].id, "api"), clock.now())
    after = agree_to_seat_request(games, Answering(game, asked.id, people[DAN].id, "web"), clock.now())
    assert after.seat_of(substitute.id) == BOB
    assert (
        agree_to_seat_request(games, Answering(game, asked.id, people[ALICE].id, "api"), clock.now()).version
        == after.version
    )
    with pytest.raises(UnknownSeatRequest):
        decline_seat_request(games, Answering(game, asked.id, people[ALICE].id, "api"))


def test_t23_at_a_private_table_nobody_asks_who_does_not_know_of_it(games: Games) -> None:
    before, _, substitute = left(games)
    with pytest.raises(UnknownGame):
        ask_for_seat(games, SeatWanted(before.game.id, BOB, substitute.id), clock.now())


def test_t23_a_declined_request_is_not_made_again_and_a_withdrawn_one_may_be(games: Games) -> None:
    before, people, substitute = left(games, terms=PUBLIC)
    game, wanted = before.game.id, SeatWanted(before.game.id, BOB, substitute.id)
    first = ask_for_seat(games, wanted, clock.now())
    with pytest.raises(CannotTakeOver, match="asked"):
        ask_for_seat(games, wanted, clock.now())
    assert withdraw_seat_request(games, game, first.id, substitute.id)
    second = ask_for_seat(games, wanted, clock.now())
    decline_seat_request(games, Answering(game, second.id, people[ALICE].id, "api"))
    with pytest.raises(CannotTakeOver, match="declined"):
        ask_for_seat(games, wanted, clock.now())
    with pytest.raises(UnknownSeatRequest):
        agree_to_seat_request(games, Answering(game, second.id, people[ALICE].id, "api"), clock.now())


def test_t23_when_the_game_is_over_no_seat_is_taken_over(games: Games) -> None:
    before, _, substitute = left(games)
    token = link_to(games, before, BOB)
    played_out(games, before.game.id)
    with pytest.raises(NotRunning):
        accept(games, token, substitute.id, clock.now())


def test_t25_nobody_holds_two_seats_of_a_game(games: Games) -> None:
    before, people, _ = left(games, terms=PUBLIC)
    token = link_to(games, before, BOB)
    with pytest.raises(CannotTakeOver, match="seated"):
        accept(games, token, people[DAN].id, clock.now())
    with pytest.raises(CannotTakeOver, match="seated"):
        ask_for_seat(games, SeatWanted(before.game.id, BOB, people[DAN].id), clock.now())
    with pytest.raises(CannotTakeOver, match="left"):
        accept(games, token, people[BOB].id, clock.now())


def test_t25_nobody_takes_a_seat_over_who_has_looked_at_the_game_as_another_one(games: Games) -> None:
    before, people, substitute = left(games, terms=PUBLIC)
    after = taken_over(games, before, BOB, substitute)
    again = leave(games, after, DAN)
    with pytest.raises(CannotTakeOver, match="left"):
        ask_for_seat(games, SeatWanted(again.game.id, DAN, people[BOB].id), clock.now())
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


def _token_of(db: Any, invitation: UUID) -> str:
    token = lobby.new_invitation_token()
    lobby.add_invitation_link(db, invitation, token)
    return token
