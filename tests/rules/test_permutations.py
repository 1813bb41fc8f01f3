"""Permutations of hidden things, from which the rules imagine tables that a viewer cannot tell apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from service.rules.permutations import sample_permutations


@given(hidden=st.lists(st.sampled_from("abc"), max_size=40))
def test_no_place_holds_the_same_in_all_arrangements_unless_everything_is_alike(hidden: list[str]) -> None:
    hidden.sort()
    orders = sample_permutations(hidden)
    assert all(sorted(order) == hidden for order in orders)
    for place in range(len(hidden)):
        assert len({order[place] for order in orders}) > 1 or len(set(hidden)) == 1
