"""T-30 to T-34: moves given ahead are played when their seat is asked, once, and never what the rules forbid."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from service.handlers import orders
from service.handlers.delete_account import delete_account
from service.handlers.orders import Condition, NewOrder
from service.handlers.play import resign
from service.handlers.refusals import (
    AlreadyResigned,
    BadOrder,
    NotRunning,
    NotSeated,
    TooMany,
)
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.builders import act, finished, now_at, opened, sealed_bids
from tests.games.sealed_bids.actions import Bid, Hold
from tests.ordering import (
    ALICE,
    BOB,
    CAROL,
    alice_plots,
    automatic,
    by_order,
    corp,
    kept,
    mails_to,
    on,
    order,
    player_in,
    plot,
    rows,
    settle,
    try_orders,
    unconditional,
    waiting,
)
from tests.people import alice, bob, carol


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


def test_who_resigns_leaves_no_orders_behind(games: Games) -> None:
    position = sealed_bids(games)
    order(games, position, BOB, NewOrder(Hold(), ()))
    resign(games, position.game.id, player_in(position, BOB), "api", clock.now())
    assert kept(games, position, BOB) == []


def test_orders_go_with_the_account(games: Games) -> None:
    position = corp(games)
    order(games, position, BOB, "P D D")
    automatic(games, position, BOB, "skip-ability")
    delete_account(games, player_in(position, BOB), "api", clock.now())
    assert kept(games, position, BOB) == []
    assert now_at(games, position.game.id).seats[BOB].auto_answers == ()


def test_orders_for_a_game_that_is_over_do_nothing(runtime: Runtime) -> None:
    games, position = runtime.games, sealed_bids(runtime.games)
    order(games, position, BOB, NewOrder(Hold(), ()))
    over = finished(games, now_at(games, position.game.id))
    assert try_orders(runtime, position).version == over.version
    assert by_order(games, position.game.id) == []
