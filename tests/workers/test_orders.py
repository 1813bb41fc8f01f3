"""T-30 to T-34: moves given ahead are played when their seat is asked, once, and never what the rules forbid."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, text

from service.handlers import orders
from service.handlers.farewell import leave
from service.handlers.orders import Condition, NewOrder
from service.handlers.play import Move, play
from service.handlers.refusals import (
    AlreadyResigned,
    BadOrder,
    NotRunning,
    NotSeated,
    NotYourTurn,
    StaleDecision,
    TooMany,
)
from service.handlers.resign import resign
from service.handlers.take_back import Wish, take_back
from service.rules.pace import Pace
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.fast_path import hand_of
from service.store.games import Games
from service.store.position import Position
from tests.builders import act, finished, now_at, opened, paced, sealed_bids, started
from tests.games.sealed_bids.actions import Bid, Hold
from tests.letters import turn_mails
from tests.ordering import (
    ALICE,
    BOB,
    CAROL,
    automatic,
    by_order,
    corp,
    kept,
    on,
    order,
    player_in,
    rows,
    solo,
    try_orders,
    unconditional,
    waiting,
)
from tests.people import alice, bob, carol
from tests.rest import Caller
from workers.jobs import carry_out


def plot(position: Position, *sources: str) -> Any:
    return position.ruleset.parse(" ".join(["P", *sources]))


def alice_plots(games: Games, position: Position) -> Position:
    """Alice takes two cards of the deck, on which no order of Bob's rests, and discards if need be."""
    now = act(games, position, ALICE, plot(position, "D", "D")).position
    return now if now.awaited != {ALICE} else settle(games, now, ALICE)


def mails_to(games: Games, position: Position, seat: int) -> list[Any]:
    return [row for row in turn_mails(games, position) if row.payload["seat"] == seat]


def test_t30_the_first_order_is_played_when_the_seat_is_asked_and_the_others_stay(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D", "P 1 2")
    asked = alice_plots(games, position)
    after = try_orders(runtime, position)
    (played,) = by_order(games, position.game.id)
    assert (played.seat, played.door, played.decision) == (BOB, "order", asked.decision)
    assert played.action == {"type": "plot", "sources": ["deck", "deck"]}
    assert after.awaited == {ALICE}
    assert waiting(games, position, BOB) == ["P 1 2"]


def test_t30_no_turn_mail_goes_out_for_a_decision_that_an_order_answers(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    alice_plots(games, position)
    assert mails_to(games, position, BOB) == []
    try_orders(runtime, position)
    assert mails_to(games, position, BOB) == []
    alice_plots(games, now_at(games, position.game.id))
    # The one order is played, so that the next decision is the player's again.
    assert rows(runtime, position.game.id) == []
    assert len(mails_to(games, position, BOB)) == 1


def test_t30_an_order_that_does_not_fit_is_dropped_with_all_that_follow_and_the_player_is_asked(
    runtime: Runtime,
) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, unconditional(position, "T A1-B1 3"), "P D D")
    asked = alice_plots(games, position)
    after = try_orders(runtime, position)
    assert (after.version, after.game.ordered) == (asked.version, ())
    assert waiting(games, position, BOB) == []
    first, second = (each.dropped for each in kept(games, position, BOB))
    assert first is not None and (first["decision"], first["why"]) == (asked.decision, "illegal")
    assert second == {"decision": asked.decision, "why": "follows"}
    (mail,) = mails_to(games, position, BOB)
    assert mail.payload == {"decision": asked.decision, "seat": BOB}


def test_t30_ten_orders_are_kept_and_no_more(games: Games) -> None:
    position = corp(games)
    order(games, position, BOB, *["P D D"] * 10)
    assert len(waiting(games, position, BOB)) == 10
    with pytest.raises(TooMany):
        order(games, position, BOB, *["P D"] * 11)
    assert waiting(games, position, BOB) == ["P D D"] * 10


def test_t30_an_order_waits_while_the_same_turn_asks_for_something_of_another_kind(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    while sum(position.ruleset.view(position.state, BOB)["you"]["hand"].values()) < 6:
        position = act(games, position, next(iter(position.awaited)), plot(position, "D", "D")).position
    while position.awaited != {ALICE} or position.ruleset.view(position.state, ALICE)["turn"]["phase"] != "turn":
        (seat,) = position.awaited
        position = act(games, position, seat, position.ruleset.legal(position.state, seat)[0]).position
    order(games, position, BOB, "P D D", unconditional(position, "P 1 2"))
    settle(games, position, ALICE)
    after = try_orders(runtime, position)
    assert after.ruleset.view(after.state, BOB)["turn"]["phase"] == "discard"
    assert waiting(games, position, BOB) == ["P 1 2"]
    assert [mail.payload["decision"] for mail in mails_to(games, position, BOB)][-1] == after.decision


def settle(games: Games, now: Position, seat: int) -> Position:
    """Let the seat answer whatever its turn still asks for."""
    while now.awaited == {seat}:
        now = act(games, now, seat, now.ruleset.legal(now.state, seat)[-1]).position
    return now


def test_t31_an_order_rests_on_what_the_ruleset_says_that_it_rests_on(runtime: Runtime) -> None:
    games, seen = runtime.games, set()
    while seen != {True, False}:
        position = corp(games)
        order(games, position, BOB, "P 1 D")
        assert kept(games, position, BOB)[0].conditions == [["/display/0", position.state.display[0]]]
        # Alice takes that very card, and the next one comes into its place: of the same colour or of another.
        asked = act(games, position, ALICE, plot(position, "1", "D")).position
        try_orders(runtime, position)
        same = asked.state.display[0] == position.state.display[0]
        why = [(each.dropped or {}).get("pointer") for each in kept(games, position, BOB)]
        assert why == ([] if same else ["/display/0"])
        assert len(by_order(games, position.game.id)) == same
        seen.add(same)


def test_t31_named_conditions_hold_or_the_order_is_dropped(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, on(position, "P D D", deck=len(position.state.deck)))
    alice_plots(games, position)
    try_orders(runtime, position)
    (dropped,) = kept(games, position, BOB)
    assert dropped.dropped is not None
    assert (dropped.dropped["why"], dropped.dropped["pointer"]) == ("changed", "/deck")


def test_t31_a_condition_without_a_value_takes_that_of_now(games: Games) -> None:
    position = corp(games)
    order(games, position, BOB, NewOrder(plot(position, "D", "D"), [Condition("/display/0"), Condition("/deck", 7)]))
    assert kept(games, position, BOB)[0].conditions == [["/display/0", position.state.display[0]], ["/deck", 7]]


def test_t31_without_a_word_of_the_ruleset_the_whole_view_has_to_be_as_it_was(runtime: Runtime) -> None:
    games = runtime.games
    position = act(games, sealed_bids(games), ALICE, Hold()).position
    order(games, position, ALICE, NewOrder(Hold()))
    assert {pointer for pointer, _ in kept(games, position, ALICE)[0].conditions} == {
        f"/{name}" for name in position.ruleset.view(position.state, ALICE)
    }
    for seat in (BOB, CAROL):
        act(games, now_at(games, position.game.id), seat, Hold())
    try_orders(runtime, position)
    # A lot is gone, so the view has changed.
    assert (kept(games, position, ALICE)[0].dropped or {})["why"] == "changed"


def test_t31_what_only_the_seats_own_order_has_changed_counts_as_unchanged(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    hand = position.ruleset.view(position.state, BOB)["you"]["hand"]
    colour = max(hand, key=lambda each: hand[each])
    square = next(each for each, company in position.state.companies.items() if company.colour == colour)
    infiltrate = f"I {colour} {square}"
    order(games, position, BOB, "P D D", infiltrate)
    alice_plots(games, position)
    position = try_orders(runtime, position)
    alice_plots(games, position)
    try_orders(runtime, position)
    assert [each.action["type"] for each in by_order(games, position.game.id) if each.action][:2] == [
        "plot",
        "infiltrate",
    ]


def test_t32_an_order_is_not_written_before_a_random_time_that_is_drawn_once(runtime: Runtime) -> None:
    games, delays = runtime.games, set()
    due = text("select extract(epoch from not_before - added_at) from outbox where id = :id")
    for _ in range(12):
        position = corp(games)
        order(games, position, BOB, "P D D")
        alice_plots(games, position)
        (row,) = rows(runtime, position.game.id)
        with runtime.engine.connect() as db:
            delays.add(round(float(db.execute(due, {"id": row}).scalar_one())))
    assert min(delays) >= 5 and max(delays) <= 60 and len(delays) > 1


def test_t32_nobody_is_there_to_tell_it_in_a_solo_game(runtime: Runtime) -> None:
    games, position = runtime.games, solo(runtime.games)
    position = act(games, position, ALICE, position.ruleset.legal(position.state, ALICE)[0]).position
    order(games, position, ALICE, "P D")
    (row,) = rows(runtime, position.game.id)
    with runtime.engine.connect() as db:
        left = text("select not_before <= clock_timestamp() from outbox where id = :id")
        assert db.execute(left, {"id": row}).scalar_one()


def test_t32_orders_show_to_nobody_before_they_are_played(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    before = now_at(games, position.game.id)
    order(games, position, BOB, "P D D")
    after = now_at(games, position.game.id)
    assert (after.version, after.folded, after.seats) == (before.version, before.folded, before.seats)
    payloads = text("select payload from outbox where game_id = :game and kind = 'order'")
    alice_plots(games, position)
    with runtime.engine.connect() as db:
        assert db.execute(payloads, {"game": position.game.id}).scalars().all() == [{"decision": 2, "seat": BOB}]


def test_t34_an_auto_answer_is_given_again_and_again_while_orders_wait(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    automatic(games, position, ALICE, "discard-commonest")
    automatic(games, position, BOB, "discard-commonest")
    assert [seat.auto_answers for seat in now_at(games, position.game.id).seats] == [("discard-commonest",)] * 2
    for _ in range(8):
        position = try_orders(runtime, position)
        (seat,) = position.awaited
        assert position.ruleset.view(position.state, seat)["turn"]["phase"] == "turn"
        position = act(games, position, seat, plot(position, "D", "D")).position
    discards = by_order(games, position.game.id)
    assert len(discards) >= 2 and {each.action["type"] for each in discards if each.action} == {"discard"}


def test_t34_an_auto_answer_that_the_ruleset_does_not_have_is_refused(games: Games) -> None:
    position = corp(games)
    with pytest.raises(BadOrder):
        automatic(games, position, BOB, "win-always")
    assert now_at(games, position.game.id).game.ordered == ()


def test_t34_without_orders_and_auto_answers_nothing_is_tried(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    automatic(games, position, BOB, "skip-ability")
    assert now_at(games, position.game.id).game.ordered == (BOB,)
    automatic(games, position, BOB)
    alice_plots(games, position)
    assert now_at(games, position.game.id).game.ordered == ()
    assert rows(runtime, position.game.id) == []


def test_a_decision_for_which_no_auto_answer_is_is_the_players(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    automatic(games, position, BOB, "skip-ability", "discard-commonest")
    asked = alice_plots(games, position)
    assert mails_to(games, position, BOB) == []
    assert try_orders(runtime, position).version == asked.version
    (mail,) = mails_to(games, position, BOB)
    assert mail.payload == {"decision": asked.decision, "seat": BOB}


def test_an_order_given_at_ones_own_turn_is_played_at_that_turn(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, ALICE, "P D D")
    assert len(rows(runtime, position.game.id)) == 1
    after = try_orders(runtime, position)
    assert after.awaited == {BOB}
    assert [each.seat for each in by_order(games, position.game.id)] == [ALICE]


def test_orders_given_several_times_at_ones_own_turn_are_tried_once(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    for notation in ("P 1 2", "P D D", "P 2 3"):
        order(games, position, ALICE, notation)
    assert len(rows(runtime, position.game.id)) == 1
    try_orders(runtime, position)
    (played,) = by_order(games, position.game.id)
    assert played.action == {"type": "plot", "sources": ["2", "3"]}


def test_a_player_who_moves_first_makes_the_row_void(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    asked = alice_plots(games, position)
    moved = act(games, asked, BOB, plot(asked, "1", "2")).position
    assert try_orders(runtime, position).version == moved.version
    assert waiting(games, position, BOB) == ["P D D"]
    assert len(rows(runtime, position.game.id, "skipped")) == 1


def test_orders_cancelled_in_time_leave_the_decision_to_the_player(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    asked = alice_plots(games, position)
    orders.cancel(games, position.game.id, player_in(position, BOB), clock.now())
    assert try_orders(runtime, position).version == asked.version
    assert len(mails_to(games, position, BOB)) == 1


def test_a_take_back_makes_the_row_void_and_no_order_answers_in_its_place(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    order(games, position, ALICE, unconditional(position, "P D D"), unconditional(position, "P D D"))
    infiltrate = next(
        each for each in position.ruleset.legal(position.state, ALICE) if position.ruleset.notate(each).startswith("I")
    )
    act(games, position, ALICE, infiltrate)
    wish = Wish(position.game.id, ALICE, position.decision, "api")
    back = take_back(games, wish, timedelta(minutes=10), clock.now()).position
    assert try_orders(runtime, position).version == back.version
    assert [mail.payload["decision"] for mail in mails_to(games, position, ALICE)][-1] == back.decision
    assert len(waiting(games, position, ALICE)) == 2 and len(waiting(games, position, BOB)) == 1


def test_simultaneous_decisions_are_answered_by_order_too(runtime: Runtime) -> None:
    games, position = runtime.games, sealed_bids(runtime.games)
    card = position.state.hands[BOB][0]
    order(games, position, BOB, NewOrder(Bid(card=card), ()), NewOrder(Hold(), ()))
    after = try_orders(runtime, position)
    assert after.awaited == {ALICE, CAROL}
    for seat in (ALICE, CAROL):
        act(games, now_at(games, position.game.id), seat, Hold())
    after = try_orders(runtime, position)
    assert after.awaited == {ALICE, CAROL} and after.decision == position.decision + 1
    assert [(each.seat, each.action) for each in by_order(games, position.game.id)] == [
        (BOB, {"type": "bid", "card": card}),
        (BOB, {"type": "hold"}),
    ]


@pytest.mark.parametrize("times", range(4))
def test_an_order_and_the_players_own_move_race_and_one_is_written(runtime: Runtime, times: int) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    asked = alice_plots(games, position)
    (row,) = rows(runtime, position.game.id)

    def move() -> None:
        with suppress(StaleDecision, NotYourTurn):
            play(games, Move(position.game.id, BOB, asked.decision, plot(asked, "1", "2"), "api"))

    with ThreadPoolExecutor(8) as threads:
        for work in [lambda: carry_out(runtime, row), move] * 4:
            threads.submit(work)
    after = now_at(games, position.game.id)
    with games.engine.connect() as db:
        log = db.execute(
            text("select door from event where game_id = :game and decision = :decision and action is not null"),
            {"game": position.game.id, "decision": asked.decision},
        ).scalars()
        (door,) = log
    assert after.awaited == {ALICE}
    assert waiting(games, position, BOB) == ([] if door == "order" else ["P D D"])


def test_workers_that_got_the_same_row_at_once_play_it_once(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D", "P D D")
    alice_plots(games, position)
    (row,) = rows(runtime, position.game.id)
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda _: carry_out(runtime, row), range(6)))
    assert len(by_order(games, position.game.id)) == 1
    assert len(waiting(games, position, BOB)) == 1


@pytest.mark.parametrize("point", ["before_cursor_execute", "commit"])
def test_a_worker_that_dies_in_the_middle_leaves_the_order_to_the_next(runtime: Runtime, point: str) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    asked = alice_plots(games, position)
    (row,) = rows(runtime, position.game.id)

    class Died(BaseException):
        pass

    seen: list[object] = []

    def die(*call: object) -> None:
        seen.append(call)
        if (point == "commit" and len(seen) == 3) or (point != "commit" and "insert into event" in str(call[2])):
            raise Died

    event.listen(runtime.engine, point, die)
    try:
        with pytest.raises(Died):
            carry_out(runtime, row)
    finally:
        event.remove(runtime.engine, point, die)
    assert now_at(Games(games.engine, games.rulesets), position.game.id).version == asked.version
    assert waiting(games, position, BOB) == ["P D D"]
    try_orders(runtime, position)
    assert len(by_order(games, position.game.id)) == 1


def test_an_order_of_which_workers_die_is_dropped_and_the_player_asked(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    asked = alice_plots(games, position)
    (row,) = rows(runtime, position.game.id)
    with runtime.engine.begin() as db:
        db.execute(text("update outbox set attempts = 8 where id = :id"), {"id": row})
    carry_out(runtime, row)
    assert now_at(games, position.game.id).version == asked.version
    assert (kept(games, position, BOB)[0].dropped or {})["why"] == "failed"
    assert len(mails_to(games, position, BOB)) == 1


def test_an_action_accepted_while_orders_are_given_takes_account_of_them(runtime: Runtime) -> None:
    """Given a position read before Bob gave an order, when Alice acts on it, then the order is tried nevertheless."""
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    move = Move(position.game.id, ALICE, position.decision, plot(position, "D", "D"), "api")
    play(games, move, seen=position)
    assert len(rows(runtime, position.game.id)) == 1
    assert mails_to(games, position, BOB) == []


def test_an_action_is_one_statement_whether_there_are_orders_or_not(runtime: Runtime) -> None:
    games, counted = runtime.games, []
    for given in ((), ("P D D",)):
        position = corp(games)
        order(games, position, BOB, *given)
        position, seen = now_at(games, position.game.id), []

        def note(*call: object, seen: list[object] = seen) -> None:
            seen.append(call[2])

        event.listen(hand_of(games.engine).engine, "before_cursor_execute", note)
        act_on = Move(position.game.id, ALICE, position.decision, plot(position, "1", "2"), "api")
        play(games, act_on, seen=position)
        event.remove(hand_of(games.engine).engine, "before_cursor_execute", note)
        counted.append(len([each for each in seen if "from seed" not in str(each)]))
    assert counted == [1, 1]


def test_who_may_not_play_may_not_give_orders(games: Games) -> None:
    position, stranger = corp(games), carol(games)
    with pytest.raises(NotSeated):
        orders.give(games, position.game.id, stranger.id, (), clock.now())
    resign(games, position.game.id, player_in(position, BOB), "api", clock.now())
    with pytest.raises(NotRunning):
        order(games, position, BOB, "P D D")
    three = sealed_bids(games)
    resign(games, three.game.id, player_in(three, BOB), "api", clock.now())
    with pytest.raises(AlreadyResigned):
        orders.give(games, three.game.id, player_in(three, BOB), (), clock.now())
    host = alice(games)
    table = opened(games, "new-corp-order", [host, bob(games)])
    with pytest.raises(NotRunning):
        orders.give(games, table, host.id, (), clock.now())


@pytest.mark.parametrize("notation", ["T A1-C3 1", "T A4-B4 1", "P 1 2 3", "ODS"])
def test_an_order_that_no_turn_of_the_table_could_allow_is_refused(games: Games, notation: str) -> None:
    position = corp(games)
    order(games, position, BOB, "P D D")
    with pytest.raises(BadOrder) as refused:
        order(games, position, BOB, "P D D", notation)
    assert (refused.value.why, refused.value.pointer) == ("illegal", "/orders/1")
    assert waiting(games, position, BOB) == ["P D D"]


def test_a_condition_that_points_nowhere_is_refused(games: Games) -> None:
    position = corp(games)
    with pytest.raises(BadOrder) as refused:
        order(games, position, BOB, NewOrder(plot(position, "D", "D"), [Condition("/deck"), Condition("/hidden/0")]))
    assert refused.value.pointer == "/orders/0/conditions/1/pointer"


def test_t32_an_order_is_played_before_its_seats_time_is_up(runtime: Runtime) -> None:
    games = runtime.games
    pace = Pace(free=12, bank=0, credit=0, cap=0)
    for _ in range(8):
        position = paced(games, pace, "new-corp-order", [alice(games), bob(games)], **{"first-player": ALICE})
        order(games, position, BOB, "P D D")
        asked = act(games, position, ALICE, plot(position, "D", "D")).position
        assert asked.clocks is not None and asked.awaited == {BOB}
        (row,) = rows(runtime, position.game.id)
        due = text("select extract(epoch from not_before) * 1000 from outbox where id = :id")
        with runtime.engine.connect() as db:
            at = db.execute(due, {"id": row}).scalar_one()
        assert at < (asked.clocks.deadline(BOB) or 0)


def test_an_action_on_a_remembered_position_takes_account_of_orders_too(
    runtime: Runtime, api: Caller, games: Games
) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": ALICE})
    now = position
    for seat in (ALICE, BOB):
        assert api.by(people[seat]).act(position.game.id, now.decision, "P D D").status_code == 201
        now = settle(games, now_at(games, position.game.id), seat)
    order(games, position, BOB, unconditional(position, "P D D"))
    # The process remembers the game as it was before the order.
    notations = map(now.ruleset.notate, now.ruleset.legal(now.state, ALICE))
    infiltrate = next(each for each in notations if each.startswith("I"))
    assert api.by(people[ALICE]).act(position.game.id, now.decision, infiltrate).status_code == 201
    assert now_at(games, position.game.id).awaited == {BOB}
    assert len(rows(runtime, position.game.id)) == 1


def test_who_resigns_leaves_no_orders_behind(games: Games) -> None:
    position = sealed_bids(games)
    order(games, position, BOB, NewOrder(Hold(), ()))
    resign(games, position.game.id, player_in(position, BOB), "api", clock.now())
    assert kept(games, position, BOB) == []


def test_the_relay_knows_when_the_next_order_is_due(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox"))
        assert outbox.seconds_left(db, ["order", "lapse", "automaton"]) is None
    order(games, position, BOB, "P D D")
    alice_plots(games, position)
    with runtime.engine.begin() as db:
        left = outbox.seconds_left(db, ["order", "lapse", "automaton"])
        assert left is not None and 4 < left <= 60
        assert outbox.seconds_left(db, ["lapse", "automaton"]) is None


def test_orders_go_with_the_account(games: Games) -> None:
    position = corp(games)
    order(games, position, BOB, "P D D")
    automatic(games, position, BOB, "skip-ability")
    leave(games, player_in(position, BOB), "api", clock.now())
    assert kept(games, position, BOB) == []
    assert now_at(games, position.game.id).seats[BOB].auto_answers == ()


def test_orders_for_a_game_that_is_over_do_nothing(runtime: Runtime) -> None:
    games, position = runtime.games, sealed_bids(runtime.games)
    order(games, position, BOB, NewOrder(Hold(), ()))
    over = finished(games, now_at(games, position.game.id))
    assert try_orders(runtime, position).version == over.version
    assert by_order(games, position.game.id) == []
