"""An action is taken back: as if it had not been, except that everybody can read that it was."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from service.handlers import links
from service.handlers.append import Played
from service.handlers.pace import restore_waiting
from service.handlers.play import Move, play, resign
from service.handlers.refusals import (
    CannotBeTakenBack,
    KeyReused,
    NothingToTakeBack,
    NotRunning,
    StaleDecision,
    TooLateToTakeBack,
)
from service.handlers.take_back import Wish, take_back
from service.handlers.talk import say
from service.rules.lookahead import afterwards
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.games import Games, Position
from service.store.idempotency import IdempotencyKey
from service.views.history import history, latest_recap
from tests.builders import act, finished, now_at, sealed_bids, started
from tests.games.sealed_bids.actions import Bid, Hold
from tests.letters import letters, turn_mails
from tests.people import alice, bob
from tests.rest import Caller, refused
from tests.rules.playouts import RULESETS, chance_of, random_game, times
from workers.relay import Relay

ALICE, BOB, CAROL = 0, 1, 2
TEN_MINUTES = timedelta(minutes=10)


def corp(games: Games) -> Position:
    """Alice's first turn in New Corp Order, against Bob."""
    return started(games, "new-corp-order", [alice(games), bob(games)], **{"first-player": ALICE})


def open_action(position: Position) -> Any:
    """An action of the seat to act that shows nothing but its own cards."""
    ruleset, (seat,) = position.ruleset, position.awaited
    legal = ruleset.legal(position.state, seat)
    return next(each for each in legal if afterwards(ruleset, position.state, 2, seat, each) is not None)


def taken_back(games: Games, position: Position, seat: int, decision: int, **how: Any) -> Played:
    wish = Wish(position.game.id, seat, decision, "api")
    return take_back(games, wish, how.pop("window", TEN_MINUTES), how.pop("now", clock.now()), **how)


def fresh(games: Games, position: Position) -> Position:
    """The game as a process knows it that has not seen it before."""
    return now_at(Games(games.engine, games.rulesets), position.game.id)


def test_the_game_is_where_it_was_and_the_log_tells_both(games: Games) -> None:
    before = corp(games)
    acted = act(games, before, ALICE, open_action(before))
    after = taken_back(games, before, ALICE, 1)
    assert after.position.state == before.state
    assert after.position.awaited == {ALICE}
    assert fresh(games, before).folded == now_at(games, before.game.id).folded == after.position.folded
    with games.engine.connect() as db:
        told = history(db, after.position, None, before.version, 99, "en")
    assert [each["seq"] for each in told] == list(range(before.version + 1, after.position.version + 1))
    last = {"seat": ALICE, "first": acted.events[0].seq, "last": acted.events[-1].seq, "agreed": []}
    assert (told[-1]["data"], told[-1]["text"]) == (last, "Alice takes the last move back.")


def test_the_decision_gets_a_new_number_so_that_nothing_old_plays_another_one(games: Games) -> None:
    before = corp(games)
    action = open_action(before)
    passed = act(games, before, ALICE, action).position.decision
    again = taken_back(games, before, ALICE, 1).position
    assert again.decision == passed + 1
    for decision in (1, passed):
        with pytest.raises(StaleDecision):
            play(games, Move(again.game.id, ALICE, decision, action, "link"))
    onward = play(games, Move(again.game.id, ALICE, again.decision, action, "link")).position
    assert onward.decision > again.decision
    assert fresh(games, before).folded == onward.folded
    with games.engine.begin() as db:
        row = text("select faces, awaited, since from game where id = :id"), {"id": before.game.id}
        stored = db.execute(*row).one()
    restore_waiting(games, before.game.id)
    with games.engine.connect() as db:
        assert db.execute(*row).one() == stored


def test_it_can_be_done_again_and_again(games: Games) -> None:
    position = start = corp(games)
    faced = [position.decision]
    for _ in range(3):
        play(games, Move(start.game.id, ALICE, faced[-1], open_action(position), "api"))
        position = taken_back(games, position, ALICE, faced[-1]).position
        assert position.state == start.state
        faced.append(position.decision)
    assert len({*faced}) == len(faced)
    assert fresh(games, start).folded == position.folded


def test_where_others_still_face_the_decision_it_keeps_its_number_and_only_the_seat_is_written_to(games: Games) -> None:
    before = sealed_bids(games)
    for card in before.state.hands[ALICE][:2]:
        act(games, before, ALICE, Bid(card=card))
        after = taken_back(games, before, ALICE, 1).position
        assert (after.state, after.decision) == (before.state, 1)
        waiting = turn_mails(games, before)
        # The first time no mail has been sent yet, and the one that is to be will do.
        assert [row.payload["seat"] for row in waiting] == [ALICE, BOB, CAROL]
        with games.engine.begin() as db:
            outbox.finish(db, waiting[0].id, "done")


def test_a_mail_brings_a_new_link_and_that_of_the_decision_that_vanished_is_not_sent(
    runtime: Runtime, games: Games, mailbox: Any
) -> None:
    before = corp(games)
    relay = Relay(replace(runtime, redis=None))
    act(games, before, ALICE, open_action(before))
    after = taken_back(games, before, ALICE, 1).position
    while relay.drain():
        pass
    asking = [mail for mail in letters(mailbox, before.game.id) if mail.asks]
    assert [mail.recipient for mail in asking] == ["alice@example.org"]
    with games.engine.connect() as db:
        link = links.resolve(db, asking[0].token)
    assert link is not None and (link.decision, link.revoked_at) == (after.decision, None)


def test_old_links_of_the_seat_are_out_of_use_afterwards_and_no_others(games: Games) -> None:
    before, other = sealed_bids(games), sealed_bids(games)
    with games.engine.begin() as db:
        now = clock.now()
        tokens = [links.issue(db, game.game.id, seat, 1, now) for game in (before, other) for seat in (ALICE, BOB)]
    act(games, before, ALICE, Hold())
    taken_back(games, before, ALICE, 1)
    with games.engine.connect() as db:
        found = [links.resolve(db, token) for token in tokens]
    assert [link and link.revoked_for for link in found] == ["taken-back", None, None, None]


def test_what_was_not_played_cannot_be_taken_back(games: Games) -> None:
    position = sealed_bids(games)
    say(games, position.game.id, position.seats[ALICE].player_id, "Hello!", "api", clock.now())
    for seat, decision in ((ALICE, 1), (ALICE, 2), (BOB, 1)):
        with pytest.raises(NothingToTakeBack):
            taken_back(games, position, seat, decision)
    act(games, position, ALICE, Hold())
    for seat, decision in ((ALICE, 2), (BOB, 1)):
        with pytest.raises(NothingToTakeBack):
            taken_back(games, position, seat, decision)
    taken_back(games, position, ALICE, 1)
    with pytest.raises(NothingToTakeBack):
        taken_back(games, position, ALICE, 1)


def test_it_is_too_late_once_somebody_has_acted_or_the_time_is_over_but_talk_does_not_count(games: Games) -> None:
    position = sealed_bids(games)
    act(games, position, ALICE, Hold())
    say(games, position.game.id, position.seats[BOB].player_id, "Quick!", "api", clock.now())
    with pytest.raises(TooLateToTakeBack, match="time"):
        taken_back(games, position, ALICE, 1, now=clock.now() + TEN_MINUTES * 1.01)
    act(games, position, BOB, Hold())
    with pytest.raises(TooLateToTakeBack, match="acted"):
        taken_back(games, position, ALICE, 1)
    taken_back(games, position, BOB, 1)
    assert taken_back(games, position, ALICE, 1).position.state == position.state


def test_a_resignation_since_makes_it_too_late(games: Games) -> None:
    position = sealed_bids(games)
    act(games, position, ALICE, Hold())
    resign(games, position.game.id, position.seats[BOB].player_id, "api", clock.now())
    with pytest.raises(TooLateToTakeBack, match="acted"):
        taken_back(games, position, ALICE, 1)


def test_what_has_shown_something_cannot_be_taken_back(games: Games) -> None:
    position = sealed_bids(games)
    for seat in (ALICE, BOB, CAROL):
        last = act(games, position, seat, Bid(card=position.state.hands[seat][0])).position
    with pytest.raises(CannotBeTakenBack):
        taken_back(games, position, CAROL, 1)
    assert now_at(games, position.game.id).version == last.version
    over = finished(games, sealed_bids(games))
    with pytest.raises(NotRunning):
        taken_back(games, over, CAROL, 3)


@times(3)
@given(seed=st.integers(0, 9))
def test_whatever_asks_for_chance_or_shows_hidden_cards_counts_as_showing_something(seed: int) -> None:
    for name, seats in (("new-corp-order", 2), ("sealed-bids", 3), ("bastards-inc", 3)):
        ruleset, dice = RULESETS[name], chance_of(seed)
        for step in random_game(name, seats, seed).steps[::3]:
            seen = afterwards(ruleset, step.before, seats, step.seat, step.action)
            names = {type(fact).__name__ for fact in ruleset.decide(step.before, step.seat, step.action, dice)}
            if names & {"LotAwarded", "DisplayRefilled", "CardsDrawn"}:
                assert seen is None, names
            if seen is not None:
                for viewer in (step.seat, None):
                    assert ruleset.view(seen, viewer) == ruleset.view(step.after, viewer)


def test_of_many_who_take_back_at_once_one_does_and_an_action_at_that_moment_is_kept_or_comes_first(
    games: Games,
) -> None:
    position = sealed_bids(games)
    act(games, position, ALICE, Hold())

    def retract(_: int) -> str:
        try:
            taken_back(games, position, ALICE, 1)
        except (NothingToTakeBack, TooLateToTakeBack) as refusal:
            return type(refusal).__name__
        return "taken back"

    with ThreadPoolExecutor(6) as pool:
        others = [pool.submit(act, games, position, seat, Hold()) for seat in (BOB,)]
        told = list(pool.map(retract, range(8)))
        assert all(other.result().position for other in others)
    after = fresh(games, position)
    assert told.count("taken back") == (ALICE not in after.state.sealed) <= 1
    assert BOB in after.state.sealed
    assert after.folded == now_at(games, position.game.id).folded


def test_a_request_that_is_repeated_under_its_key_takes_back_once(games: Games) -> None:
    position, other = sealed_bids(games), sealed_bids(games)
    act(games, position, ALICE, Hold())
    key = IdempotencyKey(position.seats[ALICE].player_id, uuid4().hex)
    first, second = (taken_back(games, position, ALICE, 1, key=key) for _ in range(2))
    assert (first, second.again) == (second, True)
    with pytest.raises(KeyReused):
        taken_back(games, other, ALICE, 1, key=key)


def test_over_the_api_it_is_a_post_that_says_what_became_of_it(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": ALICE})
    place, caller = f"/games/{position.game.id}", api.by(people[0])
    notation = position.ruleset.notate(open_action(position))
    assert caller.post(f"{place}/actions", {"decision": 1, "notation": notation}).status_code == 201
    refused(api.by(people[1]).post(f"{place}/take-back", {"decision": 1}), 409, "nothing-to-take-back")
    answer = caller.post(f"{place}/take-back", {"decision": 1})
    assert answer.status_code == 201 and answer.json
    assert [event["type"] for event in answer.json["events"]] == ["action-taken-back"]
    assert answer.json["decision"] == answer.json["table"]["decision"] > 1
    refused(caller.post(f"{place}/take-back", {"decision": 1}), 409, "nothing-to-take-back")
    refused(caller.post(f"{place}/actions", {"decision": 1, "notation": notation}), 409, "stale-decision")
    revealing = {"decision": answer.json["decision"], "notation": "P D"}
    assert caller.post(f"{place}/actions", revealing).status_code == 201
    refused(caller.post(f"{place}/take-back", {"decision": revealing["decision"]}), 409, "cannot-be-taken-back")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Alice takes the last move back."),
        ("de", "Alice nimmt den letzten Zug zurück."),
        ("fr", "Alice reprend son dernier coup."),
    ],
)
def test_the_others_read_of_it_in_their_language_and_not_of_what_was_taken_back(
    games: Games, language: str, sentence: str
) -> None:
    before = corp(games)
    action = open_action(before)
    act(games, before, ALICE, action)
    after = taken_back(games, before, ALICE, 1).position
    with games.engine.connect() as db:
        bobs = latest_recap(db, after, BOB, language).sentences
        own = latest_recap(db, after, ALICE, language).sentences
    assert bobs[-1] == own[-1] == sentence
    assert bobs[0] == own[0]
    assert sentence not in bobs[:-1]
