"""Events survive the way into the database and back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from service.log.codec import Codec, UnknownEvent, action_json, encode, event_data
from service.rules.kernel import GameStarted
from service.rules.shared_events import SeatResigned, SomethingSaid
from tests.games.sealed_bids import RULESET
from tests.games.sealed_bids.actions import Bid, Hold
from tests.games.sealed_bids.events import BidSealed, HandDealt, LotAwarded, Sealed

STARTED = GameStarted(
    ruleset="sealed-bids", revision=1, seats=3, options={"double": True}, commitment="c0", nonces=("aa", "bb", "cc")
)
AWARDED = LotAwarded(lot=2, bids=(Sealed(0, 7), Sealed(1, None)), dice=(3, 4), seat=0)


@pytest.mark.parametrize(
    "event",
    [
        STARTED,
        AWARDED,
        HandDealt(seat=1, cards=(2, 9)),
        BidSealed(seat=2, card=None),
        SeatResigned(seat=2, ends=True),
        SomethingSaid(seat=0),
    ],
)
def test_an_event_comes_back_as_it_went(event: Any) -> None:
    back = Codec(RULESET).decode(*encode(event))
    assert back == event
    assert type(back) is type(event)


def test_nested_records_come_back_as_what_they_were() -> None:
    back = Codec(RULESET).decode(*encode(AWARDED))
    assert isinstance(back.bids, tuple)
    assert isinstance(back.bids[0], Sealed)


def test_a_stored_name_is_the_class_name_in_kebab_case() -> None:
    assert encode(STARTED)[0] == "game-started"
    assert encode(BidSealed(seat=0, card=3)) == ("bid-sealed", '{"seat":0,"card":3}')


def test_event_data_is_made_of_json_types() -> None:
    assert event_data(AWARDED) == {"lot": 2, "bids": [[0, 7], [1, None]], "dice": [3, 4], "seat": 0}


def test_an_action_is_written_as_it_is_posted() -> None:
    assert action_json(Bid(card=4)) == {"type": "bid", "card": 4}
    assert action_json(Hold()) == {"type": "hold"}


def test_a_field_of_the_wrong_type_is_not_read() -> None:
    with pytest.raises(ValueError, match="Expected `int"):
        Codec(RULESET).decode("bid-sealed", '{"seat": 0, "card": "seven"}')


def test_an_event_of_an_older_shape_is_read_in_todays() -> None:
    def upcast(name: str, fields: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return ("bid-sealed", {"seat": fields["who"], "card": fields["card"]}) if name == "bid-made" else (name, fields)

    older = replace(RULESET, upcast=upcast)
    assert Codec(older).decode("bid-made", '{"who": 1, "card": 5}') == BidSealed(seat=1, card=5)


def test_a_name_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(UnknownEvent, match="bid-burnt"):
        Codec(RULESET).decode("bid-burnt", "{}")


def test_a_ruleset_whose_names_are_not_those_of_its_classes_is_refused() -> None:
    @dataclass(frozen=True)
    class PrizeGiven:
        seat: int

    with pytest.raises(ValueError, match="prize-given"):
        Codec(replace(RULESET, event_types={"prize": PrizeGiven}))
