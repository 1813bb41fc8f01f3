"""Dry runs: what an action would cause, without anything that one could not know before acting."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from msgspec import structs

from service.log.codec import action_json, stored_name
from service.rules.kernel import Illegal
from service.store.games import Games, Position
from service.views.dry_run import dry_run
from tests.builders import act, first_legal, now_at, sealed_bids, started
from tests.games.sealed_bids.actions import Bid, Hold
from tests.mail.test_play import dump
from tests.people import alice, bob, carol
from tests.rest import Caller, refused
from tests.rules.new_corp_order.support import any_action
from tests.rules.playouts import RULESETS, chance_of, random_game

TABLES = [("new-corp-order", 1), ("new-corp-order", 2), ("new-corp-order", 4), ("sealed-bids", 3), ("bastards-inc", 3)]
every_table = pytest.mark.parametrize(("name", "seats"), TABLES)


def table_of(games: Games, name: str, seats: int) -> Position:
    people = [alice(games, None), bob(games, None), carol(games, None), bob(games, None)][:seats]
    return started(games, name, people)


def at(position: Position, state: Any) -> Position:
    return replace(position, folded=structs.replace(position.folded, state=state))


def told(position: Position, seat: int, action: Any) -> str:
    """Return the dry run for the seat as JSON, or a refusal with all its facts."""
    try:
        return json.dumps(dry_run(position, seat, action, "en"))
    except Illegal as illegal:
        facts = repr(sorted(illegal.facts.items()))
        return json.dumps([illegal.code, illegal.rule, facts, position.ruleset.describe(illegal, seat, "en", "ABCD")])


@every_table
def test_tables_that_differ_in_what_is_hidden_give_the_same_bytes(games: Games, name: str, seats: int) -> None:
    position, random, ruleset = table_of(games, name, seats), Random(5), RULESETS[name]
    for seed in (1, 2):
        states = random_game(name, seats, seed).states
        # Of a long game as many states as of a short one.
        for state in states[: -1 : max(5, len(states) // 16)]:
            for seat in at(position, state).awaited:
                others = ruleset.imagine(state, seat)
                asked = [random.choice(list(ruleset.legal(state, seat))) for _ in range(4)]
                asked += [any_action(random)] if name == "new-corp-order" else [Bid(card=21), Bid(card=1)]
                for action in asked:
                    answer = told(at(position, state), seat, action)
                    for other in (others[0], others[-1], random.choice(others)):
                        assert answer == told(at(position, other), seat, action)


@every_table
def test_what_is_told_comes_true(games: Games, name: str, seats: int) -> None:
    position, random, ruleset = table_of(games, name, seats), Random(6), RULESETS[name]
    for seed in (3, 4):
        for state in random_game(name, seats, seed).states[:-1:3]:
            for seat in at(position, state).awaited:
                action = random.choice(list(ruleset.legal(state, seat)))
                forecast = dry_run(at(position, state), seat, action, "en")
                happened = ruleset.decide(state, seat, action, chance_of(seed))
                assert len(happened) == len(forecast["items"]) if forecast["complete"] else happened
                for item, event in zip(forecast["items"], happened, strict=False):
                    assert item["type"] == stored_name(type(event))
                    assert holds(item["data"], ruleset.redact(event, seat)), (item, event)


def holds(foretold: Any, real: Any) -> bool:
    """Return whether the real value agrees with the forecast."""
    if foretold is None:
        return True
    if isinstance(foretold, dict):
        return foretold.keys() == real.keys() and all(holds(foretold[key], real[key]) for key in foretold)
    if isinstance(foretold, list):
        return len(foretold) == len(real) and all(map(holds, foretold, real))
    return bool(foretold == real)


def test_a_card_from_the_deck_stays_unknown_even_if_everybody_will_see_it(games: Games) -> None:
    position = table_of(games, "new-corp-order", 1)
    position = act(games, position, 0, first_legal(position, 0)).position
    plot = position.ruleset.parse("P deck")
    (taken, *_) = dry_run(position, 0, plot, "en")["items"]
    assert taken["type"] == "card-taken"
    assert (taken["data"]["source"], taken["data"]["card"], taken["data"]["to"]) == ("deck", None, None)
    assert taken["text"] is None


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", [*["You took a card from the deck."] * 2, "Bob's turn began."]),
        ("de", [*["Du hast eine Karte vom Stapel gezogen."] * 2, "Der Zug von Bob hat begonnen."]),
        ("fr", [*["Vous avez pris une carte de la pioche."] * 2, "Le tour de Bob a commencé."]),
    ],
)
def test_what_oneself_draws_unseen_is_told_to_oneself(games: Games, language: str, texts: list[str]) -> None:
    position = started(games, "new-corp-order", [alice(games), bob(games)], **{"first-player": 0})
    items = dry_run(position, 0, position.ruleset.parse("P D D"), language)["items"]
    assert [item["text"] for item in items] == texts


@every_table
def test_a_forecast_says_you_to_whoever_acts_as_a_recap_does(games: Games, name: str, seats: int) -> None:
    position, random, ruleset = table_of(games, name, seats), Random(9), RULESETS[name]
    names, addressed, unseen = position.names_in("en"), 0, 0
    for state in random_game(name, seats, 2).states[:-1:5]:
        for seat in at(position, state).awaited:
            action = random.choice(list(ruleset.legal(state, seat)))
            items = dry_run(at(position, state), seat, action, "en")["items"]
            for item, event in zip(items, ruleset.decide(state, seat, action, chance_of(1)), strict=False):
                own, others = (ruleset.describe(event, viewer, "en", names) for viewer in (seat, None))
                assert item["text"] is None or (names[seat] in item["text"]) == (names[seat] in own), item
                addressed += own != others
                unseen += item["text"] not in (None, own, others)
    assert (addressed > 0) == (name != "sealed-bids")
    assert name != "new-corp-order" or seats == 1 or unseen


def test_open_cards_are_told_and_what_takes_their_place_is_not(games: Games) -> None:
    position = started(games, "new-corp-order", [alice(games), bob(games)], **{"first-player": 0})
    items = dry_run(position, 0, position.ruleset.parse("P 1 2"), "en")["items"]
    assert [item["type"] for item in items] == ["card-taken", "card-taken", "display-refilled", "turn-began"]
    assert [item["data"]["card"] for item in items[:2]] == list(position.state.display[:2])
    assert items[2]["data"] == {"cards": [["1", None], ["2", None]]}
    assert items[0]["text"]
    assert items[2]["text"] is None


def test_neither_bids_of_others_nor_dice_are_told(games: Games) -> None:
    position = sealed_bids(games)
    position = act(games, position, 1, Hold()).position
    position = act(games, position, 2, first_legal(position, 2)).position
    sealed, awarded = dry_run(position, 0, first_legal(position, 0), "en")["items"]
    assert sealed["data"] == {"seat": 0, "card": position.state.hands[0][0]}
    assert awarded["data"]["dice"] == [None]
    assert [bid["card"] for bid in awarded["data"]["bids"]] == [position.state.hands[0][0], None, None]


def test_over_the_api_nothing_is_played_and_nothing_is_written(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    card = position.state.hands[0][0]
    body = {"decision": 1, "action": {"type": "bid", "card": card}}
    place = f"/games/{position.game.id}/actions"
    # The first use of a token is noted with it.
    api.by(people[0]).get(f"/games/{position.game.id}")
    before = dump(games)
    answer = api.by(people[0]).post(f"{place}?dry_run=true", body, Idempotency_Key="rehearsal-1")
    assert answer.status_code == 200
    assert answer.json == {
        "decision": 1,
        "items": [{"type": "bid-sealed", "data": {"seat": 0, "card": card}, "text": "Alice has decided."}],
        "complete": True,
    }
    assert dump(games) == before
    assert api.by(people[0]).post(place, body, Idempotency_Key="rehearsal-1").status_code == 201


def test_it_is_refused_as_the_action_would_be(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    place = f"/games/{position.game.id}/actions?dry_run=true"
    foreign = position.state.hands[1][0]
    caller = api.by(people[0])
    refused(caller.post(place, {"decision": 1, "action": {"type": "bid", "card": foreign}}), 409, "illegal-action")
    refused(caller.post(place, {"decision": 2, "notation": "hold"}), 409, "stale-decision")
    refused(caller.post(place, {"decision": 1, "notation": "fold"}), 422, "unreadable-notation")
    refused(api.by(alice(games)).post(place, {"decision": 1, "notation": "hold"}), 403, "not-seated")
    refused(caller.post(place.replace("true", "yes"), {"decision": 1, "notation": "hold"}), 422, "validation")
    act(games, position, 0, Hold())
    refused(caller.post(place, {"decision": 1, "notation": "hold"}), 409, "not-your-turn")
    assert now_at(games, position.game.id).version == position.version + 1
    assert action_json(Hold()) == {"type": "hold"}


def test_a_private_game_is_not_there_for_the_dry_run_of_a_stranger(api: Caller, games: Games) -> None:
    position = started(games, "new-corp-order", [alice(games)])
    place = f"/games/{position.game.id}/actions?dry_run=true"
    refused(api.by(bob(games)).post(place, {"decision": position.decision, "notation": "p d d"}), 404, "unknown-game")
