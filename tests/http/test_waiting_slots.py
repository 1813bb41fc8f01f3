"""Places for requests that wait: of an account, of a network, and in all."""

from __future__ import annotations

from uuid import uuid4

import pytest

from service.http.waiting_slots import STREAMS, STREAMS_OF_NETWORK, Full, WaitingSlots


def test_there_are_so_many_places_and_each_is_given_back_once() -> None:
    slots, one, other = WaitingSlots(places=STREAMS + 1), uuid4(), uuid4()
    leave, *_ = [slots.stream(one, "192.0.2.1") for _ in range(STREAMS)]
    with pytest.raises(Full) as own:
        slots.stream(one, "192.0.2.1")
    slots.wait(one)
    with pytest.raises(Full) as all_taken:
        slots.stream(other, "192.0.2.1")
    assert (own.value.whose, all_taken.value.whose) == ("own", None)
    leave()
    leave()
    slots.stream(other, "192.0.2.1")
    with pytest.raises(Full):
        slots.stream(one, "192.0.2.1")


def test_a_network_has_so_many_streams_whoever_opens_them() -> None:
    slots = WaitingSlots()
    leave = [slots.stream(uuid4(), "192.0.2.1") for _ in range(STREAMS_OF_NETWORK)]
    with pytest.raises(Full) as full:
        slots.stream(uuid4(), "192.0.2.1")
    assert full.value.whose == "network"
    slots.stream(uuid4(), "192.0.2.2")
    slots.wait(uuid4())
    leave[0]()
    slots.stream(uuid4(), "192.0.2.1")
