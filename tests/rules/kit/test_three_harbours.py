"""The kit makes a whole game of Three Harbours from a few files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from service.rules.chance import Chance
from service.rules.kernel import GameStarted, Illegal, fold
from service.rules.kit.wording import Wording
from tests.games import three_harbours
from tests.games.three_harbours import META, RULESET
from tests.games.three_harbours.records import ContractsDealt, OrderSealed, Sail, ShipsArrived, State
from tests.games.three_harbours.texts import TEXTS

NAMES = ("Alice", "Bob")
GAME = Path(three_harbours.__file__).parent
MOST_LINES = 320
STARTED = GameStarted(ruleset="three-harbours", revision=1, seats=2, commitment="", nonces=())
DEALT = ContractsDealt(contracts=("north", "east"), aside=("north", "east", "south", "south"))
START: State = fold(RULESET, (STARTED, DEALT))


def test_a_game_with_sealed_orders_dice_and_a_hidden_objective_is_short() -> None:
    files = [path for path in GAME.iterdir() if path.is_file()]
    assert len(files) == 5
    assert sum(len(path.read_text().splitlines()) for path in files) <= MOST_LINES


def test_alice_is_told_her_contract_and_carol_that_there_are_contracts() -> None:
    assert RULESET.describe(DEALT, 0, "en", NAMES) == "Your contract: North."
    assert RULESET.describe(DEALT, 1, "fr", NAMES) == "Votre contrat\N{NO-BREAK SPACE}: Est."
    assert RULESET.describe(DEALT, None, "en", NAMES) == "Everybody gets a contract."


def test_bobs_order_is_told_to_bob_alone() -> None:
    sealed = OrderSealed(seat=1, harbour="south")
    told = [RULESET.describe(sealed, viewer, "de", NAMES) for viewer in (0, 1, None)]
    assert told == ["Bob hat entschieden.", "Bob segelt nach Süd.", "Bob hat entschieden."]


def test_the_table_says_what_its_reader_may_know() -> None:
    sealed = fold(RULESET, (OrderSealed(seat=1, harbour="south"),), START)
    assert RULESET.draw(RULESET.view(sealed, 1), "en", NAMES).splitlines() == [
        "Three Harbours, round 1 of 5",
        "Alice: 0 goods; visits: –; contract: …",
        "Bob: 0 goods; visits: –; contract: East",
        "Your order: South",
    ]


def test_standings_count_what_a_seat_has_at_least() -> None:
    arrived = ShipsArrived(round=1, harbours=("north", "east"), dice=(3, 5, 6))
    state = fold(RULESET, (arrived,), START)
    assert RULESET.standings(state, 0) == {"scores": [3 + 2, 5]}
    assert RULESET.standings(state, None) == {"scores": [3, 5]}
    assert list(RULESET.measures[0].count(state)) == [3 + 2, 5 + 2]


def test_an_order_cannot_be_given_twice() -> None:
    sealed = fold(RULESET, (OrderSealed(seat=1, harbour="south"),), START)
    with pytest.raises(Illegal, match="already-sealed"):
        RULESET.decide(sealed, 1, Sail(harbour="north"), Chance(bytes(32)))


def test_the_guide_shows_the_table_after_the_first_round() -> None:
    example = RULESET.guide("en").example
    assert example.state.round == 2 and example.names == ("Ada", "Ben", "Cleo", "Dora")


def test_a_language_that_lacks_a_text_is_refused_by_the_key() -> None:
    texts = {**TEXTS, "de": {key: text for key, text in TEXTS["de"].items() if key != "sail.harbour"}}
    with pytest.raises(ValueError, match=r"^three-harbours lacks texts in de: sail\.harbour$"):
        Wording(META, texts, tuple(RULESET.event_types.values()), (Sail,))


def test_any_default_can_be_replaced() -> None:
    def caption(*_: object) -> str:
        return "All at sea."

    assert replace(RULESET, caption=caption).caption({}, "en", ()) == "All at sea."
