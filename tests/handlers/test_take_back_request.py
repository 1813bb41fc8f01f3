"""Requests for a take-back that needs the consent of the others (T-35), and the clocks meanwhile (T-06)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from msgspec import structs

from service.handlers import pace
from service.handlers import take_back as requests
from service.handlers.play import resign
from service.handlers.refusals import (
    AlreadyResigned,
    NothingToTakeBack,
    NotRunning,
    NotSeated,
    TakeBackNotOffered,
    TakeBackOver,
    TooLateToTakeBack,
)
from service.handlers.take_back import Wish, take_back
from service.handlers.talk import say
from service.rules.pace import PACES
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.asking_back import ALICE, BOB, CAROL, TEN_MINUTES, agreed, asked, bids, deadlines, lapsed, standing
from tests.builders import act, finished, now_at, sealed_bids
from tests.consenting import (
    DAILY,
    DAY,
    HOUR,
    after,
    clocked,
    player,
    told,
)
from tests.people import alice, bob


def test_t35_what_was_done_too_long_ago_or_has_shown_something_can_be_asked_for(games: Games) -> None:
    before = clocked(games, ruleset="new-corp-order", people=[alice(games), bob(games)], **{"first-player": ALICE})
    position = act(games, before, ALICE, before.ruleset.parse("P D")).position
    with after(2 * HOUR):
        with pytest.raises(TooLateToTakeBack):
            take_back(games, Wish(before.game.id, ALICE, 1, "api"), TEN_MINUTES, clock.now())
        back = agreed(games, before, asked(games, before), BOB).position
    assert back.state == before.state and back.decision > position.decision
    assert deadlines(back) == deadlines(before)


def test_t35_until_then_the_game_goes_on_and_a_move_by_anybody_ends_the_request(games: Games) -> None:
    before = clocked(games)
    bids(games, before, ALICE)
    request = asked(games, before)
    agreed(games, before, request, BOB)
    bids(games, before, CAROL)
    assert standing(games, before) is None
    with pytest.raises(TakeBackOver):
        agreed(games, before, request, CAROL)
    anew = asked(games, before)
    assert (anew.first, anew.agreed) == (request.first, frozenset())


def test_t35_talk_and_what_is_said_of_time_do_not_end_a_request(games: Games) -> None:
    before = clocked(games)
    bids(games, before, ALICE)
    request = asked(games, before)
    say(games, before.game.id, player(before, BOB), "Well, all right.", "api", clock.now())
    now = clock.now()
    pace.propose_pause(games, before.game.id, player(before, BOB), now + DAY, "api", now)
    assert standing(games, before) == request


def test_t35_a_request_ends_with_the_free_time(games: Games) -> None:
    before = clocked(games)
    bids(games, before, ALICE)
    request = asked(games, before)
    with after(timedelta(seconds=DAILY.free) - HOUR):
        assert standing(games, before) == request
    with after(timedelta(seconds=DAILY.free)):
        assert standing(games, before) is None
        with pytest.raises(TakeBackOver):
            agreed(games, before, request, BOB)


def test_t35_in_a_live_game_which_has_no_free_time_the_others_have_five_minutes(games: Games) -> None:
    before = clocked(games, PACES["live"])
    bids(games, before, ALICE)
    request = asked(games, before)
    with after(timedelta(minutes=4)):
        assert standing(games, before) == request
    with after(timedelta(minutes=5)):
        assert standing(games, before) is None


def test_t35_anybody_declines_and_the_one_who_asks_withdraws(games: Games) -> None:
    before = clocked(games)
    bids(games, before, ALICE)
    for seat in (BOB, ALICE):
        request = asked(games, before)
        requests.decline_take_back(games, before.game.id, player(before, seat), request.first, clock.now())
        assert standing(games, before) is None
        with pytest.raises(TakeBackOver):
            agreed(games, before, request, CAROL)
        with pytest.raises(TakeBackOver):
            requests.decline_take_back(games, before.game.id, player(before, seat), request.first, clock.now())


def test_t35_to_ask_or_to_agree_again_changes_nothing(games: Games) -> None:
    before = clocked(games)
    bids(games, before, ALICE)
    request = asked(games, before)
    agreed(games, before, request, BOB, BOB, ALICE)
    assert asked(games, before) == replace(request, agreed=frozenset({BOB}))
    assert told(games, before, "take-back") == [BOB, CAROL]
    assert agreed(games, before, request, CAROL).events


def test_t35_only_the_last_action_of_ones_own_that_stands_can_be_asked_for(games: Games) -> None:
    before = clocked(games)
    for seat in (ALICE, BOB):
        with pytest.raises(NothingToTakeBack):
            asked(games, before, seat)
    second = bids(games, before, ALICE, BOB, CAROL)
    bids(games, second, ALICE)
    with pytest.raises(NothingToTakeBack):
        asked(games, before, ALICE, decision=1)
    back = agreed(games, before, asked(games, before, ALICE, decision=2), BOB, CAROL).position
    assert (back.state, back.decision) == (second.state, 2)
    back = agreed(games, before, asked(games, before, ALICE, decision=1), BOB, CAROL).position
    assert back.state == before.state
    with pytest.raises(NothingToTakeBack):
        asked(games, before, ALICE, decision=1)


def test_t35_one_asks_at_a_time(games: Games) -> None:
    before = clocked(games)
    bids(games, before, ALICE, BOB)
    asked(games, before, ALICE)
    with pytest.raises(TakeBackNotOffered, match="asked"):
        asked(games, before, BOB)


def test_t35_absent_and_resigned_players_need_not_agree(games: Games) -> None:
    before = clocked(games)
    resign(games, before.game.id, player(before, CAROL), "api", clock.now())
    bids(games, now_at(games, before.game.id), ALICE, BOB)
    request = asked(games, before)
    with pytest.raises(AlreadyResigned):
        agreed(games, before, request, CAROL)
    (fact,) = agreed(games, before, request, BOB).events
    assert fact.event.agreed == (BOB,)


def test_t35_an_absent_seat_is_not_asked_and_need_not_agree(games: Games) -> None:
    before = clocked(games)
    position = bids(games, before, ALICE, BOB)
    assert position.clocks is not None
    absent = structs.replace(position.clocks, absent=frozenset({CAROL}))
    games.committed(replace(position, folded=structs.replace(position.folded, clocks=absent)))
    request = asked(games, before)
    assert told(games, before, "take-back") == [BOB]
    assert agreed(games, before, request, BOB).events


def test_t35_a_resignation_a_lapse_or_a_new_player_since_makes_it_too_late(games: Games) -> None:
    for lose in (
        lambda now: resign(games, now.game.id, player(now, CAROL), "api", clock.now()),
        lambda now: lapsed(games, now, CAROL),
    ):
        before = clocked(games)
        bids(games, before, ALICE)
        request = asked(games, before)
        lose(now_at(games, before.game.id))
        assert standing(games, before) is None
        with pytest.raises(TakeBackOver):
            agreed(games, before, request, BOB)
        with pytest.raises(TooLateToTakeBack, match="player-lost"):
            asked(games, before)


def test_t35_games_without_a_clock_tables_that_switched_it_off_and_solo_games_have_nobody_to_ask(
    runtime: Runtime, games: Games
) -> None:
    untimed = bids(games, sealed_bids(games), ALICE)
    with pytest.raises(TakeBackNotOffered, match="no-clock"):
        asked(games, untimed)
    off = clocked(games, replace(DAILY, take_back=False))
    bids(games, off, ALICE)
    with pytest.raises(TakeBackNotOffered, match="switched-off"):
        asked(games, off)
    alone = clocked(games)
    for seat in (BOB, CAROL):
        resign(games, alone.game.id, player(alone, seat), "api", clock.now())
    over = now_at(games, alone.game.id)
    assert over.game.status == "finished"
    with pytest.raises(NotRunning):
        asked(games, over)


def test_t35_where_all_others_are_absent_there_is_nobody_to_ask(games: Games) -> None:
    before = clocked(games)
    position = bids(games, before, ALICE)
    assert position.clocks is not None
    absent = structs.replace(position.clocks, absent=frozenset({BOB, CAROL}))
    games.committed(replace(position, folded=structs.replace(position.folded, clocks=absent)))
    with pytest.raises(TakeBackNotOffered, match="nobody"):
        asked(games, before)


def test_t35_strangers_and_games_that_are_over_are_refused(games: Games) -> None:
    before, stranger = clocked(games), bob(games)
    bids(games, before, ALICE)
    request = asked(games, before)
    with pytest.raises(NotSeated):
        requests.agree_to_take_back(games, before.game.id, stranger.id, request.first, "api", clock.now())
    over = finished(games, now_at(games, before.game.id))
    for seat in (ALICE, BOB):
        with pytest.raises(NotRunning):
            agreed(games, over, request, seat)
